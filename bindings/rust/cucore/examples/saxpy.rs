// SPDX-License-Identifier: MIT OR Apache-2.0
//! From CUDA C++ to a verified result: two translation units are compiled to LTO-IR, linked to PTX, loaded, launched on 2^20
//! elements and checked against the host. On the simulated driver it then shows a failure that no call can return.

use cucore::compiler::{self, Compiler};
use cucore::{driver, Device, Event, EventOptions, Kernel, Kind, LaunchConfig, Library, Linker, LinkerOptions, MemoryResource};
use cucore::{ObjectCode, Program, ProgramOptions, Result, Stream, WarningSink};
use cucore_sim::Simulator;
use std::path::{Display, Path};

const COUNT: usize = 1 << 20;
const FACTOR: f32 = 2.5;
const TOLERANCE: f64 = 1e-5;

const KERNEL: &str = r#"
extern "C" __device__ float axpy(float a, float x, float y);

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = axpy(a, x[i], y[i]);
}
"#;

const FUNCTION: &str = r#"
extern "C" __device__ float axpy(float a, float x, float y) {
    return a * x + y;
}
"#;

fn main() -> Result<()> {
    let device = Device::open(0)?;
    print_versions(&device)?;
    let error = run(&device, &build(&device)?)?;
    println!("verified  maximum error {error:e}");
    assert!(error < TOLERANCE, "the results are wrong");
    if let Some(simulator) = Simulator::attach() {
        show_failing_drop(&device, &simulator)?;
    }
    Ok(())
}

fn build(device: &Device) -> Result<Kernel> {
    let kernel = compile(device, "saxpy.cu", KERNEL)?;
    let function = compile(device, "axpy.cu", FUNCTION)?;
    let options = LinkerOptions::default().kind(Kind::Ptx);
    let linked = Linker::with_options(Some(device), &[&kernel, &function], &options)?.link()?;
    Library::load(device, &linked)?.kernel("saxpy")
}

fn compile(device: &Device, name: &str, source: &str) -> Result<ObjectCode> {
    let options = ProgramOptions::default().name(name).relocatable_device_code(true);
    Program::with_options(Some(device), source, &options)?.compile(Kind::LtoIr)
}

fn print_versions(device: &Device) -> Result<()> {
    println!("device    {}, {}", device.name(), device.arch());
    println!("driver    CUDA {}, from {}", driver::version()?, shown(driver::path()));
    for compiler in [Compiler::Nvrtc, Compiler::NvJitLink] {
        println!("compiler  {compiler} {}, from {}", compiler::version(compiler)?, shown(compiler::path(compiler)));
    }
    Ok(())
}

fn shown(path: Option<&Path>) -> Display<'_> {
    path.unwrap_or(Path::new("a place unknown")).display()
}

/// Launches saxpy and gives the largest difference from what the host computes.
fn run(device: &Device, saxpy: &Kernel) -> Result<f64> {
    let stream = Stream::new(device)?;
    let pool = MemoryResource::device_pool(device)?;
    let x: Vec<f32> = (0..COUNT).map(|i| (i % 1000) as f32 / 1000.0).collect();
    let y: Vec<f32> = (0..COUNT).map(|i| (i % 77) as f32 / 77.0).collect();
    let device_x = pool.upload(&x, &stream)?;
    let mut device_y = pool.upload(&y, &stream)?;

    let timing = EventOptions::default().timing(true);
    let (start, end) = (Event::with_options(device, &timing)?, Event::with_options(device, &timing)?);
    let arguments = (FACTOR, &device_x, &mut device_y, COUNT as i32);
    start.record(&stream)?;
    // SAFETY: the arguments are those of saxpy, which stays below n.
    unsafe { saxpy.launch(&stream, &LaunchConfig::covering(COUNT, 256), arguments) }?;
    end.record(&stream)?;
    end.synchronize()?;
    println!("launch    {COUNT} elements in {:?}", end.elapsed_since(&start)?);

    let result = device_y.download(&stream)?;
    device_y.close()?;
    device_x.close()?;
    stream.close()?;
    Ok(largest_error(&x, &y, &result))
}

fn largest_error(x: &[f32], y: &[f32], result: &[f32]) -> f64 {
    let expected = x.iter().zip(y).map(|(&x, &y)| f64::from(FACTOR) * f64::from(x) + f64::from(y));
    let errors = result.iter().zip(expected).map(|(&got, expected)| (f64::from(got) - expected).abs());
    errors.fold(0.0, |largest, error| if error > largest || error.is_nan() { error } else { largest })
}

/// A drop has nobody to return a failure to: it arrives at the sink.
fn show_failing_drop(device: &Device, simulator: &Simulator) -> Result<()> {
    const LAUNCH_FAILED: i32 = 719;
    let _sink = WarningSink::register(|warning| println!("warning   {warning}"))?;
    let stream = Stream::new(device)?;
    simulator.fail("cuStreamDestroy", 1, LAUNCH_FAILED, false);
    drop(stream);
    Ok(())
}
