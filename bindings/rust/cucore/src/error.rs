// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::{sys, text};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

/// The result of a call that can fail.
///
/// ```
/// use cucore::Device;
/// # cucore_sim::Simulator::install()?;
///
/// fn first_device() -> cucore::Result<Device> {
///     Device::open(0)
/// }
///
/// let device = first_device()?;
/// # Ok::<(), cucore::Error>(())
/// ```
pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! error_kinds {
    ($($(#[$doc:meta])* $kind:ident = $code:ident,)*) => {
        /// What sort of failure it was.
        ///
        /// ```
        /// use cucore::{Device, ErrorKind};
        /// # cucore_sim::Simulator::install()?;
        ///
        /// let error = Device::open(99).unwrap_err();
        /// match error.kind() {
        ///     ErrorKind::NotFound => println!("no such device: working on the CPU"),
        ///     ErrorKind::DeviceLost => panic!("the context is lost: {error}"),
        ///     _ => return Err(error),
        /// }
        /// # Ok::<(), cucore::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $($(#[$doc])* $kind,)*
        }

        impl ErrorKind {
            fn from_code(code: i32) -> ErrorKind {
                match code {
                    $(sys::$code => ErrorKind::$kind,)*
                    _ => ErrorKind::Driver,
                }
            }

            fn code(self) -> i32 {
                match self {
                    $(ErrorKind::$kind => sys::$code,)*
                }
            }
        }
    };
}

error_kinds! {
    /// An argument breaks a rule that the function states.
    InvalidArgument = CUCORE_INVALID_ARGUMENT,
    /// A handle of another device or context than the call needs.
    InvalidHandle = CUCORE_INVALID_HANDLE,
    /// The right call at the wrong time.
    InvalidState = CUCORE_INVALID_STATE,
    /// This driver, compiler or device cannot do it.
    NotSupported = CUCORE_NOT_SUPPORTED,
    /// No such device, kernel, file, library or driver.
    NotFound = CUCORE_NOT_FOUND,
    /// Work that was asked about has not finished.
    NotReady = CUCORE_NOT_READY,
    /// No memory, of the host or of the device.
    OutOfMemory = CUCORE_OUT_OF_MEMORY,
    /// A sticky fault: the context is unusable from now on.
    DeviceLost = CUCORE_DEVICE_LOST,
    /// The source does not compile; the log says why.
    Compile = CUCORE_COMPILE,
    /// The inputs do not link; the log says why.
    Link = CUCORE_LINK,
    /// A callback asked to stop.
    Cancelled = CUCORE_CANCELLED,
    /// A call of the operating system's failed; the native code is an errno.
    Os = CUCORE_OS,
    /// Any other failure of the driver or of a compiler; see the native code.
    Driver = CUCORE_DRIVER,
    /// A mistake in libcucore: please report it.
    Internal = CUCORE_INTERNAL,
}

/// What a native code is a code of.
///
/// ```
/// use cucore::{Device, Domain, Event};
/// # let simulator = cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
///
/// simulator.fail("cuEventCreate", 1, 999, false);
/// let error = Event::new(&device).unwrap_err();
/// assert_eq!((error.domain(), error.native_code()), (Some(Domain::Driver), 999)); // a CUresult
///
/// let error = Device::open(99).unwrap_err();
/// assert_eq!(error.domain(), Some(Domain::Cucore)); // refused without asking the driver
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Domain {
    /// libcucore itself: the native code is 0.
    Cucore,
    /// CUDA's driver API: `CUresult`.
    Driver,
    /// The compiler: `nvrtcResult`.
    Nvrtc,
    /// The compiler of NVVM IR: `nvvmResult`.
    Nvvm,
    /// The linker: `nvJitLinkResult`.
    NvJitLink,
    /// The operating system: `errno`.
    Os,
}

/// What a note says about the failure that it is attached to.
///
/// ```
/// # use cucore::{Device, Stream};
/// use cucore::NoteKind;
/// # let simulator = cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
///
/// simulator.fail("cuStreamSynchronize", 1, 719, false);
/// let error = stream.synchronize().unwrap_err();
/// let advice = error.notes().find(|note| note.kind == NoteKind::Advice).unwrap();
/// println!("{}", advice.status); // that earlier work may be what failed
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NoteKind {
    /// Why it failed: the driver's own sentence, a file that could not be opened.
    Cause,
    /// What else went wrong because of it, and what state things are in now.
    Consequence,
    /// What to do next.
    Advice,
}

/// A note on a failure: its kind, and what it says.
///
/// ```
/// # use cucore::{Device, Stream};
/// use cucore::Note;
/// # let simulator = cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
///
/// simulator.fail("cuStreamSynchronize", 1, 719, false);
/// for Note { kind, status } in stream.synchronize().unwrap_err().notes() {
///     println!("{kind:?}: {status}");
/// }
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Note<'a> {
    /// How it is to be read.
    pub kind: NoteKind,
    /// What it says; it can have notes of its own.
    pub status: &'a Status,
}

