// SPDX-License-Identifier: MIT OR Apache-2.0
//! A view keeps its buffer from being closed.
use cucore::{Buffer, Result, Stream};

fn example(buffer: Buffer<f32>, stream: &Stream) -> Result<Vec<f32>> {
    let view = buffer.slice(1..);
    buffer.close()?;
    view.download(stream)
}

fn main() {}
