// SPDX-License-Identifier: MIT OR Apache-2.0
//! The CUDA driver: which one is used, and its version.
//!
//! It is opened at the first call that needs it and never closed. Where it is looked for, first match wins: what
//! [`use_library`] or [`use_entry`] named; the file that the environment variable `CUCORE_DRIVER_LIBRARY` names (an absolute
//! path); the dynamic loader's search for `libcuda.so.1`.

use crate::handle::check;
use crate::{sys, text, Result, Version};
use std::path::Path;

/// Whether a usable driver library was found. It is opened but not initialised, so a process may ask before it forks. It says
/// nothing about devices: see [`Device::count`](crate::Device::count).
///
/// ```
/// use cucore::driver;
/// # cucore_sim::Simulator::install()?;
///
/// if !driver::is_available() {
///     println!("no CUDA driver: working on the CPU");
/// }
/// # Ok::<(), cucore::Error>(())
/// ```
pub fn is_available() -> bool {
    // SAFETY: takes nothing.
    unsafe { sys::cucore_driver_is_available() != 0 }
}

/// The newest CUDA version that the driver supports.
///
/// ```
/// use cucore::{driver, Version};
/// # cucore_sim::Simulator::install()?;
///
/// assert_eq!(driver::version()?.to_string(), "13.0"); // the simulated driver's
/// assert!(driver::version()? >= Version { major: 12, minor: 0 });
/// # Ok::<(), cucore::Error>(())
/// ```
pub fn version() -> Result<Version> {
    let mut version = 0;
    // SAFETY: the version is written before we read it.
    check(|status| unsafe { sys::cucore_driver_version(&mut version, status) })?;
    Ok(Version::from_cuda(version))
}

/// The file that the driver was loaded from; `None` while it is not loaded, or if it came from [`use_entry`].
///
/// ```
/// use cucore::driver;
/// # cucore_sim::Simulator::install()?;
///
/// assert_eq!(driver::path(), None); // not yet loaded
/// driver::version()?;
/// println!("the driver is {}", driver::path().unwrap().display());
/// # Ok::<(), cucore::Error>(())
/// ```
pub fn path() -> Option<&'static Path> {
    let mut size = 0;
    // SAFETY: C keeps the path until the process ends.
    unsafe {
        let path = sys::cucore_driver_path(&mut size);
        text::static_path(path, size)
    }
}

/// Names the driver library to open, an absolute path, instead of the search. It must come before the first call that needs
/// the driver.
///
/// ```
/// use cucore::{driver, ErrorKind};
///
/// // SAFETY: there is no such file, or it is a driver.
/// unsafe { driver::use_library("/no/such/folder/libcuda.so.1") }?;
/// let error = driver::version().unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// assert!(!driver::is_available());
/// # Ok::<(), cucore::Error>(())
/// ```
///
/// # Safety
/// The file is a CUDA driver library: opening it runs its code, and what it exports is called as CUDA documents it.
pub unsafe fn use_library(path: impl AsRef<Path>) -> Result<()> {
    let path = path.as_ref().as_os_str().as_encoded_bytes();
    // SAFETY: the path is read during the call; the caller vouches for the file.
    check(|status| unsafe { sys::cucore_driver_use_library(path.as_ptr().cast(), path.len(), status) })
}

/// Hands over the driver's `cuGetProcAddress_v2`, for processes that have already loaded a driver in their own way. It must come
/// before the first call that needs the driver.
///
/// ```
/// use cucore::driver;
/// # cucore_sim::Simulator::install()?;
///
/// driver::version()?; // loads the driver
/// // SAFETY: it is refused: a driver is loaded, or there is no function.
/// let error = unsafe { driver::use_entry(None) }.unwrap_err();
/// println!("{error}");
/// # Ok::<(), cucore::Error>(())
/// ```
///
/// # Safety
/// `entry` is that function of a CUDA driver that stays loaded until the process ends.
pub unsafe fn use_entry(entry: sys::cucore_driver_entry) -> Result<()> {
    // SAFETY: the caller vouches for the function.
    check(|status| unsafe { sys::cucore_driver_use_entry(entry, status) })
}
