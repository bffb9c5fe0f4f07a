// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values and calls of the caller's that go through C. No panic crosses it.

use std::any;
use std::ffi::c_void;
use std::fmt;
use std::io::{self, Write};
use std::mem;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// A value on its way to C, and what C disposes of it with, once.
pub(crate) fn owned<T: Send + 'static>(owner: T) -> (*mut c_void, Option<unsafe extern "C" fn(*mut c_void)>) {
    (Box::into_raw(Box::new(owner)).cast(), Some(dispose::<T>))
}

unsafe extern "C" fn dispose<T>(owner: *mut c_void) {
    // SAFETY: C hands back, once, what it got with dispose::<T>.
    let owner = unsafe { Box::from_raw(owner.cast::<T>()) };
    contained(format_args!("the drop of {}", any::type_name::<T>()), move || drop(owner));
}

/// Runs `callback` and says whether it came to its end. No panic leaves it: not the callback's, not that of dropping what it
/// panicked with, not that of reporting it where stderr is closed or full.
pub(crate) fn contained(what: fmt::Arguments<'_>, callback: impl FnOnce()) -> bool {
    let Err(payload) = catch_unwind(AssertUnwindSafe(callback)) else {
        return true;
    };
    report(format_args!("{what} panicked"));
    swallowed(|| drop(payload));
    false
}

/// Writes a line to stderr if it can be had.
pub(crate) fn report(line: fmt::Arguments<'_>) {
    swallowed(|| {
        let _ = writeln!(io::stderr(), "cucore: {line}");
    });
}

/// Runs `action`; what it panics with is forgotten, since dropping that could panic again.
fn swallowed(action: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(action)) {
        mem::forget(payload);
    }
}
