// SPDX-License-Identifier: MIT OR Apache-2.0
//! A typed kernel does not get what it writes for reading too.
use cucore::{Buffer, LaunchConfig, Result, Stream};

cucore::kernel!(struct Add = "add"(x: &[f32], y: &mut [f32]););

unsafe fn example(add: &Add, stream: &Stream, config: &LaunchConfig, y: &mut Buffer<f32>) -> Result<()> {
    add.launch(stream, config, &*y, &mut *y)
}

fn main() {}
