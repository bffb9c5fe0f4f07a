// SPDX-License-Identifier: MIT OR Apache-2.0
//! Panics of what was handed to C: none crosses it or ends the process, whatever it panics with and wherever stderr goes.
#![cfg(unix)]

mod common;

use common::{destroy_raw_context, destroy_raw_stream, raw_context, raw_stream, LAUNCH_FAILED};
use common::{device, fail_a_drop, in_own_process, simulator, stderr_of, Drops, PanicsWhenDropped};
use cucore::{callback, Context, Stream, WarningSink};
use std::fs::File;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::panic::{catch_unwind, panic_any, AssertUnwindSafe};
use std::process::Stdio;

/// Panics in every sort of function that C calls and in every drop that C runs, of this process.
fn panic_everywhere() {
    panic_in_sinks();
    panic_in_stream_callbacks();
    panic_in_owners();
    panic_in_a_context();
}

fn panic_in_sinks() {
    let held = PanicsWhenDropped;
    let sink = WarningSink::register(move |_| panic_any((&held as *const _ as usize, PanicsWhenDropped))).unwrap();
    fail_a_drop();
    while_unwinding(|| {
        fail_a_drop();
    });
    while_unwinding(move || drop(sink));
}

fn panic_in_stream_callbacks() {
    let simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let ran = Drops::default();
    let counted = ran.owner();
    stream
        .add_callback(move |_| {
            drop(counted);
            panic_any(PanicsWhenDropped);
        })
        .unwrap();
    callback::deferred_drain().unwrap();
    assert_eq!(ran.count(), 1);

    let held = PanicsWhenDropped;
    simulator.fail("cuStreamAddCallback", 1, LAUNCH_FAILED, true);
    stream.add_callback(move |_| drop(held)).unwrap_err();
    let held = PanicsWhenDropped;
    while_unwinding(|| {
        stream.add_callback(move |_| drop(held)).unwrap_err();
    });
    simulator.fail_nothing();
    stream.synchronize().unwrap();
}

fn panic_in_owners() {
    let _simulator = simulator();
    let raw = raw_context();
    // SAFETY: the context is alive until it is destroyed below.
    let context = unsafe { Context::from_raw_borrowed(raw, PanicsWhenDropped) }.unwrap();
    let of_context = raw_stream(&context);
    // SAFETY: the stream is alive until it is destroyed below.
    let stream = unsafe { Stream::from_raw_borrowed(&device_of(&context), of_context, PanicsWhenDropped) }.unwrap();
    while_unwinding(move || drop(stream));
    destroy_raw_stream(of_context);
    {
        let _inside = callback::enter().unwrap();
        drop(context);
    }
    callback::deferred_drain().unwrap();
    destroy_raw_context(raw);
}

fn device_of(context: &Context) -> cucore::Device {
    cucore::Device::with_context(context).unwrap()
}

fn panic_in_a_context() {
    let _simulator = simulator();
    let context = device().context().unwrap();
    let panicked = catch_unwind(AssertUnwindSafe(|| context.run(|| panic_any(7)))).unwrap_err();
    assert_eq!(*panicked.downcast_ref::<i32>().unwrap(), 7);
}

/// Runs `action` in a drop while a panic unwinds, which goes on.
fn while_unwinding(action: impl FnOnce()) {
    struct Last<F: FnOnce()>(Option<F>);

    impl<F: FnOnce()> Drop for Last<F> {
        fn drop(&mut self) {
            self.0.take().unwrap()();
        }
    }

    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _last = Last(Some(action));
        panic!("the one that unwinds");
    }));
    assert_eq!(*panicked.unwrap_err().downcast_ref::<&str>().unwrap(), "the one that unwinds");
}

#[test]
fn a8_no_panic_ends_the_process() {
    let stderr = stderr_of("a8_no_panic_ends_the_process", panic_everywhere);
    for (told, times) in
        [("cucore: a warning sink panicked", 2), ("cucore: a stream callback panicked", 1), ("cucore: the drop of ", 5)]
    {
        assert_eq!(stderr.matches(told).count(), times, "{told}: {stderr}");
    }
    assert_eq!(stderr.matches("cuStreamDestroy(0x").count(), 2, "{stderr}");
}

#[test]
fn a8_no_panic_ends_the_process_with_stderr_full() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    assert!(in_own_process("a8_no_panic_ends_the_process_with_stderr_full", full.into(), panic_everywhere).status.success());
}

#[test]
fn a8_no_panic_ends_the_process_with_nobody_reading_stderr() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    drop(ours);
    let stderr = Stdio::from(OwnedFd::from(theirs));
    assert!(in_own_process("a8_no_panic_ends_the_process_with_nobody_reading_stderr", stderr, panic_everywhere).status.success());
}

#[test]
fn a8_no_panic_ends_the_process_with_stderr_closed() {
    let body = || {
        extern "C" {
            fn close(descriptor: i32) -> i32;
        }
        // SAFETY: nothing in this process owns descriptor 2.
        assert_eq!(unsafe { close(2) }, 0);
        panic_everywhere();
    };
    assert!(in_own_process("a8_no_panic_ends_the_process_with_stderr_closed", Stdio::null(), body).status.success());
}
