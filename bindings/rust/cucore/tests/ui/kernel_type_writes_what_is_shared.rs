// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a typed kernel writes is lent mutably.
use cucore::{Buffer, LaunchConfig, Result, Stream};

cucore::kernel!(struct Scale = "scale"(data: &mut [f32], factor: f32););

unsafe fn example(scale: &Scale, stream: &Stream, config: &LaunchConfig, data: &Buffer<f32>) -> Result<()> {
    scale.launch(stream, config, data, 2.0)
}

fn main() {}
