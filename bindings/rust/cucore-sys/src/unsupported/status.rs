// SPDX-License-Identifier: MIT OR Apache-2.0
//! Statuses without the library: one for each code, static, as the library has them for when there is no memory.

use crate::bindings::*;
use core::ffi::{c_char, CStr};
use core::ptr;

/// A code's name, with the code as its place.
const NAMES: [&CStr; 15] = [
    c"OK",
    c"INVALID_ARGUMENT",
    c"INVALID_HANDLE",
    c"INVALID_STATE",
    c"NOT_SUPPORTED",
    c"NOT_FOUND",
    c"NOT_READY",
    c"OUT_OF_MEMORY",
    c"DEVICE_LOST",
    c"COMPILE",
    c"LINK",
    c"CANCELLED",
    c"OS",
    c"DRIVER",
    c"INTERNAL",
];

/// A status is the address of its code here.
static CODES: [i32; 15] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];

/// The status of a code; that of a number that is none is the one of a bad argument.
pub(super) fn of_code(code: i32) -> *mut cucore_status {
    let known = (CUCORE_INVALID_ARGUMENT..=CUCORE_INTERNAL).contains(&code);
    let code = if known { code } else { CUCORE_INVALID_ARGUMENT };
    ptr::from_ref(&CODES[code as usize]).cast_mut().cast()
}

/// # Safety
/// `size` is NULL, or a place for a size.
unsafe fn text(text: &'static CStr, size: *mut usize) -> *const c_char {
    if !size.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *size = text.to_bytes().len() };
    }
    text.as_ptr()
}

#[no_mangle]
extern "C" fn cucore_status_create(code: i32, _message: *const c_char, _size: usize) -> *mut cucore_status {
    of_code(code)
}

#[no_mangle]
extern "C" fn cucore_status_retain(status: *const cucore_status) -> *mut cucore_status {
    status.cast_mut()
}

#[no_mangle]
extern "C" fn cucore_status_release(_status: *mut cucore_status) {}

#[no_mangle]
unsafe extern "C" fn cucore_status_code(status: *const cucore_status) -> i32 {
    // SAFETY: not NULL, so it came from `of_code`.
    unsafe { status.cast::<i32>().as_ref() }.copied().unwrap_or(CUCORE_OK)
}

#[no_mangle]
extern "C" fn cucore_status_domain(status: *const cucore_status) -> i32 {
    if status.is_null() {
        0
    } else {
        CUCORE_DOMAIN_CUCORE
    }
}

#[no_mangle]
extern "C" fn cucore_status_native_code(_status: *const cucore_status) -> i64 {
    0
}

#[no_mangle]
extern "C" fn cucore_status_resource(_status: *const cucore_status) -> u64 {
    0
}

#[no_mangle]
unsafe extern "C" fn cucore_status_operation(_status: *const cucore_status, size: *mut usize) -> *const c_char {
    // SAFETY: the caller's promise to C.
    unsafe { text(c"", size) }
}

#[no_mangle]
unsafe extern "C" fn cucore_status_message(status: *const cucore_status, size: *mut usize) -> *const c_char {
    // SAFETY: the caller's promises to C.
    unsafe {
        let message = match cucore_status_code(status) {
            CUCORE_OK => c"",
            CUCORE_NOT_SUPPORTED => c"libcucore is for 64-bit Linux: there is none for this system",
            _ => c"details lost: there is no libcucore for this system",
        };
        text(message, size)
    }
}

#[no_mangle]
unsafe extern "C" fn cucore_status_log(_status: *const cucore_status, size: *mut usize) -> *const c_char {
    // SAFETY: the caller's promise to C.
    unsafe { text(c"", size) }
}

#[no_mangle]
extern "C" fn cucore_status_note_count(_status: *const cucore_status) -> usize {
    0
}

#[no_mangle]
extern "C" fn cucore_status_note(_status: *const cucore_status, _index: usize) -> *const cucore_status {
    ptr::null()
}

#[no_mangle]
extern "C" fn cucore_status_note_kind(_status: *const cucore_status, _index: usize) -> i32 {
    0
}

#[no_mangle]
extern "C" fn cucore_status_code_name(code: i32) -> *const c_char {
    let name = usize::try_from(code).ok().and_then(|code| NAMES.get(code));
    name.copied().unwrap_or_default().as_ptr()
}

#[no_mangle]
extern "C" fn cucore_status_native_name(_domain: i32, _native_code: i64) -> *const c_char {
    c"".as_ptr()
}

#[no_mangle]
extern "C" fn cucore_status_native_description(_domain: i32, _native_code: i64) -> *const c_char {
    c"".as_ptr()
}

#[no_mangle]
extern "C" fn cucore_version() -> u32 {
    CUCORE_VERSION as u32
}

#[no_mangle]
extern "C" fn cucore_version_text() -> *const c_char {
    CUCORE_VERSION_TEXT.as_ptr()
}
