// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver's calls alone, by cudarc's declarations of them: what no wrapper can be faster than.

use crate::side::{self, SIZE};
use crate::PTX;
use cudarc::driver::sys::{
    cuEventCreate, cuEventDestroy_v2, cuEventRecord, cuLaunchKernel, cuMemAllocAsync, cuMemFreeAsync, CUdeviceptr, CUevent,
    CUevent_flags, CUfunction, CUresult, CUstream,
};
use cudarc::driver::{result, CudaContext, DriverError};
use std::ffi::CString;
use std::ptr;
use std::sync::Arc;

pub struct Calls {
    context: Arc<CudaContext>,
    stream: CUstream,
    event: CUevent,
    kernel: CUfunction,
    buffer: CUdeviceptr,
}

impl Calls {
    /// What it makes is the process's until it ends.
    pub fn new() -> Result<Calls, DriverError> {
        let context = CudaContext::new(0)?;
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)?;
        let event = result::event::create(CUevent_flags::CU_EVENT_DISABLE_TIMING)?;
        let (ptx, name) = (CString::new(PTX).unwrap(), CString::new("nothing").unwrap());
        // SAFETY: the text ends with a NUL.
        let module = unsafe { result::module::load_data(ptx.as_ptr().cast()) }?;
        // SAFETY: the module and the stream are alive.
        let (kernel, buffer) = unsafe { (result::module::get_function(module, name)?, result::malloc_async(stream, SIZE)?) };
        Ok(Calls { context, stream, event, kernel, buffer })
    }
}

fn succeeded(result: CUresult) {
    assert_eq!(result, CUresult::CUDA_SUCCESS);
}

impl side::Calls for Calls {
    fn name(&self) -> &'static str {
        "driver"
    }

    fn event_create_drop(&self) {
        let mut event = ptr::null_mut();
        // SAFETY: the context is current; the event is destroyed once.
        unsafe {
            succeeded(cuEventCreate(&mut event, CUevent_flags::CU_EVENT_DISABLE_TIMING as u32));
            succeeded(cuEventDestroy_v2(event));
        }
    }

    fn event_record(&self) {
        // SAFETY: both are alive.
        unsafe { succeeded(cuEventRecord(self.event, self.stream)) };
    }

    fn allocate_drop(&self) {
        let mut memory = 0;
        // SAFETY: the stream is alive; the memory is freed once.
        unsafe {
            succeeded(cuMemAllocAsync(&mut memory, SIZE, self.stream));
            succeeded(cuMemFreeAsync(memory, self.stream));
        }
    }

    fn launch(&mut self) {
        let mut number = 1u32;
        let mut arguments = [ptr::from_mut(&mut self.buffer).cast(), ptr::from_mut(&mut number).cast()];
        // SAFETY: the kernel takes a pointer and a 32-bit number, and does nothing with them.
        unsafe {
            let (arguments, extra) = (arguments.as_mut_ptr(), ptr::null_mut());
            succeeded(cuLaunchKernel(self.kernel, 1, 1, 1, 32, 1, 1, 0, self.stream, arguments, extra));
        }
    }

    fn synchronize(&self) {
        self.context.synchronize().unwrap();
    }
}
