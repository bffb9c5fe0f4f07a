// SPDX-License-Identifier: MIT OR Apache-2.0
//! Elements are read as what they are.
use cucore::{Buffer, Result, Stream};

fn example(floats: &Buffer<f32>, stream: &Stream) -> Result<Vec<u32>> {
    floats.download(stream)
}

fn main() {}
