// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream is gone once it is closed.
use cucore::{Result, Stream};

fn example(stream: Stream) -> Result<()> {
    stream.close()?;
    stream.synchronize()
}

fn main() {}
