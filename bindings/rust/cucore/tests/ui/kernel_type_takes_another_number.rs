// SPDX-License-Identifier: MIT OR Apache-2.0
//! A typed kernel takes an f32, and no f64 for it.
use cucore::{Buffer, LaunchConfig, Result, Stream};

cucore::kernel!(struct Scale = "scale"(data: &mut [f32], factor: f32););

unsafe fn example(scale: &Scale, stream: &Stream, config: &LaunchConfig, data: &mut Buffer<f32>) -> Result<()> {
    scale.launch(stream, config, data, 2.0f64)
}

fn main() {}
