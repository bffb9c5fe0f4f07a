// SPDX-License-Identifier: MIT OR Apache-2.0
//! A stream is gone once it is closed.
use cucore::{Result, Stream};

/// The compiler shows this, and not what the library documents of streams.
fn close(stream: Stream) -> Result<()> {
    stream.close()
}

fn example(stream: Stream) -> Result<()> {
    close(stream)?;
    stream.synchronize()
}

fn main() {}
