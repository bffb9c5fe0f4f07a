// SPDX-License-Identifier: MIT OR Apache-2.0
use std::fmt;

/// A version of CUDA's: of the driver, or of a compiler.
///
/// ```
/// use cucore::{driver, Version};
/// # cucore_sim::Simulator::install()?;
///
/// let version: Version = driver::version()?;
/// if version < (Version { major: 12, minor: 4 }) {
///     println!("CUDA {version}: kernels do not tell their parameters");
/// }
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// 12 in 12.9.
    pub major: i32,
    /// 9 in 12.9.
    pub minor: i32,
}

impl Version {
    /// From CUDA's own count: 1000 * major + 10 * minor.
    pub(crate) fn from_cuda(version: i32) -> Version {
        Version { major: version / 1000, minor: version % 1000 / 10 }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}
