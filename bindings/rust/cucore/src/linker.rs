// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::options::{on, on_or_off};
use crate::{sys, text, Device, Kind, ObjectCode, Result};
use std::borrow::Cow;
use std::ffi::c_void;
use std::ptr;

owned_handle! {
    /// A linker: joins several object codes. It is nvJitLink's (see [`compiler`](crate::compiler)); where nvJitLink is not there or
    /// older than the driver's CUDA major version it is the driver's own, which takes no LTO-IR, makes cubins only and knows fewer
    /// options.
    ///
    /// It stays on the thread that made it: nvJitLink 12.9 and 13.0 were seen to crash when that thread used them again after
    /// another had dropped a linker, and so was the driver's linker. What it links can be sent anywhere.
    Linker: cucore_linker, cucore_linker_release, cucore_linker_close, raw,
        "# const SCALE: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/examples/scale.ptx\"));
# let device = Device::open(0)?;
let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), \"scale.ptx\")?;
let handle = Linker::new(&device, &[&code])?;"
}

/// What a linker is.
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
        arch: &'a str,
        options: &'a [&'a str],
        kind: Kind,
        debug: bool,
        lineinfo: bool,
        optimization_level: i32,
        max_registers: i32,
        ftz: bool,
        prec_sqrt: bool,
        prec_div: bool,
        fma: bool,
        verbose: bool,
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
    pub fn new(device: &Device, inputs: &[&ObjectCode]) -> Result<Linker> {
        Linker::with_options(Some(device), inputs, &LinkerOptions::default())
    }

    /// Makes a linker over inputs of any kind. The device gives the architecture; there may be none if the options do.
    /// Link-time optimisation is on if an input is LTO-IR.
    pub fn with_options(device: Option<&Device>, inputs: &[&ObjectCode], options: &LinkerOptions) -> Result<Linker> {
        let device = device.map_or(ptr::null_mut(), Device::as_ptr);
        let inputs: Vec<_> = inputs.iter().map(|input| input.as_ptr()).collect();
        let others = text::all_borrowed(options.options);
        let options = options.to_c(&others);
        // SAFETY: the handles are alive (the device's may be NULL); inputs and options are read during the call.
        made(|status| unsafe { sys::cucore_linker_create(device, inputs.as_ptr(), inputs.len(), &options, status) }).map(Linker)
    }

    /// What the linker is.
    pub fn kind(&self) -> LinkerKind {
        // SAFETY: the handle is alive.
        match unsafe { sys::cucore_linker_kind(self.as_ptr()) } {
            sys::CUCORE_LINKER_DRIVER => LinkerKind::Driver,
            _ => LinkerKind::NvJitLink,
        }
    }

    /// The errors of the link, empty before it or if there are none.
    pub fn error_log(&self) -> Cow<'_, str> {
        // SAFETY: the handle is alive, and the log does not change while it is borrowed: linking needs it mutably.
        String::from_utf8_lossy(unsafe { text::bytes(self.as_ptr(), sys::cucore_linker_error_log) })
    }

    /// What else the linker said, empty before the link or if nothing.
    pub fn info_log(&self) -> Cow<'_, str> {
        // SAFETY: as for error_log.
        String::from_utf8_lossy(unsafe { text::bytes(self.as_ptr(), sys::cucore_linker_info_log) })
    }

    /// The `nvJitLinkHandle` or the `CUlinkState`.
    pub fn raw(&self) -> *mut c_void {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_linker_raw(self.as_ptr()) }
    }

    /// Links, once; the linker's log is in what it returns, or in the error.
    pub fn link(&mut self) -> Result<ObjectCode> {
        // SAFETY: the handle is alive and, borrowed mutably, in nobody else's use.
        made(|status| unsafe { sys::cucore_linker_link(self.as_ptr(), status) }).map(ObjectCode)
    }
}
