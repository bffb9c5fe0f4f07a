// SPDX-License-Identifier: MIT OR Apache-2.0
// A lock that threads of one warp, and of several blocks, spin on.
// grid: 3
// block: 64
// output: 4 u32 exact

__device__ unsigned lock = 0;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x + blockIdx.x * blockDim.x;
    volatile unsigned *values = out;
    while (atomicCAS(&lock, 0, 1) != 0) {
    }
    __threadfence();
    values[0] = values[0] + in[i];
    values[1] = values[1] + 1;
    values[2] = values[2] ^ in[i] * 3;
    __threadfence();
    atomicExch(&lock, 0);
    bool done = false;
    while (!done) {
        if (atomicExch(&lock, 1) == 0) {
            values[3] = values[3] + i;
            __threadfence();
            *(volatile unsigned *)&lock = 0;
            done = true;
        }
    }
}
