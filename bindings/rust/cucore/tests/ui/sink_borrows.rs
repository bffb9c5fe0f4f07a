// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sink may be called as long as it lives.
use cucore::{Result, WarningSink};

fn example() -> Result<WarningSink> {
    let prefix = String::from("warning: ");
    WarningSink::register(|warning| eprintln!("{prefix}{warning}"))
}

fn main() {}
