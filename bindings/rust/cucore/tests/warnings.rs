// SPDX-License-Identifier: MIT OR Apache-2.0
//! Warnings: what fails in a drop arrives at the sinks, once, whatever the sinks do.

mod common;

use common::{
    device, fail_a_drop, in_own_process, raw_context, simulator, stderr_of, PanicsWhenDropped, Warnings, LAUNCH_FAILED, PTX,
};
use cucore::{Context, ErrorKind, Event, Kind, Library, MemoryResource, ObjectCode, PoolOptions, Stream};
use cucore::{WarningQueue, WarningSink};
use std::fs::File;
use std::panic::{catch_unwind, panic_any, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::thread;

#[test]
fn a1_a_drop_that_fails_is_one_warning() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let stream = Stream::new(&device()).unwrap();
    let raw = stream.raw() as u64;
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(stream);
    let seen = warnings.take();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!((seen[0].operation(), seen[0].resource()), ("cuStreamDestroy", raw));
    assert!(seen[0].message().starts_with(&format!("cuStreamDestroy({raw:#x}) failed: CUDA_ERROR_LAUNCH_FAILED")));
}

#[test]
fn every_sink_gets_every_warning() {
    let simulator = simulator();
    let (first, second) = (Warnings::listen(), Warnings::listen());
    let event = Event::new(&device()).unwrap();
    simulator.fail("cuEventDestroy", 1, LAUNCH_FAILED, false);
    drop(event);
    assert_eq!((first.take().len(), second.take().len()), (1, 1));
}

#[test]
fn a6_a_sink_can_use_the_library_and_release_itself() {
    let simulator = simulator();
    let device = device();
    let stream = Stream::new(&device).unwrap();
    let own: Arc<Mutex<Option<WarningSink>>> = Arc::default();
    let (to, counted) = (Arc::clone(&own), Arc::new(()));
    let held = Arc::clone(&counted);
    let sink = WarningSink::register(move |_| {
        let _ = &held;
        Stream::new(&device).unwrap().synchronize().unwrap();
        drop(to.lock().unwrap().take());
    });
    *own.lock().unwrap() = Some(sink.unwrap());
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(stream);
    assert!(own.lock().unwrap().is_none());
    assert_eq!(Arc::strong_count(&counted), 1, "the closure was dropped");
}

#[test]
fn dropping_a_sink_drops_its_closure() {
    let counted = Arc::new(());
    let held = Arc::clone(&counted);
    let sink = WarningSink::register(move |_| drop(Arc::clone(&held))).unwrap();
    assert_eq!(Arc::strong_count(&counted), 2);
    drop(sink);
    assert_eq!(Arc::strong_count(&counted), 1);
}

/// What Drop destroys, in the order in which it does.
const DESTROYS: [&str; 8] = [
    "cuCtxDestroy",
    "cuMemFreeHost",
    "cuMemFreeAsync",
    "cuMemPoolDestroy",
    "cuMemFreeAsync",
    "cuEventDestroy",
    "cuStreamDestroy",
    "cuLibraryUnload",
];

#[test]
fn field_case_1_every_drop_fails_while_a_panic_unwinds() {
    let stderr = stderr_of("field_case_1_every_drop_fails_while_a_panic_unwinds", || {
        let simulator = simulator();
        let warnings = Warnings::listen();
        let device = device();
        let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _kernel = Library::load(&device, &code).unwrap().kernel("scale").unwrap();
            let stream = Stream::new(&device).unwrap();
            let _event = Event::new(&device).unwrap();
            let _buffer = MemoryResource::device_pool(&device).unwrap().allocate::<u8>(16, &stream).unwrap();
            let pool = MemoryResource::create_pool(&device, &PoolOptions::default()).unwrap();
            let _of_pool = pool.allocate::<u8>(16, &stream).unwrap();
            let _pool = pool;
            let _host = MemoryResource::pinned(&device).unwrap().allocate_host::<u8>(16, &stream).unwrap();
            // SAFETY: the context is nobody else's.
            let _context = unsafe { Context::from_raw_adopted(raw_context(), ()) }.unwrap();
            for function in DESTROYS {
                simulator.fail_after(function, 1, LAUNCH_FAILED, true);
            }
            panic!("the one that unwinds");
        }));
        assert_eq!(*panicked.unwrap_err().downcast_ref::<&str>().unwrap(), "the one that unwinds");
        let seen = warnings.take();
        assert!(seen.iter().all(|warning| warning.native_code() == i64::from(LAUNCH_FAILED)), "{seen:?}");
        let operations: Vec<_> = seen.iter().map(|warning| warning.operation().to_owned()).collect();
        assert_eq!(operations, DESTROYS);
    });
    assert!(!stderr.contains("cucore: warning"), "{stderr}");
}

