// SPDX-License-Identifier: MIT OR Apache-2.0
//! The thread's current context: left alone, except by the functions whose job it is to set it.

mod common;

use common::{destroy_raw_context, device, raw_context, simulator, stderr_of, Drops, LAUNCH_FAILED};
use cucore::{Context, Device, ErrorKind, Event, MemoryResource, Stream};
use std::panic::{catch_unwind, panic_any, AssertUnwindSafe};
use std::thread;

/// The raw value of the context that is current.
fn current() -> Option<usize> {
    // SAFETY: every context here outlives the handle.
    unsafe { Context::current() }.unwrap().map(|context| context.raw() as usize)
}

fn address(context: &Context) -> Option<usize> {
    Some(context.raw() as usize)
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
    // SAFETY: the context is current on no thread.
    let release = || unsafe { Context::release_primary(1) };
    assert_eq!(release().unwrap_err().kind(), ErrorKind::InvalidState);
    drop((device, stream));
    release().unwrap();
    Stream::new(&Device::open(1).unwrap()).unwrap();
}

#[test]
fn b11_replace_current_gives_the_previous_back() {
    let _simulator = simulator();
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap().context().unwrap());
    first.set_current().unwrap();
    // SAFETY: both are primary contexts, which the library keeps.
    let previous = unsafe { Context::replace_current(Some(&second)) }.unwrap().unwrap();
    assert_eq!((previous.raw(), current()), (first.raw(), address(&second)));
    // SAFETY: as above.
    unsafe { Context::replace_current(None) }.unwrap();
    assert_eq!(current(), None);
}

#[test]
fn a_borrowed_context_is_not_destroyed() {
    let simulator = simulator();
    let (raw, drops) = (raw_context(), Drops::default());
    let before = simulator.live_list();
    // SAFETY: it is destroyed at the end of the test.
    let context = unsafe { Context::from_raw_borrowed(raw, drops.owner()) }.unwrap();
    assert_eq!((context.raw(), context.ordinal()), (raw, 0));
    let stream = Stream::new(&Device::with_context(&context).unwrap()).unwrap();
    assert_eq!(stream.context().raw(), raw);
    drop(context);
    assert_eq!(drops.count(), 0, "the stream needs it");
    drop(stream);
    assert_eq!((drops.count(), simulator.live_list()), (1, before));
    destroy_raw_context(raw);
}

#[test]
fn an_adopted_context_is_destroyed_by_its_last_handle() {
    let simulator = simulator();
    device().context().unwrap();
    let before = simulator.live_list();
    let (raw, drops) = (raw_context(), Drops::default());
    // SAFETY: nobody else destroys it.
    let context = unsafe { Context::from_raw_adopted(raw, drops.owner()) }.unwrap();
    // SAFETY: it would not be destroyed twice: the library refuses.
    let again = unsafe { Context::from_raw_adopted(raw, drops.owner()) }.unwrap_err();
    assert_eq!((again.kind(), drops.count()), (ErrorKind::InvalidState, 1));
    // SAFETY: borrowing what the library owns keeps it alive.
    let borrowed = unsafe { Context::from_raw_borrowed(raw, ()) }.unwrap();
    context.close().unwrap();
    assert_eq!(drops.count(), 1);
    borrowed.synchronize().unwrap();
    borrowed.close().unwrap();
    assert_eq!((drops.count(), simulator.live_list()), (2, before));
    assert_eq!(simulator.violations(), [""; 0]);
}

#[test]
fn a_context_that_cannot_be_made_a_handle_drops_the_owner() {
    let _simulator = simulator();
    let drops = Drops::default();
    // SAFETY: NULL is refused.
    let error = unsafe { Context::from_raw_borrowed(std::ptr::null_mut(), drops.owner()) }.unwrap_err();
    assert_eq!((error.kind(), drops.count()), (ErrorKind::InvalidArgument, 1));
}

#[test]
fn a8_an_owner_panics_when_it_is_dropped() {
    struct Panics;

    impl Drop for Panics {
        fn drop(&mut self) {
            panic_any(Panics);
        }
    }

    let stderr = stderr_of("a8_an_owner_panics_when_it_is_dropped", || {
        let _simulator = simulator();
        // SAFETY: it is never destroyed.
        drop(unsafe { Context::from_raw_borrowed(raw_context(), Panics) }.unwrap());
    });
    assert!(stderr.contains("cucore: the drop of ") && stderr.contains("Panics panicked"), "{stderr}");
}

