// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kernel could read y while it writes it.
use cucore::{Buffer, Kernel, LaunchConfig, Result, Stream};

unsafe fn example(add: &Kernel, stream: &Stream, config: &LaunchConfig, y: &mut Buffer<f32>) -> Result<()> {
    add.launch(stream, config, (&*y, &mut *y))
}

fn main() {}
