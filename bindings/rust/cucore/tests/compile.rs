// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs and linkers, with NVIDIA's real compilers: they are needed, and a test without them fails.

mod common;

use common::{device, simulator};
use cucore::compiler::{self, Compiler};
use cucore::{
    Domain, ErrorKind, Kind, LaunchConfig, Library, Linker, LinkerOptions, MemoryResource, Program, ProgramOptions, Stream,
};

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
    let options = ProgramOptions::default().options(&["--relocatable-device-code=true"]);
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
    let options = ProgramOptions::default().name("wrong.cu").options(&["--use_fast_math"]);
    let mut program = Program::with_options(Some(&device()), "__global__ void f() { nonsense; }", &options).unwrap();
    let error = program.compile(Kind::Ptx).unwrap_err();
    assert_eq!((error.kind(), error.domain()), (ErrorKind::Compile, Some(Domain::Nvrtc)));
    assert!(error.log().contains("wrong.cu(1)") && error.log().contains("nonsense"), "{error:?}");
    assert!(format!("{error:?}").contains("--use_fast_math"), "{error:?}");
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
    assert_eq!(linker.link().unwrap_err().kind(), ErrorKind::InvalidState);
    linker.close().unwrap();
}

#[test]
fn a_link_error_has_the_log() {
    let _simulator = simulator();
    let error = Linker::new(&device(), &[&relocatable(USES_ANOTHER)]).unwrap().link().unwrap_err();
    assert_eq!((error.kind(), error.domain()), (ErrorKind::Link, Some(Domain::NvJitLink)));
    assert!(error.log().contains("change"), "{error:?}");
}
