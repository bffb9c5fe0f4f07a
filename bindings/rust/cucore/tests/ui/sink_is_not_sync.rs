// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sink is called on several threads at once.
use cucore::{Result, WarningSink};

fn example() -> Result<WarningSink> {
    let count = std::cell::Cell::new(0);
    WarningSink::register(move |_| count.set(count.get() + 1))
}

fn main() {}
