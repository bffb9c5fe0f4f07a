// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::side::{self, SIZE};
use crate::PTX;
use cudarc::driver::{CudaContext, CudaEvent, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::Ptx;
use std::sync::Arc;

/// Whether cudarc has events on each buffer, by which its streams wait for one another.
#[derive(Clone, Copy, PartialEq)]
pub enum Tracking {
    Off,
    On,
}

pub struct Calls {
    tracking: Tracking,
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    event: CudaEvent,
    kernel: CudaFunction,
    buffer: CudaSlice<u8>,
}

impl Calls {
    pub fn new(tracking: Tracking) -> Result<Calls, DriverError> {
        let context = CudaContext::new(0)?;
        if tracking == Tracking::Off {
            // SAFETY: this context's buffers are used on one stream.
            unsafe { context.disable_event_tracking() };
        }
        let stream = context.new_stream()?;
        let event = context.new_event(None)?;
        let kernel = context.load_module(Ptx::from_src(PTX))?.load_function("nothing")?;
        // SAFETY: nobody reads what the memory holds.
        let buffer = unsafe { stream.alloc(SIZE) }?;
        Ok(Calls { tracking, context, stream, event, kernel, buffer })
    }
}

impl side::Calls for Calls {
    fn name(&self) -> &'static str {
        match self.tracking {
            Tracking::Off => "cudarc",
            Tracking::On => "cudarc, tracking",
        }
    }

    fn event_create_drop(&self) {
        drop(self.context.new_event(None).unwrap());
    }

    fn event_record(&self) {
        self.event.record(&self.stream).unwrap();
    }

    fn allocate_drop(&self) {
        // SAFETY: nobody reads what the memory holds.
        drop(unsafe { self.stream.alloc::<u8>(SIZE) }.unwrap());
    }

    fn launch(&mut self) {
        let config = LaunchConfig { grid_dim: (1, 1, 1), block_dim: (32, 1, 1), shared_mem_bytes: 0 };
        let mut launch = self.stream.launch_builder(&self.kernel);
        launch.arg(&mut self.buffer).arg(&1u32);
        // SAFETY: the kernel takes a pointer and a 32-bit number, and does nothing with them.
        unsafe { launch.launch(config) }.unwrap();
    }

    fn synchronize(&self) {
        self.stream.synchronize().unwrap();
    }
}
