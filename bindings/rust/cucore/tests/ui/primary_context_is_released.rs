// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whoever releases a primary context vouches that no other thread has it.
use cucore::{Context, Result};

fn example() -> Result<()> {
    Context::release_primary(0)
}

fn main() {}
