// SPDX-License-Identifier: MIT OR Apache-2.0
//! Callbacks that other code gave to CUDA, which runs them on threads of its own, where the driver must not be called.
//!
//! Such a callback says so with [`enter`]. While it is inside, calls that wait are
//! [`InvalidState`](crate::ErrorKind::InvalidState), and what a drop gives up is destroyed a little later by the library's one
//! thread. A program without such callbacks has no thread of the library's, unless memory has to outlive a stream's capture.

use crate::handle::check;
use crate::{sys, Result};
use std::marker::PhantomData;

/// This thread is inside a CUDA callback until this is dropped, which has to be on the same thread:
///
/// ```compile_fail,E0277
/// # fn main() -> cucore::Result<()> {
/// let inside = cucore::callback::enter()?;
/// std::thread::spawn(move || drop(inside));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "the thread leaves the callback when this is dropped"]
pub struct Inside {
    of_this_thread: PhantomData<*const ()>,
}

/// Says that this thread is inside a CUDA callback. It can be said again before it is over.
///
/// ```
/// use cucore::{callback, Device, ErrorKind, Stream};
/// # cucore_sim::Simulator::install()?;
///
/// let device = Device::open(0)?;
/// let stream = Stream::new(&device)?;
///
/// let inside = callback::enter()?; // what other code would do first in its callback
/// assert_eq!(stream.synchronize().unwrap_err().kind(), ErrorKind::InvalidState);
/// drop(stream); // left to the library's thread
/// drop(inside);
/// callback::deferred_drain()?; // now it is destroyed
/// # Ok::<(), cucore::Error>(())
/// ```
pub fn enter() -> Result<Inside> {
    // SAFETY: takes nothing; what it begins ends with the value returned.
    check(|status| unsafe { sys::cucore_callback_enter(status) })?;
    Ok(Inside { of_this_thread: PhantomData })
}

impl Drop for Inside {
    fn drop(&mut self) {
        // SAFETY: takes nothing.
        unsafe { sys::cucore_callback_leave() }
    }
}

/// Waits until all that had been left to the library's thread was tried: afterwards it is destroyed, but for memory that still
/// waits for the end of a capture. Inside a sink or a callback it is [`InvalidState`](crate::ErrorKind::InvalidState).
///
/// ```
/// use cucore::{callback, Device, Stream};
/// # cucore_sim::Simulator::install()?;
///
/// let stream = Stream::new(&Device::open(0)?)?;
/// stream.add_callback(|outcome| assert!(outcome.is_ok()))?;
/// stream.synchronize()?; // it was called
/// callback::deferred_drain()?; // the closure was dropped
/// # Ok::<(), cucore::Error>(())
/// ```
pub fn deferred_drain() -> Result<()> {
    // SAFETY: takes nothing.
    check(|status| unsafe { sys::cucore_deferred_drain(status) })
}
