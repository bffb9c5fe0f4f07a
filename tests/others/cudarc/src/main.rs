// SPDX-License-Identifier: MIT OR Apache-2.0
//! saxpy with cudarc, as a program for a real GPU has it: the kernel compiled by NVRTC, a stream of its own, timed by events.

use cudarc::driver::sys::CUevent_flags;
use cudarc::driver::{CudaContext, CudaFunction, LaunchConfig, PushKernelArg};
use cudarc::nvrtc::{compile_ptx_with_opts, CompileOptions};
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

const COUNT: usize = 1 << 16;
const SOURCE: &str = r#"
extern "C" __global__ void saxpy(float a, const float *x, float *y, unsigned long long count) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = a * x[i] + y[i];
}
"#;

fn load_kernel(context: &Arc<CudaContext>) -> Result<CudaFunction, Box<dyn Error>> {
    let (major, minor) = context.compute_capability()?;
    let options = CompileOptions {
        options: vec![format!("--gpu-architecture=compute_{major}{minor}")],
        fmad: Some(false),
        ..Default::default()
    };
    let module = context.load_module(compile_ptx_with_opts(SOURCE, options)?)?;
    Ok(module.load_function("saxpy")?)
}

/// Computes a * x + y, and gives it with the milliseconds it took.
fn run_saxpy(a: f32, x: &[f32], y: &[f32]) -> Result<(Vec<f32>, f32), Box<dyn Error>> {
    let context = CudaContext::new(0)?;
    let kernel = load_kernel(&context)?;
    let stream = context.new_stream()?;
    let device_x = stream.clone_htod(x)?;
    let mut device_y = stream.clone_htod(y)?;

    let timed = Some(CUevent_flags::CU_EVENT_DEFAULT);
    let start = stream.record_event(timed)?;
    let count = x.len() as u64;
    let mut launch = stream.launch_builder(&kernel);
    launch.arg(&a).arg(&device_x).arg(&mut device_y).arg(&count);
    // SAFETY: the arguments are what the kernel takes, and it stays within the count.
    unsafe { launch.launch(LaunchConfig::for_num_elems(u32::try_from(count)?)) }?;
    let end = stream.record_event(timed)?;

    let result = stream.clone_dtoh(&device_y)?;
    stream.synchronize()?;
    context.check_err()?;
    Ok((result, start.elapsed_ms(&end)?))
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let a = 1.5f32;
    let x: Vec<f32> = (0..COUNT).map(|i| i as f32).collect();
    let y: Vec<f32> = x.iter().rev().map(|x| 0.25 * x).collect();
    let (result, milliseconds) = run_saxpy(a, &x, &y)?;

    if let Some(i) = (0..COUNT).find(|&i| result[i] != a * x[i] + y[i]) {
        eprintln!("element {i} is {}, not {}", result[i], a * x[i] + y[i]);
        return Ok(ExitCode::FAILURE);
    }
    println!("cudarc: saxpy of {COUNT} elements is right, {milliseconds:.1} ms");
    Ok(ExitCode::SUCCESS)
}
