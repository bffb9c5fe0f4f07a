// SPDX-License-Identifier: MIT OR Apache-2.0
//! The shortest useful program: a kernel from source to a checked result.

use cucore::{Device, Kind, LaunchConfig, Library, MemoryResource, Program, Result, Stream};

const SOURCE: &str = r#"
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}"#;

fn main() -> Result<()> {
    let device = Device::open(0)?;
    let stream = Stream::new(&device)?;
    let pool = MemoryResource::device_pool(&device)?;
    let code = Program::new(&device, SOURCE)?.compile(Kind::Ptx)?;
    let saxpy = Library::load(&device, &code)?.kernel("saxpy")?;

    let n = 1000;
    let x = pool.upload(&vec![1.0f32; n], &stream)?;
    let mut y = pool.upload(&vec![2.0f32; n], &stream)?;
    // SAFETY: the arguments are those of saxpy, which stays below n.
    unsafe { saxpy.launch(&stream, &LaunchConfig::covering(n, 256), (3.0f32, &x, &mut y, n as i32)) }?;

    assert_eq!(y.download(&stream)?, vec![5.0; n]);
    println!("{n} elements on {}: correct", device.name());
    Ok(())
}
