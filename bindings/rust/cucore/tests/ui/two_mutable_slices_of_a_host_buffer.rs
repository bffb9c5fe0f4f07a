// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host buffer lends itself mutably once.
use cucore::{HostBuffer, Result};

fn example(host: &mut HostBuffer<u32>) -> Result<()> {
    let (first, second) = (host.as_mut_slice()?, host.as_mut_slice()?);
    first.copy_from_slice(second);
    Ok(())
}

fn main() {}
