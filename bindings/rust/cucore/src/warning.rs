// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::{sys, Result, Status};
use std::ffi::c_void;
use std::io::{self, Write};
use std::mem;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::ptr::NonNull;

/// Receives warnings, the failures that no call can return: those of destroying what a drop gave up. Dropping it ends that.
///
/// Each warning goes once to every sink alive. One that no sink delivered is a line on stderr.
pub struct WarningSink(NonNull<sys::cucore_warning_sink>);

// SAFETY: C allows any thread to release the sink; the closure behind it is Send and Sync.
unsafe impl Send for WarningSink {}
// SAFETY: nothing can be done with a shared sink.
unsafe impl Sync for WarningSink {}

impl WarningSink {
    /// Calls `sink` with every warning from now on, on the thread that met the failure, possibly on several at once. It may
    /// make any call of this crate; a warning raised meanwhile on the same thread goes to stderr. If it panics, the panic stays
    /// inside and the warning counts as not delivered.
    pub fn register<F: Fn(&Status) + Send + Sync + 'static>(sink: F) -> Result<WarningSink> {
        let user_data = Box::into_raw(Box::new(sink)).cast();
        // SAFETY: deliver::<F> and dispose::<F> fit the user data, which C disposes of once, also if this fails.
        made(|status| unsafe { sys::cucore_warning_sink_register(Some(deliver::<F>), user_data, Some(dispose::<F>), status) })
            .map(WarningSink)
    }

    /// Keeps the sink for as long as the process runs.
    pub fn leak(self) {
        mem::forget(self);
    }
}

/// Waits for calls of the sink under way on other threads (so hold no lock here that the sink takes), then drops the closure.
/// Inside a sink it does not wait, and the closure is dropped when its last call returns.
impl Drop for WarningSink {
    fn drop(&mut self) {
        // SAFETY: the sink is ours to release, once.
        unsafe { sys::cucore_warning_sink_release(self.0.as_ptr()) }
    }
}

impl std::fmt::Debug for WarningSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WarningSink")
    }
}

unsafe extern "C" fn deliver<F: Fn(&Status)>(warning: *const sys::cucore_status, user_data: *mut c_void) -> i32 {
    // SAFETY: C calls with the user data that deliver::<F> was registered with, not yet disposed of, and a live warning.
    let (sink, warning) = unsafe { (&*user_data.cast::<F>(), Status::from_ptr(warning)) };
    i32::from(!contained("a warning sink", || sink(warning)))
}

unsafe extern "C" fn dispose<F>(user_data: *mut c_void) {
    // SAFETY: C hands back, once, what dispose::<F> was registered with.
    let sink = unsafe { Box::from_raw(user_data.cast::<F>()) };
    contained("the drop of a warning sink", move || drop(sink));
}

/// Runs `callback` and says whether it came to its end. No panic leaves it: not the callback's, not that of dropping what it
/// panicked with, not that of reporting it where stderr is closed or full.
fn contained(what: &str, callback: impl FnOnce()) -> bool {
    let Err(payload) = catch_unwind(AssertUnwindSafe(callback)) else {
        return true;
    };
    swallowed(|| {
        let _ = writeln!(io::stderr(), "cucore: {what} panicked");
    });
    swallowed(|| drop(payload));
    false
}

/// Runs `action`; what it panics with is forgotten, since dropping that could panic again.
fn swallowed(action: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(action)) {
        mem::forget(payload);
    }
}
