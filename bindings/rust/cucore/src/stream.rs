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
    Stream: cucore_stream, cucore_stream_retain, cucore_stream_release, cucore_stream_close, raw,
        "let handle = Stream::new(&Device::open(0)?)?;"
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
    setters! {
        priority: i32,
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
    pub fn new(device: &Device) -> Result<Stream> {
        Stream::with_options(device, &StreamOptions::default())
    }

    /// Makes a stream in the device's context.
    pub fn with_options(device: &Device, options: &StreamOptions) -> Result<Stream> {
        let options = options.to_c();
        // SAFETY: the device is alive, the options are read during the call.
        made(|status| unsafe { sys::cucore_stream_create(device.as_ptr(), &options, status) }).map(Stream)
    }

    /// Makes a handle of a `CUstream` in the device's bound context that stays its maker's: the handle never destroys it.
    /// `owner` is dropped when the last clone of the handle is, or this fails; it may be what keeps the stream alive, or `()`.
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
    /// # Safety
    /// `raw` is a live stream that nobody else destroys.
    pub unsafe fn from_raw_adopted<T: Send + 'static>(device: &Device, raw: *mut sys::CUstream_st, owner: T) -> Result<Stream> {
        // SAFETY: the caller's promise.
        unsafe { from_raw(device, raw, sys::CUCORE_ADOPT, owner) }
    }

    /// The `CUstream`. The default stream's is `CU_STREAM_LEGACY`, which the driver takes to be that of the current context.
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

    /// Its priority; lower is more urgent.
    pub fn priority(&self) -> Result<i32> {
        let mut priority = 0;
        // SAFETY: the handle is alive; the priority is written before we read it.
        check(|status| unsafe { sys::cucore_stream_priority(self.as_ptr(), &mut priority, status) })?;
        Ok(priority)
    }

    /// Whether it does not order with the legacy default stream.
    pub fn is_non_blocking(&self) -> Result<bool> {
        const CU_STREAM_NON_BLOCKING: u32 = 1;
        let mut flags = 0;
        // SAFETY: the handle is alive; the flags are written before we read them.
        check(|status| unsafe { sys::cucore_stream_flags(self.as_ptr(), &mut flags, status) })?;
        Ok(flags & CU_STREAM_NON_BLOCKING != 0)
    }

    /// A number that no other stream of the process has had.
    pub fn id(&self) -> Result<u64> {
        let mut id = 0;
        // SAFETY: the handle is alive; the number is written before we read it.
        check(|status| unsafe { sys::cucore_stream_id(self.as_ptr(), &mut id, status) })?;
        Ok(id)
    }

    /// Whether work put on the stream is captured into a graph; a capture that was invalidated goes on until it is ended.
    pub fn is_capturing(&self) -> Result<bool> {
        let mut capturing = 0;
        // SAFETY: the handle is alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_stream_is_capturing(self.as_ptr(), &mut capturing, status) })?;
        Ok(capturing != 0)
    }

    /// Whether the work put on the stream so far is done. What that work failed with is returned.
    pub fn is_done(&self) -> Result<bool> {
        let mut done = 0;
        // SAFETY: the handle is alive; the answer is written before we read it.
        check(|status| unsafe { sys::cucore_stream_is_done(self.as_ptr(), &mut done, status) })?;
        Ok(done != 0)
    }

    /// Waits until the work put on the stream so far is done. What that work failed with is returned.
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_stream_synchronize(self.as_ptr(), status) })
    }

    /// Makes later work on the stream wait for what was put on `awaited` so far, which may be of another device.
    pub fn wait_stream(&self, awaited: &Stream) -> Result<()> {
        // SAFETY: both handles are alive.
        check(|status| unsafe { sys::cucore_stream_wait_stream(self.as_ptr(), awaited.as_ptr(), status) })
    }

    /// Makes later work on the stream wait for what `event` recorded last; nothing recorded, no wait. The event may belong to
    /// another device, and may be dropped before the wait is over.
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
