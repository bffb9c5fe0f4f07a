// SPDX-License-Identifier: MIT OR Apache-2.0
//! NVIDIA's compilers, which programs and linkers use: libraries that are opened at first need and never closed.
//!
//! Each is looked for, first match wins: what [`use_library`] named; the file that `CUCORE_NVRTC_LIBRARY` or
//! `CUCORE_NVJITLINK_LIBRARY` names; the search, which looks for one CUDA major version everywhere and then for the next, the
//! driver's own first. Everywhere is: the dynamic loader's folders; `lib64` under `CUDA_HOME` and `CUDA_PATH`; `/usr/local/cuda`;
//! the folders of NVIDIA's Python wheels under the root that [`use_wheels`] or `CUCORE_WHEELS` names.

use crate::handle::check;
use crate::{sys, text, Result, Version};
use std::fmt;
use std::path::Path;

/// One of the compilers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Compiler {
    /// CUDA C++ to PTX, cubin or LTO-IR.
    Nvrtc,
    /// LTO-IR, PTX and cubins to PTX or a cubin.
    NvJitLink,
}

impl Compiler {
    fn code(self) -> i32 {
        match self {
            Compiler::Nvrtc => sys::CUCORE_COMPILER_NVRTC,
            Compiler::NvJitLink => sys::CUCORE_COMPILER_NVJITLINK,
        }
    }
}

/// As NVIDIA spells it: "NVRTC", "nvJitLink".
impl fmt::Display for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Compiler::Nvrtc => "NVRTC",
            Compiler::NvJitLink => "nvJitLink",
        })
    }
}

/// The version of `compiler`, which is loaded if it was not. If it cannot be found, the error's notes list every path tried.
pub fn version(compiler: Compiler) -> Result<Version> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both numbers are written before we read them.
    check(|status| unsafe { sys::cucore_compiler_version(compiler.code(), &mut major, &mut minor, status) })?;
    Ok(Version { major, minor })
}

/// The file that `compiler` was loaded from; `None` while it is not loaded.
pub fn path(compiler: Compiler) -> Option<&'static Path> {
    let mut size = 0;
    // SAFETY: C keeps the path until the process ends.
    unsafe {
        let path = sys::cucore_compiler_path(compiler.code(), &mut size);
        text::static_path(path, size)
    }
}

/// Names the library to open for `compiler`, an absolute path, instead of the search. It must come before the compiler's first
/// use.
///
/// # Safety
/// The file is that compiler: opening it runs its code, and what it exports is called as CUDA documents it.
pub unsafe fn use_library(compiler: Compiler, path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref().as_os_str().as_encoded_bytes();
    // SAFETY: the path is read during the call; the caller vouches for the file.
    check(|status| unsafe { sys::cucore_compiler_use_library(compiler.code(), path.as_ptr().cast(), path.len(), status) })
}

/// Names a folder under which NVIDIA's Python wheels are installed, an absolute path, to search last. Later calls replace it.
///
/// # Safety
/// What the folder holds in the places of the compilers are those compilers, as for [`use_library`].
pub unsafe fn use_wheels(root: impl AsRef<Path>) -> Result<()> {
    let root = root.as_ref().as_os_str().as_encoded_bytes();
    // SAFETY: the path is read during the call; the caller vouches for the folder.
    check(|status| unsafe { sys::cucore_compiler_use_wheels(root.as_ptr().cast(), root.len(), status) })
}
