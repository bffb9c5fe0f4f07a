// SPDX-License-Identifier: MIT OR Apache-2.0
//! A simulated CUDA driver for tests of code that uses [`cucore`]: no GPU is needed, device memory is host memory, kernels are
//! run by an interpreter of PTX, and any call of the driver can be made to fail.
//!
//! ```no_run
//! use cucore::{Device, Stream, WarningSink};
//! use cucore_sim::Simulator;
//!
//! # fn main() -> cucore::Result<()> {
//! let simulator = Simulator::install()?;
//! let _sink = WarningSink::register(|warning| eprintln!("warning: {warning}"))?;
//!
//! let faults = simulator.exclusive();
//! let stream = Stream::new(&Device::open(0)?)?;
//! faults.fail("cuStreamDestroy", 1, 719, false);
//! drop(stream); // warning: cuStreamDestroy(0x...) failed: CUDA_ERROR_LAUNCH_FAILED: ...
//! # Ok(())
//! # }
//! ```

mod dl;
mod hook;

use cucore::{driver, Error, ErrorKind, Result, Stream};
use dl::{Control, Library};
use std::env;
use std::ffi::{c_char, CString};
use std::ops::Deref;
use std::path::PathBuf;
use std::ptr;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The simulated driver in this process: one, whoever asks for it.
#[derive(Clone, Copy, Debug)]
pub struct Simulator {
    control: &'static Control,
}

impl Simulator {
    /// Makes the simulated driver the one that `cucore` uses. It must come before the first call that needs a driver; later
    /// calls give the same simulator.
    ///
    /// It is the file that the environment variable `CUSIM_LIBRARY` names, or else the one that this crate built.
    pub fn install() -> Result<Simulator> {
        static INSTALLED: OnceLock<Result<Simulator>> = OnceLock::new();
        INSTALLED.get_or_init(install).clone()
    }

    /// The simulated driver, if that is the driver that `cucore` has loaded.
    pub fn attach() -> Option<Simulator> {
        let library = Library::loaded(driver::path()?)?;
        Control::of(&library).map(Simulator::new)
    }

    fn new(control: Control) -> Simulator {
        static CONTROL: OnceLock<Control> = OnceLock::new();
        Simulator { control: CONTROL.get_or_init(|| control) }
    }

    /// Keeps other tests of this process out while it lives: faults and counts belong to the process. When it is dropped, no
    /// fault is armed any more, and no hook set.
    pub fn exclusive(&self) -> Exclusive {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        Exclusive { simulator: *self, _turn: turn }
    }

