// SPDX-License-Identifier: MIT OR Apache-2.0
#![doc = include_str!("../README.md")]

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
///
/// ```
/// use cucore::{Device, ErrorKind, Stream};
/// use cucore_sim::Simulator;
///
/// let simulator = Simulator::install()?; // first of all; what follows is as on a GPU
/// let device = Device::open(0)?;
///
/// simulator.fail("cuStreamCreateWithPriority", 1, 2, false); // CUDA_ERROR_OUT_OF_MEMORY
/// assert_eq!(Stream::new(&device).unwrap_err().kind(), ErrorKind::OutOfMemory);
/// Stream::new(&device)?; // that was the only one to fail
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Simulator {
    control: &'static Control,
}

impl Simulator {
    /// Makes the simulated driver the one that `cucore` uses. It must come before the first call that needs a driver; later
    /// calls give the same simulator.
    ///
    /// It is the file that the environment variable `CUSIM_LIBRARY` names, or else the one that this crate built.
    ///
    /// ```
    /// use cucore::driver;
    /// use cucore_sim::Simulator;
    ///
    /// Simulator::install()?;
    /// println!("the driver is {}", driver::path().unwrap_or("not loaded yet".as_ref()).display());
    /// # driver::version()?;
    /// # assert!(driver::path().is_some());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn install() -> Result<Simulator> {
        static INSTALLED: OnceLock<Result<Simulator>> = OnceLock::new();
        INSTALLED.get_or_init(install).clone()
    }

    /// The simulated driver, if that is the driver that `cucore` has loaded.
    ///
    /// ```
    /// use cucore::driver;
    /// use cucore_sim::Simulator;
    ///
    /// # Simulator::install()?;
    /// driver::version()?; // a driver is loaded, whichever
    /// match Simulator::attach() {
    ///     Some(simulator) => println!("no GPU: {} calls so far", simulator.fallible_calls()),
    ///     None => println!("a real driver"),
    /// }
    /// # assert!(Simulator::attach().is_some());
    /// # Ok::<(), cucore::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let faults = simulator.exclusive(); // at the start of each test
    /// faults.fail("cuEventCreate", 1, 2, false);
    /// drop(faults); // the next test's turn, without the fault
    /// Event::new(&device)?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn exclusive(&self) -> Exclusive {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        Exclusive { simulator: *self, _turn: turn }
    }

    /// Makes calls of `function` (its base name, "cuStreamDestroy") fail with `code`, a `CUresult`, and do nothing: the `nth`
    /// from now, counted from 1, and, if `sticky`, all after it. Several may be armed at once.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// simulator.fail("cuEventCreate", 2, 2, false); // the second from now, CUDA_ERROR_OUT_OF_MEMORY
    /// let first = Event::new(&device)?;
    /// assert_eq!(Event::new(&device).unwrap_err().operation(), "cuEventCreate");
    /// let third = Event::new(&device)?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn fail(&self, function: &str, nth: u64, code: i32, sticky: bool) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.fail)(function.as_ptr(), nth, code, sticky.into()) }
    }

    /// As [`fail`](Self::fail), of calls of any function that can fail.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// // Whichever call fails: nothing panics, and nothing is left behind.
    /// for nth in 1.. {
    ///     let before = simulator.live_count("event");
    ///     simulator.fail_any(nth, 2, false);
    ///     let outcome = Event::new(&device).and_then(|event| event.record(&stream));
    ///     let untouched = outcome.is_ok();
    ///     simulator.fail_nothing();
    ///     assert_eq!(simulator.live_count("event"), before);
    ///     if untouched {
    ///         break; // it makes fewer calls than that
    ///     }
    /// }
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn fail_any(&self, nth: u64, code: i32, sticky: bool) {
        // SAFETY: NULL stands for any function.
        unsafe { (self.control.fail)(ptr::null(), nth, code, sticky.into()) }
    }

    /// As [`fail`](Self::fail), but the calls do their work first: a destroy that fails after it destroyed, for example.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let event = Event::new(&device)?;
    /// simulator.fail_after("cuEventDestroy", 1, 719, false);
    /// assert!(event.close().is_err());
    /// assert_eq!(simulator.live_count("event"), 0); // and yet it was destroyed
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn fail_after(&self, function: &str, nth: u64, code: i32, sticky: bool) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.fail_after)(function.as_ptr(), nth, code, sticky.into()) }
    }

    /// Disarms all faults.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// simulator.fail("cuEventCreate", 1, 2, true);
    /// simulator.fail_nothing();
    /// Event::new(&device)?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn fail_nothing(&self) {
        // SAFETY: takes nothing.
        unsafe { (self.control.fail_nothing)() }
    }

    /// Runs `hook` once, before a call of `function`: the `nth` from now, counted from 1. It runs on the thread that makes the
    /// call, and may use the driver. If it panics, the panic stays inside and the call goes on.
    ///
    /// ```
    /// use cucore::{Device, Event, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let before = simulator.live_count("stream");
    /// simulator.hook("cuEventCreate", 1, || {
    ///     // What another thread could do just then.
    ///     Device::open(0).and_then(|device| Stream::new(&device)).unwrap();
    /// });
    /// Event::new(&device)?;
    /// assert_eq!(simulator.call_count("cuStreamDestroy"), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn hook(&self, function: &str, nth: u64, hook: impl FnOnce() + Send + 'static) {
        let function = c_name(function);
        // SAFETY: the name is read during the call; `run` fits what is handed over, which the driver runs once at most.
        unsafe { (self.control.hook)(function.as_ptr(), nth, hook::run, hook::hand_over(hook)) }
    }

    /// Takes back, and drops, the hooks that did not run.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// simulator.hook("cuEventCreate", 1, || panic!("not reached"));
    /// simulator.unhook();
    /// Event::new(&device)?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn unhook(&self) {
        // SAFETY: takes nothing.
        unsafe { (self.control.unhook)() }
        hook::take_back();
    }

    /// Makes the contexts that a device has answer as they do after a kernel's fault: nearly every call gives `code`, a `CUresult`
    /// (700 is an illegal address), until they are destroyed.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// use cucore::{ErrorKind, Event};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    ///
    /// simulator.sticky_fault(0, 700); // as if a kernel had written where it must not
    /// let error = stream.synchronize().unwrap_err();
    /// assert_eq!((error.kind(), error.native_code()), (ErrorKind::DeviceLost, 700));
    /// assert!(Event::new(&device).is_err()); // nor does anything else work
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn sticky_fault(&self, device: i32, code: i32) {
        // SAFETY: takes numbers.
        unsafe { (self.control.sticky_fault)(device, code) }
    }

    /// How many driver calls were made inside host functions and stream callbacks: all were refused.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// stream.add_callback(|_| println!("no call of the driver's in here"))?;
    /// stream.synchronize()?;
    /// assert_eq!(simulator.callback_thread_calls(), 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn callback_thread_calls(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.callback_thread_calls)() }
    }

    /// How many failures were injected so far.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// simulator.fail("cuEventCreate", 1, 2, false);
    /// assert_eq!(simulator.failures_injected(), 0); // armed, not met
    /// Event::new(&device).unwrap_err();
    /// assert_eq!(simulator.failures_injected(), 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn failures_injected(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.failures_injected)() }
    }

    /// How many calls that can fail were made so far.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let before = simulator.fallible_calls();
    /// Event::new(&device)?;
    /// println!("{} places to fail", simulator.fallible_calls() - before);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn fallible_calls(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.fallible_calls)() }
    }

    /// Hides a function from those who look it up from now on, as a driver that is too old for it.
    ///
    /// ```
    /// use cucore::{Device, ErrorKind, MemoryResource};
    /// # let simulator = cucore_sim::Simulator::install()?;
    ///
    /// simulator.hide("cuMemPoolTrimTo"); // before the first call: what was found is kept
    /// let error = MemoryResource::device_pool(&Device::open(0)?)?.trim(0).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::NotSupported);
    /// println!("{error}"); // names the function, and the CUDA version that has it
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn hide(&self, function: &str) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.hide)(function.as_ptr()) }
    }

    /// Undoes [`hide`](Self::hide).
    ///
    /// ```
    /// use cucore::{Device, MemoryResource};
    /// # let simulator = cucore_sim::Simulator::install()?;
    ///
    /// simulator.hide("cuMemPoolTrimTo");
    /// simulator.show("cuMemPoolTrimTo"); // before the first call: what is not found is not looked for again
    /// MemoryResource::device_pool(&Device::open(0)?)?.trim(0)?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn show(&self, function: &str) {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.show)(function.as_ptr()) }
    }

    /// Sets the CUDA version that the driver supports, 1000 * major + 10 * minor; functions newer than it are not found.
    ///
    /// ```
    /// use cucore::driver;
    /// # let simulator = cucore_sim::Simulator::install()?;
    ///
    /// simulator.set_driver_version(12_000); // before the first call
    /// assert_eq!(driver::version()?.to_string(), "12.0");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_driver_version(&self, version: i32) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_driver_version)(version) }
    }

    /// Sets how many devices there are, 0 to 8; 2 at first.
    ///
    /// ```
    /// use cucore::Device;
    /// # let simulator = cucore_sim::Simulator::install()?;
    ///
    /// simulator.set_device_count(8);
    /// assert_eq!(Device::count()?, 8);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_device_count(&self, count: i32) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_device_count)(count) }
    }

    /// Ends each launch that runs more PTX instructions than that, of all its threads together, with
    /// `CUDA_ERROR_LAUNCH_TIMEOUT`; 0, as at first, lets them run for ever.
    ///
    /// ```
    /// # use cucore::{Device, Kernel, Kind, Library, ObjectCode, Stream};
    /// use cucore::LaunchConfig;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # fn kernel(source: &str, name: &str) -> cucore::Result<Kernel> {
    /// #     let header = ".version 8.0\n.target sm_75\n.address_size 64\n";
    /// #     let code = ObjectCode::new(Kind::Ptx, format!("{header}{source}").as_bytes(), "example.ptx")?;
    /// #     Library::load(&Device::open(0)?, &code)?.kernel(name)
    /// # }
    ///
    /// let endless = kernel(".visible .entry endless() { $L: bra $L; }", "endless")?;
    /// simulator.set_step_limit(1_000_000);
    /// // SAFETY: the kernel takes nothing and touches no memory.
    /// let launched = unsafe { endless.launch(&stream, &LaunchConfig::covering(1, 1), ()) };
    /// let error = launched.and_then(|()| stream.synchronize()).unwrap_err();
    /// assert!(error.message().contains("CUDA_ERROR_LAUNCH_TIMEOUT"), "{error}");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_step_limit(&self, instructions: u64) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_step_limit)(instructions) }
    }

    /// Sets how many host threads run the blocks of a launch; 1 at first, which makes launches repeatable.
    ///
    /// ```
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// simulator.set_workers(4); // large launches take less time, blocks run in any order
    /// simulator.set_workers(1); // as at first: launches are repeatable
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn set_workers(&self, threads: i32) {
        // SAFETY: takes a number.
        unsafe { (self.control.set_workers)(threads) }
    }

    /// Makes it a fault of a kernel to read memory that nobody wrote: device memory allocated while this is on, and shared
    /// memory.
    ///
    /// ```
    /// # use cucore::{Device, Kernel, Kind, Library, MemoryResource, ObjectCode, Stream};
    /// use cucore::LaunchConfig;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # fn kernel(source: &str, name: &str) -> cucore::Result<Kernel> {
    /// #     let header = ".version 8.0\n.target sm_75\n.address_size 64\n";
    /// #     let code = ObjectCode::new(Kind::Ptx, format!("{header}{source}").as_bytes(), "example.ptx")?;
    /// #     Library::load(&Device::open(0)?, &code)?.kernel(name)
    /// # }
    ///
    /// simulator.find_unwritten(true);
    /// let source = ".visible .entry increment(.param .u64 x) {
    ///     .reg .b64 %rd<2>;
    ///     .reg .b32 %r<3>;
    ///     ld.param.u64 %rd1, [x];
    ///     ld.global.u32 %r1, [%rd1];
    ///     add.u32 %r2, %r1, 1;
    ///     st.global.u32 [%rd1], %r2;
    ///     ret;
    /// }";
    /// let increment = kernel(source, "increment")?;
    /// let mut x = pool.allocate::<u32>(1, &stream)?; // and not filled
    /// // SAFETY: the kernel uses one element.
    /// let launched = unsafe { increment.launch(&stream, &LaunchConfig::covering(1, 1), (&mut x,)) };
    /// assert!(launched.and_then(|()| stream.synchronize()).is_err());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn find_unwritten(&self, on: bool) {
        // SAFETY: takes a number.
        unsafe { (self.control.find_unwritten)(on.into()) }
    }

    /// Makes it a fault of a kernel that threads of a block use the same shared memory, one of them to store, with no barrier
    /// between.
    ///
    /// ```
    /// # use cucore::{Device, Kernel, Kind, Library, ObjectCode, Stream};
    /// use cucore::LaunchConfig;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # fn kernel(source: &str, name: &str) -> cucore::Result<Kernel> {
    /// #     let header = ".version 8.0\n.target sm_75\n.address_size 64\n";
    /// #     let code = ObjectCode::new(Kind::Ptx, format!("{header}{source}").as_bytes(), "example.ptx")?;
    /// #     Library::load(&Device::open(0)?, &code)?.kernel(name)
    /// # }
    ///
    /// simulator.find_races(true);
    /// let source = ".visible .entry race() {
    ///     .shared .align 4 .b8 last[4];
    ///     .reg .b32 %r<2>;
    ///     mov.u32 %r1, %tid.x;
    ///     st.shared.u32 [last], %r1;
    ///     ret;
    /// }";
    /// let race = kernel(source, "race")?;
    /// // SAFETY: the kernel takes nothing and touches no memory but its own.
    /// let launched = unsafe { race.launch(&stream, &LaunchConfig::covering(32, 32), ()) };
    /// assert!(launched.and_then(|()| stream.synchronize()).is_err()); // 32 threads store to one place
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn find_races(&self, on: bool) {
        // SAFETY: takes a number.
        unsafe { (self.control.find_races)(on.into()) }
    }

    /// How many PTX instructions all launches have run.
    ///
    /// ```
    /// # use cucore::{Device, Kernel, Kind, Library, ObjectCode, Stream};
    /// use cucore::LaunchConfig;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # fn kernel(source: &str, name: &str) -> cucore::Result<Kernel> {
    /// #     let header = ".version 8.0\n.target sm_75\n.address_size 64\n";
    /// #     let code = ObjectCode::new(Kind::Ptx, format!("{header}{source}").as_bytes(), "example.ptx")?;
    /// #     Library::load(&Device::open(0)?, &code)?.kernel(name)
    /// # }
    ///
    /// let nothing = kernel(".visible .entry nothing() { ret; }", "nothing")?;
    /// let before = simulator.instructions_run();
    /// // SAFETY: the kernel takes nothing and touches no memory.
    /// unsafe { nothing.launch(&stream, &LaunchConfig::covering(64, 32), ()) }?;
    /// assert_eq!(simulator.instructions_run() - before, 64); // one for each thread
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn instructions_run(&self) -> u64 {
        // SAFETY: takes nothing.
        unsafe { (self.control.instructions_run)() }
    }

    /// Sets the compute capability of all devices, 9.0 at first, and with it what depends on it: attributes, and the PTX that can be
    /// loaded. False for one that is not simulated: 7.5, 8.0, 8.6, 8.7, 8.9, 9.0, 10.0, 10.3, 11.0, 12.0 and 12.1 are.
    ///
    /// ```
    /// use cucore::Device;
    /// # let simulator = cucore_sim::Simulator::install()?;
    ///
    /// assert!(simulator.set_compute_capability(12, 0));
    /// assert_eq!(Device::open(0)?.arch(), "sm_120");
    /// assert!(!simulator.set_compute_capability(3, 5)); // not simulated
    /// # Ok::<(), cucore::Error>(())
    /// ```
    #[must_use]
    pub fn set_compute_capability(&self, major: i32, minor: i32) -> bool {
        // SAFETY: takes numbers.
        unsafe { (self.control.set_compute_capability)(major, minor) != 0 }
    }

    /// How often `function` was called.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// let before = simulator.call_count("cuStreamSynchronize");
    /// stream.synchronize()?;
    /// assert_eq!(simulator.call_count("cuStreamSynchronize"), before + 1);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn call_count(&self, function: &str) -> u64 {
        let function = c_name(function);
        // SAFETY: the name is read during the call.
        unsafe { (self.control.call_count)(function.as_ptr()) }
    }

    /// The calls made so far, in order, each as a line: "cuStreamDestroy(0x5581) = 0".
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// simulator.clear_calls();
    /// drop(Event::new(&device)?);
    /// let calls = simulator.calls();
    /// assert!(calls.iter().any(|call| call.starts_with("cuEventDestroy(0x") && call.ends_with(" = 0")), "{calls:#?}");
    /// # Ok::<(), cucore::Error>(())
    /// ```
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
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// stream.synchronize()?;
    /// simulator.clear_calls();
    /// assert_eq!(simulator.call_count("cuStreamSynchronize"), 0);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn clear_calls(&self) {
        // SAFETY: takes nothing.
        unsafe { (self.control.log_clear)() }
    }

    /// How many objects of a kind are alive: "context", "stream", "event", "memory", "library", "pool", "host memory", "link",
    /// "graph".
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    ///
    /// let before = simulator.live_count("event");
    /// let event = Event::new(&device)?;
    /// assert_eq!(simulator.live_count("event"), before + 1);
    /// drop(event);
    /// assert_eq!(simulator.live_count("event"), before);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn live_count(&self, kind: &str) -> usize {
        let kind = c_name(kind);
        // SAFETY: the kind is read during the call.
        unsafe { (self.control.live_count)(kind.as_ptr()) }
    }

    /// The objects alive, each as a line: "stream 0x5581 of context 0x5580".
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// let list = simulator.live_list();
    /// assert!(list.iter().any(|object| object.starts_with("stream 0x")), "{list:#?}");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn live_list(&self) -> Vec<String> {
        lines(self.control.live_list)
    }

    /// Uses of the driver that the real one punishes with undefined behaviour, and that this one refused, each as a line.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// drop(pool.upload(&[1u8, 2], &stream)?);
    /// stream.synchronize()?;
    /// assert_eq!(simulator.violations(), [""; 0]); // at the end of a test
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn violations(&self) -> Vec<String> {
        lines(self.control.violation_list)
    }

    /// Keeps work that is put on the stream from now on waiting.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, Stream};
    /// use cucore::Event;
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let mut x = pool.upload(&[0u8; 4], &stream)?;
    /// let filled = Event::new(&device)?;
    /// simulator.hold(&stream);
    /// x.fill(1, &stream)?;
    /// filled.record(&stream)?;
    /// assert!(!filled.is_done()?); // as on a busy GPU
    /// simulator.release(&stream);
    /// assert!(filled.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn hold(&self, stream: &Stream) {
        // SAFETY: the stream is alive.
        unsafe { (self.control.hold)(stream.raw().cast()) }
    }

    /// Lets the work that was held run, in order, on the calling thread.
    ///
    /// ```
    /// # use cucore::{Device, Stream};
    /// # let simulator = cucore_sim::Simulator::install()?;
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// simulator.hold(&stream);
    /// stream.add_callback(|_| println!("called now"))?;
    /// assert!(!stream.is_done()?);
    /// simulator.release(&stream); // runs what was held
    /// assert!(stream.is_done()?);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn release(&self, stream: &Stream) {
        // SAFETY: the stream is alive.
        unsafe { (self.control.release)(stream.raw().cast()) }
    }

    /// Puts the driver back as it was when loaded: live objects and their memory are discarded.
    ///
    /// ```
    /// use cucore::Device;
    /// # let simulator = cucore_sim::Simulator::install()?;
    ///
    /// simulator.set_device_count(1);
    /// // SAFETY: there is no handle yet.
    /// unsafe { simulator.reset() };
    /// assert_eq!(Device::count()?, 2);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ///
    /// # Safety
    /// No handle of anything on the driver lives, streams are idle, and no other thread uses the driver meanwhile.
    pub unsafe fn reset(&self) {
        // SAFETY: the caller's promise.
        unsafe { (self.control.reset)() }
    }
}

/// The simulator, to one test at a time: see [`Simulator::exclusive`].
///
/// ```
/// use cucore::{Device, Event};
/// use cucore_sim::{Exclusive, Simulator};
///
/// fn simulator() -> Exclusive {
///     Simulator::install().expect("the simulated driver").exclusive()
/// }
///
/// // #[test]
/// fn a_failed_creation_is_an_error() {
///     let simulator = simulator(); // no other test runs meanwhile
///     simulator.fail("cuEventCreate", 1, 2, false);
///     assert!(Event::new(&Device::open(0).unwrap()).is_err());
/// }
/// # a_failed_creation_is_an_error();
/// # Ok::<(), cucore::Error>(())
/// ```
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