/// What failed, on what, and why: what an [`Error`] holds, what a [`WarningSink`](crate::WarningSink) receives, and what a
/// note is. Always borrowed; [`to_error`](Status::to_error) keeps it for longer. Immutable.
///
/// ```
/// use cucore::{Status, WarningSink};
/// # cucore_sim::Simulator::install()?;
///
/// let sink = WarningSink::register(|warning: &Status| {
///     println!("{} of {:#x} failed: {warning}", warning.operation(), warning.resource());
/// })?;
/// # Ok::<(), cucore::Error>(())
/// ```
#[repr(transparent)]
pub struct Status(sys::cucore_status);

impl Status {
    /// # Safety
    /// `status` is a live status that stays alive for `'a`.
    pub(crate) unsafe fn from_ptr<'a>(status: *const sys::cucore_status) -> &'a Status {
        // SAFETY: the caller's promise. Status is laid out as what it wraps, of which Rust sees no bytes.
        unsafe { &*status.cast() }
    }

    /// The status for calls of [`sys`](crate::sys), borrowed from this one.
    ///
    /// ```
    /// use cucore::{sys, Device};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let error = Device::open(99).unwrap_err();
    /// // SAFETY: the status is alive.
    /// assert_eq!(unsafe { sys::cucore_status_code(error.as_ptr()) }, sys::CUCORE_NOT_FOUND);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn as_ptr(&self) -> *const sys::cucore_status {
        &self.0
    }

    /// What sort of failure it was.
    ///
    /// ```
    /// use cucore::{Device, ErrorKind};
    /// # cucore_sim::Simulator::install()?;
    ///
    /// let error = Device::open(99).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotFound);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn kind(&self) -> ErrorKind {
        // SAFETY: the status is alive.
        ErrorKind::from_code(unsafe { sys::cucore_status_code(self.as_ptr()) })
    }

    /// What the native code is a code of; `None` for one that this version does not know.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Domain, Event};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// simulator.fail("cuEventCreate", 1, 2, false);
    /// assert_eq!(Event::new(&device).unwrap_err().domain(), Some(Domain::Driver));
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn domain(&self) -> Option<Domain> {
        // SAFETY: the status is alive.
        match unsafe { sys::cucore_status_domain(self.as_ptr()) } {
            sys::CUCORE_DOMAIN_CUCORE => Some(Domain::Cucore),
            sys::CUCORE_DOMAIN_DRIVER => Some(Domain::Driver),
            sys::CUCORE_DOMAIN_NVRTC => Some(Domain::Nvrtc),
            sys::CUCORE_DOMAIN_NVVM => Some(Domain::Nvvm),
            sys::CUCORE_DOMAIN_NVJITLINK => Some(Domain::NvJitLink),
            sys::CUCORE_DOMAIN_OS => Some(Domain::Os),
            _ => None,
        }
    }

    /// The code as the failing call returned it, e.g. 700 for `CUDA_ERROR_ILLEGAL_ADDRESS`.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{ErrorKind, Event};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// const CUDA_ERROR_OUT_OF_MEMORY: i32 = 2;
    /// simulator.fail("cuEventCreate", 1, CUDA_ERROR_OUT_OF_MEMORY, false);
    /// let error = Event::new(&device).unwrap_err();
    /// assert_eq!((error.native_code(), error.kind()), (2, ErrorKind::OutOfMemory));
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn native_code(&self) -> i64 {
        // SAFETY: the status is alive.
        unsafe { sys::cucore_status_native_code(self.as_ptr()) }
    }

    /// The raw handle or address that the failing call was about, 0 if none.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// let raw = stream.raw();
    /// simulator.fail("cuStreamDestroy", 1, 719, false);
    /// let error = stream.close().unwrap_err();
    /// assert_eq!(error.resource(), raw as u64); // which of the streams it was
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn resource(&self) -> u64 {
        // SAFETY: the status is alive.
        unsafe { sys::cucore_status_resource(self.as_ptr()) }
    }

    /// The call that failed, e.g. `cuStreamCreateWithPriority`.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// simulator.fail("cuStreamDestroy", 1, 719, false);
    /// assert_eq!(stream.close().unwrap_err().operation(), "cuStreamDestroy");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn operation(&self) -> &str {
        // SAFETY: a status is immutable, and alive while it is borrowed.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_status_operation) }
    }

    /// One line that says what failed.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// simulator.fail("cuEventCreate", 1, 2, false);
    /// let error = Event::new(&device).unwrap_err();
    /// assert!(error.message().contains("CUDA_ERROR_OUT_OF_MEMORY"));
    /// assert_eq!(error.message(), error.to_string());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn message(&self) -> &str {
        // SAFETY: a status is immutable, and alive while it is borrowed.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_status_message) }
    }

    /// The compiler's, linker's or JIT's log, empty if there is none.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Kind, Library, ObjectCode};
    /// # cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let code = ObjectCode::new(Kind::Ptx, b".version 8.0\n.target sm_75\n.address_size 64\nnonsense", "bad.ptx")?;
    /// let error = Library::load(&device, &code).unwrap_err();
    /// assert!(error.log().contains("nonsense"), "{error:?}"); // what the driver's JIT said
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn log(&self) -> Cow<'_, str> {
        // SAFETY: a status is immutable, and alive while it is borrowed.
        String::from_utf8_lossy(unsafe { text::bytes(self.as_ptr(), sys::cucore_status_log) })
    }

    /// What else there is to say, in order.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Kind, Library, NoteKind, ObjectCode};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    ///
    /// let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// let error = Library::load(&device, &code)?.kernel("shrink").unwrap_err();
    /// let cause = error.notes().find(|note| note.kind == NoteKind::Cause).unwrap();
    /// println!("{}", cause.status); // the driver's own sentence
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn notes(&self) -> impl Iterator<Item = Note<'_>> {
        // SAFETY: the status is alive.
        let count = unsafe { sys::cucore_status_note_count(self.as_ptr()) };
        (0..count).filter_map(|index| self.note(index))
    }

    fn note(&self, index: usize) -> Option<Note<'_>> {
        // SAFETY: the status is alive.
        let (kind, note) =
            unsafe { (sys::cucore_status_note_kind(self.as_ptr(), index), sys::cucore_status_note(self.as_ptr(), index)) };
        let kind = match kind {
            sys::CUCORE_NOTE_CAUSE => NoteKind::Cause,
            sys::CUCORE_NOTE_ADVICE => NoteKind::Advice,
            _ => NoteKind::Consequence,
        };
        // SAFETY: a note lives as long as the status that it is on.
        (!note.is_null()).then(|| Note { kind, status: unsafe { Status::from_ptr(note) } })
    }

    /// The first note that says why it failed.
    fn first_cause(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let note = self.notes().find(|note| note.kind == NoteKind::Cause)?;
        Some(note.status)
    }

    /// Keeps it for longer: another reference to the same status.
    ///
    /// ```
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// use cucore::{Device, Error, Event, WarningSink};
    /// use std::sync::{Arc, Mutex};
    ///
    /// let seen = Arc::new(Mutex::new(Vec::<Error>::new()));
    /// let kept = Arc::clone(&seen);
    /// let sink = WarningSink::register(move |warning| kept.lock().unwrap().push(warning.to_error()))?;
    /// let event = Event::new(&Device::open(0)?)?;
    /// simulator.fail("cuEventDestroy", 1, 719, false);
    /// drop(event);
    /// assert_eq!(seen.lock().unwrap()[0].operation(), "cuEventDestroy");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn to_error(&self) -> Error {
        // SAFETY: the status is alive; retain gives a new reference.
        unsafe { Error::take(sys::cucore_status_retain(self.as_ptr())) }
    }

    /// Shows the notes of this status, deeper ones further in, and then its log.
    fn show_details(&self, f: &mut fmt::Formatter<'_>, indent: usize) -> fmt::Result {
        for Note { kind, status } in self.notes() {
            write!(f, "\n{:indent$}{kind:?}: {}", "", status.message())?;
            status.show_details(f, indent + 2)?;
        }
        for line in self.log().lines() {
            write!(f, "\n{:indent$}| {line}", "")?;
        }
        Ok(())
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

/// The kind and message, then a line for each note and each line of the log.
impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind(), self.message())?;
        self.show_details(f, 2)
    }
}