    /// Makes calls of `function` (its base name, "cuStreamDestroy") fail with `code`, a `CUresult`, and do nothing: the `nth`
    /// from now, counted from 1, and, if `sticky`, all after it. Several may be armed at once.
    pub fn fail(&self, function: &str, nth: u64, code: i32, sticky: bool) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.fail)(function.as_ptr(), nth, code, sticky.into()) }
    }

    /// As [`fail`](Self::fail), of calls of any function that can fail.
    pub fn fail_any(&self, nth: u64, code: i32, sticky: bool) {
        // SAFETY: NULL stands for any function.
        unsafe { (self.control.fail)(ptr::null(), nth, code, sticky.into()) }
    }

    /// As [`fail`](Self::fail), but the calls do their work first: a destroy that fails after it destroyed, for example.
    pub fn fail_after(&self, function: &str, nth: u64, code: i32, sticky: bool) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.fail_after)(function.as_ptr(), nth, code, sticky.into()) }
    }

    /// Disarms all faults.
    pub fn fail_nothing(&self) {
        // SAFETY: takes nothing.
        unsafe { (self.control.fail_nothing)() }
    }

    /// Runs `hook` once, before a call of `function`: the `nth` from now, counted from 1. It runs on the thread that makes the
    /// call, and may use the driver. If it panics, the panic stays inside and the call goes on.
    pub fn hook(&self, function: &str, nth: u64, hook: impl FnOnce() + Send + 'static) {
        let function = c_name(function);
        // SAFETY: the name is read during the call; `run` fits what is handed over, which the driver runs once at most.
        unsafe { (self.control.hook)(function.as_ptr(), nth, hook::run, hook::hand_over(hook)) }
    }

    /// Takes back, and drops, the hooks that did not run.
    pub fn unhook(&self) {
        // SAFETY: takes nothing.
        unsafe { (self.control.unhook)() }
        hook::take_back();
    }

    /// Makes the contexts that a device has answer as they do after a kernel's fault: nearly every call gives `code`, a `CUresult`
    /// (700 is an illegal address), until they are destroyed.
    pub fn sticky_fault(&self, device: i32, code: i32) {
        // SAFETY: takes numbers.
        unsafe { (self.control.sticky_fault)(device, code) }
    }

    /// How many driver calls were made inside host functions and stream callbacks: all were refused.
    pub fn callback_thread_calls(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.callback_thread_calls)() }
    }

    /// How many failures were injected so far.
    pub fn failures_injected(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.failures_injected)() }
    }

    /// How many calls that can fail were made so far.
    pub fn fallible_calls(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.fallible_calls)() }
    }

    /// Hides a function from those who look it up from now on, as a driver that is too old for it.
    pub fn hide(&self, function: &str) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.hide)(function.as_ptr()) }
    }

    /// Undoes [`hide`](Self::hide).
    pub fn show(&self, function: &str) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.show)(function.as_ptr()) }
    }

    /// Sets the CUDA version that the driver supports, 1000 * major + 10 * minor; functions newer than it are not found.
    pub fn set_driver_version(&self, version: i32) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_driver_version)(version) }
    }

    /// Sets how many devices there are, 0 to 8; 2 at first.
    pub fn set_device_count(&self, count: i32) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_device_count)(count) }
    }

    /// Ends each launch that runs more PTX instructions than that, of all its threads together, with
    /// `CUDA_ERROR_LAUNCH_TIMEOUT`; 0, as at first, lets them run for ever.
    pub fn set_step_limit(&self, instructions: u64) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_step_limit)(instructions) }
    }

    /// Sets how many host threads run the blocks of a launch; 1 at first, which makes launches repeatable.
    pub fn set_workers(&self, threads: i32) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_workers)(threads) }
    }

    /// Makes it a fault of a kernel to read memory that nobody wrote: device memory allocated while this is on, and shared
    /// memory.
    pub fn find_unwritten(&self, on: bool) {
        // SAFETY: takes a number.
        unsafe { (self.control.find_unwritten)(on.into()) }
    }

    /// Makes it a fault of a kernel that threads of a block use the same shared memory, one of them to store, with no barrier
    /// between.
    pub fn find_races(&self, on: bool) {
        // SAFETY: takes a number.
        unsafe { (self.control.find_races)(on.into()) }
    }

    /// How many PTX instructions all launches have run.
    pub fn instructions_run(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.instructions_run)() }
    }

    /// Sets the compute capability of all devices, 9.0 at first, and with it what depends on it: attributes, and the PTX that can be
    /// loaded. False for one that is not simulated: 7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 10.3, 11.0, 12.0 and 12.1 are.
    #[must_use]
    pub fn set_compute_capability(&self, major: i32, minor: i32) -> bool {
        // SAFETY: takes numbers.
        unsafe { (self.control.set_compute_capability)(major, minor) != 0 }
    }

    /// How often `function` was called.
    pub fn call_count(&self, function: &str) -> u64 {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.call_count)(function.as_ptr()) }
    }

    /// The calls made so far, in order, each as a line: "cuStreamDestroy(0x5581) = 0".
    pub fn calls(&self) -> Vec<String> {
        // SAFETY: takes nothing.
        let count = unsafe { (self.control.log_size)() };
        (0..count).map_while(|index| self.call(index)).collect()
    }

    fn call(&self, index: usize) -> Option<String> {
        let mut line = vec![0u8; 1024];
        // SAFETY: the line has the size that is given, and is NUL-terminated within it.
        let found = unsafe { (self.control.log_entry)(index, line.as_mut_ptr().cast(), line.len()) };
        (found != 0).then(|| until_nul(&line))
    }

    /// Forgets the calls made so far, and their counts.
    pub fn clear_calls(&self) {
        // SAFETY: takes nothing.
        unsafe { (self.control.log_clear)() }
    }

    /// How many objects of a kind are alive: "context", "stream", "event", "memory", "library", "pool", "host memory", "link",
    /// "graph".
    pub fn live_count(&self, kind: &str) -> usize {
        let kind = c_name(kind);
        // SAFETY: the kind is read during the call.
        unsafe { (self.control.live_count)(kind.as_ptr()) }
    }

    /// The objects alive, each as a line: "stream 0x5581 of context 0x5580".
    pub fn live_list(&self) -> Vec<String> {
        lines(self.control.live_list)
    }

    /// Uses of the driver that the real one punishes with undefined behaviour, and that this one refused, each as a line.
    pub fn violations(&self) -> Vec<String> {
        lines(self.control.violation_list)
    }

    /// Keeps work that is put on the stream from now on waiting.
    pub fn hold(&self, stream: &Stream) {
        // SAFETY: the stream is alive.
        unsafe { (self.control.hold)(stream.raw().cast()) }
    }

    /// Lets the work that was held run, in order, on the calling thread.
    pub fn release(&self, stream: &Stream) {
        // SAFETY: the stream is alive.
        unsafe { (self.control.release)(stream.raw().cast()) }
    }

    /// Puts the driver back as it was when loaded: live objects and their memory are discarded.
    ///
    /// # Safety
    /// No handle of anything on the driver lives, streams are idle, and no other thread uses the driver meanwhile.
    pub unsafe fn reset(&self) {
        // SAFETY: the caller's promise.
        unsafe { (self.control.reset)() }
    }
}

