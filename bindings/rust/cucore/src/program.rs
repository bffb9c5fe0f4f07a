// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::options::{on, on_or_off};
use crate::{sys, text, Device, Kind, ObjectCode, Result};
use std::ffi::c_void;
use std::ptr;

owned_handle! {
    /// A program: one translation unit of CUDA C++, compiled with NVRTC (see [`compiler`](crate::compiler)). Different programs
    /// may be compiled on different threads at once.
    Program: cucore_program, cucore_program_release, cucore_program_close, raw,
        "# if compiler::version(compiler::Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
let handle = Program::new(&Device::open(0)?, \"__global__ void nothing() {}\")?;"
}

// SAFETY: C allows any thread to make any call on a program, one at a time, and NVRTC's programs are of no thread.
unsafe impl Send for Program {}

/// How a program is compiled. What a field asks of NVRTC is named with it; a choice that is not made asks for nothing, so that
/// NVRTC's own default holds.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ProgramOptions<'a> {
    /// The file name in diagnostics. Default: "program.cu".
    pub name: Option<&'a str>,
    /// `--gpu-architecture`: "sm_90", "compute_90". Default: the device's.
    pub arch: Option<&'a str>,
    /// `--std`: "c++17".
    pub std: Option<&'a str>,
    /// `--define-macro`: "NAME" or "NAME=VALUE".
    pub defines: &'a [&'a str],
    /// `--undefine-macro`: "NAME".
    pub undefines: &'a [&'a str],
    /// `--include-path`: folders.
    pub include_paths: &'a [&'a str],
    /// `--pre-include`: headers.
    pub pre_includes: &'a [&'a str],
    /// Kernels and variables whose names in the object code are wanted: `scale<float>`. [`Library::kernel`](crate::Library::kernel)
    /// then finds them by these.
    pub name_expressions: &'a [&'a str],
    /// Any other option, as NVRTC's documentation spells it, e.g. "--minimal".
    pub options: &'a [&'a str],
    /// `--device-debug`.
    pub debug: bool,
    /// `--generate-line-info`.
    pub lineinfo: bool,
    /// `--relocatable-device-code`.
    pub relocatable_device_code: Option<bool>,
    /// `--use_fast_math`.
    pub fast_math: bool,
    /// `--ftz`.
    pub ftz: Option<bool>,
    /// `--prec-sqrt`.
    pub prec_sqrt: Option<bool>,
    /// `--prec-div`.
    pub prec_div: Option<bool>,
    /// `--fmad`.
    pub fma: Option<bool>,
    /// `--restrict`.
    pub restrict_pointers: bool,
    /// `--maxrregcount`.
    pub max_registers: Option<i32>,
}

impl<'a> ProgramOptions<'a> {
    setters! {
        name: &'a str,
        arch: &'a str,
        std: &'a str,
        defines: &'a [&'a str],
        undefines: &'a [&'a str],
        include_paths: &'a [&'a str],
        pre_includes: &'a [&'a str],
        name_expressions: &'a [&'a str],
        options: &'a [&'a str],
        debug: bool,
        lineinfo: bool,
        relocatable_device_code: bool,
        fast_math: bool,
        ftz: bool,
        prec_sqrt: bool,
        prec_div: bool,
        fma: bool,
        restrict_pointers: bool,
        max_registers: i32,
    }

    /// The options as C takes them; they borrow from `lists`.
    fn to_c(self, lists: &Lists) -> sys::cucore_program_options {
        sys::cucore_program_options {
            struct_size: size_of::<sys::cucore_program_options>(),
            name: text::borrowed(self.name),
            arch: text::borrowed(self.arch),
            std: text::borrowed(self.std),
            defines: lists.defines.as_ptr(),
            define_count: lists.defines.len(),
            undefines: lists.undefines.as_ptr(),
            undefine_count: lists.undefines.len(),
            include_paths: lists.include_paths.as_ptr(),
            include_path_count: lists.include_paths.len(),
            pre_includes: lists.pre_includes.as_ptr(),
            pre_include_count: lists.pre_includes.len(),
            name_expressions: lists.name_expressions.as_ptr(),
            name_expression_count: lists.name_expressions.len(),
            options: lists.options.as_ptr(),
            option_count: lists.options.len(),
            debug: on(self.debug),
            lineinfo: on(self.lineinfo),
            relocatable_device_code: on_or_off(self.relocatable_device_code),
            fast_math: on(self.fast_math),
            ftz: on_or_off(self.ftz),
            prec_sqrt: on_or_off(self.prec_sqrt),
            prec_div: on_or_off(self.prec_div),
            fma: on_or_off(self.fma),
            restrict_pointers: on(self.restrict_pointers),
            max_registers: self.max_registers.unwrap_or(0),
        }
    }
}

/// The lists of a program's options as C takes them.
struct Lists {
    defines: Vec<sys::cucore_text>,
    undefines: Vec<sys::cucore_text>,
    include_paths: Vec<sys::cucore_text>,
    pre_includes: Vec<sys::cucore_text>,
    name_expressions: Vec<sys::cucore_text>,
    options: Vec<sys::cucore_text>,
}

impl Lists {
    fn of(options: &ProgramOptions) -> Lists {
        Lists {
            defines: text::all_borrowed(options.defines),
            undefines: text::all_borrowed(options.undefines),
            include_paths: text::all_borrowed(options.include_paths),
            pre_includes: text::all_borrowed(options.pre_includes),
            name_expressions: text::all_borrowed(options.name_expressions),
            options: text::all_borrowed(options.options),
        }
    }
}

impl Program {
    /// Makes a program from CUDA C++, to be compiled for the device's architecture.
    pub fn new(device: &Device, source: &str) -> Result<Program> {
        Program::with_options(Some(device), source, &ProgramOptions::default())
    }

    /// Makes a program from CUDA C++. The device gives the architecture; there may be none if the options do.
    pub fn with_options(device: Option<&Device>, source: &str, options: &ProgramOptions) -> Result<Program> {
        let device = device.map_or(ptr::null_mut(), Device::as_ptr);
        let lists = Lists::of(options);
        let options = options.to_c(&lists);
        // SAFETY: the device is alive or NULL; source and options are copied during the call.
        made(|status| unsafe { sys::cucore_program_create(device, source.as_ptr().cast(), source.len(), &options, status) })
            .map(Program)
    }

    /// The `nvrtcProgram`.
    pub fn raw(&self) -> *mut c_void {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_program_raw(self.as_ptr()) }
    }

    /// Compiles to `kind`; a cubin needs an architecture that is an "sm_..." one. NVRTC's log is in what it returns, or in the
    /// error.
    pub fn compile(&mut self, kind: Kind) -> Result<ObjectCode> {
        // SAFETY: the handle is alive and, borrowed mutably, in nobody else's use.
        made(|status| unsafe { sys::cucore_program_compile(self.as_ptr(), kind.code(), status) }).map(ObjectCode)
    }
}
