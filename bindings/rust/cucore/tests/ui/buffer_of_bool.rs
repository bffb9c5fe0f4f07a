// SPDX-License-Identifier: MIT OR Apache-2.0
//! Not any byte that a device wrote is a bool.
use cucore::{Buffer, MemoryResource, Result, Stream};

fn example(pool: &MemoryResource, stream: &Stream) -> Result<Buffer<bool>> {
    pool.allocate(16, stream)
}

fn main() {}
