// SPDX-License-Identifier: MIT OR Apache-2.0
//! No asynchronous copy reads what the host changes.
use cucore::{Buffer, HostBuffer, Result, Stream};

fn example(host: &mut HostBuffer<u32>, device: &mut Buffer<u32>, stream: &Stream) -> Result<()> {
    let numbers = host.as_mut_slice()?;
    device.copy_from(&*host, stream)?;
    numbers[0] = 1;
    Ok(())
}

fn main() {}
