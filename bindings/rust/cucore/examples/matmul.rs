// SPDX-License-Identifier: MIT OR Apache-2.0
//! Multiplies two square matrices, and checks the product against the host's. The kernel is compiled from CUDA C++ where there is
//! NVRTC; elsewhere it comes from PTX text.

use cucore::compiler::{self, Compiler};
use cucore::{Device, Kernel, Kind, LaunchConfig, Library, MemoryResource, ObjectCode, Program, Result, Stream};

const SIDE: usize = 48;
const TILE: u32 = 16;

const SOURCE: &str = r#"
extern "C" __global__ void matmul(const float *a, const float *b, float *c, unsigned n) {
    unsigned row = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n)
        return;
    float sum = 0;
    for (unsigned k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
"#;

fn main() -> Result<()> {
    let device = Device::open(0)?;
    let a: Vec<f32> = (0..SIDE * SIDE).map(|i| (i % 7) as f32).collect();
    let b: Vec<f32> = (0..SIDE * SIDE).map(|i| (i % 5) as f32).collect();
    let product = multiply(&device, &load(&device)?, &a, &b)?;
    assert_eq!(product, multiplied_by_host(&a, &b)); // whole numbers, so the sums are exact
    println!("{SIDE} x {SIDE} on {}: correct", device.name());
    Ok(())
}

fn load(device: &Device) -> Result<Kernel> {
    let code = if compiler::version(Compiler::Nvrtc).is_ok() {
        println!("the kernel is compiled from CUDA C++");
        Program::new(device, SOURCE)?.compile(Kind::Ptx)?
    } else {
        println!("no NVRTC: the kernel comes from PTX text");
        ObjectCode::new(Kind::Ptx, include_bytes!("matmul.ptx"), "matmul.ptx")?
    };
    Library::load(device, &code)?.kernel("matmul")
}

fn multiply(device: &Device, matmul: &Kernel, a: &[f32], b: &[f32]) -> Result<Vec<f32>> {
    let stream = Stream::new(device)?;
    let pool = MemoryResource::device_pool(device)?;
    let (a, b) = (pool.upload(a, &stream)?, pool.upload(b, &stream)?);
    let mut c = pool.allocate::<f32>(SIDE * SIDE, &stream)?;
    let blocks = (SIDE as u32).div_ceil(TILE);
    let config = LaunchConfig::new([blocks, blocks, 1], [TILE, TILE, 1]);
    // SAFETY: the arguments are those of matmul, which stays below n in rows and columns.
    unsafe { matmul.launch(&stream, &config, (&a, &b, &mut c, SIDE as u32)) }?;
    c.download(&stream)
}

fn multiplied_by_host(a: &[f32], b: &[f32]) -> Vec<f32> {
    let element = |i: usize| (0..SIDE).map(|k| a[i / SIDE * SIDE + k] * b[k * SIDE + i % SIDE]).sum();
    (0..SIDE * SIDE).map(element).collect()
}
