// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host buffer is no mutable buffer, whose calls do not know what the host was lent.
use cucore::{Buffer, HostBuffer};

fn example(host: &mut HostBuffer<u32>, other: &mut Buffer<u32>) {
    let buffer: &mut Buffer<u32> = host;
    std::mem::swap(buffer, other);
}

fn main() {}
