// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whoever launches vouches for what the kernel does.
use cucore::{Buffer, Kernel, LaunchConfig, Result, Stream};

fn example(zero: &Kernel, stream: &Stream, config: &LaunchConfig, y: &mut Buffer<f32>) -> Result<()> {
    zero.launch(stream, config, (y,))
}

fn main() {}
