// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, made, parent};
use crate::options::on;
use crate::{sys, Context, Device, Result, Stream};
use std::time::Duration;

shared_handle! {
    /// An event: a point in a stream's work, to wait for and to measure time between.
    Event: cucore_event, cucore_event_retain, cucore_event_release, cucore_event_close, raw
}

/// How an event is made.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct EventOptions {
    /// It can measure time. Default: it cannot, which makes waiting for it cheaper.
    pub timing: bool,
    /// A thread that waits for it sleeps instead of spinning. Default: it spins.
    pub blocking_sync: bool,
}

impl EventOptions {
    setters! {
        timing: bool,
        blocking_sync: bool,
    }

    fn to_c(self) -> sys::cucore_event_options {
        sys::cucore_event_options {
            struct_size: size_of::<sys::cucore_event_options>(),
            timing: on(self.timing),
            blocking_sync: on(self.blocking_sync),
        }
    }
}

impl Event {
    /// Makes an event in the device's context, to wait for.
    pub fn new(device: &Device) -> Result<Event> {
        Event::with_options(device, &EventOptions::default())
    }

    /// Makes an event in the device's context.
    pub fn with_options(device: &Device, options: &EventOptions) -> Result<Event> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_event_create(device.as_ptr(), &options, status) }).map(Event)
    }

    /// The `CUevent`.
    pub fn raw(&self) -> *mut sys::CUevent_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_event_raw(self.as_ptr()) }
    }

    /// The device that it was made from.
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_event_device(self.as_ptr()) }))
    }

    /// The context that it is in.
    pub fn context(&self) -> Context {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Context(parent(unsafe { sys::cucore_event_context(self.as_ptr()) }))
    }

    /// Whether it was made with [`timing`](EventOptions::timing).
    pub fn has_timing(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_event_has_timing(self.as_ptr()) != 0 }
    }

    /// Whether a thread that waits for it sleeps: [`blocking_sync`](EventOptions::blocking_sync).
    pub fn is_blocking_sync(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_event_is_blocking_sync(self.as_ptr()) != 0 }
    }

    /// Records the stream's work so far; what was recorded before is forgotten. Event and stream are in one context.
    pub fn record(&self, stream: &Stream) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_event_record(self.as_ptr(), stream.as_ptr(), status) })
    }

    /// Whether what was recorded last is done, or nothing was recorded. What that work failed with is returned.
    pub fn is_done(&self) -> Result<bool> {
        let mut done = 0;
        // SAFETY: the handle is alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_event_is_done(self.as_ptr(), &mut done, status) })?;
        Ok(done != 0)
    }

    /// Waits until what was recorded last is done; nothing recorded, no wait. What that work failed with is returned.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_event_synchronize(self.as_ptr(), status) })
    }

    /// The time from `start` to this event, both made with [`timing`](EventOptions::timing) and recorded, to about half a
    /// microsecond; zero if this one came first. While the work of either is not done it is
    /// [`NotReady`](crate::ErrorKind::NotReady).
    pub fn elapsed_since(&self, start: &Event) -> Result<Duration> {
        let mut milliseconds = 0.0;
        // SAFETY: both handles are alive; the time is written before we read it.
        check(|status| unsafe { sys::cucore_event_elapsed(start.as_ptr(), self.as_ptr(), &mut milliseconds, status) })?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1000.0).unwrap_or_default())
    }
}