/// The simulator, to one test at a time: see [`Simulator::exclusive`].
#[derive(Debug)]
pub struct Exclusive {
    simulator: Simulator,
    _turn: MutexGuard<'static, ()>,
}

impl Deref for Exclusive {
    type Target = Simulator;

    fn deref(&self) -> &Simulator {
        &self.simulator
    }
}

impl Drop for Exclusive {
    fn drop(&mut self) {
        self.simulator.fail_nothing();
        self.simulator.unhook();
    }
}

fn install() -> Result<Simulator> {
    let path = library_path().ok_or_else(|| error(ErrorKind::NotSupported, "there is no simulated driver for this system"))?;
    let library = Library::open(&path).map_err(|reason| error(ErrorKind::NotFound, &reason))?;
    let control = Control::of(&library)
        .ok_or_else(|| error(ErrorKind::NotFound, &format!("{} is not the simulated driver", path.display())))?;
    // SAFETY: the file has the simulated driver's controls, so it is one.
    unsafe { driver::use_library(&path) }?;
    Ok(Simulator::new(control))
}

fn library_path() -> Option<PathBuf> {
    let named = env::var_os("CUSIM_LIBRARY").map(PathBuf::from);
    named.or_else(|| option_env!("CUCORE_SIM_LIBRARY").map(PathBuf::from))
}

fn error(kind: ErrorKind, message: &str) -> Error {
    Error::new(kind, message)
}

fn c_name(name: &str) -> CString {
    CString::new(name).expect("a name without NULs")
}

/// The lines of a list that is asked for its length first; it may have grown meanwhile.
fn lines(list: unsafe extern "C" fn(*mut c_char, usize) -> usize) -> Vec<String> {
    let mut text: Vec<u8> = Vec::new();
    loop {
        // SAFETY: the text has the size that is given, and is NUL-terminated within it.
        let wanted = unsafe { list(text.as_mut_ptr().cast(), text.len()) };
        if wanted < text.len() {
            return until_nul(&text).lines().map(str::to_owned).collect();
        }
        text = vec![0; wanted + 1];
    }
}

fn until_nul(text: &[u8]) -> String {
    let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
    String::from_utf8_lossy(&text[..end]).into_owned()
}
