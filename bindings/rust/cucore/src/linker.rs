// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::{sys, text, Device, Kind, ObjectCode, Result};
use std::ffi::c_void;
use std::ptr;

owned_handle! {
    /// A linker: joins several object codes with nvJitLink (see [`compiler`](crate::compiler)).
    Linker: cucore_linker, cucore_linker_release, cucore_linker_close, raw
}

/// How object codes are linked.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct LinkerOptions<'a> {
    /// The architecture, e.g. "sm_90". Default: the device's.
    pub arch: Option<&'a str>,
    /// Any other option, as nvJitLink's documentation spells it, e.g. "-O2".
    pub options: &'a [&'a str],
    /// What to make: [`Kind::Cubin`], or [`Kind::Ptx`] from LTO-IR. Default: a cubin.
    pub kind: Option<Kind>,
}

impl<'a> LinkerOptions<'a> {
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

    /// Sets [`kind`](Self::kind).
    pub fn kind(mut self, kind: Kind) -> Self {
        self.kind = Some(kind);
        self
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
        let options = sys::cucore_linker_options {
            struct_size: size_of::<sys::cucore_linker_options>(),
            arch: text::borrowed(options.arch),
            options: others.as_ptr(),
            option_count: others.len(),
            kind: options.kind.map_or(0, Kind::code),
            reserved: 0,
        };
        // SAFETY: the handles are alive (the device's may be NULL); inputs and options are read during the call.
        made(|status| unsafe { sys::cucore_linker_create(device, inputs.as_ptr(), inputs.len(), &options, status) }).map(Linker)
    }

    /// The `nvJitLinkHandle`.
    pub fn raw(&self) -> *mut c_void {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_linker_raw(self.as_ptr()) }
    }

    /// Links, once; nvJitLink's log is in what it returns, or in the error.
    pub fn link(&mut self) -> Result<ObjectCode> {
        // SAFETY: the handle is alive and, borrowed mutably, in nobody else's use.
        made(|status| unsafe { sys::cucore_linker_link(self.as_ptr(), status) }).map(ObjectCode)
    }
}
