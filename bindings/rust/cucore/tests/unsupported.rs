// SPDX-License-Identifier: MIT OR Apache-2.0
//! A system that has no libcucore: each call says so, and nothing panics. In a build with `--cfg cucore_unsupported`, which is what
//! other systems get.
#![cfg(cucore_unsupported)]

use cucore::compiler::{self, Compiler};
use cucore::{callback, driver, Context, Device, Domain, Error, ErrorKind, Kind, LiveList, ObjectCode, Program, ProgramOptions};
use cucore::{Result, WarningQueue, WarningSink};
use std::error::Error as _;
use std::fmt::Debug;
use std::panic::{catch_unwind, panic_any};
use std::ptr;
use std::sync::Arc;
use std::thread;

fn refused<T: Debug>(result: Result<T>) {
    let error = result.unwrap_err();
    assert_eq!((error.kind(), error.domain()), (ErrorKind::NotSupported, Some(Domain::Cucore)), "{error:?}");
}

#[test]
fn an_error_says_that_there_is_no_libcucore() {
    let error = Device::open(0).unwrap_err();
    assert_eq!((error.kind(), error.domain()), (ErrorKind::NotSupported, Some(Domain::Cucore)));
    assert_eq!(error.to_string(), "libcucore is for 64-bit Linux: there is none for this system");
    assert_eq!(format!("{error:?}"), format!("NotSupported: {error}"));
    assert_eq!((error.native_code(), error.resource(), error.operation(), error.log().as_ref()), (0, 0, "", ""));
    assert!(error.source().is_none() && error.notes().next().is_none());
}

#[test]
fn an_error_outlives_its_thread_and_its_clones() {
    let error = thread::spawn(|| Device::open(0).unwrap_err()).join().unwrap();
    drop(error.clone());
    let boxed: Box<dyn std::error::Error + Send + Sync> = error.into();
    assert_eq!(boxed.downcast_ref::<Error>().unwrap().kind(), ErrorKind::NotSupported);
}

#[test]
fn an_error_of_the_callers_own_has_its_kind() {
    assert_eq!(Error::new(ErrorKind::Cancelled, "enough of that").kind(), ErrorKind::Cancelled);
}

#[test]
fn nothing_can_be_opened_or_made() {
    refused(Device::count());
    refused(Device::open(0));
    refused(Device::open_all());
    refused(Context::clear_current());
    refused(ObjectCode::new(Kind::Ptx, b".version 8.0", "test.ptx"));
    refused(Program::with_options(None, "", &ProgramOptions::default()));
    refused(WarningQueue::new(4));
    refused(LiveList::new());
    refused(callback::enter().map(drop));
    refused(callback::deferred_drain());
    // SAFETY: no context is current, and none is given.
    unsafe {
        refused(Context::current());
        refused(Context::replace_current(None));
        refused(Device::current());
    }
}

#[test]
fn there_is_no_driver_and_no_compiler() {
    assert!(!driver::is_available());
    refused(driver::version());
    assert_eq!(driver::path(), None);
    refused(compiler::version(Compiler::Nvrtc));
    assert_eq!(compiler::path(Compiler::Nvrtc), None);
    // SAFETY: there is no such file.
    unsafe {
        refused(driver::use_library("/no/such/driver"));
        refused(driver::use_entry(None));
        refused(compiler::use_library(Compiler::Nvrtc, "/no/such/compiler"));
        refused(compiler::use_wheels("/no/such/wheels"));
    }
}

#[test]
fn what_is_handed_over_is_dropped_once() {
    let held = Arc::new(());
    let in_sink = Arc::clone(&held);
    refused(WarningSink::register(move |_| drop(Arc::clone(&in_sink))));
    assert_eq!(Arc::strong_count(&held), 1);
    // SAFETY: no context is no context of anybody's.
    unsafe {
        refused(Context::from_raw_borrowed(ptr::null_mut(), Arc::clone(&held)));
        refused(Context::from_raw_adopted(ptr::null_mut(), Arc::clone(&held)));
    }
    assert_eq!(Arc::strong_count(&held), 1);
}

#[test]
fn a_drop_that_panics_stays_inside() {
    struct PanicsWhenDropped;

    impl Drop for PanicsWhenDropped {
        fn drop(&mut self) {
            panic_any(7);
        }
    }

    let held = PanicsWhenDropped;
    let result = catch_unwind(|| WarningSink::register(move |_| assert!(size_of_val(&held) == 0)).map(drop));
    refused(result.expect("the panic does not leave the call"));
}
