// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::options::{on, on_or_off};
use crate::{sys, text, Device, Kind, ObjectCode, Result};
use std::borrow::Cow;
use std::ptr;

owned_handle! {
    /// A linker: joins several object codes. It is nvJitLink's (see [`compiler`](crate::compiler)); where nvJitLink is not there or
    /// older than the driver's CUDA major version it is the driver's own, which takes no LTO-IR, makes cubins only and knows fewer
    /// options.
    ///
    /// nvJitLink or the driver is asked for nothing before [`link`](Linker::link).
    ///
    /// ```
    /// # use cucore::{compiler, Device};
    /// # use cucore::compiler::Compiler;
    /// use cucore::{ErrorKind, Kind, Library, Linker, LinkerOptions, Program, ProgramOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # if compiler::version(Compiler::NvJitLink).is_err() { return Ok(()) }
    /// # let device = Device::open(0)?;
    ///
    /// let relocatable = ProgramOptions::default().relocatable_device_code(true);
    /// let compile = |source| Program::with_options(Some(&device), source, &relocatable)?.compile(Kind::LtoIr);
    /// let kernel = compile(
    ///     r#"extern "C" __device__ float change(float x);
    ///     extern "C" __global__ void each(float *x) { x[threadIdx.x] = change(x[threadIdx.x]); }"#,
    /// )?;
    /// let function = compile(r#"extern "C" __device__ float change(float x) { return x + 1; }"#)?;
    ///
    /// let options = LinkerOptions::default().kind(Kind::Ptx); // for any driver, and the simulated one; else a cubin
    /// let linked = Linker::with_options(Some(&device), &[&kernel, &function], &options)?.link()?;
    /// Library::load(&device, &linked)?.kernel("each")?;
    ///
    /// let error = Linker::new(&device, &[&kernel])?.link().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Link);
    /// assert!(error.log().contains("change"), "{error:?}"); // which function is missing
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Linker: cucore_linker, cucore_linker_release, cucore_linker_close, kind,
        "# const SCALE: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/examples/scale.ptx\"));
# let device = Device::open(0)?;
let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), \"scale.ptx\")?;
let handle = Linker::new(&device, &[&code])?;"
}

// SAFETY: C allows the calls on any threads, in the caller's own order, which borrowing mutably or moving keeps.
unsafe impl Send for Linker {}

/// What a linker is.
///
/// ```
/// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
/// use cucore::{Linker, LinkerKind};
/// # cucore_sim::Simulator::install()?;
/// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
/// # let pool = MemoryResource::device_pool(&device)?;
/// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
///
/// match Linker::new(&device, &[&code])?.kind() {
///     LinkerKind::NvJitLink => println!("nvJitLink links"),
///     LinkerKind::Driver => println!("the driver links: no LTO-IR"),
///     other => println!("{other:?}"),
/// }
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LinkerKind {
    /// nvJitLink.
    NvJitLink,
    /// The driver's own.
    Driver,
}

/// How object codes are linked. What a field asks of nvJitLink is named with it; a choice that is not made asks for nothing, so
/// that the linker's own default holds.
///
/// ```
/// # use cucore::{Device, MemoryResource, ObjectCode, Stream};
/// use cucore::{Kind, Linker, LinkerOptions};
/// # cucore_sim::Simulator::install()?;
/// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
/// # let device = Device::open(0)?;
/// # let stream = Stream::new(&device)?;
/// # let pool = MemoryResource::device_pool(&device)?;
/// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
///
/// let options = LinkerOptions::default().optimization_level(3).max_registers(64);
/// let cubin = Linker::with_options(Some(&device), &[&code], &options)?.link()?;
/// assert_eq!(cubin.kind(), Kind::Cubin);
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LinkerOptions<'a> {
    /// `-arch`: "sm_90". Default: the device's.
    pub arch: Option<&'a str>,
    /// Any other option, as nvJitLink's documentation spells it, e.g. "-split-compile=2".
    pub options: &'a [&'a str],
    /// What to make: [`Kind::Cubin`], or [`Kind::Ptx`] from LTO-IR. Default: a cubin.
    pub kind: Option<Kind>,
    /// `-g`.
    pub debug: bool,
    /// `-lineinfo`.
    pub lineinfo: bool,
    /// `-O`: 0 to 3.
    pub optimization_level: Option<i32>,
    /// `-maxrregcount`.
    pub max_registers: Option<i32>,
    /// `-ftz`.
    pub ftz: Option<bool>,
    /// `-prec-sqrt`.
    pub prec_sqrt: Option<bool>,
    /// `-prec-div`.
    pub prec_div: Option<bool>,
    /// `-fma`.
    pub fma: Option<bool>,
    /// `-verbose`.
    pub verbose: bool,
    /// `-time`.
    pub time: bool,
}

