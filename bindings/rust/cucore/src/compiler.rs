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
///
/// ```
/// # use cucore::Device;
/// use cucore::compiler::Compiler;
/// use cucore::compiler;
/// # cucore_sim::Simulator::install()?;
/// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
/// # let device = Device::open(0)?;
///
/// for which in [Compiler::Nvrtc, Compiler::NvJitLink] {
///     match compiler::version(which) {
///         Ok(version) => println!("{which} {version}"),
///         Err(error) => println!("no {which}: {error:?}"), // with every path that was tried
///     }
/// }
/// assert_eq!(Compiler::NvJitLink.to_string(), "nvJitLink");
/// # Ok::<(), cucore::Error>(())
/// ```
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
///
/// ```
/// # use cucore::Device;
/// use cucore::compiler::Compiler;
/// use cucore::{compiler, Kind, Program, Version};
/// # cucore_sim::Simulator::install()?;
/// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
/// # let device = Device::open(0)?;
///
/// if compiler::version(Compiler::Nvrtc)? >= (Version { major: 12, minor: 0 }) {
///     let mut program = Program::new(&device, "__global__ void nothing() {}")?;
///     program.compile(Kind::Ptx)?;
/// }
/// # Ok::<(), cucore::Error>(())
/// ```
pub fn version(compiler: Compiler) -> Result<Version> {
    let (mut major, mut minor) = (0, 0);
    // SAFETY: both numbers are written before we read them.
    check(|status| unsafe { sys::cucore_compiler_version(compiler.code(), &mut major, &mut minor, status) })?;
    Ok(Version { major, minor })
}

/// The file that `compiler` was loaded from; `None` while it is not loaded.
///
/// ```
/// # use cucore::Device;
/// use cucore::compiler::Compiler;
/// use cucore::compiler;
/// # cucore_sim::Simulator::install()?;
/// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
/// # let device = Device::open(0)?;
///
/// assert_eq!(compiler::path(Compiler::NvJitLink), None); // nobody asked for it
/// compiler::version(Compiler::Nvrtc)?;
/// assert!(compiler::path(Compiler::Nvrtc).unwrap().is_absolute());
/// # Ok::<(), cucore::Error>(())
/// ```
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
/// ```
/// use cucore::compiler::Compiler;
/// use cucore::{compiler, ErrorKind};
/// # cucore_sim::Simulator::install()?;
///
/// // SAFETY: there is no such file, or it is NVIDIA's.
/// unsafe { compiler::use_library(Compiler::Nvrtc, "/no/such/folder/libnvrtc.so.13") }?;
/// let error = compiler::version(Compiler::Nvrtc).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotFound); // named, so nothing else is looked for
/// # Ok::<(), cucore::Error>(())
/// ```
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
/// ```
/// use cucore::{compiler, ErrorKind};
/// # cucore_sim::Simulator::install()?;
///
/// // SAFETY: what is installed there is NVIDIA's, if anything is.
/// unsafe { compiler::use_wheels("/no/such/venv/lib/python3.11/site-packages") }?;
///
/// // SAFETY: as above.
/// let error = unsafe { compiler::use_wheels("venv/lib") }.unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::InvalidArgument); // not an absolute path
/// # Ok::<(), cucore::Error>(())
/// ```
///
/// # Safety
/// What the folder holds in the places of the compilers are those compilers, as for [`use_library`].
pub unsafe fn use_wheels(root: impl AsRef<Path>) -> Result<()> {
    let root = root.as_ref().as_os_str().as_encoded_bytes();
    // SAFETY: the path is read during the call; the caller vouches for the folder.
    check(|status| unsafe { sys::cucore_compiler_use_wheels(root.as_ptr().cast(), root.len(), status) })
}
