// SPDX-License-Identifier: MIT OR Apache-2.0
//! A string means nothing to a device.
use cucore::{MemoryResource, Result, Stream};

fn example(pool: &MemoryResource, stream: &Stream) -> Result<()> {
    pool.upload(&[String::from("x")], stream)?.close()
}

fn main() {}
