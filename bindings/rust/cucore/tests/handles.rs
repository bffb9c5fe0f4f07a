// SPDX-License-Identifier: MIT OR Apache-2.0
//! Handles: cloned, shared, closed, dropped in any order.

mod common;

use common::{device, simulator, Warnings, LAUNCH_FAILED, PTX};
use cucore::{Buffer, Context, Device, Error, ErrorKind, Event, EventOptions, HostBuffer, Kernel, Kind, Library, Linker};
use cucore::{MemoryResource, ObjectCode, Program, Stream, WarningQueue, WarningSink};
use std::thread;

fn shared<T: Send + Sync + Clone>() {}
fn sent<T: Send>() {}

#[test]
fn handles_can_be_shared_and_sent() {
    shared::<Device>();
    shared::<Context>();
    shared::<Stream>();
    shared::<Event>();
    shared::<MemoryResource>();
    shared::<ObjectCode>();
    shared::<Library>();
    shared::<Kernel>();
    shared::<Error>();
    sent::<Program>();
    sent::<Linker>();
    sent::<WarningSink>();
    sent::<Buffer<f32>>();
    sent::<&Buffer<f32>>();
    sent::<HostBuffer<f32>>();
    sent::<&HostBuffer<f32>>();
    sent::<WarningQueue>();
    sent::<&WarningQueue>();
}

/// `<T as OneOf<_>>` is ambiguous, and does not compile, where `T` is Sync or Clone.
trait OneOf<Which> {
    fn holds() {}
}

struct IsSync;
struct IsClone;

impl<T> OneOf<()> for T {}
impl<T: Sync> OneOf<IsSync> for T {}
impl<T: Clone> OneOf<IsClone> for T {}

#[test]
fn programs_and_linkers_are_neither_shared_nor_cloned() {
    <Program as OneOf<_>>::holds();
    <Linker as OneOf<_>>::holds();
}

#[test]
fn a_clone_is_the_same_resource() {
    let simulator = simulator();
    let before = simulator.live_count("stream");
    let stream = Stream::new(&device()).unwrap();
    let clone = stream.clone();
    assert_eq!(clone.raw(), stream.raw());
    stream.close().unwrap();
    assert_eq!(simulator.live_count("stream"), before + 1);
    clone.synchronize().unwrap();
    drop(clone);
    assert_eq!(simulator.live_count("stream"), before);
}

#[test]
fn a_handle_knows_what_it_depends_on() {
    let _simulator = simulator();
    let device = Device::open(1).unwrap();
    let stream = Stream::new(&device).unwrap();
    let event = Event::new(&device).unwrap();
    let pool = MemoryResource::device_pool(&device).unwrap();
    assert_eq!(device.ordinal(), 1);
    assert_eq!([stream.device().ordinal(), event.device().ordinal(), pool.device().ordinal()], [1; 3]);
    assert_eq!(stream.context().raw(), device.context().unwrap().raw());
    assert_eq!(event.context().ordinal(), 1);
}

#[test]
fn what_was_dropped_first_lives_as_long_as_it_is_needed() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let device = device();
    let context = device.context().unwrap();
    let before = simulator.live_list();
    let stream = Stream::new(&device).unwrap();
    let pool = MemoryResource::device_pool(&device).unwrap();
    let buffer = pool.upload(&[1u8, 2, 3], &stream).unwrap();
    let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
    let library = Library::load(&device, &code).unwrap();
    let kernel = library.kernel("scale").unwrap();
    drop((device, context, pool, stream, code, library));
    assert_eq!(buffer.download(&buffer.stream()).unwrap(), [1, 2, 3]);
    assert_eq!(kernel.library().kernel("shift").unwrap().name(), "shift");
    drop((kernel, buffer));
    assert_eq!(simulator.live_list(), before);
    assert!(warnings.take().is_empty());
    assert_eq!(simulator.violations(), [""; 0]);
}

#[test]
fn a_handle_works_on_another_thread() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    let event = Event::new(&stream.device()).unwrap();
    thread::scope(|scope| {
        scope.spawn(|| event.record(&stream).unwrap());
    });
    let other = Stream::new(&stream.device()).unwrap();
    other.wait_event(&event).unwrap();
    thread::spawn(move || drop((stream, event))).join().unwrap();
}

#[test]
fn a2_close_returns_the_failure_and_warns_of_nothing() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let stream = Stream::new(&device()).unwrap();
    let raw = stream.raw() as u64;
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    let error = stream.close().unwrap_err();
    assert_eq!(error.operation(), "cuStreamDestroy");
    assert_eq!((error.native_code(), error.resource()), (i64::from(LAUNCH_FAILED), raw));
    assert!(warnings.take().is_empty());
}

#[test]
fn a_handle_goes_through_c_and_back() {
    let simulator = simulator();
    let before = simulator.live_count("event");
    let handle = Event::new(&device()).unwrap().into_ptr();
    // SAFETY: the reference was just given away.
    let event = unsafe { Event::from_ptr(handle) }.unwrap();
    assert_eq!(simulator.live_count("event"), before + 1);
    drop(event);
    assert_eq!(simulator.live_count("event"), before);
    // SAFETY: NULL is allowed.
    assert!(unsafe { Event::from_ptr(std::ptr::null_mut()) }.is_none());
}

#[test]
fn an_event_measures_time_if_it_was_asked_to() {
    let _simulator = simulator();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let timing = EventOptions::default().timing(true).blocking_sync(true);
    let (start, end) = (Event::with_options(&device, &timing).unwrap(), Event::with_options(&device, &timing).unwrap());
    assert_eq!(end.elapsed_since(&start).unwrap_err().kind(), ErrorKind::InvalidState);
    start.record(&stream).unwrap();
    end.record(&stream).unwrap();
    end.synchronize().unwrap();
    assert!(end.elapsed_since(&start).unwrap().as_secs() < 60);
    let untimed = Event::new(&device).unwrap();
    untimed.record(&stream).unwrap();
    assert_eq!(untimed.elapsed_since(&start).unwrap_err().kind(), ErrorKind::InvalidState);
    assert!(start.has_timing() && start.is_blocking_sync());
    assert!(!untimed.has_timing() && !untimed.is_blocking_sync());
}

#[test]
fn handles_show_what_they_are() {
    let _simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    assert_eq!(format!("{:?}", stream.device()), "Device(0)");
    assert_eq!(format!("{stream:?}"), format!("Stream({:?})", stream.raw()));
}
