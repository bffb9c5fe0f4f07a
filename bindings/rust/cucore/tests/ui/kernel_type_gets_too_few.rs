// SPDX-License-Identifier: MIT OR Apache-2.0
//! A typed kernel takes as many arguments as it has parameters.
use cucore::{Buffer, LaunchConfig, Result, Stream};

cucore::kernel!(struct Scale = "scale"(data: &mut [f32], factor: f32););

unsafe fn example(scale: &Scale, stream: &Stream, config: &LaunchConfig, data: &mut Buffer<f32>) -> Result<()> {
    scale.launch(stream, config, data)
}

fn main() {}
