// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::foreign::{contained, owned};
use crate::handle::{check, made, parent};
use crate::options::on;
use crate::{sys, Context, Device, Event, Result, Status};
use std::ffi::c_void;

shared_handle! {
    /// A stream: work put on it runs in order. Dropping the last reference destroys it; work already on it still runs.
    ///
    /// The legacy default stream is [`Device::default_stream`]. The per-thread default stream names another stream on each
    /// thread, and is not offered.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let stream = Stream::new(&device)?;
    /// let pool = MemoryResource::device_pool(&device)?;
    /// let mut x = pool.allocate::<u32>(4, &stream)?;
    /// x.fill(1, &stream)?; // put on the stream: nothing waits here
    /// x.slice_mut(2..).fill(2, &stream)?; // in order after that
    /// assert_eq!(x.download(&stream)?, [1, 1, 2, 2]); // waits
    ///
    /// let another = stream.clone(); // the same stream
    /// assert_eq!(another.id()?, stream.id()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Stream: cucore_stream, cucore_stream_retain, cucore_stream_release, cucore_stream_close, raw,
        "let handle = Stream::new(&Device::open(0)?)?;"
}

/// How a stream is made.
///
/// ```
/// use cucore::{Device, Stream, StreamOptions};
/// # cucore_sim::Simulator::install()?;
///
/// let device = Device::open(0)?;
/// let urgent = *device.stream_priority_range()?.start();
/// let stream = Stream::with_options(&device, &StreamOptions::default().priority(urgent).blocking(true))?;
/// assert_eq!((stream.priority()?, stream.is_non_blocking()?), (urgent, false));
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct StreamOptions {
    /// Lower is more urgent; what the device does not offer is refused. Default: the least urgent.
    pub priority: Option<i32>,
    /// It orders with the legacy default stream. Default: it does not.
    pub blocking: bool,
}

impl StreamOptions {
    setters! {
        /// ```
        /// # use cucore::Device;
        /// use cucore::{ErrorKind, Stream, StreamOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # let device = Device::open(0)?;
        ///
        /// let range = device.stream_priority_range()?;
        /// let stream = Stream::with_options(&device, &StreamOptions::default().priority(*range.start()))?;
        /// assert_eq!(stream.priority()?, *range.start());
        ///
        /// let error = Stream::with_options(&device, &StreamOptions::default().priority(99)).unwrap_err();
        /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        /// # Ok::<(), cucore::Error>(())
        /// ```
        priority: i32,
        /// ```
        /// # use cucore::Device;
        /// use cucore::{Stream, StreamOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # let device = Device::open(0)?;
        ///
        /// let stream = Stream::with_options(&device, &StreamOptions::default().blocking(true))?;
        /// assert!(!stream.is_non_blocking()?);
        /// # Ok::<(), cucore::Error>(())
        /// ```
        blocking: bool,
    }

    fn to_c(self) -> sys::cucore_stream_options {
        sys::cucore_stream_options {
            struct_size: size_of::<sys::cucore_stream_options>(),
            has_priority: self.priority.is_some().into(),
            priority: self.priority.unwrap_or(0),
            blocking: on(self.blocking),
            reserved: 0,
        }
    }
}

