// SPDX-License-Identifier: MIT OR Apache-2.0
//! CUDA resources as Rust values: devices, streams, events, memory, NVRTC programs, linkers, libraries, kernels.
//!
//! - Each handle keeps alive what it depends on, works on any thread, in the context it is bound to, and leaves the thread's
//!   current context alone.
//! - Dropping a handle cannot panic. What fails then is a warning, delivered to every [`WarningSink`] and
//!   [`WarningQueue`]; with none it is a line on stderr. `close` does the same as dropping, but returns the failure.
//! - An [`Error`] says what failed, on what, and why, with the driver's and the compilers' own words.
//!
//! Nothing of CUDA is needed to build. The driver, and the compilers where a program uses them, are opened when first needed.
//!
//! ```
//! use cucore::{Device, Kind, LaunchConfig, Library, MemoryResource, Program, Stream};
//!
//! # fn main() -> cucore::Result<()> {
//! # cucore_sim::Simulator::install()?;
//! # if cucore::compiler::version(cucore::compiler::Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
//! let device = Device::open(0)?;
//! let stream = Stream::new(&device)?;
//! let pool = MemoryResource::device_pool(&device)?;
//!
//! let source = r#"extern "C" __global__ void twice(float *x, int n) {
//!     int i = blockIdx.x * blockDim.x + threadIdx.x;
//!     if (i < n) x[i] *= 2;
//! }"#;
//! let code = Program::new(&device, source)?.compile(Kind::Ptx)?;
//! let twice = Library::load(&device, &code)?.kernel("twice")?;
//!
//! let mut x = pool.upload(&[1.0f32, 2.0, 3.0], &stream)?;
//! // SAFETY: the arguments are those of `twice`, which stays below n.
//! unsafe { twice.launch(&stream, &LaunchConfig::covering(3, 256), (&mut x, 3i32)) }?;
//! assert_eq!(x.download(&stream)?, [2.0, 4.0, 6.0]);
//! # Ok(())
//! # }
//! ```
//!
//! # Order between streams
//!
//! A buffer's memory is never freed under work that this crate put on a stream with it. That is lifetime, not order: work on
//! two streams that uses the same buffer runs in whatever order the device likes, unless [`Stream::wait_event`] or
//! [`Stream::wait_stream`] says otherwise.
//!
//! # Features
//!
//! None is on unless it is asked for.
//!
//! | feature | what it adds |
//! |---|---|
//! | `log`, `tracing` | sinks that forward warnings to these crates: `WarningSink::to_log`, `WarningSink::to_tracing` |
//! | `bundled` | libcucore is built from the C sources that come with [`sys`], whatever the system has |
//! | `system` | the system's libcucore is linked, or the build fails; with neither, it is if there is one, else the sources are built |
//!
//! # Tests without a GPU
//!
//! The crate `cucore-sim`, among the dev-dependencies, is a simulated driver: it runs PTX, and makes any call of the driver fail
//! that a test wants to fail. The examples here are run on it.
//!
//! # Systems
//!
//! 64-bit Linux, with a driver of CUDA 12.0 or newer. Elsewhere a program that uses this crate builds too; each call that can fail
//! gives [`ErrorKind::NotSupported`] there.

#[macro_use]
mod handle;
#[macro_use]
mod options;

mod buffer;
pub mod callback;
pub mod compiler;
mod context;
mod device;
pub mod driver;
mod error;
mod event;
mod foreign;
#[cfg(any(feature = "log", feature = "tracing"))]
mod forward;
mod host_buffer;
mod kernel;
mod kernel_macro;
mod launch;
mod library;
mod linker;
mod live_list;
mod memory_resource;
mod object_code;
mod program;
mod stream;
mod text;
mod version;
mod warning;

pub use bytemuck;
pub use cucore_sys as sys;

pub use buffer::{Buffer, View, ViewMut};
pub use context::Context;
pub use device::{Device, DeviceAttribute, MemoryInfo};
pub use error::{Domain, Error, ErrorKind, Note, NoteKind, Result, Status};
pub use event::{Event, EventOptions};
pub use host_buffer::HostBuffer;
pub use kernel::{Kernel, KernelAttribute};
pub use launch::{Argument, Arguments, ByValue, LaunchConfig};
pub use library::{Global, Library};
pub use linker::{Linker, LinkerKind, LinkerOptions};
pub use live_list::{assert_no_live_handles, LiveHandle, LiveList};
pub use memory_resource::{MemoryResource, PoolAttribute, PoolOptions};
pub use object_code::{Kind, ObjectCode};
pub use program::{Program, ProgramOptions};
pub use stream::{Stream, StreamOptions};
pub use version::Version;
pub use warning::{WarningQueue, WarningSink};
