// SPDX-License-Identifier: MIT OR Apache-2.0
//! Callbacks of other code's that say so.

mod common;

use common::{device, simulator, Warnings, LAUNCH_FAILED};
use cucore::{callback, ErrorKind, MemoryResource, Stream};

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
