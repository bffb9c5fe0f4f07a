// SPDX-License-Identifier: MIT OR Apache-2.0
//! A buffer is gone once it is closed.
use cucore::{Buffer, Result, Stream};

fn example(buffer: Buffer<f32>, stream: &Stream) -> Result<Vec<f32>> {
    buffer.close()?;
    buffer.download(stream)
}

fn main() {}