#[test]
fn a_function_runs_while_a_context_is_current() {
    let _simulator = simulator();
    let [outer, inner] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap().context().unwrap());
    let mut seen = Vec::new();
    let result = outer.run(|| {
        seen.push(current());
        let nested = inner.run(current).unwrap();
        seen.push(nested);
        seen.push(current());
        "what it gave".to_owned()
    });
    assert_eq!(result.unwrap(), "what it gave");
    assert_eq!(seen, [address(&outer), address(&inner), address(&outer)]);
    assert_eq!(current(), None);
}

#[test]
fn a_function_that_panics_leaves_the_context_first() {
    let _simulator = simulator();
    let context = device().context().unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| context.run(|| -> () { panic_any(7) })));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&7));
    assert_eq!(current(), None);
}

#[test]
fn b5_a_context_that_cannot_be_left_is_the_error_of_the_run() {
    let simulator = simulator();
    let (context, drops) = (device().context().unwrap(), Drops::default());
    simulator.fail("cuCtxPopCurrent", 1, LAUNCH_FAILED, false);
    let error = context.run(|| drops.owner()).map(|_| ()).unwrap_err();
    assert_eq!((error.operation(), drops.count()), ("cuCtxPopCurrent", 1));
    Context::clear_current().unwrap();
}

#[test]
fn b8_a_context_that_cannot_be_entered_runs_nothing() {
    let simulator = simulator();
    let context = device().context().unwrap();
    simulator.fail("cuCtxPushCurrent", 1, LAUNCH_FAILED, false);
    let error = context.run(|| unreachable!("it was not entered")).unwrap_err();
    assert_eq!(error.operation(), "cuCtxPushCurrent");
    assert_eq!(current(), None);
}

#[test]
fn a_panic_and_a_context_that_cannot_be_left_are_both_told() {
    let stderr = stderr_of("a_panic_and_a_context_that_cannot_be_left_are_both_told", || {
        let simulator = simulator();
        let context = device().context().unwrap();
        simulator.fail("cuCtxPopCurrent", 1, LAUNCH_FAILED, false);
        let panicked = catch_unwind(AssertUnwindSafe(|| context.run(|| -> () { panic_any(7) })));
        assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&7));
    });
    assert_eq!(stderr.matches("cucore: cuCtxPopCurrent").count(), 1, "{stderr}");
}

#[test]
fn what_a_device_makes_is_made_in_its_context() {
    let simulator = simulator();
    let primary = device().context().unwrap();
    // SAFETY: nobody else destroys it.
    let context = unsafe { Context::from_raw_adopted(raw_context(), ()) }.unwrap();
    let device = Device::with_context(&context).unwrap();
    assert_eq!((device.ordinal(), device.context().unwrap().raw()), (0, context.raw()));
    let (stream, event) = (Stream::new(&device).unwrap(), Event::new(&device).unwrap());
    event.record(&stream).unwrap();
    let elsewhere = Event::new(&Device::open(0).unwrap()).unwrap();
    assert_eq!(elsewhere.record(&stream).unwrap_err().kind(), ErrorKind::InvalidHandle);
    device.synchronize().unwrap();
    device.set_current().unwrap();
    // SAFETY: our handle keeps the context alive.
    let found = unsafe { Device::current() }.unwrap().unwrap();
    assert_eq!(found.context().unwrap().raw(), context.raw());
    primary.set_current().unwrap();
    Context::clear_current().unwrap();
    // SAFETY: there is none to be kept alive.
    assert!(unsafe { Device::current() }.unwrap().is_none());
    drop((stream, event, elsewhere, found, device, context));
    assert_eq!(simulator.violations(), [""; 0]);
}

#[test]
fn a_run_is_of_its_own_thread() {
    let _simulator = simulator();
    let context = device().context().unwrap();
    let elsewhere = context.run(|| thread::scope(|scope| scope.spawn(current).join().unwrap()));
    assert_eq!(elsewhere.unwrap(), None);
}
