// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs and linkers, with NVIDIA's real compilers: they are needed, and a test without them fails.

mod common;

use common::{device, simulator};
use cucore::compiler::{self, Compiler};
use cucore::{Domain, ErrorKind, Kind, LaunchConfig, Library, Linker, LinkerKind, LinkerOptions, MemoryResource, Program};
use cucore::{KernelAttribute, ProgramOptions, Stream};
use std::thread;

const TWICE: &str = r#"
extern "C" __global__ void twice(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}
"#;

const USES_ANOTHER: &str = r#"
extern "C" __device__ float change(float x);
extern "C" __global__ void each(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = change(x[i]);
}
"#;

const ANOTHER: &str = r#"extern "C" __device__ float change(float x) { return x + 1; }"#;

fn relocatable(source: &str) -> cucore::ObjectCode {
    let options = ProgramOptions::default().relocatable_device_code(true);
    Program::with_options(Some(&device()), source, &options).unwrap().compile(Kind::LtoIr).unwrap()
}

/// What the kernel of this name makes of 1, 2, 3.
fn run(code: &cucore::ObjectCode, name: &str) -> Vec<f32> {
    let device = device();
    let kernel = Library::load(&device, code).unwrap().kernel(name).unwrap();
    let stream = Stream::new(&device).unwrap();
    let mut x = MemoryResource::device_pool(&device).unwrap().upload(&[1.0f32, 2.0, 3.0], &stream).unwrap();
    // SAFETY: both kernels take a pointer and a count, and stay below it.
    unsafe { kernel.launch(&stream, &LaunchConfig::covering(3, 32), (&mut x, 3i32)) }.unwrap();
    x.download(&stream).unwrap()
}

#[test]
fn compilers_have_versions_and_paths() {
    let _simulator = simulator();
    for which in [Compiler::Nvrtc, Compiler::NvJitLink] {
        assert!(compiler::version(which).unwrap().major >= 12);
        assert!(compiler::path(which).unwrap().is_absolute());
    }
}

#[test]
fn a_program_compiles_to_ptx_that_runs() {
    let _simulator = simulator();
    let code = Program::new(&device(), TWICE).unwrap().compile(Kind::Ptx).unwrap();
    assert_eq!(code.kind(), Kind::Ptx);
    assert!(code.bytes().windows(5).any(|word| word == b"twice"));
    assert_eq!(run(&code, "twice"), [2.0, 4.0, 6.0]);
}

#[test]
fn a_program_compiles_to_a_cubin_without_a_device() {
    let _simulator = simulator();
    let options = ProgramOptions::default().arch("sm_90");
    let code = Program::with_options(None, TWICE, &options).unwrap().compile(Kind::Cubin).unwrap();
    assert!(code.bytes().starts_with(b"\x7fELF"));
}

#[test]
fn e1_a_compile_error_has_the_log_and_the_options() {
    let _simulator = simulator();
    let options = ProgramOptions::default().name("wrong.cu").fast_math(true).options(&["--minimal"]);
    let mut program = Program::with_options(Some(&device()), "__global__ void f() { nonsense; }", &options).unwrap();
    let error = program.compile(Kind::Ptx).unwrap_err();
    assert_eq!((error.kind(), error.domain()), (ErrorKind::Compile, Some(Domain::Nvrtc)));
    assert!(error.log().contains("wrong.cu(1)") && error.log().contains("nonsense"), "{error:?}");
    let shown = format!("{error:?}");
    assert!(shown.contains("--use_fast_math") && shown.contains("--minimal"), "{shown}");
}

#[test]
fn e1_a_warning_is_in_the_log_of_what_was_compiled() {
    let _simulator = simulator();
    let source = r#"extern "C" __global__ void f() { int unused; }"#;
    let code = Program::new(&device(), source).unwrap().compile(Kind::Ptx).unwrap();
    assert!(code.log().contains("unused"), "{}", code.log());
}

#[test]
fn two_translation_units_link_to_ptx_that_runs() {
    let _simulator = simulator();
    let inputs = [relocatable(USES_ANOTHER), relocatable(ANOTHER)];
    let options = LinkerOptions::default().kind(Kind::Ptx);
    let mut linker = Linker::with_options(Some(&device()), &[&inputs[0], &inputs[1]], &options).unwrap();
    let linked = linker.link().unwrap();
    assert_eq!(linked.kind(), Kind::Ptx);
    assert_eq!(run(&linked, "each"), [2.0, 3.0, 4.0]);
    assert_eq!((linker.kind(), linker.error_log().as_ref()), (LinkerKind::NvJitLink, ""));
    assert_eq!(linker.link().unwrap_err().kind(), ErrorKind::InvalidState);
    linker.close().unwrap();
}

