// SPDX-License-Identifier: MIT OR Apache-2.0
//! A buffer gives one mutable view at a time.
use cucore::{Buffer, Result, Stream};

fn example(buffer: &mut Buffer<f32>, stream: &Stream) -> Result<()> {
    let (mut first, mut second) = (buffer.slice_mut(..2), buffer.slice_mut(1..));
    first.fill(1.0, stream)?;
    second.fill(2.0, stream)
}

fn main() {}