impl<'a> LinkerOptions<'a> {
    setters! {
        /// ```
        /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
        /// use cucore::{Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if cucore::compiler::version(cucore::compiler::Compiler::NvJitLink).is_err() { return Ok(()) } // no CUDA here
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().arch("sm_90");
        /// Linker::with_options(None, &[&code], &options)?.link()?; // no device needed
        /// # Ok::<(), cucore::Error>(())
        /// ```
        arch: &'a str,
        /// ```
        /// # use cucore::{compiler, Device, Kind, MemoryResource, ObjectCode, Stream};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # if compiler::version(Compiler::NvJitLink).is_err() { return Ok(()) }
        /// # let device = Device::open(0)?;
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().options(&["-no-such-option"]);
        /// let error = Linker::with_options(Some(&device), &[&code], &options).and_then(|mut linker| linker.link()).unwrap_err();
        /// println!("{error:?}"); // nvJitLink names the option
        /// # Ok::<(), cucore::Error>(())
        /// ```
        options: &'a [&'a str],
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Linker, LinkerOptions, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # if compiler::version(Compiler::NvJitLink).is_err() { return Ok(()) }
        /// # let device = Device::open(0)?;
        ///
        /// let relocatable = ProgramOptions::default().relocatable_device_code(true);
        /// let ir = Program::with_options(Some(&device), "__global__ void nothing() {}", &relocatable)?.compile(Kind::LtoIr)?;
        /// let ptx = Linker::with_options(Some(&device), &[&ir], &LinkerOptions::default().kind(Kind::Ptx))?.link()?;
        /// assert!(String::from_utf8_lossy(ptx.bytes()).contains(".version"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        kind: Kind,
        /// ```
        /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
        /// use cucore::{Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().debug(true);
        /// Linker::with_options(Some(&device), &[&code], &options)?.link()?;
        /// # Ok::<(), cucore::Error>(())
        /// ```
        debug: bool,
        /// ```
        /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
        /// use cucore::{Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().lineinfo(true);
        /// Linker::with_options(Some(&device), &[&code], &options)?.link()?;
        /// # Ok::<(), cucore::Error>(())
        /// ```
        lineinfo: bool,
        /// ```
        /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
        /// use cucore::{ErrorKind, Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().optimization_level(0);
        /// Linker::with_options(Some(&device), &[&code], &options)?.link()?;
        ///
        /// let error = Linker::with_options(Some(&device), &[&code], &options.optimization_level(9)).unwrap_err();
        /// assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        /// # Ok::<(), cucore::Error>(())
        /// ```
        optimization_level: i32,
        /// ```
        /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
        /// use cucore::{Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().max_registers(32);
        /// Linker::with_options(Some(&device), &[&code], &options)?.link()?;
        /// # Ok::<(), cucore::Error>(())
        /// ```
        max_registers: i32,
        /// ```
        /// use cucore::LinkerOptions;
        ///
        /// let options = LinkerOptions::default().ftz(true); // denormal numbers become zero
        /// assert_eq!(options.ftz, Some(true)); // None, as at first, leaves it to the linker
        /// ```
        ftz: bool,
        /// ```
        /// use cucore::LinkerOptions;
        ///
        /// let options = LinkerOptions::default().prec_sqrt(false); // an approximate square root will do
        /// assert_eq!(options.prec_sqrt, Some(false));
        /// ```
        prec_sqrt: bool,
        /// ```
        /// use cucore::LinkerOptions;
        ///
        /// let options = LinkerOptions::default().prec_div(false); // an approximate division will do
        /// assert_eq!(options.prec_div, Some(false));
        /// ```
        prec_div: bool,
        /// ```
        /// use cucore::LinkerOptions;
        ///
        /// let options = LinkerOptions::default().fma(false); // a * b + c is rounded twice
        /// assert_eq!(options.fma, Some(false));
        /// ```
        fma: bool,
        /// ```
        /// # use cucore::{compiler, Device, Kind, MemoryResource, ObjectCode, Stream};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # if compiler::version(Compiler::NvJitLink).is_err() { return Ok(()) }
        /// # let device = Device::open(0)?;
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().verbose(true);
        /// let mut linker = Linker::with_options(Some(&device), &[&code], &options)?;
        /// linker.link()?;
        /// println!("{}", linker.info_log());
        /// # Ok::<(), cucore::Error>(())
        /// ```
        verbose: bool,
        /// ```
        /// # use cucore::{compiler, Device, Kind, MemoryResource, ObjectCode, Stream};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Linker, LinkerOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # if compiler::version(Compiler::NvJitLink).is_err() { return Ok(()) }
        /// # let device = Device::open(0)?;
        /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
        /// # let device = Device::open(0)?;
        /// # let stream = Stream::new(&device)?;
        /// # let pool = MemoryResource::device_pool(&device)?;
        /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
        ///
        /// let options = LinkerOptions::default().time(true);
        /// let mut linker = Linker::with_options(Some(&device), &[&code], &options)?;
        /// linker.link()?;
        /// println!("{}", linker.info_log());
        /// # Ok::<(), cucore::Error>(())
        /// ```
        time: bool,
    }

    /// The options as C takes them, with `others` as its list of options, which they borrow.
    fn to_c(self, others: &[sys::cucore_text]) -> sys::cucore_linker_options {
        sys::cucore_linker_options {
            struct_size: size_of::<sys::cucore_linker_options>(),
            arch: text::borrowed(self.arch),
            options: others.as_ptr(),
            option_count: others.len(),
            kind: self.kind.map_or(0, Kind::code),
            debug: on(self.debug),
            lineinfo: on(self.lineinfo),
            has_optimization_level: self.optimization_level.is_some().into(),
            optimization_level: self.optimization_level.unwrap_or(0),
            max_registers: self.max_registers.unwrap_or(0),
            ftz: on_or_off(self.ftz),
            prec_sqrt: on_or_off(self.prec_sqrt),
            prec_div: on_or_off(self.prec_div),
            fma: on_or_off(self.fma),
            verbose: on(self.verbose),
            time: on(self.time),
        }
    }
}

