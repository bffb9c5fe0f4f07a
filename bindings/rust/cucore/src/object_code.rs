// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::{sys, text, Result};
use std::borrow::Cow;

/// A kind of object code.
///
/// ```
/// # use cucore::{compiler, Device};
/// # use cucore::compiler::Compiler;
/// use cucore::{Kind, Program};
/// # cucore_sim::Simulator::install()?;
/// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
/// # let device = Device::open(0)?;
///
/// let mut program = Program::new(&device, "__global__ void nothing() {}")?;
/// assert_eq!(program.compile(Kind::Ptx)?.kind(), Kind::Ptx);
/// assert_eq!(program.compile(Kind::Cubin)?.kind(), Kind::Cubin); // for an "sm_..." architecture
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Text; the driver compiles it at load.
    Ptx,
    /// Machine code for one architecture, an ELF file.
    Cubin,
    /// For a linker only: NVIDIA's intermediate form, tied to the compiler's version.
    LtoIr,
}

impl Kind {
    pub(crate) fn code(self) -> i32 {
        match self {
            Kind::Ptx => sys::CUCORE_OBJECT_CODE_PTX,
            Kind::Cubin => sys::CUCORE_OBJECT_CODE_CUBIN,
            Kind::LtoIr => sys::CUCORE_OBJECT_CODE_LTO_IR,
        }
    }

    fn from_code(code: i32) -> Kind {
        match code {
            sys::CUCORE_OBJECT_CODE_PTX => Kind::Ptx,
            sys::CUCORE_OBJECT_CODE_CUBIN => Kind::Cubin,
            _ => Kind::LtoIr,
        }
    }
}

shared_handle! {
    /// Object code: what a compiler or linker made, or bytes the caller has, and the log that came with it. Immutable.
    ///
    /// ```
    /// # use cucore::Device;
    /// use cucore::{Kind, Library, ObjectCode};
    /// # cucore_sim::Simulator::install()?;
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    /// # let device = Device::open(0)?;
    ///
    /// let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?; // from a file, a build script, a cache
    /// let library = Library::load(&device, &code)?;
    /// assert_eq!(library.code().bytes(), code.bytes());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    ObjectCode: cucore_object_code, cucore_object_code_retain, cucore_object_code_release, cucore_object_code_close, name,
        "# const SCALE: &str = include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/examples/scale.ptx\"));
let handle = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), \"scale.ptx\")?;"
}

impl ObjectCode {
    /// Copies object code of the given kind. `name`, which may be empty, is what messages and linkers call it. Needs neither a
    /// driver nor a compiler.
    ///
    /// ```
    /// use cucore::{Kind, ObjectCode};
    ///
    /// let code = ObjectCode::new(Kind::Ptx, b".version 8.0\n.target sm_75\n.address_size 64\n", "empty.ptx")?;
    /// assert_eq!(code.name(), "empty.ptx");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn new(kind: Kind, code: &[u8], name: &str) -> Result<ObjectCode> {
        // SAFETY: code and name are read during the call.
        made(|status| unsafe {
            let (data, name_data) = (code.as_ptr().cast(), name.as_ptr().cast());
            sys::cucore_object_code_create(kind.code(), data, code.len(), name_data, name.len(), status)
        })
        .map(ObjectCode)
    }

    /// What kind it is.
    ///
    /// ```
    /// use cucore::{Kind, ObjectCode};
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    ///
    /// let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// assert_eq!(code.kind(), Kind::Ptx);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn kind(&self) -> Kind {
        // SAFETY: the handle is alive.
        Kind::from_code(unsafe { sys::cucore_object_code_kind(self.as_ptr()) })
    }

    /// The code itself.
    ///
    /// ```
    /// use cucore::{Kind, ObjectCode};
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    ///
    /// let code = ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "scale.ptx")?;
    /// assert_eq!(code.bytes(), SCALE.as_bytes()); // std::fs::write would keep it
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: object code is immutable, and alive while it is borrowed.
        unsafe { text::bytes(self.as_ptr(), sys::cucore_object_code_raw) }
    }

    /// The name, empty if it has none.
    ///
    /// ```
    /// use cucore::{Kind, ObjectCode};
    /// # const SCALE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/scale.ptx"));
    ///
    /// assert_eq!(ObjectCode::new(Kind::Ptx, SCALE.as_bytes(), "")?.name(), "");
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        // SAFETY: object code is immutable, and alive while it is borrowed.
        unsafe { text::utf8(self.as_ptr(), sys::cucore_object_code_name) }
    }

    /// The name in the object code of a name expression that its program was compiled with
    /// ([`name_expressions`](crate::ProgramOptions::name_expressions)): `_Z5scaleIfEvPT_` for `scale<float>`.
    ///
    /// ```
    /// # use cucore::{compiler, Device};
    /// # use cucore::compiler::Compiler;
    /// use cucore::{Kind, Program, ProgramOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # let device = Device::open(0)?;
    ///
    /// let source = "template <typename T> __global__ void scale(T *x) { x[threadIdx.x] *= 2; }";
    /// let options = ProgramOptions::default().name_expressions(&["scale<float>"]);
    /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
    /// assert_eq!(code.lowered_name("scale<float>"), Some("_Z5scaleIfEvPT_"));
    /// assert_eq!(code.lowered_name("scale<int>"), None);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn lowered_name(&self, expression: &str) -> Option<&str> {
        let (data, len) = (expression.as_ptr().cast(), expression.len());
        // SAFETY: the expression is read during the call. Object code is immutable, and alive while it is borrowed.
        unsafe { text::utf8_if_any(|size| sys::cucore_object_code_lowered_name(self.as_ptr(), data, len, size)) }
    }

    /// What the compiler or linker said while it made this, empty if nothing.
    ///
    /// ```
    /// # use cucore::{compiler, Device};
    /// # use cucore::compiler::Compiler;
    /// use cucore::{Kind, Program};
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # let device = Device::open(0)?;
    ///
    /// let code = Program::new(&device, "#warning check the units\n__global__ void nothing() {}")?.compile(Kind::Ptx)?;
    /// assert!(code.log().contains("check the units"));
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn log(&self) -> Cow<'_, str> {
        // SAFETY: object code is immutable, and alive while it is borrowed.
        String::from_utf8_lossy(unsafe { text::bytes(self.as_ptr(), sys::cucore_object_code_log) })
    }
}
