// SPDX-License-Identifier: MIT OR Apache-2.0
//! Streams and events: what is on them, and what waits for what.

mod common;

use common::{capturing, destroy_raw_stream, device, raw_stream, simulator, Drops};
use cucore::{Context, Device, ErrorKind, Event, MemoryResource, Stream, StreamOptions};

#[test]
fn a_stream_has_the_priority_that_was_asked_for() {
    let _simulator = simulator();
    let device = device();
    let range = device.stream_priority_range().unwrap();
    assert!(range.start() < range.end(), "the first is the more urgent: {range:?}");
    let urgent = Stream::with_options(&device, &StreamOptions::default().priority(*range.start())).unwrap();
    assert_eq!(urgent.priority().unwrap(), *range.start());
    assert_eq!(Stream::new(&device).unwrap().priority().unwrap(), *range.end());
    let error = Stream::with_options(&device, &StreamOptions::default().priority(99)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn a_stream_orders_with_the_default_stream_if_it_was_asked_to() {
    let _simulator = simulator();
    let device = device();
    assert!(Stream::new(&device).unwrap().is_non_blocking().unwrap());
    let blocking = Stream::with_options(&device, &StreamOptions::default().blocking(true)).unwrap();
    assert!(!blocking.is_non_blocking().unwrap());
}

#[test]
fn streams_have_numbers_and_can_capture() {
    let _simulator = simulator();
    let (first, second) = (Stream::new(&device()).unwrap(), Stream::new(&device()).unwrap());
    assert_ne!(first.id().unwrap(), second.id().unwrap());
    assert_eq!(first.clone().id().unwrap(), first.id().unwrap());
    assert!(!first.is_capturing().unwrap());
    let lasted = capturing(&first, || {
        assert!(first.is_capturing().unwrap());
        assert!(!second.is_capturing().unwrap());
    });
    assert!(lasted && !first.is_capturing().unwrap());
}

#[test]
fn a_stream_is_done_when_its_work_is() {
    let simulator = simulator();
    let device = device();
    let (stream, event) = (Stream::new(&device).unwrap(), Event::new(&device).unwrap());
    assert!(stream.is_done().unwrap() && event.is_done().unwrap(), "nothing was put on it");
    let mut buffer = MemoryResource::device_pool(&device).unwrap().allocate::<u32>(4, &stream).unwrap();
    simulator.hold(&stream);
    buffer.fill(1, &stream).unwrap();
    event.record(&stream).unwrap();
    assert!(!stream.is_done().unwrap() && !event.is_done().unwrap());
    simulator.release(&stream);
    assert!(stream.is_done().unwrap() && event.is_done().unwrap());
}

#[test]
fn a_stream_waits_for_another() {
    let simulator = simulator();
    let device = device();
    let (awaited, waiting) = (Stream::new(&device).unwrap(), Stream::new(&device).unwrap());
    let pool = MemoryResource::device_pool(&device).unwrap();
    let (mut first, mut second) = (pool.upload(&[0u32], &awaited).unwrap(), pool.upload(&[0u32], &awaited).unwrap());
    simulator.hold(&awaited);
    first.fill(1, &awaited).unwrap();
    waiting.wait_stream(&awaited).unwrap();
    waiting.wait_stream(&waiting).unwrap();
    second.copy_from(&first, &waiting).unwrap();
    assert!(!waiting.is_done().unwrap());
    simulator.release(&awaited);
    assert_eq!(second.download(&waiting).unwrap(), [1]);
}

#[test]
fn the_default_stream_is_that_of_the_devices_context() {
    let simulator = simulator();
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap());
    second.set_current().unwrap();
    let stream = first.default_stream().unwrap();
    assert_eq!((stream.device().ordinal(), stream.context().ordinal()), (0, 0));
    let buffer = MemoryResource::device_pool(&first).unwrap().upload(&[1u8, 2], &stream).unwrap();
    assert_eq!(buffer.download(&stream).unwrap(), [1, 2]);
    stream.synchronize().unwrap();
    drop((buffer, stream));
    assert_eq!(simulator.violations(), [""; 0]);
    Context::clear_current().unwrap();
}

#[test]
fn a_borrowed_stream_is_not_destroyed() {
    let simulator = simulator();
    let device = device();
    let (raw, drops) = (raw_stream(&device.context().unwrap()), Drops::default());
    let before = simulator.live_list();
    // SAFETY: it is destroyed at the end of the test.
    let stream = unsafe { Stream::from_raw_borrowed(&device, raw, drops.owner()) }.unwrap();
    assert_eq!(stream.raw(), raw);
    let buffer = MemoryResource::device_pool(&device).unwrap().upload(&[1u8], &stream).unwrap();
    drop(stream);
    assert_eq!(drops.count(), 0, "the buffer needs it");
    drop(buffer);
    assert_eq!((drops.count(), simulator.live_list()), (1, before));
    destroy_raw_stream(raw);
}

#[test]
fn an_adopted_stream_is_destroyed_by_its_last_handle() {
    let simulator = simulator();
    let device = device();
    let context = device.context().unwrap();
    let before = simulator.live_list();
    let (raw, drops) = (raw_stream(&context), Drops::default());
    // SAFETY: nobody else destroys it.
    let stream = unsafe { Stream::from_raw_adopted(&device, raw, drops.owner()) }.unwrap();
    // SAFETY: borrowing what the library owns keeps it alive.
    let borrowed = unsafe { Stream::from_raw_borrowed(&device, raw, ()) }.unwrap();
    drop(stream);
    borrowed.synchronize().unwrap();
    borrowed.close().unwrap();
    assert_eq!((drops.count(), simulator.live_list()), (1, before));
}

#[test]
fn b10_a_stream_of_another_context_or_none_is_refused() {
    let _simulator = simulator();
    let [first, second] = [0, 1].map(|ordinal| Device::open(ordinal).unwrap());
    let (stream, drops) = (Stream::new(&second).unwrap(), Drops::default());
    // SAFETY: both are refused.
    let refused = unsafe {
        [
            Stream::from_raw_borrowed(&first, stream.raw(), drops.owner()),
            Stream::from_raw_borrowed(&first, std::ptr::null_mut(), drops.owner()),
        ]
    };
    let kinds = refused.map(|result| result.unwrap_err().kind());
    assert_eq!(kinds, [ErrorKind::InvalidHandle, ErrorKind::InvalidArgument]);
    assert_eq!(drops.count(), 2);
}
