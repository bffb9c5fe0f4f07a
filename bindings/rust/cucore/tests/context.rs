// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thread's current context: left alone, except by the functions whose job it is to set it.

mod common;

use common::simulator;
use cucore::{Context, Device, ErrorKind, MemoryResource, Stream};

/// The raw value of the context that is current.
fn current() -> Option<usize> {
    // SAFETY: every context here is a primary one, which the library keeps.
    let current = unsafe { Context::replace_current(None) }.unwrap()?;
    current.set_current().unwrap();
    Some(current.raw() as usize)
}

#[test]
fn b11_set_current_sets_and_clears() {
    let simulator = simulator();
    let context = Device::open(0).unwrap().context().unwrap();
    simulator.clear_calls();
    context.set_current().unwrap();
    assert_eq!(simulator.call_count("cuCtxSetCurrent"), 1);
    assert_eq!(current(), Some(context.raw() as usize));
    Context::clear_current().unwrap();
    assert_eq!(current(), None);
}

#[test]
fn b11_a_failed_set_current_keeps_the_previous() {
    let simulator = simulator();
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap().context().unwrap());
    first.set_current().unwrap();
    simulator.fail("cuCtxSetCurrent", 1, 1, false);
    second.set_current().unwrap_err();
    assert_eq!(current(), Some(first.raw() as usize));
    Context::clear_current().unwrap();
}

#[test]
fn b1_calls_leave_the_current_context_alone() {
    let _simulator = simulator();
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap());
    let context = first.context().unwrap();
    context.set_current().unwrap();
    let stream = Stream::new(&second).unwrap();
    assert_eq!(stream.context().ordinal(), 1);
    let pool = MemoryResource::device_pool(&second).unwrap();
    drop(pool.upload(&[1u8], &stream).unwrap());
    second.context().unwrap().synchronize().unwrap();
    assert_eq!(current(), Some(context.raw() as usize));
    Context::clear_current().unwrap();
}

#[test]
fn a_primary_context_in_use_is_not_released() {
    let _simulator = simulator();
    let device = Device::open(1).unwrap();
    let stream = Stream::new(&device).unwrap();
    assert_eq!(Context::release_primary(1).unwrap_err().kind(), ErrorKind::InvalidState);
    drop((device, stream));
    Context::release_primary(1).unwrap();
    Stream::new(&Device::open(1).unwrap()).unwrap();
}
