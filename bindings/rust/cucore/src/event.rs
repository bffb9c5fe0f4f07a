// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::{check, made, parent};
use crate::options::on;
use crate::{sys, Context, Device, Result, Stream};
use std::time::Duration;

shared_handle! {
    /// An event: a point in a stream's work, to wait for and to measure time between.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource};
    /// use cucore::{Event, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let other = Stream::new(&device)?;
    /// let mut buffer = pool.allocate::<u32>(4, &stream)?;
    /// buffer.fill(3, &stream)?;
    ///
    /// let filled = Event::new(&device)?;
    /// filled.record(&stream)?;
    /// other.wait_event(&filled)?;
    /// drop(filled); // the wait stays
    /// assert_eq!(buffer.download(&other)?, [3; 4]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Event: cucore_event, cucore_event_retain, cucore_event_release, cucore_event_close, raw,
        "let handle = Event::new(&Device::open(0)?)?;"
}

/// How an event is made.
///
/// ```
/// use cucore::{Device, Event, EventOptions};
/// # cucore_sim::Simulator::install()?;
///
/// let device = Device::open(0)?;
/// let event = Event::with_options(&device, &EventOptions::default().timing(true).blocking_sync(true))?;
/// assert!(event.has_timing() && event.is_blocking_sync());
/// # Ok::<(), cucore::Error>(())
/// ```
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
        /// ```
        /// # use cucore::Device;
        /// use cucore::{Event, EventOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # let device = Device::open(0)?;
        ///
        /// let event = Event::with_options(&device, &EventOptions::default().timing(true))?;
        /// assert!(event.has_timing());
        /// # Ok::<(), cucore::Error>(())
        /// ```
        timing: bool,
        /// ```
        /// # use cucore::Device;
        /// use cucore::{Event, EventOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # let device = Device::open(0)?;
        ///
        /// let event = Event::with_options(&device, &EventOptions::default().blocking_sync(true))?;
        /// assert!(event.is_blocking_sync());
        /// # Ok::<(), cucore::Error>(())
        /// ```
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
    ///
    /// ```
    /// use cucore::{Device, Event};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let event = Event::new(&Device::open(0)?)?;
    /// assert!(!event.has_timing());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn new(device: &Device) -> Result<Event> {
        Event::with_options(device, &EventOptions::default())
    }

    /// Makes an event in the device's context.
    ///
    /// ```
    /// use cucore::{Device, Event, EventOptions};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// let event = Event::with_options(&device, &EventOptions::default().timing(true))?;
    /// assert!(event.has_timing());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn with_options(device: &Device, options: &EventOptions) -> Result<Event> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_event_create(device.as_ptr(), &options, status) }).map(Event)
    }

    /// The `CUevent`.
    ///
    /// ```
    /// use cucore::{Device, Event};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let event = Event::new(&Device::open(0)?)?;
    /// assert!(!event.raw().is_null()); // for calls of the driver's by other code
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> *mut sys::CUevent_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_event_raw(self.as_ptr()) }
    }

    /// The device that it was made from.
    ///
    /// ```
    /// use cucore::{Device, Event};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let event = Event::new(&Device::open(1)?)?;
    /// assert_eq!(event.device().ordinal(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_event_device(self.as_ptr()) }))
    }

    /// The context that it is in.
    ///
    /// ```
    /// use cucore::{Device, Event};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// assert_eq!(Event::new(&device)?.context().raw(), device.context()?.raw());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn context(&self) -> Context {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Context(parent(unsafe { sys::cucore_event_context(self.as_ptr()) }))
    }

    /// Whether it was made with [`timing`](EventOptions::timing).
    ///
    /// ```
    /// use cucore::{Device, Event};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// assert!(!Event::new(&Device::open(0)?)?.has_timing());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn has_timing(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_event_has_timing(self.as_ptr()) != 0 }
    }

    /// Whether a thread that waits for it sleeps: [`blocking_sync`](EventOptions::blocking_sync).
    ///
    /// ```
    /// use cucore::{Device, Event};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// assert!(!Event::new(&Device::open(0)?)?.is_blocking_sync());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_blocking_sync(&self) -> bool {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_event_is_blocking_sync(self.as_ptr()) != 0 }
    }

    /// Records the stream's work so far; what was recorded before is forgotten. Event and stream are in one context.
    ///
    /// ```
    /// use cucore::{Device, ErrorKind, Event, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let event = Event::new(&device)?;
    /// event.record(&stream)?;
    /// event.synchronize()?;
    ///
    /// let elsewhere = Stream::new(&Device::open(1)?)?;
    /// assert_eq!(event.record(&elsewhere).unwrap_err().kind(), ErrorKind::InvalidHandle);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn record(&self, stream: &Stream) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_event_record(self.as_ptr(), stream.as_ptr(), status) })
    }

    /// Whether what was recorded last is done, or nothing was recorded. What that work failed with is returned.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::Event;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let event = Event::new(&device)?;
    /// assert!(event.is_done()?); // nothing recorded
    /// event.record(&stream)?;
    /// stream.synchronize()?;
    /// assert!(event.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_done(&self) -> Result<bool> {
        let mut done = 0;
        // SAFETY: the handle is alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_event_is_done(self.as_ptr(), &mut done, status) })?;
        Ok(done != 0)
    }

    /// Waits until what was recorded last is done; nothing recorded, no wait. What that work failed with is returned.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::Event;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let event = Event::new(&device)?;
    /// event.record(&stream)?;
    /// event.synchronize()?; // only this point in the stream, not what is put on it later
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_event_synchronize(self.as_ptr(), status) })
    }

    /// The time from `start` to this event, both made with [`timing`](EventOptions::timing) and recorded, to about half a
    /// microsecond; zero if this one came first. While the work of either is not done it is
    /// [`NotReady`](crate::ErrorKind::NotReady).
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::{Event, EventOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// let timing = EventOptions::default().timing(true);
    /// let (start, end) = (Event::with_options(&device, &timing)?, Event::with_options(&device, &timing)?);
    /// start.record(&stream)?;
    /// // ... work ...
    /// end.record(&stream)?;
    /// end.synchronize()?;
    /// println!("{:?}", end.elapsed_since(&start)?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn elapsed_since(&self, start: &Event) -> Result<Duration> {
        let mut milliseconds = 0.0;
        // SAFETY: both handles are alive; the time is written before we read it.
        check(|status| unsafe { sys::cucore_event_elapsed(start.as_ptr(), self.as_ptr(), &mut milliseconds, status) })?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1000.0).unwrap_or_default())
    }
}
