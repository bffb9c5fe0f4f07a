// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors: what they hold, and how they read.

mod common;

use common::{device, simulator, LAUNCH_FAILED, PTX};
use cucore::{Context, Device, Domain, Error, ErrorKind, Event, Kind, Library, NoteKind, ObjectCode, Result, Status, Stream};
use std::error::Error as _;
use std::thread;

fn kinds(status: &Status) -> Vec<NoteKind> {
    status.notes().map(|note| note.kind).collect()
}

#[test]
fn an_error_is_one_pointer() {
    assert_eq!(size_of::<Error>(), size_of::<*const u8>());
    assert_eq!(size_of::<Result<()>>(), size_of::<*const u8>());
    assert_eq!(size_of::<Result<Stream>>(), 2 * size_of::<*const u8>());
}

#[test]
fn an_error_of_the_callers_own() {
    let error = Error::new(ErrorKind::Cancelled, "enough of that");
    assert_eq!((error.kind(), error.domain()), (ErrorKind::Cancelled, Some(Domain::Cucore)));
    assert_eq!(error.to_string(), "enough of that");
    assert_eq!(format!("{error:?}"), "Cancelled: enough of that");
    assert!(error.source().is_none() && error.log().is_empty());
}

#[test]
fn a_driver_failure_says_what_failed_on_what_and_why() {
    let simulator = simulator();
    let device = device();
    simulator.fail("cuEventCreate", 1, 2, false);
    let error = Event::new(&device).unwrap_err();
    assert_eq!((error.kind(), error.domain()), (ErrorKind::OutOfMemory, Some(Domain::Driver)));
    assert_eq!((error.operation(), error.native_code()), ("cuEventCreate", 2));
    assert!(error.message().contains("CUDA_ERROR_OUT_OF_MEMORY"), "{error}");
    assert!(format!("{error:?}").starts_with("OutOfMemory: cuEventCreate"), "{error:?}");
}

#[test]
fn a13_an_error_keeps_its_facts() {
    let _simulator = simulator();
    let error = Device::open(99).unwrap_err();
    let clone = error.clone();
    let shown = format!("{error:?}");
    Device::open(98).unwrap_err();
    drop(error);
    assert_eq!(thread::spawn(move || format!("{clone:?}")).join().unwrap(), shown);
}

#[test]
fn b4_notes_say_what_became_of_the_current_context() {
    let simulator = simulator();
    let device = device();
    device.context().unwrap();
    Context::clear_current().unwrap();
    let before = simulator.live_count("stream");
    simulator.fail("cuCtxPopCurrent", 1, LAUNCH_FAILED, false);
    let error = Stream::new(&device).unwrap_err();
    assert_eq!(error.operation(), "cuCtxPopCurrent");
    let kinds = kinds(&error);
    assert!(kinds.contains(&NoteKind::Consequence) && kinds.contains(&NoteKind::Advice), "{error:?}");
    assert_eq!(simulator.live_count("stream"), before);
    Context::clear_current().unwrap();
}

#[test]
fn debug_shows_every_note() {
    let simulator = simulator();
    let stream = Stream::new(&device()).unwrap();
    simulator.fail("cuStreamSynchronize", 1, LAUNCH_FAILED, false);
    let error = stream.synchronize().unwrap_err();
    assert!(kinds(&error).contains(&NoteKind::Advice), "earlier work may have failed: {error:?}");
    for note in error.notes() {
        assert!(format!("{error:?}").contains(&format!("\n  {:?}: {}", note.kind, note.status)), "{error:?}");
    }
}

#[test]
fn a16_the_source_is_the_drivers_own_sentence() {
    let _simulator = simulator();
    let code = ObjectCode::new(Kind::Ptx, PTX.as_bytes(), "test.ptx").unwrap();
    let error = Library::load(&device(), &code).unwrap().kernel("nope").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let source = error.source().expect("a driver with logs says why").to_string();
    assert!(source.contains("nope"), "{source}");
    let first = error.notes().find(|note| note.kind == NoteKind::Cause).unwrap();
    assert_eq!(source, first.status.to_string());
}

#[test]
fn e5_bad_code_fails_at_load_with_the_drivers_log() {
    let _simulator = simulator();
    let code = ObjectCode::new(Kind::Ptx, PTX.replace("mul.f32", "frobnicate.f32").as_bytes(), "bad.ptx").unwrap();
    let error = Library::load(&device(), &code).unwrap_err();
    assert!(error.log().contains("frobnicate"), "{error:?}");
    assert!(format!("{error:?}").contains("\n  | "), "{error:?}");
}