impl std::error::Error for Status {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.first_cause()
    }
}

/// Why a call failed. Its facts are those of [`Status`]: nothing that happens later changes them.
///
/// It is one pointer wide, and so is `Result<(), Error>`. `Display` is the message, `Debug` adds the notes and the log, and
/// `source` is the first note that says why.
///
/// ```
/// # use cucore::Device;
/// use cucore::{Error, ErrorKind, Event};
/// # let simulator = cucore_sim::Simulator::install()?;
/// # let device = Device::open(0)?;
///
/// simulator.fail("cuEventCreate", 1, 2, false);
/// let error: Error = Event::new(&device).unwrap_err();
/// println!("{error}"); // one line: what failed, on what, and CUDA's name for it
/// println!("{error:?}"); // and the notes and the log
///
/// let boxed: Box<dyn std::error::Error + Send + Sync> = error.into(); // as any error
/// assert_eq!(boxed.downcast_ref::<Error>().unwrap().kind(), ErrorKind::OutOfMemory);
/// # Ok::<(), cucore::Error>(())
/// ```
pub struct Error(NonNull<sys::cucore_status>);

const _: () = assert!(size_of::<Result<()>>() == size_of::<*const u8>());

// SAFETY: a status is immutable, and its count of references is atomic.
unsafe impl Send for Error {}
// SAFETY: as for Send.
unsafe impl Sync for Error {}

