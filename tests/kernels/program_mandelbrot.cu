// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole program: the Mandelbrot set, f32, 32 points by 16, each with its own number of steps. Without fused products, so that
// every build rounds alike.
// builds: -G -lineinfo
// options: --fmad=false
// grid: 4 2
// block: 8 8
// output: 512 u32 exact

constexpr unsigned WIDTH = 32, HEIGHT = 16, MOST = 300;

__device__ unsigned steps_from(float real, float imaginary) {
    float x = 0, y = 0;
    unsigned steps = 0;
    while (steps < MOST && x * x + y * y <= 4) {
        const float next = x * x - y * y + real;
        y = 2 * x * y + imaginary;
        x = next;
        steps++;
    }
    return steps;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *, unsigned) {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    const float real = -2.2f + 3.0f * ((float)column / WIDTH), imaginary = -1.2f + 2.4f * ((float)row / HEIGHT);
    out[row * WIDTH + column] = steps_from(real, imaginary);
}
