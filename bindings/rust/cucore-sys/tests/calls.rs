// SPDX-License-Identifier: MIT OR Apache-2.0
//! Calls of whatever is linked, none of which needs a driver.

use cucore_sys::*;
use std::ffi::{c_char, c_void, CStr};
use std::ptr;

fn text(text: *const c_char) -> String {
    // SAFETY: the library's texts end with a NUL, and live at least as long as what they are of.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

/// The code, message and code's name of a status, which is given up.
fn taken(status: *mut cucore_status) -> (i32, String, String) {
    // SAFETY: the status is alive, and ours.
    unsafe {
        let (code, mut size) = (cucore_status_code(status), 0);
        let message = text(cucore_status_message(status, &mut size));
        assert_eq!(message.len(), size);
        cucore_status_release(status);
        (code, message, text(cucore_status_code_name(code)))
    }
}

unsafe extern "C" fn count(user_data: *mut c_void) {
    // SAFETY: the tests hand over a number that outlives the call.
    unsafe { *user_data.cast::<i32>() += 1 };
}

#[test]
fn the_library_is_of_this_version() {
    // SAFETY: these take nothing.
    let (version, name) = unsafe { (cucore_version(), cucore_version_text()) };
    assert_eq!(version, CUCORE_VERSION as u32);
    assert_eq!(text(name), CUCORE_VERSION_TEXT.to_str().unwrap());
    assert_eq!(text(name), env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_status_of_the_callers_own_has_its_code() {
    let message = "enough of that";
    // SAFETY: the message is as long as it says.
    let status = unsafe { cucore_status_create(CUCORE_CANCELLED, message.as_ptr().cast(), message.len()) };
    // SAFETY: the status is alive; the reference is given up at once.
    unsafe { cucore_status_release(cucore_status_retain(status)) };
    let (code, _, name) = taken(status);
    assert_eq!((code, name.as_str()), (CUCORE_CANCELLED, "CANCELLED"));
}

#[test]
fn no_status_is_no_failure() {
    // SAFETY: NULL is fine for all of them.
    unsafe {
        assert_eq!(cucore_status_code(ptr::null()), CUCORE_OK);
        assert_eq!(text(cucore_status_message(ptr::null(), ptr::null_mut())), "");
        assert!(cucore_status_retain(ptr::null()).is_null());
        cucore_status_release(ptr::null_mut());
        cucore_device_release(ptr::null_mut());
    }
}

#[test]
fn a_number_that_is_no_code_makes_a_status_of_a_bad_argument() {
    for number in [CUCORE_OK, -1, 4711] {
        // SAFETY: an empty message is fine.
        let status = unsafe { cucore_status_create(number, ptr::null(), 0) };
        assert_eq!(taken(status).0, CUCORE_INVALID_ARGUMENT);
        // SAFETY: takes a number.
        assert_eq!(text(unsafe { cucore_status_code_name(number) }), if number == CUCORE_OK { "OK" } else { "" });
    }
}

#[test]
fn a_call_that_fails_stores_a_status_and_drops_what_it_was_given() {
    let (mut status, mut drops) = (ptr::null_mut(), 0i32);
    let user_data = ptr::from_mut(&mut drops).cast();
    // SAFETY: no function is an error; the number outlives the call.
    let sink = unsafe { cucore_warning_sink_register(None, user_data, Some(count), &mut status) };
    assert!(sink.is_null());
    assert_eq!(drops, 1);
    let wanted = if cfg!(cucore_unsupported) { CUCORE_NOT_SUPPORTED } else { CUCORE_INVALID_ARGUMENT };
    let (code, message, _) = taken(status);
    assert_eq!(code, wanted, "{message}");
    assert!(!message.is_empty());
}

/// In a build with `--cfg cucore_unsupported`, which is what other systems get.
#[cfg(cucore_unsupported)]
#[test]
fn without_a_library_every_call_says_so() {
    let mut status = ptr::null_mut();
    // SAFETY: the arguments are numbers and places.
    unsafe {
        assert!(cucore_device_open(0, &mut status).is_null());
        let (code, message, name) = taken(status);
        assert_eq!((code, name.as_str()), (CUCORE_NOT_SUPPORTED, "NOT_SUPPORTED"));
        assert!(message.contains("Linux"), "{message}");

        let mut count = -1;
        assert_eq!(cucore_device_count(&mut count, &mut status), CUCORE_NOT_SUPPORTED);
        assert_eq!(count, -1);
        assert_eq!(cucore_device_count(&mut count, ptr::null_mut()), CUCORE_NOT_SUPPORTED);
        assert_eq!(cucore_driver_is_available(), 0);
        let mut size = 7;
        assert!(cucore_driver_path(&mut size).is_null());
        assert_eq!(size, 0);
    }
}
