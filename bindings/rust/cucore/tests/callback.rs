// SPDX-License-Identifier: MIT OR Apache-2.0
//! Callbacks of other code that say so, and those that a stream calls.

mod common;

use common::{device, simulator, Warnings, LAUNCH_FAILED};
use cucore::{callback, ErrorKind, MemoryResource, Stream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{mpsc, Arc};

#[test]
fn h2_inside_a_callback_waiting_is_refused_and_drops_are_deferred() {
    let simulator = simulator();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let doomed = Stream::new(&device).unwrap();
    let buffer = MemoryResource::device_pool(&device).unwrap().upload(&[1u8], &stream).unwrap();
    let before = simulator.live_count("stream");
    {
        let _inside = callback::enter().unwrap();
        assert_eq!(stream.synchronize().unwrap_err().kind(), ErrorKind::InvalidState);
        assert_eq!(buffer.synchronize().unwrap_err().kind(), ErrorKind::InvalidState);
        assert_eq!(callback::deferred_drain().unwrap_err().kind(), ErrorKind::InvalidState);
        let _again = callback::enter().unwrap();
        drop(doomed);
    }
    stream.synchronize().unwrap();
    callback::deferred_drain().unwrap();
    assert_eq!(simulator.live_count("stream"), before - 1);
}

#[test]
fn h2_what_fails_after_a_callback_is_a_warning() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let stream = Stream::new(&device()).unwrap();
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    let inside = callback::enter().unwrap();
    stream.close().unwrap();
    drop(inside);
    callback::deferred_drain().unwrap();
    assert_eq!(warnings.operations(), ["cuStreamDestroy"]);
}

#[test]
fn nothing_deferred_is_drained_at_once() {
    let _simulator = simulator();
    callback::deferred_drain().unwrap();
}

/// Counts how often it is dropped.
struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn h1_a_stream_calls_a_closure_once_with_the_outcome_and_drops_it_once() {
    let simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let drops = Arc::new(AtomicUsize::new(0));
    let (sender, receiver) = mpsc::channel();
    let guard = Dropped(drops.clone());
    stream
        .add_callback(move |outcome| {
            let _kept = &guard;
            sender.send(outcome.is_ok()).unwrap();
        })
        .unwrap();
    assert!(receiver.recv().unwrap());
    stream.synchronize().unwrap();
    callback::deferred_drain().unwrap();
    assert_eq!(drops.load(Ordering::SeqCst), 1);

    let guard = Dropped(drops.clone());
    simulator.fail("cuStreamAddCallback", 1, LAUNCH_FAILED, false);
    let refused = stream.add_callback(move |_| drop(guard)).unwrap_err();
    assert_eq!(refused.operation(), "cuStreamAddCallback");
    assert_eq!(drops.load(Ordering::SeqCst), 2);
}

#[test]
fn h1_a_panic_in_a_stream_callback_stays_inside() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    stream.add_callback(|_| panic!("on purpose")).unwrap();
    stream.synchronize().unwrap();
    callback::deferred_drain().unwrap();
}
