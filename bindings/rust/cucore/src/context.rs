// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::foreign::{owned, report};
use crate::handle::{check, found, made};
use crate::{sys, Result};
use std::ffi::c_void;
use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::ptr;
use std::thread;

shared_handle! {
    /// A context: a device's primary context ([`Device::context`](crate::Device::context)), or one that other code in the process
    /// made.
    ///
    /// Nothing here needs a context to be current, and no call but those of this type that say so changes which one is.
    ///
    /// ```
    /// use cucore::{Device, Stream};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(1)?;
    /// let context = device.context()?; // the device's primary context
    /// assert_eq!(context.ordinal(), 1);
    /// Stream::new(&device)?; // made in it, although it is not current
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Context: cucore_context, cucore_context_retain, cucore_context_release, cucore_context_close, raw,
        "let handle = Device::open(0)?.context()?;"
}

impl Context {
    /// Makes a handle of a `CUcontext` that stays its maker's: the handle never destroys it. `owner` is dropped when the last
    /// clone of the handle is, or this fails; it may be what keeps the context alive, or `()`.
    ///
    /// ```
    /// use cucore::{Context, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(0)?;
    /// let primary = device.context()?;
    /// // `raw` is what other code of the process hands over.
    /// let raw = primary.raw();
    /// // SAFETY: the primary context is kept alive by its owner, which is `primary`.
    /// let context = unsafe { Context::from_raw_borrowed(raw, primary) }?;
    /// assert_eq!(context.ordinal(), 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// `raw` is a live context, and stays so for as long as the handle, its clones and what is made in it.
    pub unsafe fn from_raw_borrowed<T: Send + 'static>(raw: *mut sys::CUctx_st, owner: T) -> Result<Context> {
        // SAFETY: the caller's promise.
        unsafe { from_raw(raw, sys::CUCORE_BORROW, owner) }
    }

    /// Takes a `CUcontext` over: dropping the last clone of the handle destroys it, and then drops `owner`. If this fails `owner`
    /// is dropped, and `raw` stays the caller's.
    ///
    /// ```
    /// use cucore::{Context, Device, ErrorKind};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let context = Device::open(0)?.context()?;
    /// // SAFETY: the call is refused: the library has this context already.
    /// let error = unsafe { Context::from_raw_adopted(context.raw(), ()) }.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidState);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// `raw` is a live context that nobody else destroys, and is current on no other thread when it is destroyed.
    pub unsafe fn from_raw_adopted<T: Send + 'static>(raw: *mut sys::CUctx_st, owner: T) -> Result<Context> {
        // SAFETY: the caller's promise.
        unsafe { from_raw(raw, sys::CUCORE_ADOPT, owner) }
    }

    /// The calling thread's current context, if there is one.
    ///
    /// ```
    /// use cucore::{Context, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let context = Device::open(0)?.context()?;
    /// // SAFETY: no other code made a context current here.
    /// assert!(unsafe { Context::current() }?.is_none());
    /// context.set_current()?;
    /// // SAFETY: the current context is the device's primary one, which lives on.
    /// let current = unsafe { Context::current() }?.expect("a current context");
    /// assert_eq!(current.raw(), context.raw());
    /// # Context::clear_current()?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// It is alive, and stays so for as long as the handle and its clones, as for [`replace_current`](Self::replace_current).
    pub unsafe fn current() -> Result<Option<Context>> {
        // SAFETY: the caller vouches for the context that is found.
        found(|current, status| unsafe { sys::cucore_context_current(current, status) }).map(|current| current.map(Context))
    }

    /// The `CUcontext`.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let context = Device::open(0)?.context()?;
    /// assert!(!context.raw().is_null()); // for calls of the driver's by other code
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> *mut sys::CUctx_st {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_context_raw(self.as_ptr()) }
    }

    /// The ordinal of the context's device.
    ///
    /// ```
    /// use cucore::Device;
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let context = Device::open(1)?.context()?;
    /// assert_eq!(context.ordinal(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn ordinal(&self) -> i32 {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_context_ordinal(self.as_ptr()) }
    }

    /// Waits until all work in the context is done.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// let mut buffer = pool.allocate::<u8>(16, &stream)?;
    /// buffer.fill(1, &stream)?;
    /// device.context()?.synchronize()?; // all streams of the context
    /// assert!(stream.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn synchronize(&self) -> Result<()> {
        // SAFETY: the handle is alive.
        check(|status| unsafe { sys::cucore_context_synchronize(self.as_ptr(), status) })
    }

    /// Makes this the calling thread's current context, for other code that looks for it there.
    ///
    /// ```
    /// use cucore::{Context, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let context = Device::open(0)?.context()?;
    /// context.set_current()?; // nothing in this crate needs that; other libraries do
    /// Context::clear_current()?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_current(&self) -> Result<()> {
        // SAFETY: the handle is alive; the previous context is not asked for.
        check(|status| unsafe { sys::cucore_context_set_current(self.as_ptr(), ptr::null_mut(), status) })
    }

    /// Leaves the calling thread without a current context.
    ///
    /// ```
    /// use cucore::{Context, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// Device::open(0)?.set_current()?;
    /// Context::clear_current()?;
    /// // SAFETY: there is none.
    /// assert!(unsafe { Context::current() }?.is_none());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn clear_current() -> Result<()> {
        // SAFETY: NULL stands for no context; the previous one is not asked for.
        check(|status| unsafe { sys::cucore_context_set_current(ptr::null_mut(), ptr::null_mut(), status) })
    }

    /// Makes `context`, or none, the calling thread's current context, and gives the one that was.
    ///
    /// ```
    /// use cucore::{Context, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let [first, second] = [Device::open(0)?.context()?, Device::open(1)?.context()?];
    /// first.set_current()?;
    /// // SAFETY: both are primary contexts, which live on.
    /// let previous = unsafe { Context::replace_current(Some(&second)) }?.expect("a current context");
    /// assert_eq!(previous.ordinal(), 0);
    /// // SAFETY: as above.
    /// unsafe { Context::replace_current(None) }?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// The one that was is alive, and stays so for as long as the handle returned and its clones: the driver crashes if a
    /// destroyed context is made current. A handle to a context of this library's making sees to that itself; any other is
    /// its maker's to keep.
    pub unsafe fn replace_current(context: Option<&Context>) -> Result<Option<Context>> {
        let new = context.map_or(ptr::null_mut(), Context::as_ptr);
        // SAFETY: the new context's handle is alive, or it is NULL, for none.
        found(|previous, status| unsafe { sys::cucore_context_set_current(new, previous, status) })
            .map(|previous| previous.map(Context))
    }

    /// Runs `function` while this context is current, and then makes the caller's current again. A panic goes on after that.
    ///
    /// If the caller's context cannot be restored that is the error, and what `function` gave is dropped; if it panicked the
    /// error is a line on stderr.
    ///
    /// ```
    /// use cucore::{Context, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let context = Device::open(1)?.context()?;
    /// let ordinal = context.run(|| {
    ///     // What is called here finds the context current.
    ///     // SAFETY: it is, and lives on.
    ///     unsafe { Context::current() }.map(|current| current.unwrap().ordinal())
    /// })??;
    /// assert_eq!(ordinal, 1);
    /// // SAFETY: no other code made a context current here.
    /// assert!(unsafe { Context::current() }?.is_none()); // as before
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn run<R>(&self, function: impl FnOnce() -> R) -> Result<R> {
        let mut run = Run { function: Some(function), outcome: None };
        let left = run.in_context(self);
        match run.outcome {
            None => Err(left.expect_err("a function is run unless that fails")),
            Some(Ok(result)) => left.map(|()| result),
            Some(Err(payload)) => {
                if let Err(error) = left {
                    report(format_args!("{error}"));
                }
                resume_unwind(payload)
            }
        }
    }

    /// Gives up the library's hold on the primary context of this device; a later use of the device takes a new one.
    /// While handles bound to it live, devices that were used among them, that is
    /// [`InvalidState`](crate::ErrorKind::InvalidState), and nothing changes.
    ///
    /// ```
    /// use cucore::{Context, Device, ErrorKind, Stream};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let device = Device::open(1)?;
    /// let stream = Stream::new(&device)?;
    /// // SAFETY: the context is current on no thread.
    /// let error = unsafe { Context::release_primary(1) }.unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidState); // the stream and the device use it
    ///
    /// drop((stream, device));
    /// // SAFETY: as above.
    /// unsafe { Context::release_primary(1) }?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// The context is current on no other thread: there, a destroyed one is a trap to whatever uses the driver.
    pub unsafe fn release_primary(ordinal: i32) -> Result<()> {
        // SAFETY: takes a number; where else the context is current the caller answers for.
        check(|status| unsafe { sys::cucore_context_release_primary(ordinal, status) })
    }
}