impl Error {
    /// An error of the caller's own.
    ///
    /// ```
    /// use cucore::{Error, ErrorKind};
    ///
    /// fn checked(len: usize) -> cucore::Result<usize> {
    ///     match len {
    ///         0 => Err(Error::new(ErrorKind::InvalidArgument, "the image is empty")),
    ///         len => Ok(len),
    ///     }
    /// }
    ///
    /// assert_eq!(checked(0).unwrap_err().to_string(), "the image is empty");
    /// ```
    pub fn new(kind: ErrorKind, message: &str) -> Error {
        // SAFETY: the message is `len` bytes, read during the call.
        let status = unsafe { sys::cucore_status_create(kind.code(), message.as_ptr().cast(), message.len()) };
        Error(NonNull::new(status).expect("cucore_status_create never gives NULL"))
    }

    /// # Safety
    /// `status` is NULL, or a live status and the reference the caller's to give.
    pub(crate) unsafe fn take(status: *mut sys::cucore_status) -> Error {
        match NonNull::new(status) {
            Some(status) => Error(status),
            None => Error::new(ErrorKind::Internal, "a call failed and gave no status"),
        }
    }

    /// Gives this reference away, for calls of [`sys`](crate::sys).
    ///
    /// ```
    /// use cucore::{sys, Error, ErrorKind};
    ///
    /// let handle = Error::new(ErrorKind::Cancelled, "enough").into_ptr();
    /// // SAFETY: the reference is ours to give up.
    /// unsafe { sys::cucore_status_release(handle) };
    /// ```
    pub fn into_ptr(self) -> *mut sys::cucore_status {
        let status = self.0.as_ptr();
        std::mem::forget(self);
        status
    }
}

impl Deref for Error {
    type Target = Status;

    fn deref(&self) -> &Status {
        // SAFETY: our reference keeps the status alive for as long as this error is borrowed.
        unsafe { Status::from_ptr(self.0.as_ptr()) }
    }
}

impl Clone for Error {
    fn clone(&self) -> Error {
        self.to_error()
    }
}

impl Drop for Error {
    fn drop(&mut self) {
        // SAFETY: the reference is ours to give up, once.
        unsafe { sys::cucore_status_release(self.0.as_ptr()) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.first_cause()
    }
}
