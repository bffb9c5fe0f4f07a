// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, parent};
use crate::{sys, text, Arguments, LaunchConfig, Library, Result, Stream};

shared_handle! {
    /// A kernel: a function of a library that runs on a device.
    Kernel: cucore_kernel, cucore_kernel_retain, cucore_kernel_release, cucore_kernel_close, name
}

impl Kernel {
    /// The `CUkernel`.
    pub fn raw(&self) -> *mut sys::CUkern_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_kernel_raw(self.as_ptr()) }
    }

    /// The name that it was found by.
    pub fn name(&self) -> &str {
        // SAFETY: the name lives, unchanged, as long as the handle.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_kernel_name) }
    }

    /// The library that it is in.
    pub fn library(&self) -> Library {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Library(parent(unsafe { sys::cucore_kernel_library(self.as_ptr()) }))
    }

    /// How many parameters it takes. Drivers before CUDA 12.4 do not say.
    pub fn parameter_count(&self) -> Result<usize> {
        let mut count = 0;
        // SAFETY: the handle is alive; the count is written before we read it.
        check(|status| unsafe { sys::cucore_kernel_parameter_count(self.as_ptr(), &mut count, status) })?;
        Ok(count)
    }

    /// The size in bytes of a parameter. Drivers before CUDA 12.4 do not say.
    pub fn parameter_size(&self, index: usize) -> Result<usize> {
        let mut size = 0;
        // SAFETY: the handle is alive; the size is written before we read it.
        check(|status| unsafe { sys::cucore_kernel_parameter_size(self.as_ptr(), index, &mut size, status) })?;
        Ok(size)
    }

    /// Puts a launch on the stream; it does not wait. Buffers among the arguments outlive the launch even if they are dropped
    /// meanwhile. From CUDA 12.4 on, count and sizes of the arguments are checked against the kernel's parameters. What the
    /// kernel fails with while it runs is returned by a later call that waits for it.
    ///
    /// # Safety
    /// The arguments fit the kernel's parameters in type and meaning, and so launched the kernel stays inside the memory that
    /// they lend it: it reads what is lent by `&`, writes only what is lent by `&mut`.
    pub unsafe fn launch(&self, stream: &Stream, config: &LaunchConfig, arguments: impl Arguments) -> Result<()> {
        let config = config.to_c();
        arguments.with(|arguments| {
            let (first, count) = (arguments.as_ptr(), arguments.len());
            // SAFETY: all handles are alive during the call; for what the kernel does with them the caller answers.
            check(|status| unsafe { sys::cucore_kernel_launch(self.as_ptr(), stream.as_ptr(), &config, first, count, status) })
        })
    }
}
