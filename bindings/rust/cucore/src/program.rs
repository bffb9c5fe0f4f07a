// SPDX-License-Identifier: MIT OR Apache-2.0
use crate::handle::made;
use crate::options::{on, on_or_off};
use crate::{sys, text, Device, Kind, ObjectCode, Result};
use std::ffi::c_void;
use std::ptr;

owned_handle! {
    /// A program: one translation unit of CUDA C++, compiled with NVRTC (see [`compiler`](crate::compiler)). Different programs
    /// may be compiled on different threads at once.
    ///
    /// ```
    /// # use cucore::{compiler, Device, MemoryResource, Stream};
    /// # use cucore::compiler::Compiler;
    /// use cucore::{Kind, LaunchConfig, Library, Program};
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # let device = Device::open(0)?;
    /// # let stream = Stream::new(&device)?;
    /// # let pool = MemoryResource::device_pool(&device)?;
    ///
    /// let source = r#"extern "C" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }"#;
    /// let code = Program::new(&device, source)?.compile(Kind::Ptx)?;
    /// let twice = Library::load(&device, &code)?.kernel("twice")?;
    ///
    /// let mut x = pool.upload(&[1.0f32, 2.0], &stream)?;
    /// // SAFETY: the kernel uses as many elements as there are threads.
    /// unsafe { twice.launch(&stream, &LaunchConfig::new([1; 3], [2, 1, 1]), (&mut x,)) }?;
    /// assert_eq!(x.download(&stream)?, [2.0, 4.0]);
    /// # Ok::<(), cucore::Error>(())
    /// ```
    Program: cucore_program, cucore_program_release, cucore_program_close, raw,
        "# if compiler::version(compiler::Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
let handle = Program::new(&Device::open(0)?, \"__global__ void nothing() {}\")?;"
}

// SAFETY: C allows any thread to make any call on a program, one at a time, and NVRTC's programs are of no thread.
unsafe impl Send for Program {}

/// How a program is compiled. What a field asks of NVRTC is named with it; a choice that is not made asks for nothing, so that
/// NVRTC's own default holds.
///
/// ```
/// # use cucore::{compiler, Device};
/// # use cucore::compiler::Compiler;
/// use cucore::{Kind, Program, ProgramOptions};
/// # cucore_sim::Simulator::install()?;
/// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
/// # let device = Device::open(0)?;
///
/// let options = ProgramOptions::default().std("c++17").fast_math(true).defines(&["BLOCK=256"]);
/// let code = Program::with_options(Some(&device), "__global__ void k(int *x) { *x = BLOCK; }", &options)?.compile(Kind::Ptx)?;
/// assert!(String::from_utf8_lossy(code.bytes()).contains("256"));
/// # Ok::<(), cucore::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ProgramOptions<'a> {
    /// The file name in diagnostics. Default: "program.cu".
    pub name: Option<&'a str>,
    /// `--gpu-architecture`: "sm_90", "compute_90". Default: the device's.
    pub arch: Option<&'a str>,
    /// `--std`: "c++17".
    pub std: Option<&'a str>,
    /// `--define-macro`: "NAME" or "NAME=VALUE".
    pub defines: &'a [&'a str],
    /// `--undefine-macro`: "NAME".
    pub undefines: &'a [&'a str],
    /// `--include-path`: folders.
    pub include_paths: &'a [&'a str],
    /// `--pre-include`: headers.
    pub pre_includes: &'a [&'a str],
    /// Kernels and variables whose names in the object code are wanted: `scale<float>`. [`Library::kernel`](crate::Library::kernel)
    /// then finds them by these.
    pub name_expressions: &'a [&'a str],
    /// Any other option, as NVRTC's documentation spells it, e.g. "--minimal".
    pub options: &'a [&'a str],
    /// `--device-debug`.
    pub debug: bool,
    /// `--generate-line-info`.
    pub lineinfo: bool,
    /// `--relocatable-device-code`.
    pub relocatable_device_code: Option<bool>,
    /// `--use_fast_math`.
    pub fast_math: bool,
    /// `--ftz`.
    pub ftz: Option<bool>,
    /// `--prec-sqrt`.
    pub prec_sqrt: Option<bool>,
    /// `--prec-div`.
    pub prec_div: Option<bool>,
    /// `--fmad`.
    pub fma: Option<bool>,
    /// `--restrict`.
    pub restrict_pointers: bool,
    /// `--maxrregcount`.
    pub max_registers: Option<i32>,
}

