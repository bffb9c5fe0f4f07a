// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{made, parent};
use crate::{sys, Device, Kernel, ObjectCode, Result};

shared_handle! {
    /// A library: object code loaded for a device, and where its kernels are found. Kernels keep theirs loaded.
    Library: cucore_library, cucore_library_retain, cucore_library_release, cucore_library_close, raw
}

impl Library {
    /// Loads PTX, which the driver compiles here, or a cubin. If the code is bad or not for this device the error has the
    /// driver's log. LTO-IR must be linked first.
    pub fn load(device: &Device, code: &ObjectCode) -> Result<Library> {
        // SAFETY: both handles are alive.
        made(|status| unsafe { sys::cucore_library_load(device.as_ptr(), code.as_ptr(), status) }).map(Library)
    }

    /// The `CUlibrary`.
    pub fn raw(&self) -> *mut sys::CUlib_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_library_raw(self.as_ptr()) }
    }

    /// The device that it was loaded for.
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_library_device(self.as_ptr()) }))
    }

    /// The kernel of this name: the one in the object code, which is the source's only for `extern "C"` functions.
    pub fn kernel(&self, name: &str) -> Result<Kernel> {
        // SAFETY: the handle is alive, the name is read during the call.
        made(|status| unsafe { sys::cucore_library_kernel(self.as_ptr(), name.as_ptr().cast(), name.len(), status) }).map(Kernel)
    }
}
