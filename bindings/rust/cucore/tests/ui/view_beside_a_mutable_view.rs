// SPDX-License-Identifier: MIT OR Apache-2.0
//! A buffer gives no view beside a mutable one.
use cucore::{Buffer, Result, Stream};

fn example(buffer: &mut Buffer<f32>, stream: &Stream) -> Result<()> {
    let view = buffer.slice(..2);
    buffer.slice_mut(2..).copy_from(view, stream)
}

fn main() {}
