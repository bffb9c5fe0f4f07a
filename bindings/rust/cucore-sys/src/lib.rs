// SPDX-License-Identifier: MIT OR Apache-2.0
//! Raw bindings to libcucore, made by bindgen from its public headers. The safe crate over them is `cucore`.
//!
//! The rules that every declaration follows are in the header `cucore_v1/types.h`, in short: a handle that a function returns
//! is a new reference and the caller's to release; handles passed in are borrowed; a function that returns a handle gives NULL
//! when it fails, one that returns `i32` gives the code; `status`, always last, may be NULL.
//!
//! # Which library is linked
//!
//! First match wins:
//!
//! 1. `CUCORE_SYS_SYSTEM=1` in the environment: the system's, found by pkg-config.
//! 2. The feature `bundled`: the C sources in this crate, built with the C compiler at hand. They need no CUDA.
//! 3. The feature `system`: the system's.
//! 4. The system's if pkg-config finds one of the right version, else the C sources in this crate.
//!
//! Build scripts of dependent crates are told `DEP_CUCORE_LINKAGE` (`bundled` or `system`) and, where it is known,
//! `DEP_CUCORE_INCLUDE` (the folder that holds `cucore_v1/`).
#![no_std]

#[allow(missing_docs, non_camel_case_types, rustdoc::invalid_html_tags)]
#[rustfmt::skip]
mod bindings;

pub use bindings::*;
