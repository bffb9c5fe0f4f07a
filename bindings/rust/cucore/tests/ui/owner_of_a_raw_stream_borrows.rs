// SPDX-License-Identifier: MIT OR Apache-2.0
//! The owner of a raw stream lives as long as the handle's last clone.
use cucore::{Device, Result, Stream};

unsafe fn example(device: &Device, raw: *mut cucore::sys::CUstream_st) -> Result<Stream> {
    let owner = String::from("keeps the stream alive");
    Stream::from_raw_borrowed(device, raw, &owner)
}

fn main() {}
