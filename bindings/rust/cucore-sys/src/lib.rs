// SPDX-License-Identifier: MIT OR Apache-2.0
#![doc = include_str!("../README.md")]
#![no_std]

#[allow(missing_docs, non_camel_case_types, rustdoc::invalid_html_tags)]
#[rustfmt::skip]
mod bindings;
#[cfg(cucore_unsupported)]
mod unsupported;

pub use bindings::*;
