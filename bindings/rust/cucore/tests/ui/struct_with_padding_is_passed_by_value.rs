// SPDX-License-Identifier: MIT OR Apache-2.0
//! A struct with padding has bytes that were never written.
use cucore::{ByValue, Kernel, LaunchConfig, Result, Stream};

#[derive(Clone, Copy)]
#[repr(C)]
struct Padded {
    small: u8,
    large: u32,
}

unsafe fn example(kernel: &Kernel, stream: &Stream, config: &LaunchConfig, how: Padded) -> Result<()> {
    kernel.launch(stream, config, (ByValue(how),))
}

fn main() {}
