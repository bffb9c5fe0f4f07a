// SPDX-License-Identifier: MIT OR Apache-2.0
// Blocks and grids of three dimensions.
// grid: 2 3 2
// block: 4 2 3
// output: 288 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned i = block * blockDim.x * blockDim.y * blockDim.z + thread;
    out[i] = in[i] ^ (blockIdx.x << 20 | blockIdx.y << 16 | blockIdx.z << 12 | threadIdx.x << 8 | threadIdx.y << 4 | threadIdx.z);
}
