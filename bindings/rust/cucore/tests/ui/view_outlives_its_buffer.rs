// SPDX-License-Identifier: MIT OR Apache-2.0
//! A view does not outlive its buffer.
use cucore::{Buffer, View};

fn example(buffer: Buffer<f32>) -> View<'static, f32> {
    buffer.view()
}

fn main() {}