#[test]
fn field_case_2_both_failures_of_one_drop_arrive_in_order() {
    let simulator = simulator();
    let warnings = Warnings::listen();
    let device = device();
    let buffer = {
        let stream = Stream::new(&device).unwrap();
        MemoryResource::device_pool(&device).unwrap().allocate::<u8>(16, &stream).unwrap()
    };
    simulator.fail("cuMemFreeAsync", 1, LAUNCH_FAILED, false);
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(buffer);
    assert_eq!(warnings.operations(), ["cuMemFreeAsync", "cuStreamDestroy"]);
}

fn sink_that_panics() -> WarningSink {
    WarningSink::register(|_| panic_any(PanicsWhenDropped)).unwrap()
}

#[test]
fn a8_a_sink_that_panics_leaves_the_warning_to_stderr() {
    let stderr = stderr_of("a8_a_sink_that_panics_leaves_the_warning_to_stderr", || {
        let _sink = sink_that_panics();
        fail_a_drop();
    });
    assert_eq!(stderr.matches("cuStreamDestroy(0x").count(), 1, "{stderr}");
    assert!(stderr.contains("cucore: a warning sink panicked"), "{stderr}");
}

#[test]
fn a8_another_sink_that_delivers_spares_stderr() {
    let stderr = stderr_of("a8_another_sink_that_delivers_spares_stderr", || {
        let _sink = sink_that_panics();
        let warnings = Warnings::listen();
        fail_a_drop();
        assert_eq!(warnings.take().len(), 1);
    });
    assert!(!stderr.contains("cuStreamDestroy(0x"), "{stderr}");
}

#[test]
fn a8_a_sink_panics_while_another_panic_unwinds() {
    let stderr = stderr_of("a8_a_sink_panics_while_another_panic_unwinds", || {
        let _sink = sink_that_panics();
        let simulator = simulator();
        let stream = Stream::new(&device()).unwrap();
        simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
        let panicked = catch_unwind(AssertUnwindSafe(move || {
            let _stream = stream;
            panic!("the one that unwinds");
        }));
        assert_eq!(*panicked.unwrap_err().downcast_ref::<&str>().unwrap(), "the one that unwinds");
    });
    assert_eq!(stderr.matches("cuStreamDestroy(0x").count(), 1, "{stderr}");
}

#[test]
fn a8_a_sink_panics_while_stderr_is_full() {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = in_own_process("a8_a_sink_panics_while_stderr_is_full", full.into(), || {
        let _sink = sink_that_panics();
        fail_a_drop();
    });
    assert!(output.status.success());
}

#[test]
fn a8_a_closure_panics_when_it_is_dropped() {
    let stderr = stderr_of("a8_a_closure_panics_when_it_is_dropped", || {
        let held = PanicsWhenDropped;
        drop(WarningSink::register(move |_| drop(format!("{held:?}"))).unwrap());
    });
    assert!(stderr.contains("cucore: the drop of ") && stderr.contains("} panicked"), "{stderr}");
}

#[test]
fn a15_a_queue_keeps_warnings_in_order_and_counts_what_it_lost() {
    let simulator = simulator();
    let _warnings = Warnings::listen();
    let queue = WarningQueue::new(2).unwrap();
    assert!(queue.poll().is_none());
    let streams: Vec<_> = (0..3).map(|_| Stream::new(&device()).unwrap()).collect();
    let raws: Vec<_> = streams.iter().map(|stream| stream.raw() as u64).collect();
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, true);
    drop(streams);
    let seen: Vec<_> = queue.drain().map(|warning| warning.resource()).collect();
    assert_eq!(seen, raws[..2]);
    assert_eq!(queue.lost(), 1);
    assert!(queue.poll().is_none());
}

#[test]
fn a15_a_queue_is_polled_from_another_thread() {
    let simulator = simulator();
    let queue = WarningQueue::new(1).unwrap();
    let stream = Stream::new(&device()).unwrap();
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(stream);
    let operation = thread::spawn(move || queue.poll().unwrap().operation().to_owned()).join().unwrap();
    assert_eq!(operation, "cuStreamDestroy");
}

#[test]
fn a15_a_queue_is_dropped_with_what_is_in_it() {
    let simulator = simulator();
    let queue = WarningQueue::new(1).unwrap();
    let stream = Stream::new(&device()).unwrap();
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(stream);
    drop(queue);
    assert_eq!(WarningQueue::new(0).unwrap_err().kind(), ErrorKind::InvalidArgument);
}
