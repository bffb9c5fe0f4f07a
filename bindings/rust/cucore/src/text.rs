// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text and bytes on their way to C and back.

use crate::sys;
use std::ffi::{c_char, OsStr};
use std::path::Path;
use std::{ptr, slice, str};

/// An accessor of C's that gives text with its size.
type Accessor<H> = unsafe extern "C" fn(*const H, *mut usize) -> *const c_char;

/// What `accessor` gives for `handle`; empty where that is NULL.
///
/// # Safety
/// `handle` is alive, and what the accessor gives for it lives, unchanged, for `'a`.
pub(crate) unsafe fn bytes<'a, H>(handle: *const H, accessor: Accessor<H>) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { bytes_if_any(|size| accessor(handle, size)) }.unwrap_or_default()
}

/// As [`bytes`], for text that C promises to be UTF-8. If it is not, as much of it as is.
///
/// # Safety
/// As for [`bytes`].
pub(crate) unsafe fn utf8<'a, H>(handle: *const H, accessor: Accessor<H>) -> &'a str {
    // SAFETY: the caller's promise.
    unsafe { utf8_if_any(|size| accessor(handle, size)) }.unwrap_or_default()
}

/// As [`utf8`], from any call that gives text with its size; none where that is NULL.
///
/// # Safety
/// What `call` gives is NULL, or lives, unchanged, for `'a`, and is as large as it says.
pub(crate) unsafe fn utf8_if_any<'a>(call: impl FnOnce(*mut usize) -> *const c_char) -> Option<&'a str> {
    // SAFETY: the caller's promise.
    let bytes = unsafe { bytes_if_any(call) }?;
    let valid = |error: str::Utf8Error| str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default();
    Some(str::from_utf8(bytes).unwrap_or_else(valid))
}

/// # Safety
/// As for [`utf8_if_any`].
unsafe fn bytes_if_any<'a>(call: impl FnOnce(*mut usize) -> *const c_char) -> Option<&'a [u8]> {
    let mut size = 0;
    let data = call(&mut size);
    // SAFETY: C gives `size` bytes there; the caller says for how long.
    (!data.is_null()).then(|| unsafe { slice::from_raw_parts(data.cast(), size) })
}

/// A path that C keeps until the process ends, or none for NULL.
///
/// # Safety
/// `data` is NULL, or `size` bytes that live and do not change until the process ends.
pub(crate) unsafe fn static_path(data: *const c_char, size: usize) -> Option<&'static Path> {
    if data.is_null() {
        return None;
    }
    // SAFETY: the caller's promise. On Unix, the only systems with a libcucore, any bytes make an OsStr.
    let path = unsafe { OsStr::from_encoded_bytes_unchecked(slice::from_raw_parts(data.cast(), size)) };
    Some(Path::new(path))
}

/// Borrows `text` for an options struct.
pub(crate) fn borrowed(text: Option<&str>) -> sys::cucore_text {
    match text {
        Some(text) => sys::cucore_text { data: text.as_ptr().cast(), size: text.len() },
        None => sys::cucore_text { data: ptr::null(), size: 0 },
    }
}

/// Borrows each of `texts` for an options struct.
pub(crate) fn all_borrowed(texts: &[&str]) -> Vec<sys::cucore_text> {
    texts.iter().map(|text| borrowed(Some(text))).collect()
}
