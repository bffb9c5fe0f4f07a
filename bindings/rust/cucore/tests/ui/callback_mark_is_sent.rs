// SPDX-License-Identifier: MIT OR Apache-2.0
//! What marks a thread as inside a callback ends on that thread.
use cucore::{callback, Result};

fn example() -> Result<()> {
    let inside = callback::enter()?;
    std::thread::spawn(move || drop(inside));
    Ok(())
}

fn main() {}
