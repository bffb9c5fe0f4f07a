// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::check;
use crate::{sys, Result};
use std::ptr::{self, NonNull};

shared_handle! {
    /// A context: a device's primary context, or one that other code in the process made.
    ///
    /// Nothing here needs a context to be current, and no call but those of this type that say so changes which one is.
    Context: cucore_context, cucore_context_retain, cucore_context_release, cucore_context_close, raw
}

impl Context {
    /// The `CUcontext`.
    pub fn raw(&self) -> *mut sys::CUctx_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_context_raw(self.as_ptr()) }
    }

    /// The ordinal of the context's device.
    pub fn ordinal(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_context_ordinal(self.as_ptr()) }
    }

    /// Waits until all work in the context is done.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_context_synchronize(self.as_ptr(), status) })
    }

    /// Makes this the calling thread's current context, for other code that looks for it there.
    pub fn set_current(&self) -> Result<()> {
        // SAFETY: the handle is alive; the previous context is not asked for.
        check(|status| unsafe { sys::cucore_context_set_current(self.as_ptr(), ptr::null_mut(), status) })
    }

    /// Leaves the calling thread without a current context.
    pub fn clear_current() -> Result<()> {
        // SAFETY: NULL stands for no context; the previous one is not asked for.
        check(|status| unsafe { sys::cucore_context_set_current(ptr::null_mut(), ptr::null_mut(), status) })
    }

    /// Makes `context`, or none, the calling thread's current context, and gives the one that was.
    ///
    /// # Safety
    /// The one that was is alive, and stays so for as long as the handle returned and its clones: the driver crashes if a
    /// destroyed context is made current. A handle to a context of this library's making sees to that itself; any other is
    /// its maker's to keep.
    pub unsafe fn replace_current(context: Option<&Context>) -> Result<Option<Context>> {
        let new = context.map_or(ptr::null_mut(), Context::as_ptr);
        let mut previous = ptr::null_mut();
        // SAFETY: the new context's handle is alive, or it is NULL, for none.
        check(|status| unsafe { sys::cucore_context_set_current(new, &mut previous, status) })?;
        Ok(NonNull::new(previous).map(Context))
    }

    /// Gives up the library's hold on the primary context of this device; a later use of the device takes a new one.
    /// While handles bound to it live, devices that were used among them, that is
    /// [`InvalidState`](crate::ErrorKind::InvalidState), and nothing changes.
    pub fn release_primary(ordinal: i32) -> Result<()> {
        // SAFETY: takes a number.
        check(|status| unsafe { sys::cucore_context_release_primary(ordinal, status) })
    }
}
