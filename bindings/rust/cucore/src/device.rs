// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, made};
use crate::{sys, text, Context, Result};

shared_handle! {
    /// A CUDA device, bound to its primary context: everything made from it is made there.
    Device: cucore_device, cucore_device_retain, cucore_device_release, cucore_device_close, ordinal
}

impl Device {
    /// How many devices the driver shows. A machine with a driver and no device has 0.
    pub fn count() -> Result<i32> {
        let mut count = 0;
        // SAFETY: the count is written before we read it.
        check(|status| unsafe { sys::cucore_device_count(&mut count, status) })?;
        Ok(count)
    }

    /// Opens the device of this ordinal, from 0.
    pub fn open(ordinal: i32) -> Result<Device> {
        // SAFETY: takes a number.
        made(|status| unsafe { sys::cucore_device_open(ordinal, status) }).map(Device)
    }

    /// The number it was opened by.
    pub fn ordinal(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_device_ordinal(self.as_ptr()) }
    }

    /// The `CUdevice`.
    pub fn raw(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_device_raw(self.as_ptr()) }
    }

    /// What it is called, e.g. "NVIDIA H200".
    pub fn name(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_name) }
    }

    /// The architecture as compilers name it, e.g. "sm_90".
    pub fn arch(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_device_arch) }
    }

    /// An attribute, numbered as `CUdevice_attribute`.
    pub fn attribute(&self, attribute: i32) -> Result<i32> {
        let mut value = 0;
        // SAFETY: the handle is alive; the value is written before we read it.
        check(|status| unsafe { sys::cucore_device_attribute(self.as_ptr(), attribute, &mut value, status) })?;
        Ok(value)
    }

    /// The context that the device is bound to, which is made if this is its first use.
    pub fn context(&self) -> Result<Context> {
        // SAFETY: the handle is alive.
        made(|status| unsafe { sys::cucore_device_context(self.as_ptr(), status) }).map(Context)
    }
}