#[test]
fn every_option_of_a_program_reaches_the_compiler() {
    let _simulator = simulator();
    let options = ProgramOptions::default()
        .arch("compute_90")
        .std("c++17")
        .defines(&["WRONG=1"])
        .undefines(&["NDEBUG"])
        .include_paths(&["/nowhere"])
        .debug(true)
        .lineinfo(true)
        .relocatable_device_code(false)
        .ftz(true)
        .prec_sqrt(false)
        .prec_div(false)
        .fma(true)
        .restrict_pointers(true)
        .max_registers(64);
    let source = "#if WRONG\n#error as asked\n#endif";
    let error = Program::with_options(None, source, &options).unwrap().compile(Kind::Ptx).unwrap_err();
    assert!(error.log().contains("as asked"), "{error:?}");
    let shown = format!("{error:?}");
    for option in ["compute_90", "c++17", "NDEBUG", "/nowhere", "device-debug", "line-info", "ftz=true", "prec-sqrt=false"] {
        assert!(shown.contains(option), "{option}: {shown}");
    }
    for option in ["relocatable-device-code=false", "prec-div=false", "fmad=true", "restrict", "maxrregcount=64"] {
        assert!(shown.contains(option), "{option}: {shown}");
    }
}

#[test]
fn a_header_that_is_not_there_fails() {
    let _simulator = simulator();
    let options = ProgramOptions::default().pre_includes(&["nowhere.h"]);
    let error = Program::with_options(Some(&device()), TWICE, &options).unwrap().compile(Kind::Ptx).unwrap_err();
    assert!(error.log().contains("nowhere.h"), "{error:?}");
}

#[test]
fn kernels_are_found_by_name_expressions() {
    let _simulator = simulator();
    let source = "template <typename T> __global__ void twice(T *x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= 2; }";
    let options = ProgramOptions::default().name_expressions(&["twice<float>", "twice<int>"]);
    let code = Program::with_options(Some(&device()), source, &options).unwrap().compile(Kind::Ptx).unwrap();
    let lowered = code.lowered_name("twice<float>").unwrap();
    assert!(lowered.starts_with("_Z") && Some(lowered) != code.lowered_name("twice<int>"), "{lowered}");
    assert!(code.lowered_name("twice<char>").is_none());
    assert_eq!(run(&code, "twice<float>"), [2.0, 4.0, 6.0]);
    assert_eq!(run(&code, lowered), [2.0, 4.0, 6.0]);
}

#[test]
fn a_linker_takes_its_options() {
    let _simulator = simulator();
    let input = relocatable(TWICE);
    let options = LinkerOptions::default()
        .arch("sm_90")
        .kind(Kind::Cubin)
        .debug(false)
        .lineinfo(true)
        .optimization_level(3)
        .max_registers(64)
        .ftz(true)
        .prec_sqrt(false)
        .prec_div(false)
        .fma(true)
        .verbose(true)
        .time(true)
        .options(&["-split-compile=1"]);
    let mut linker = Linker::with_options(None, &[&input], &options).unwrap();
    assert_eq!((linker.kind(), linker.info_log().as_ref()), (LinkerKind::NvJitLink, ""));
    let linked = linker.link().unwrap();
    assert!(linked.bytes().starts_with(b"\x7fELF"));
    assert_eq!(linker.info_log(), linked.log());
    let wrong = LinkerOptions::default().options(&["-nonsense"]);
    let error = Linker::with_options(Some(&device()), &[&input], &wrong).unwrap().link().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error:?}");
}

#[test]
fn a_library_lists_what_it_has() {
    let _simulator = simulator();
    let device = device();
    let source = format!("__device__ int counter[4]; extern \"C\" __global__ void other() {{ counter[0] = 1; }} {TWICE}");
    let options = ProgramOptions::default().name_expressions(&["&counter"]);
    let code = Program::with_options(Some(&device), &source, &options).unwrap().compile(Kind::Ptx).unwrap();
    let library = Library::load(&device, &code).unwrap();
    assert_eq!(library.kernel_count().unwrap(), 2);
    let kernels = library.kernels().unwrap();
    let mut names: Vec<_> = kernels.iter().map(|kernel| kernel.name()).collect();
    names.sort_unstable();
    assert_eq!(names, ["other", "twice"]);
    let counter = library.global("&counter").unwrap();
    assert_ne!(counter.address, 0);
    assert_eq!(counter.size, 16);
    assert_eq!(library.global("nope").unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(library.code().bytes(), code.bytes());
    drop(library);
    assert!(kernels[0].attribute(KernelAttribute::MaxThreadsPerBlock, None).unwrap() > 0);
}

/// nvJitLink crashes in a thread that made a link which another destroyed.
#[test]
fn a_linker_links_and_is_dropped_on_any_thread() {
    let _simulator = simulator();
    let (uses, used) = (relocatable(USES_ANOTHER), relocatable(ANOTHER));
    let linker = || Linker::new(&device(), &[&uses, &used]).unwrap();
    for mut sent in [linker(), linker()] {
        let linked = thread::spawn(move || {
            sent.link().unwrap();
            sent
        });
        thread::spawn(move || drop(linked.join().unwrap())).join().unwrap();
        linker().link().unwrap();
    }
}

#[test]
fn a_link_error_has_the_log() {
    let _simulator = simulator();
    let error = Linker::new(&device(), &[&relocatable(USES_ANOTHER)]).unwrap().link().unwrap_err();
    assert_eq!((error.kind(), error.domain()), (ErrorKind::Link, Some(Domain::NvJitLink)));
    assert!(error.log().contains("change"), "{error:?}");
}
