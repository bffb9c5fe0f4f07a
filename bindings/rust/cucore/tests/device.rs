// SPDX-License-Identifier: MIT OR Apache-2.0
//! Devices, and what they tell about themselves.

mod common;

use common::{device, simulator};
use cucore::{Context, Device, DeviceAttribute, ErrorKind};

#[test]
fn a_device_tells_about_itself() {
    let _simulator = simulator();
    let device = device();
    let (major, minor) = device.compute_capability();
    assert!(!device.name().is_empty());
    assert_eq!(device.arch(), format!("sm_{major}{minor}"));
    assert_eq!(device.attribute(DeviceAttribute::ComputeCapabilityMajor).unwrap().unsigned_abs(), major);
    assert_eq!(device.attribute(DeviceAttribute::Other(10)).unwrap(), device.attribute(DeviceAttribute::WarpSize).unwrap());
    assert_eq!(device.attribute(DeviceAttribute::Other(-1)).unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[test]
fn devices_can_be_told_apart() {
    let _simulator = simulator();
    let devices = Device::open_all().unwrap();
    assert_eq!(devices.len() as i32, Device::count().unwrap());
    assert_eq!(devices.iter().map(Device::ordinal).collect::<Vec<_>>(), [0, 1]);
    assert_ne!(devices[0].uuid(), devices[1].uuid());
    assert_ne!(devices[0].pci_bus_id(), devices[1].pci_bus_id());
    assert_eq!(devices[0].uuid(), device().uuid());
    let bus = u32::from_str_radix(devices[1].pci_bus_id().split(':').nth(1).unwrap(), 16).unwrap();
    assert_eq!(devices[1].attribute(DeviceAttribute::PciBusId).unwrap().unsigned_abs(), bus);
}

#[test]
fn no_devices_are_an_empty_list() {
    let simulator = simulator();
    let open = device();
    simulator.set_device_count(0);
    let devices = Device::open_all();
    simulator.set_device_count(2);
    assert!(devices.unwrap().is_empty());
    drop(open);
}

#[test]
fn a_failed_open_all_opens_none() {
    let simulator = simulator();
    simulator.fail("cuDeviceGetName", 2, 999, false);
    assert_eq!(Device::open_all().unwrap_err().operation(), "cuDeviceGetName");
}

#[test]
fn a_device_has_memory_and_peers() {
    let _simulator = simulator();
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap());
    let info = first.memory_info().unwrap();
    assert!(info.available > 0 && info.available <= info.total, "{info:?}");
    assert_eq!(first.can_access_peer(&second).unwrap(), second.can_access_peer(&first).unwrap());
    assert!(!first.can_access_peer(&first).unwrap());
}

#[test]
fn b14_a_query_leaves_the_current_context_alone() {
    let simulator = simulator();
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap());
    first.set_current().unwrap();
    second.memory_info().unwrap();
    assert!(second.stream_priority_range().unwrap().contains(&0));
    second.synchronize().unwrap();
    simulator.fail("cuMemGetInfo", 1, 999, false);
    second.memory_info().unwrap_err();
    // SAFETY: it is a primary context, which the library keeps.
    let current = unsafe { Context::current() }.unwrap().unwrap();
    assert_eq!(current.raw(), first.context().unwrap().raw());
    Context::clear_current().unwrap();
}
