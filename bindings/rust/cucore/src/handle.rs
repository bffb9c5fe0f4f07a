// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all handles have in common.

use crate::{sys, Error, Result};
use std::ptr::{self, NonNull};

/// Runs a call of C's that returns a code.
pub(crate) fn check(call: impl FnOnce(*mut *mut sys::cucore_status) -> i32) -> Result<()> {
    let mut status = ptr::null_mut();
    match call(&mut status) {
        sys::CUCORE_OK => Ok(()),
        // SAFETY: a call that failed has stored a new reference, or NULL.
        _ => Err(unsafe { Error::take(status) }),
    }
}

/// Runs a call of C's that returns a new handle.
pub(crate) fn made<H>(call: impl FnOnce(*mut *mut sys::cucore_status) -> *mut H) -> Result<NonNull<H>> {
    let mut status = ptr::null_mut();
    // SAFETY: a call that failed has stored a new reference, or NULL.
    NonNull::new(call(&mut status)).ok_or_else(|| unsafe { Error::take(status) })
}

/// Runs a call of C's that stores a new handle, or NULL if there is none.
pub(crate) fn found<H>(call: impl FnOnce(*mut *mut H, *mut *mut sys::cucore_status) -> i32) -> Result<Option<NonNull<H>>> {
    let mut handle = ptr::null_mut();
    check(|status| call(&mut handle, status))?;
    Ok(NonNull::new(handle))
}

/// Runs a call of C's that stores up to so many new handles, and how many there are: once to learn that, once for the handles.
pub(crate) fn all<H>(
    call: impl Fn(*mut *mut H, usize, *mut usize, *mut *mut sys::cucore_status) -> i32,
) -> Result<Vec<NonNull<H>>> {
    let mut total = 0;
    check(|status| call(ptr::null_mut(), 0, &mut total, status))?;
    let mut handles = vec![ptr::null_mut(); total];
    check(|status| call(handles.as_mut_ptr(), handles.len(), &mut total, status))?;
    Ok(handles.into_iter().filter_map(NonNull::new).collect())
}

/// Takes a handle from an accessor of C's that fails for a bad handle only.
pub(crate) fn parent<H>(handle: *mut H) -> NonNull<H> {
    NonNull::new(handle).expect("libcucore gives a live handle its parent")
}

/// An example that makes a handle and goes on with it.
macro_rules! handle_example {
    ($made:literal, $($then:expr),*) => {
        concat!(
            "\n```\n# use cucore::*;\n# cucore_sim::Simulator::install()?;\n",
            $made, $($then),*,
            "\n# Ok::<(), cucore::Error>(())\n```"
        )
    };
}

/// A handle that one owner uses at a time, closed or dropped by its owner. Whether other threads may is for each to say.
///
/// The literal makes `handle`, one of them, in the examples of what all handles have.
macro_rules! owned_handle {
    ($(#[$meta:meta])* $name:ident: $raw:ident, $release:ident, $close:ident, $show:ident $(, $made:literal)?) => {
        $(#[$meta])*
        pub struct $name(pub(crate) std::ptr::NonNull<$crate::sys::$raw>);

        impl $name {
            /// The handle for calls of [`sys`](crate::sys), borrowed from this one.
            $(#[doc = handle_example!($made, "
let borrowed = handle.as_ptr(); // not the caller's to release
assert_eq!(borrowed, handle.as_ptr());")])?
            #[inline]
            pub fn as_ptr(&self) -> *mut $crate::sys::$raw {
                self.0.as_ptr()
            }

            /// Gives this reference away, for calls of [`sys`](crate::sys).
            $(#[doc = handle_example!($made, "
let given = handle.into_ptr(); // the caller's to release from here on
// SAFETY: the reference is ours to give up.
unsafe { sys::", stringify!($release), "(given) };")])?
            pub fn into_ptr(self) -> *mut $crate::sys::$raw {
                let handle = self.as_ptr();
                std::mem::forget(self);
                handle
            }

            /// Takes a reference over, NULL gives `None`.
            $(#[doc = handle_example!($made, "
let given = handle.into_ptr();
// SAFETY: the reference is ours to give.
let handle = unsafe { ", stringify!($name), "::from_ptr(given) }.expect(\"not NULL\");
// SAFETY: NULL is fine.
assert!(unsafe { ", stringify!($name), "::from_ptr(std::ptr::null_mut()) }.is_none());")])?
            ///
            /// # Safety
            /// `handle` is NULL, or a live handle of this type and the reference the caller's to give.
            pub unsafe fn from_ptr(handle: *mut $crate::sys::$raw) -> Option<Self> {
                std::ptr::NonNull::new(handle).map(Self)
            }

            /// Gives this reference up as dropping it does, but returns what failed. If the resource is leaked for that,
            /// a note says so. While other references live nothing is destroyed, and nothing fails.
            $(#[doc = handle_example!($made, "
handle.close()?; // drop(handle) would make a failure a warning")])?
            pub fn close(self) -> $crate::Result<()> {
                let handle = self.into_ptr();
                // SAFETY: the reference was ours, and close consumes it.
                $crate::handle::check(|status| unsafe { $crate::sys::$close(handle, std::ptr::null_mut(), status) })
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: the reference is ours to give up, once.
                unsafe { $crate::sys::$release(self.as_ptr()) }
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({:?})"), self.$show())
            }
        }
    };
}

/// A handle that is shared: `Send`, `Sync`, and `Clone`, which takes another reference to the same resource.
macro_rules! shared_handle {
    ($(#[$meta:meta])* $name:ident: $raw:ident, $retain:ident, $release:ident, $close:ident, $show:ident, $made:literal) => {
        owned_handle!($(#[$meta])* $name: $raw, $release, $close, $show, $made);

        // SAFETY: C allows any thread to make any call, and no handle holds anything of a thread's.
        unsafe impl Send for $name {}
        // SAFETY: C allows any threads to make any calls on a shared handle, at once.
        unsafe impl Sync for $name {}

        impl Clone for $name {
            fn clone(&self) -> Self {
                // SAFETY: the handle is alive, and C counts the new reference.
                Self($crate::handle::parent(unsafe { $crate::sys::$retain(self.as_ptr()) }))
            }
        }
    };
}
