// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kernel could write y twice.
use cucore::{Buffer, Kernel, LaunchConfig, Result, Stream};

unsafe fn example(swap: &Kernel, stream: &Stream, config: &LaunchConfig, y: &mut Buffer<f32>) -> Result<()> {
    swap.launch(stream, config, (y.slice_mut(..2), y.slice_mut(1..)))
}

fn main() {}
