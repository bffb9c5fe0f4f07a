// SPDX-License-Identifier: MIT OR Apache-2.0
//! No asynchronous fill changes what the host reads.
use cucore::{HostBuffer, Result, Stream};

fn example(host: &mut HostBuffer<u32>, stream: &Stream) -> Result<u32> {
    let numbers = host.as_slice()?;
    host.slice_mut(..1).fill(7, stream)?;
    Ok(numbers[0])
}

fn main() {}
