// SPDX-License-Identifier: MIT OR Apache-2.0
//! A copy is between buffers of the same element.
use cucore::{Buffer, Result, Stream};

fn example(floats: &Buffer<f32>, numbers: &mut Buffer<u32>, stream: &Stream) -> Result<()> {
    numbers.copy_from(floats, stream)
}

fn main() {}
