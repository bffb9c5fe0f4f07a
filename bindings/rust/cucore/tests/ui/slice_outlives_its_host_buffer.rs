// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a host buffer lends does not outlive it.
use cucore::{HostBuffer, Result};

fn example(host: HostBuffer<u32>) -> Result<u32> {
    let numbers = host.as_slice()?;
    drop(host);
    Ok(numbers[0])
}

fn main() {}
