// SPDX-License-Identifier: MIT OR Apache-2.0
// Threads that end early, by exit, alone and out of a function; and a brkpt that nobody comes to.
// block: 64
// output: 128 u32 exact

__device__ __noinline__ unsigned end_some(unsigned value) {
    if (value & 1) {
        asm volatile("exit;");
    }
    return value * 5;
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned count) {
    const unsigned i = threadIdx.x;
    out[i] = 1;
    out[i + 64] = end_some(in[i]);
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0; @p brkpt; }" : : "r"(count));
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 40; @p exit; }" : : "r"(i));
    __syncthreads(); // waits for those alone that are left
    out[i] = 2;
}
