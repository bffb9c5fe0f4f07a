// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a test can do to the simulated driver besides making a call fail.

use cucore::{Context, Device, DeviceAttribute, ErrorKind, Event, Stream};
use cucore_sim::{Exclusive, Simulator};
use std::panic::panic_any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;
use std::thread;

fn simulator() -> Exclusive {
    Simulator::install().unwrap().exclusive()
}

#[test]
fn a_hook_runs_once_before_its_call() {
    let simulator = simulator();
    let device = Device::open(0).unwrap();
    let (ran, here) = (Arc::new(AtomicUsize::new(0)), thread::current().id());
    let (counted, control) = (Arc::clone(&ran), *simulator);
    let calls = simulator.call_count("cuEventCreate");
    simulator.hook("cuEventCreate", 2, move || {
        assert_eq!(thread::current().id(), here);
        assert_eq!(control.call_count("cuEventCreate"), calls + 1);
        Stream::new(&Device::open(0).unwrap()).unwrap();
        counted.fetch_add(1, Ordering::SeqCst);
    });
    Event::new(&device).unwrap();
    assert_eq!(ran.load(Ordering::SeqCst), 0);
    Event::new(&device).unwrap();
    Event::new(&device).unwrap();
    assert_eq!(ran.load(Ordering::SeqCst), 1);
    assert_eq!(Arc::strong_count(&ran), 1, "the closure was dropped");
}

#[test]
fn a_hook_that_does_not_run_is_taken_back() {
    let simulator = simulator();
    let held = Arc::new(());
    let in_hook = Arc::clone(&held);
    simulator.hook("cuEventCreate", 1, move || drop(in_hook));
    simulator.unhook();
    assert_eq!(Arc::strong_count(&held), 1);
    Event::new(&Device::open(0).unwrap()).unwrap();
}

#[test]
fn a_hook_that_is_taken_back_may_set_another_as_it_is_dropped() {
    struct SetsAnother(Simulator);

    impl Drop for SetsAnother {
        fn drop(&mut self) {
            self.0.hook("cuEventCreate", 1, || ());
        }
    }

    let simulator = simulator();
    let sets_another = SetsAnother(*simulator);
    simulator.hook("cuEventCreate", 1, move || drop(sets_another));
    simulator.unhook();
}

#[test]
fn a_hook_that_panics_lets_the_call_go_on() {
    let simulator = simulator();
    let device = Device::open(0).unwrap();
    simulator.hook("cuEventCreate", 1, || panic_any(7));
    Event::new(&device).unwrap();
}

#[test]
fn devices_have_the_compute_capability_that_is_set() {
    let simulator = simulator();
    let device = Device::open(0).unwrap();
    assert!(simulator.set_compute_capability(12, 0));
    let major = device.attribute(DeviceAttribute::ComputeCapabilityMajor);
    assert!(!simulator.set_compute_capability(9, 9));
    assert!(simulator.set_compute_capability(9, 0));
    assert_eq!(major.unwrap(), 12);
}

#[test]
fn a_sticky_fault_is_there_until_the_context_is_destroyed() {
    const ILLEGAL_ADDRESS: i32 = 700;
    let simulator = simulator();
    let stream = Stream::new(&Device::open(1).unwrap()).unwrap();
    simulator.sticky_fault(1, ILLEGAL_ADDRESS);
    let error = stream.synchronize().unwrap_err();
    assert_eq!((error.kind(), error.native_code()), (ErrorKind::DeviceLost, i64::from(ILLEGAL_ADDRESS)));
    stream.close().unwrap_err();
    // SAFETY: the context is current on no thread.
    unsafe { Context::release_primary(1) }.unwrap();
    Stream::new(&Device::open(1).unwrap()).unwrap().synchronize().unwrap();
}

#[test]
fn no_callback_called_the_driver() {
    assert_eq!(simulator().callback_thread_calls(), 0);
}
