// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::{sys, text, Device, Kind, ObjectCode, Result};
use std::ffi::c_void;
use std::ptr;

owned_handle! {
    /// A program: one translation unit of CUDA C++, compiled with NVRTC (see [`compiler`](crate::compiler)). Different programs
    /// may be compiled on different threads at once.
    Program: cucore_program, cucore_program_release, cucore_program_close, raw
}

/// How a program is compiled.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ProgramOptions<'a> {
    /// The file name in diagnostics. Default: "program.cu".
    pub name: Option<&'a str>,
    /// The architecture, e.g. "sm_90" or "compute_90". Default: the device's.
    pub arch: Option<&'a str>,
    /// Any other option, as NVRTC's documentation spells it, e.g. "--use_fast_math".
    pub options: &'a [&'a str],
}

impl<'a> ProgramOptions<'a> {
    /// Sets [`name`](Self::name).
    pub fn name(mut self, name: &'a str) -> Self {
        self.name = Some(name);
        self
    }

    /// Sets [`arch`](Self::arch).
    pub fn arch(mut self, arch: &'a str) -> Self {
        self.arch = Some(arch);
        self
    }

    /// Sets [`options`](Self::options).
    pub fn options(mut self, options: &'a [&'a str]) -> Self {
        self.options = options;
        self
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
        let others = text::all_borrowed(options.options);
        let options = sys::cucore_program_options {
            struct_size: size_of::<sys::cucore_program_options>(),
            name: text::borrowed(options.name),
            arch: text::borrowed(options.arch),
            options: others.as_ptr(),
            option_count: others.len(),
        };
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
