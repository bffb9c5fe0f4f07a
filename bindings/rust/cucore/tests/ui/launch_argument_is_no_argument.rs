// SPDX-License-Identifier: MIT OR Apache-2.0
//! A kernel takes numbers, buffers and structs by value: no slice of the host's.
use cucore::{Kernel, LaunchConfig, Result, Stream};

unsafe fn example(sum: &Kernel, stream: &Stream, config: &LaunchConfig, x: &[f32]) -> Result<()> {
    sum.launch(stream, config, (x, 1u32))
}

fn main() {}
