// SPDX-License-Identifier: MIT OR Apache-2.0
//! A device's name does not outlive the handle.
use cucore::Device;

fn example(device: Device) -> usize {
    let name = device.name();
    drop(device);
    name.len()
}

fn main() {}
