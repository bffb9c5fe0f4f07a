// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream may call back after what made the call has returned.
use cucore::{Result, Stream};

fn example(stream: &Stream) -> Result<()> {
    let mut done = false;
    stream.add_callback(|_| done = true)?;
    assert!(done);
    Ok(())
}

fn main() {}