impl<'a> ProgramOptions<'a> {
    setters! {
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().name("image.cu");
        /// let error = Program::with_options(Some(&device), "nonsense", &options)?.compile(Kind::Ptx).unwrap_err();
        /// assert!(error.log().contains("image.cu(1)"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        name: &'a str,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().arch("compute_80");
        /// let source = "__global__ void nothing() {}";
        /// let code = Program::with_options(None, source, &options)?.compile(Kind::Ptx)?; // no device needed
        /// assert!(String::from_utf8_lossy(code.bytes()).contains(".target sm_80"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        arch: &'a str,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{ErrorKind, Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "template <typename T> concept Any = true; __global__ void k() {}";
        /// let options = ProgramOptions::default();
        /// let compile = |std| Program::with_options(Some(&device), source, &options.std(std))?.compile(Kind::Ptx);
        /// compile("c++20")?;
        /// assert_eq!(compile("c++17").unwrap_err().kind(), ErrorKind::Compile);
        /// # Ok::<(), cucore::Error>(())
        /// ```
        std: &'a str,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().defines(&["FAST", "BLOCK=256"]);
        /// let source = "#ifdef FAST\n__global__ void k(int *x) { *x = BLOCK; }\n#endif";
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains("256"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        defines: &'a [&'a str],
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().defines(&["FAST"]).undefines(&["FAST"]);
        /// let source = "#ifdef FAST\n#error FAST is defined\n#endif";
        /// Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// # Ok::<(), cucore::Error>(())
        /// ```
        undefines: &'a [&'a str],
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let folder = std::env::temp_dir();
        /// std::fs::write(folder.join("cucore_example.h"), "#define ANSWER 42\n").unwrap();
        /// let paths = [folder.to_str().unwrap()];
        /// let source = "#include <cucore_example.h>\n__global__ void k(int *x) { *x = ANSWER; }";
        /// let options = ProgramOptions::default().include_paths(&paths);
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains("42"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        include_paths: &'a [&'a str],
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let header = std::env::temp_dir().join("cucore_example_first.h");
        /// std::fs::write(&header, "#define ANSWER 42\n").unwrap();
        /// let headers = [header.to_str().unwrap()];
        /// let source = "__global__ void k(int *x) { *x = ANSWER; }"; // includes nothing itself
        /// let options = ProgramOptions::default().pre_includes(&headers);
        /// Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// # Ok::<(), cucore::Error>(())
        /// ```
        pre_includes: &'a [&'a str],
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Library, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "template <typename T> __global__ void scale(T *x) { x[threadIdx.x] *= 2; }";
        /// let options = ProgramOptions::default().name_expressions(&["scale<float>", "scale<double>"]);
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// let library = Library::load(&device, &code)?;
        /// let (single, double) = (library.kernel("scale<float>")?, library.kernel("scale<double>")?);
        /// # Ok::<(), cucore::Error>(())
        /// ```
        name_expressions: &'a [&'a str],
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().options(&["--no-such-option"]);
        /// let error = Program::with_options(Some(&device), "__global__ void k() {}", &options)?.compile(Kind::Ptx).unwrap_err();
        /// assert!(format!("{error:?}").contains("no-such-option"), "{error:?}"); // NVRTC names it
        /// # Ok::<(), cucore::Error>(())
        /// ```
        options: &'a [&'a str],
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().debug(true);
        /// let code = Program::with_options(Some(&device), "__global__ void k() {}", &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains(".debug_info"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        debug: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().lineinfo(true);
        /// let code = Program::with_options(Some(&device), "__global__ void k(int *x) { *x = 1; }", &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains(".loc"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        lineinfo: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "__device__ int other(); __global__ void k(int *x) { *x = other(); }"; // `other` is to be linked
        /// let options = ProgramOptions::default().relocatable_device_code(true);
        /// Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// # Ok::<(), cucore::Error>(())
        /// ```
        relocatable_device_code: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "__global__ void k(float *x) { *x = sinf(*x); }";
        /// let options = ProgramOptions::default().fast_math(true);
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains("sin.approx"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        fast_math: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "__global__ void k(float *x) { *x = x[0] + x[1]; }";
        /// let options = ProgramOptions::default().ftz(true);
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains(".ftz"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        ftz: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "__global__ void k(float *x) { *x = sqrtf(*x); }";
        /// let options = ProgramOptions::default().prec_sqrt(false);
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains("sqrt.approx"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        prec_sqrt: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "__global__ void k(float *x) { *x = x[0] / x[1]; }";
        /// let options = ProgramOptions::default().prec_div(false);
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(!String::from_utf8_lossy(code.bytes()).contains("div.rn")); // not the exact division
        /// # Ok::<(), cucore::Error>(())
        /// ```
        prec_div: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "__global__ void k(float *x) { *x = x[0] * x[1] + x[2]; }";
        /// let options = ProgramOptions::default().fma(false);
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(!String::from_utf8_lossy(code.bytes()).contains("fma"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        fma: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let source = "__global__ void k(const float *x, float *y) { *y = *x; }";
        /// let options = ProgramOptions::default().restrict_pointers(true); // promises that no two pointers meet
        /// let code = Program::with_options(Some(&device), source, &options)?.compile(Kind::Ptx)?;
        /// assert!(String::from_utf8_lossy(code.bytes()).contains("ld.global.nc"));
        /// # Ok::<(), cucore::Error>(())
        /// ```
        restrict_pointers: bool,
        /// ```
        /// # use cucore::{compiler, Device};
        /// # use cucore::compiler::Compiler;
        /// use cucore::{Kind, Program, ProgramOptions};
        /// # cucore_sim::Simulator::install()?;
        /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
        /// # let device = Device::open(0)?;
        ///
        /// let options = ProgramOptions::default().max_registers(32);
        /// let cubin = Program::with_options(Some(&device), "__global__ void k() {}", &options)?.compile(Kind::Cubin)?;
        /// assert!(cubin.bytes().starts_with(b"\x7fELF")); // registers are a matter of machine code
        /// # Ok::<(), cucore::Error>(())
        /// ```
        max_registers: i32,
    }

    /// The options as C takes them; they borrow from `lists`.
    fn to_c(self, lists: &Lists) -> sys::cucore_program_options {
        sys::cucore_program_options {
            struct_size: size_of::<sys::cucore_program_options>(),
            name: text::borrowed(self.name),
            arch: text::borrowed(self.arch),
            std: text::borrowed(self.std),
            defines: lists.defines.as_ptr(),
            define_count: lists.defines.len(),
            undefines: lists.undefines.as_ptr(),
            undefine_count: lists.undefines.len(),
            include_paths: lists.include_paths.as_ptr(),
            include_path_count: lists.include_paths.len(),
            pre_includes: lists.pre_includes.as_ptr(),
            pre_include_count: lists.pre_includes.len(),
            name_expressions: lists.name_expressions.as_ptr(),
            name_expression_count: lists.name_expressions.len(),
            options: lists.options.as_ptr(),
            option_count: lists.options.len(),
            debug: on(self.debug),
            lineinfo: on(self.lineinfo),
            relocatable_device_code: on_or_off(self.relocatable_device_code),
            fast_math: on(self.fast_math),
            ftz: on_or_off(self.ftz),
            prec_sqrt: on_or_off(self.prec_sqrt),
            prec_div: on_or_off(self.prec_div),
            fma: on_or_off(self.fma),
            restrict_pointers: on(self.restrict_pointers),
            max_registers: self.max_registers.unwrap_or(0),
        }
    }
}

/// The lists of a program's options as C takes them.
struct Lists {
    defines: Vec<sys::cucore_text>,
    undefines: Vec<sys::cucore_text>,
    include_paths: Vec<sys::cucore_text>,
    pre_includes: Vec<sys::cucore_text>,
    name_expressions: Vec<sys::cucore_text>,
    options: Vec<sys::cucore_text>,
}

impl Lists {
    fn of(options: &ProgramOptions) -> Lists {
        Lists {
            defines: text::all_borrowed(options.defines),
            undefines: text::all_borrowed(options.undefines),
            include_paths: text::all_borrowed(options.include_paths),
            pre_includes: text::all_borrowed(options.pre_includes),
            name_expressions: text::all_borrowed(options.name_expressions),
            options: text::all_borrowed(options.options),
        }
    }
}

impl Program {
    /// Makes a program from CUDA C++, to be compiled for the device's architecture.
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
    /// program.compile(Kind::Ptx)?;
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn new(device: &Device, source: &str) -> Result<Program> {
        Program::with_options(Some(device), source, &ProgramOptions::default())
    }

    /// Makes a program from CUDA C++. The device gives the architecture; there may be none if the options do.
    ///
    /// ```
    /// # use cucore::{compiler, Device};
    /// # use cucore::compiler::Compiler;
    /// use cucore::{ErrorKind, Program, ProgramOptions};
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # let device = Device::open(0)?;
    ///
    /// let source = "__global__ void nothing() {}";
    /// Program::with_options(None, source, &ProgramOptions::default().arch("sm_90"))?;
    ///
    /// let error = Program::with_options(None, source, &ProgramOptions::default()).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::InvalidArgument); // neither a device nor an architecture
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn with_options(device: Option<&Device>, source: &str, options: &ProgramOptions) -> Result<Program> {
        let device = device.map_or(ptr::null_mut(), Device::as_ptr);
        let lists = Lists::of(options);
        let options = options.to_c(&lists);
        // SAFETY: the device is alive or NULL; source and options are copied during the call.
        made(|status| unsafe { sys::cucore_program_create(device, source.as_ptr().cast(), source.len(), &options, status) })
            .map(Program)
    }

    /// The `nvrtcProgram`.
    ///
    /// ```
    /// # use cucore::{compiler, Device};
    /// # use cucore::compiler::Compiler;
    /// use cucore::Program;
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # let device = Device::open(0)?;
    ///
    /// assert!(!Program::new(&device, "__global__ void nothing() {}")?.raw().is_null());
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn raw(&self) -> *mut c_void {
        // SAFETY: the handle is alive.
        unsafe { sys::cucore_program_raw(self.as_ptr()) }
    }

    /// Compiles to `kind`; a cubin needs an architecture that is an "sm_..." one. NVRTC's log is in what it returns, or in the
    /// error.
    ///
    /// ```
    /// # use cucore::{compiler, Device};
    /// # use cucore::compiler::Compiler;
    /// use cucore::{ErrorKind, Kind, Program};
    /// # cucore_sim::Simulator::install()?;
    /// # if compiler::version(Compiler::Nvrtc).is_err() { return Ok(()) } // no CUDA here
    /// # let device = Device::open(0)?;
    ///
    /// let error = Program::new(&device, "__global__ void k() { nonsense; }")?.compile(Kind::Ptx).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Compile);
    /// assert!(error.log().contains("nonsense"));
    /// println!("{error:?}"); // the log, the options, which NVRTC it was
    /// # Ok::<(), cucore::Error>(())
    /// ```
    pub fn compile(&mut self, kind: Kind) -> Result<ObjectCode> {
        // SAFETY: the handle is alive and, borrowed mutably, in nobody else's use.
        made(|status| unsafe { sys::cucore_program_compile(self.as_ptr(), kind.code(), status) }).map(ObjectCode)
    }
}