/// # Safety
/// As for [`Context::from_raw_borrowed`] or [`Context::from_raw_adopted`], whichever `ownership` means.
unsafe fn from_raw<T: Send + 'static>(raw: *mut sys::CUctx_st, ownership: i32, owner: T) -> Result<Context> {
    let (owner, drop) = owned(owner);
    // SAFETY: C disposes of the owner once, also if this fails; the caller vouches for the context.
    made(|status| unsafe { sys::cucore_context_from_raw(raw, ownership, owner, drop, status) }).map(Context)
}

/// A function to be run while a context is current, and what came of it.
struct Run<F, R> {
    function: Option<F>,
    outcome: Option<thread::Result<R>>,
}

impl<R, F: FnOnce() -> R> Run<F, R> {
    fn in_context(&mut self, context: &Context) -> Result<()> {
        let run = ptr::from_mut(self).cast();
        // SAFETY: the handle is alive; `call` fits what it is given, which is in nobody else's use during the call.
        check(|status| unsafe { sys::cucore_context_run(context.as_ptr(), Some(Self::call), run, None, ptr::null_mut(), status) })
    }

    unsafe extern "C" fn call(run: *mut c_void) -> i32 {
        // SAFETY: C calls with what in_context gave it, and once.
        let run = unsafe { &mut *run.cast::<Self>() };
        if let Some(function) = run.function.take() {
            // Whoever could see what a panic left behind sees the panic too: it goes on in Context::run.
            run.outcome = Some(catch_unwind(AssertUnwindSafe(function)));
        }
        sys::CUCORE_OK
    }
}
