// SPDX-License-Identifier: MIT OR Apache-2.0
// A whole program: how often each value of 6 bits occurs, counted by each block for itself and then together.
// builds: -G -lineinfo
// grid: 3
// block: 96
// output: 64 u32 exact

constexpr unsigned BINS = 64, ITEMS = 512;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    __shared__ unsigned counts[BINS];
    for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        counts[bin] = 0;
    }
    __syncthreads();
    const unsigned char *bytes = (const unsigned char *)in;
    for (unsigned k = blockIdx.x * blockDim.x + threadIdx.x; k < ITEMS * 4; k += gridDim.x * blockDim.x) {
        atomicAdd(&counts[bytes[k] % BINS], 1);
    }
    __syncthreads();
    for (unsigned bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
        atomicAdd(&out[bin], counts[bin]);
    }
}