impl Stream {
    /// Makes a stream in the device's context.
    ///
    /// ```
    /// use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let stream = Stream::new(&Device::open(0)?)?;
    /// assert!(stream.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn new(device: &Device) -> Result<Stream> {
        Stream::with_options(device, &StreamOptions::default())
    }

    /// Makes a stream in the device's context.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Stream, StreamOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let options = StreamOptions::default().blocking(true);
    /// let stream = Stream::with_options(&device, &options)?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn with_options(device: &Device, options: &StreamOptions) -> Result<Stream> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_stream_create(device.as_ptr(), &options, status) }).map(Stream)
    }

    /// Makes a handle of a `CUstream` in the device's bound context that stays its maker's: the handle never destroys it.
    /// `owner` is dropped when the last clone of the handle is, or this fails; it may be what keeps the stream alive, or `()`.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Stream;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// // `raw` is what other code of the process hands over.
    /// let raw = stream.raw();
    /// // SAFETY: the stream is kept alive by its owner, which is `stream`.
    /// let borrowed = unsafe { Stream::from_raw_borrowed(&device, raw, stream) }?;
    /// borrowed.synchronize()?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// `raw` is a live stream, and stays so for as long as the handle, its clones and buffers that were used on it.
    pub unsafe fn from_raw_borrowed<T: Send + 'static>(device: &Device, raw: *mut sys::CUstream_st, owner: T) -> Result<Stream> {
        // SAFETY: the caller's promise.
        unsafe { from_raw(device, raw, sys::CUCORE_BORROW, owner) }
    }

    /// Takes a `CUstream` in the device's bound context over: dropping the last clone of the handle destroys it, and then drops
    /// `owner`. If this fails `owner` is dropped, and `raw` stays the caller's.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{ErrorKind, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// // SAFETY: the call is refused: the library has this stream already.
    /// let error = unsafe { Stream::from_raw_adopted(&device, stream.raw(), ()) }.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidState);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// `raw` is a live stream that nobody else destroys.
    pub unsafe fn from_raw_adopted<T: Send + 'static>(device: &Device, raw: *mut sys::CUstream_st, owner: T) -> Result<Stream> {
        // SAFETY: the caller's promise.
        unsafe { from_raw(device, raw, sys::CUCORE_ADOPT, owner) }
    }

    /// The `CUstream`. The default stream's is `CU_STREAM_LEGACY`, which the driver takes to be that of the current context.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// assert!(!stream.raw().is_null()); // for calls of the driver's by other code
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> *mut sys::CUstream_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_stream_raw(self.as_ptr()) }
    }

    /// The device that it was made from.
    ///
    /// ```
    /// use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let stream = Stream::new(&Device::open(1)?)?;
    /// assert_eq!(stream.device().ordinal(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn device(&self) -> Device {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Device(parent(unsafe { sys::cucore_stream_device(self.as_ptr()) }))
    }

    /// The context that it is in.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// assert_eq!(stream.context().raw(), device.context()?.raw());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn context(&self) -> Context {
        // SAFETY: the handle is alive, and the reference it gives is new.
        Context(parent(unsafe { sys::cucore_stream_context(self.as_ptr()) }))
    }

    /// Its priority; lower is more urgent.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// assert_eq!(stream.priority()?, *device.stream_priority_range()?.end()); // the least urgent
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn priority(&self) -> Result<i32> {
        let mut priority = 0;
        // SAFETY: the handle is alive; the priority is written before we read it.
        check(|status| unsafe { sys::cucore_stream_priority(self.as_ptr(), &mut priority, status) })?;
        Ok(priority)
    }

    /// Whether it does not order with the legacy default stream.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// assert!(stream.is_non_blocking()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_non_blocking(&self) -> Result<bool> {
        const CU_STREAM_NON_BLOCKING: u32 = 1;
        let mut flags = 0;
        // SAFETY: the handle is alive; the flags are written before we read them.
        check(|status| unsafe { sys::cucore_stream_flags(self.as_ptr(), &mut flags, status) })?;
        Ok(flags & CU_STREAM_NON_BLOCKING != 0)
    }

    /// A number that no other stream of the process has had.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Stream;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// assert_ne!(stream.id()?, Stream::new(&device)?.id()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn id(&self) -> Result<u64> {
        let mut id = 0;
        // SAFETY: the handle is alive; the number is written before we read it.
        check(|status| unsafe { sys::cucore_stream_id(self.as_ptr(), &mut id, status) })?;
        Ok(id)
    }

    /// Whether work put on the stream is captured into a graph; a capture that was invalidated goes on until it is ended.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// assert!(!stream.is_capturing()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_capturing(&self) -> Result<bool> {
        let mut capturing = 0;
        // SAFETY: the handle is alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_stream_is_capturing(self.as_ptr(), &mut capturing, status) })?;
        Ok(capturing != 0)
    }

    /// Whether the work put on the stream so far is done. What that work failed with is returned.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u8>(16, &stream)?;
    /// simulator.hold(&stream); // the simulated driver keeps what comes now waiting
    /// buffer.fill(1, &stream)?;
    /// assert!(!stream.is_done()?);
    /// simulator.release(&stream);
    /// assert!(stream.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn is_done(&self) -> Result<bool> {
        let mut done = 0;
        // SAFETY: the handle is alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_stream_is_done(self.as_ptr(), &mut done, status) })?;
        Ok(done != 0)
    }

    /// Waits until the work put on the stream so far is done. What that work failed with is returned.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::ErrorKind;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// stream.synchronize()?;
    ///
    /// simulator.fail("cuStreamSynchronize", 1, 700, false); // as a kernel that wrote where it must not
    /// let error = stream.synchronize().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::DeviceLost);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_stream_synchronize(self.as_ptr(), status) })
    }

    /// Makes later work on the stream wait for what was put on `awaited` so far, which may be of another device.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource};
    /// use cucore::Stream;
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let other = Stream::new(&device)?;
    /// let mut buffer = pool.allocate::<u8>(4, &stream)?;
    /// buffer.fill(1, &stream)?;
    /// other.wait_stream(&stream)?;
    /// assert_eq!(buffer.download(&other)?, [1; 4]); // after the fill
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn wait_stream(&self, awaited: &Stream) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_stream_wait_stream(self.as_ptr(), awaited.as_ptr(), status) })
    }

    /// Makes later work on the stream wait for what `event` recorded last; nothing recorded, no wait. The event may belong to
    /// another device, and may be dropped before the wait is over.
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
    /// let filled = Event::new(&device)?;
    /// let mut buffer = pool.allocate::<u8>(4, &stream)?;
    /// buffer.fill(1, &stream)?;
    /// filled.record(&stream)?;
    /// other.wait_event(&filled)?;
    /// assert_eq!(buffer.download(&other)?, [1; 4]); // after the fill
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn wait_event(&self, event: &Event) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_stream_wait_event(self.as_ptr(), event.as_ptr(), status) })
    }

    /// Calls `function` once when the work put on the stream so far is done, or has failed: with that failure. Later work waits
    /// until it returns. It is called too if the stream is dropped before.
    ///
    /// It runs on a thread of CUDA's, where calls that wait are [`InvalidState`](crate::ErrorKind::InvalidState) and what is
    /// dropped is destroyed a little later. It is itself dropped on the library's thread
    /// ([`deferred_drain`](crate::callback::deferred_drain) waits for that), at process exit not at all. If it panics, the panic
    /// stays inside, with a line on stderr. A stream that is being captured refuses: a graph's callbacks run again at each launch.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// stream.add_callback(move |outcome| {
    ///     let _ = sender.send(outcome.map_err(|status| status.to_error()));
    /// })?;
    /// stream.synchronize()?;
    /// receiver.recv().unwrap()?; // the work before it went well
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn add_callback<F>(&self, function: F) -> Result<()>
    where
        F: FnOnce(std::result::Result<(), &Status>) + Send + 'static,
    {
        let (user_data, drop) = owned(Some(function));
        // SAFETY: the handle is alive; call_back::<F> fits the user data, which C disposes of once, also if this fails.
        check(|status| unsafe { sys::cucore_stream_add_callback(self.as_ptr(), Some(call_back::<F>), user_data, drop, status) })
    }
}