impl Linker {
    /// Makes a linker over inputs of any kind, for a cubin of the device's architecture.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, ObjectCode, Stream};
    /// use cucore::{Kind, Linker};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let cubin = Linker::new(&device, &[&code])?.link()?;
    /// assert_eq!(cubin.kind(), Kind::Cubin);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn new(device: &Device, inputs: &[&ObjectCode]) -> Result<Linker> {
        Linker::with_options(Some(device), inputs, &LinkerOptions::default())
    }

    /// Makes a linker over inputs of any kind. The device gives the architecture; there may be none if the options do.
    /// Link-time optimisation is on if an input is LTO-IR.
    ///
    /// ```
    /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
    /// use cucore::{ErrorKind, Linker, LinkerOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # if cucore::compiler::version(cucore::compiler::Compiler::NvJitLink).is_err() { return Ok(()) } // no CUDA here
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let options = LinkerOptions::default().arch("sm_90").lineinfo(true);
    /// Linker::with_options(None, &[&code], &options)?.link()?;
    ///
    /// let error = Linker::with_options(None, &[&code], &LinkerOptions::default()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument); // neither a device nor an architecture
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn with_options(device: Option<&Device>, inputs: &[&ObjectCode], options: &LinkerOptions) -> Result<Linker> {
        let device = device.map_or(ptr::null_mut(), Device::as_ptr);
        let inputs: Vec<_> = inputs.iter().map(|input| input.as_ptr()).collect();
        let others = text::all_borrowed(options.options);
        let options = options.to_c(&others);
        // SAFETY: the handles are alive (the device's may be NULL); inputs and options are read during the call.
        made(|status| unsafe { sys::cucore_linker_create(device, inputs.as_ptr(), inputs.len(), &options, status) }).map(Linker)
    }

    /// What the linker is.
    ///
    /// ```
    /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
    /// use cucore::{Linker, LinkerKind};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let linker = Linker::new(&device, &[&code])?;
    /// if linker.kind() == LinkerKind::Driver {
    ///     println!("no nvJitLink that suits the driver: the driver links");
    /// }
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn kind(&self) -> LinkerKind {
        // SAFETY: the handle is alive.
        match unsafe { sys::cucore_linker_kind(self.as_ptr()) } {
            sys::CUCORE_LINKER_DRIVER => LinkerKind::Driver,
            _ => LinkerKind::NvJitLink,
        }
    }

    /// The errors of the link, empty before it or if there are none.
    ///
    /// ```
    /// # use cucore::{Device, Kind, MemoryResource, ObjectCode, Stream};
    /// use cucore::Linker;
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let mut linker = Linker::new(&device, &[&code])?;
    /// assert_eq!(linker.error_log(), ""); // not linked yet
    /// linker.link()?;
    /// assert_eq!(linker.error_log(), ""); // no error
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn error_log(&self) -> Cow<'_, str> {
        // SAFETY: the handle is alive, and the log does not change while it is borrowed: linking needs it mutably.
        String::from_utf8_lossy(unsafe { text::bytes(self.as_ptr(), sys::cucore_linker_error_log) })
    }

    /// What else the linker said, empty before the link or if nothing.
    ///
    /// ```
    /// # use cucore::{compiler, Device, Kind, MemoryResource, ObjectCode, Stream};
    /// # use cucore::compiler::Compiler;
    /// use cucore::{Linker, LinkerOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # if compiler::version(Compiler::NvJitLink).is_err() { return Ok(()) }
    /// # let device = Device::open(0)?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let options = LinkerOptions::default().verbose(true);
    /// let mut linker = Linker::with_options(Some(&device), &[&code], &options)?;
    /// linker.link()?;
    /// println!("{}", linker.info_log());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn info_log(&self) -> Cow<'_, str> {
        // SAFETY: as for error_log.
        String::from_utf8_lossy(unsafe { text::bytes(self.as_ptr(), sys::cucore_linker_info_log) })
    }

    /// Links, once; the linker's log is in what it returns, or in the error.
    ///
    /// ```
    /// # use cucore::{Device, MemoryResource, ObjectCode, Stream};
    /// use cucore::{Kind, Linker};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    /// # let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    ///
    /// let mut linker = Linker::new(&device, &[&code])?;
    /// let cubin = linker.link()?;
    /// drop(linker); // what it made is a handle of its own
    /// assert_eq!(cubin.kind(), Kind::Cubin);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn link(&mut self) -> Result<ObjectCode> {
        // SAFETY: the handle is alive and, borrowed mutably, in nobody else's use.
        made(|status| unsafe { sys::cucore_linker_link(self.as_ptr(), status) }).map(ObjectCode)
    }
}
