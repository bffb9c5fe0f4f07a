// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device could write any address into a reference.
use cucore::{HostBuffer, MemoryResource, Result, Stream};

fn example<'a>(pinned: &MemoryResource, stream: &Stream) -> Result<HostBuffer<&'a u32>> {
    pinned.allocate_host(16, stream)
}

fn main() {}