unsafe extern "C" fn call_back<F>(outcome: *const sys::cucore_status, user_data: *mut c_void)
where
    F: FnOnce(std::result::Result<(), &Status>) + Send + 'static,
{
    // SAFETY: C calls once, with the Option<F> that it was given, not yet disposed of.
    let function = unsafe { (*user_data.cast::<Option<F>>()).take() };
    // SAFETY: an outcome is a live status, or NULL.
    let outcome = if outcome.is_null() { Ok(()) } else { Err(unsafe { Status::from_ptr(outcome) }) };
    contained(format_args!("a stream callback"), || {
        if let Some(function) = function {
            function(outcome);
        }
    });
}

impl Device {
    /// The legacy default stream of the bound context, which is never destroyed.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// let stream = device.default_stream()?;
    /// assert_eq!(stream.context().raw(), device.context()?.raw());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn default_stream(&self) -> Result<Stream> {
        // SAFETY: the handle is alive.
        made(|status| unsafe { sys::cucore_stream_default(self.as_ptr(), status) }).map(Stream)
    }
}

/// # Safety
/// As for [`Stream::from_raw_borrowed`] or [`Stream::from_raw_adopted`], whichever `ownership` means.
unsafe fn from_raw<T: Send + 'static>(device: &Device, raw: *mut sys::CUstream_st, ownership: i32, owner: T) -> Result<Stream> {
    let (owner, drop) = owned(owner);
    // SAFETY: the device is alive; C disposes of the owner once, also if this fails; the caller vouches for the stream.
    made(|status| unsafe { sys::cucore_stream_from_raw(device.as_ptr(), raw, ownership, owner, drop, status) }).map(Stream)
}
