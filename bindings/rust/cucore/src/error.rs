// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::{sys, text};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::ptr::NonNull;

/// The result of a call that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! error_kinds {
    ($($(#[$doc:meta])* $kind:ident = $code:ident,)*) => {
        /// What sort of failure it was.
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
#[derive(Clone, Copy, Debug)]
pub struct Note<'a> {
    /// How it is to be read.
    pub kind: NoteKind,
    /// What it says; it can have notes of its own.
    pub status: &'a Status,
}

/// What failed, on what, and why: what an [`Error`] holds, what a [`WarningSink`](crate::WarningSink) receives, and what a
/// note is. Always borrowed; [`to_error`](Status::to_error) keeps it for longer. Immutable.
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
    pub fn as_ptr(&self) -> *const sys::cucore_status {
        &self.0
    }

    /// What sort of failure it was.
    pub fn kind(&self) -> ErrorKind {
        // SAFETY: the status is alive.
        ErrorKind::from_code(unsafe { sys::cucore_status_code(self.as_ptr()) })
    }

    /// What the native code is a code of; `None` for one that this version does not know.
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
    pub fn native_code(&self) -> i64 {
        // SAFETY: the status is alive.
        unsafe { sys::cucore_status_native_code(self.as_ptr()) }
    }

    /// The raw handle or address that the failing call was about, 0 if none.
    pub fn resource(&self) -> u64 {
        // SAFETY: the status is alive.
        unsafe { sys::cucore_status_resource(self.as_ptr()) }
    }

    /// The call that failed, e.g. `cuStreamCreateWithPriority`.
    pub fn operation(&self) -> &str {
        // SAFETY: a status is immutable, and alive while it is borrowed.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_status_operation) }
    }

    /// One line that says what failed.
    pub fn message(&self) -> &str {
        // SAFETY: a status is immutable, and alive while it is borrowed.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_status_message) }
    }

    /// The compiler's, linker's or JIT's log, empty if there is none.
    pub fn log(&self) -> Cow<'_, str> {
        // SAFETY: a status is immutable, and alive while it is borrowed.
        String::from_utf8_lossy(unsafe { text::bytes(self.as_ptr(), sys::cucore_status_log) })
    }

    /// What else there is to say, in order.
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
pub struct Error(NonNull<sys::cucore_status>);

const _: () = assert!(size_of::<Result<()>>() == size_of::<*const u8>());

// SAFETY: a status is immutable, and its count of references is atomic.
unsafe impl Send for Error {}
// SAFETY: as for Send.
unsafe impl Sync for Error {}

impl Error {
    /// An error of the caller's own.
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
