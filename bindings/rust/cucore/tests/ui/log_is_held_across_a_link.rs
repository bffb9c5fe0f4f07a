// SPDX-License-Identifier: MIT OR Apache-2.0
//! Linking changes the log.
use cucore::{Linker, Result};

fn example(linker: &mut Linker) -> Result<()> {
    let log = linker.info_log();
    linker.link()?;
    println!("{log}");
    Ok(())
}

fn main() {}
