// SPDX-License-Identifier: MIT OR Apache-2.0
//! No asynchronous copy changes what the host reads.
use cucore::{Buffer, HostBuffer, Result, Stream};

fn example(host: &mut HostBuffer<u32>, device: &Buffer<u32>, stream: &Stream) -> Result<u32> {
    let numbers = host.as_slice()?;
    host.view_mut().copy_from(device, stream)?;
    Ok(numbers[0])
}

fn main() {}
