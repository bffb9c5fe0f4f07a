// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, made, parent};
use crate::{sys, Context, Device, Event, Result};

shared_handle! {
    /// A stream: work put on it runs in order. Dropping the last reference destroys it; work already on it still runs.
    Stream: cucore_stream, cucore_stream_retain, cucore_stream_release, cucore_stream_close, raw
}

/// How a stream is made.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct StreamOptions {
    /// Lower is more urgent; what the device does not offer is refused. Default: the least urgent.
    pub priority: Option<i32>,
    /// It orders with the legacy default stream. Default: it does not.
    pub blocking: bool,
}

impl StreamOptions {
    /// Sets [`priority`](Self::priority).
    pub fn priority(mut self, priority: i32) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Sets [`blocking`](Self::blocking).
    pub fn blocking(mut self, blocking: bool) -> Self {
        self.blocking = blocking;
        self
    }

    fn to_c(self) -> sys::cucore_stream_options {
        sys::cucore_stream_options {
            struct_size: size_of::<sys::cucore_stream_options>(),
            has_priority: self.priority.is_some().into(),
            priority: self.priority.unwrap_or(0),
            blocking: if self.blocking { sys::CUCORE_ON } else { sys::CUCORE_DEFAULT },
            reserved: 0,
        }
    }
}

impl Stream {
    /// Makes a stream in the device's context.
    pub fn new(device: &Device) -> Result<Stream> {
        Stream::with_options(device, &StreamOptions::default())
    }

    /// Makes a stream in the device's context.
    pub fn with_options(device: &Device, options: &StreamOptions) -> Result<Stream> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_stream_create(device.as_ptr(), &options, status) }).map(Stream)
    }

    /// The `CUstream`.
    pub fn raw(&self) -> *mut sys::CUstream_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_stream_raw(self.as_ptr()) }
    }

    /// The device that it was made from.
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_stream_device(self.as_ptr()) }))
    }

    /// The context that it is in.
    pub fn context(&self) -> Context {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Context(parent(unsafe { sys::cucore_stream_context(self.as_ptr()) }))
    }

    /// Waits until the work put on the stream so far is done. What that work failed with is returned.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_stream_synchronize(self.as_ptr(), status) })
    }

    /// Makes later work on the stream wait for what `event` recorded last; nothing recorded, no wait. The event may belong to
    /// another device, and may be dropped before the wait is over.
    pub fn wait_event(&self, event: &Event) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_stream_wait_event(self.as_ptr(), event.as_ptr(), status) })
    }
}
