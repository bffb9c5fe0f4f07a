// SPDX-License-Identifier: MIT OR Apache-2.0
//! A process without a driver.

use cucore::{driver, Device, Error, ErrorKind, NoteKind};
use std::error::Error as _;

#[test]
fn d2_without_a_driver_every_call_says_what_was_tried() {
    // SAFETY: neither names a file, so nothing is opened.
    let relative = unsafe { driver::use_library("libcuda.so.1") };
    assert_eq!(relative.unwrap_err().kind(), ErrorKind::InvalidArgument);
    // SAFETY: as above.
    unsafe { driver::use_library("/nowhere/libcuda.so.1") }.unwrap();

    assert!(!driver::is_available());
    assert!(driver::path().is_none());
    for error in [driver::version().unwrap_err(), Device::count().unwrap_err(), Device::open(0).unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error:?}");
        assert!(error.notes().any(|note| note.kind == NoteKind::Cause), "{error:?}");
        assert!(error.source().unwrap().to_string().contains("/nowhere/libcuda.so.1"), "{error:?}");
    }
    assert_eq!(Error::new(ErrorKind::Driver, "still printed").to_string(), "still printed");
}
