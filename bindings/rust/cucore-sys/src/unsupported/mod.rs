// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the bindings find where there is no libcucore: functions that say so. A program for many systems builds on all of them,
//! and learns at its first call that this one cannot do it.

mod calls;
mod status;

use crate::bindings::{cucore_drop_function, cucore_status, CUCORE_NOT_SUPPORTED};
use core::ffi::{c_char, c_void};
use core::ptr;

/// Stores the status NOT_SUPPORTED, and gives its code.
///
/// # Safety
/// `status` is NULL, or a place for a status.
unsafe fn refuse(status: *mut *mut cucore_status) -> i32 {
    if !status.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *status = status::of_code(CUCORE_NOT_SUPPORTED) };
    }
    CUCORE_NOT_SUPPORTED
}

/// Does what a call that fails owes for what was given with it.
///
/// # Safety
/// `drop`, if there is one, may be called with `user_data`.
unsafe fn dispose(drop: cucore_drop_function, user_data: *mut c_void) {
    if let Some(drop) = drop {
        // SAFETY: the caller's promise.
        unsafe { drop(user_data) };
    }
}

/// The text of a handle that is none.
///
/// # Safety
/// `size` is NULL, or a place for a size.
unsafe fn no_text(size: *mut usize) -> *const c_char {
    if !size.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *size = 0 };
    }
    ptr::null()
}
