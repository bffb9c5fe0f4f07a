// SPDX-License-Identifier: MIT OR Apache-2.0
//! Closures that the simulated driver runs, once each, or never.

use std::ffi::c_void;
use std::mem;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

type Closure = Box<dyn FnOnce() + Send>;

/// A closure until it is run or taken back. The driver has a reference, which it gives back by running it.
type Slot = Mutex<Option<Closure>>;

/// The closures that were handed over.
static HANDED_OVER: Mutex<Vec<Arc<Slot>>> = Mutex::new(Vec::new());

/// A closure as the driver takes it, with [`run`].
pub(crate) fn hand_over(closure: impl FnOnce() + Send + 'static) -> *mut c_void {
    let slot: Arc<Slot> = Arc::new(Mutex::new(Some(Box::new(closure))));
    let mut handed_over = lock(&HANDED_OVER);
    handed_over.retain(|slot| lock(slot).is_some());
    handed_over.push(Arc::clone(&slot));
    Arc::into_raw(slot).cast_mut().cast()
}

/// Drops the closures that were not run. The driver must not run them any more; its references are leaked, each some words.
pub(crate) fn take_back() {
    let slots = mem::take(&mut *lock(&HANDED_OVER)); // unlocked by then: what a closure's drop does may set a hook
    for slot in slots {
        drop(take(&slot));
    }
}

/// Runs a closure that was handed over. A panic does not leave it.
///
/// # Safety
/// `slot` is what [`hand_over`] gave, and was not run before.
pub(crate) unsafe extern "C" fn run(slot: *mut c_void) {
    // SAFETY: the caller's promise.
    let slot = unsafe { Arc::from_raw(slot.cast::<Slot>()) };
    let Some(closure) = take(&slot) else { return };
    if let Err(payload) = catch_unwind(AssertUnwindSafe(closure)) {
        mem::forget(payload); // the panic was printed when it began; dropping this could panic again
    }
}

fn take(slot: &Slot) -> Option<Closure> {
    lock(slot).take()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
