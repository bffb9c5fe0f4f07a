// SPDX-License-Identifier: MIT OR Apache-2.0
//! A buffer has one owner, or two could write to it at once.
use cucore::Buffer;

fn example(buffer: &Buffer<f32>) -> Buffer<f32> {
    Buffer::clone(buffer)
}

fn main() {}
