// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::foreign::{contained, owned};
use crate::handle::made;
use crate::{sys, Error, Result, Status};
use std::ffi::c_void;
use std::fmt;
use std::iter;
use std::mem;
use std::ptr::NonNull;

/// Receives warnings, the failures that no call can return: those of destroying what a drop gave up. Dropping it ends that.
///
/// Each warning goes once to every sink alive. One that no sink delivered is a line on stderr.
///
/// ```
/// # let simulator = cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// use cucore::{Device, Stream, WarningSink};
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// static FAILED: AtomicUsize = AtomicUsize::new(0);
/// let sink = WarningSink::register(|warning| {
///     FAILED.fetch_add(1, Ordering::Relaxed);
///     eprintln!("warning: {warning}");
/// })?;
///
/// let stream = Stream::new(&device)?;
/// simulator.fail("cuStreamDestroy", 1, 719, false); // the simulated driver's next destroy fails
/// drop(stream);
/// assert_eq!(FAILED.load(Ordering::Relaxed), 1);
/// # Ok::<(), cucore::Error>(())
/// ```
pub struct WarningSink(NonNull<sys::cucore_warning_sink>);

// SAFETY: C allows any thread to release the sink; the closure behind it is Send and Sync.
unsafe impl Send for WarningSink {}
// SAFETY: nothing can be done with a shared sink.
unsafe impl Sync for WarningSink {}

impl WarningSink {
    /// Calls `sink` with every warning from now on, on the thread that met the failure, possibly on several at once. It may
    /// make any call of this crate; a warning raised meanwhile on the same thread goes to stderr. If it panics, the panic stays
    /// inside and the warning counts as not delivered.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Event, WarningSink};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let sink = WarningSink::register(|warning| eprintln!("{}: {warning}", warning.operation()))?;
    /// simulator.fail("cuEventDestroy", 1, 719, false);
    /// drop(Event::new(&device)?); // a line on stderr: cuEventDestroy: cuEventDestroy(0x...) failed: ...
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn register<F: Fn(&Status) + Send + Sync + 'static>(sink: F) -> Result<WarningSink> {
        WarningSink::add(move |warning| {
            sink(warning);
            true
        })
    }

    /// As [`register`](Self::register), of a sink that says whether it delivered the warning.
    pub(crate) fn add<F: Fn(&Status) -> bool + Send + Sync + 'static>(sink: F) -> Result<WarningSink> {
        let (user_data, drop) = owned(sink);
        // SAFETY: deliver::<F> fits the user data, which C disposes of once, also if this fails.
        made(|status| unsafe { sys::cucore_warning_sink_register(Some(deliver::<F>), user_data, drop, status) }).map(WarningSink)
    }

    /// Keeps the sink for as long as the process runs.
    ///
    /// ```
    /// use cucore::WarningSink;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// WarningSink::register(|warning| eprintln!("{warning}"))?.leak(); // at the start of main
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn leak(self) {
        mem::forget(self);
    }
}

/// Waits for calls of the sink under way on other threads (so hold no lock here that the sink takes), then drops the closure.
/// Inside a sink it does not wait, and the closure is dropped when its last call returns.
impl Drop for WarningSink {
    fn drop(&mut self) {
        // SAFETY: the sink is ours to release, once.
        unsafe { sys::cucore_warning_sink_release(self.0.as_ptr()) }
    }
}

impl fmt::Debug for WarningSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WarningSink")
    }
}

unsafe extern "C" fn deliver<F: Fn(&Status) -> bool>(warning: *const sys::cucore_status, user_data: *mut c_void) -> i32 {
    // SAFETY: C calls with the F that it was registered with, not yet disposed of, and a live warning.
    let (sink, warning) = unsafe { (&*user_data.cast::<F>(), Status::from_ptr(warning)) };
    let mut delivered = false;
    contained(format_args!("a warning sink"), || delivered = sink(warning));
    i32::from(!delivered)
}

/// Keeps warnings, in order, until they are polled: a [`WarningSink`] for programs that look for warnings when it suits them.
///
/// ```
/// # use cucore::Device;
/// use cucore::{Error, Event, WarningQueue};
/// # let simulator = cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
///
/// let warnings = WarningQueue::new(64)?;
/// simulator.fail("cuEventDestroy", 1, 719, false);
/// drop(Event::new(&device)?);
/// let seen: Vec<Error> = warnings.drain().collect();
/// assert_eq!(seen[0].operation(), "cuEventDestroy");
/// assert_eq!((seen.len(), warnings.lost()), (1, 0));
/// # Ok::<(), cucore::Error>(())
/// ```
pub struct WarningQueue(NonNull<sys::cucore_warning_queue>);

// SAFETY: C allows any thread to poll and to release the queue.
unsafe impl Send for WarningQueue {}
// SAFETY: C allows several threads to poll at once.
unsafe impl Sync for WarningQueue {}

impl WarningQueue {
    /// Makes a queue for every warning from now on, which holds up to `capacity`, 1 to 65536. A warning that finds it full is
    /// lost to it, and counts as not delivered.
    ///
    /// ```
    /// use cucore::{ErrorKind, WarningQueue};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let warnings = WarningQueue::new(16)?;
    /// assert_eq!(WarningQueue::new(0).unwrap_err().kind(), ErrorKind::InvalidArgument);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn new(capacity: usize) -> Result<WarningQueue> {
        // SAFETY: takes a number.
        made(|status| unsafe { sys::cucore_warning_queue_create(capacity, status) }).map(WarningQueue)
    }

    /// Takes the oldest warning out, if there is one.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Event, WarningQueue};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let warnings = WarningQueue::new(16)?;
    /// assert!(warnings.poll().is_none());
    /// simulator.fail("cuEventDestroy", 1, 719, false);
    /// drop(Event::new(&device)?);
    /// assert_eq!(warnings.poll().expect("a warning").native_code(), 719);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn poll(&self) -> Option<Error> {
        // SAFETY: the queue is alive.
        let warning = unsafe { sys::cucore_warning_queue_poll(self.0.as_ptr()) };
        // SAFETY: the reference is new and the caller's.
        (!warning.is_null()).then(|| unsafe { Error::take(warning) })
    }

    /// Takes the warnings out, the oldest first, until there are none.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Event, WarningQueue};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let warnings = WarningQueue::new(16)?;
    /// drop(Event::new(&device)?);
    /// assert_eq!(warnings.drain().count(), 0); // nothing failed
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn drain(&self) -> impl Iterator<Item = Error> + '_ {
        iter::from_fn(|| self.poll())
    }

    /// How many warnings found the queue full so far.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Event, WarningQueue};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let warnings = WarningQueue::new(1)?;
    /// simulator.fail("cuEventDestroy", 1, 719, true); // and all after it
    /// drop((Event::new(&device)?, Event::new(&device)?));
    /// assert_eq!((warnings.drain().count(), warnings.lost()), (1, 1));
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn lost(&self) -> u64 {
        // SAFETY: the queue is alive.
        unsafe { sys::cucore_warning_queue_lost(self.0.as_ptr()) }
    }
}

/// Warnings that were not polled are dropped with it.
impl Drop for WarningQueue {
    fn drop(&mut self) {
        // SAFETY: the queue is ours to release, once, and nobody else's any more.
        unsafe { sys::cucore_warning_queue_release(self.0.as_ptr()) }
    }
}

impl fmt::Debug for WarningQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WarningQueue")
    }
}
