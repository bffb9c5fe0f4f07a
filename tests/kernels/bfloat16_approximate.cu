// SPDX-License-Identifier: MIT OR Apache-2.0
// The approximate functions of bfloat16 (PTX ISA 7.8, sm_90), within the errors that the PTX ISA states (Half Precision Floating
// Point Instructions: ex2, tanh).
// needs: 90
// output: 32 f32 relative 2^-7, ex2.approx.ftz.bf16
// output: 32 f32 relative 2^-7, ex2.approx.ftz.bf16x2, the lower
// output: 32 f32 relative 2^-7, ex2.approx.ftz.bf16x2, the upper
// output: 32 f32 absolute 2^-8, tanh.approx.bf16
// output: 32 f32 absolute 2^-8, tanh.approx.bf16x2, the lower
// output: 32 f32 absolute 2^-8, tanh.approx.bf16x2, the upper

static __device__ float lower(unsigned pair) {
    return __uint_as_float(pair << 16);
}

static __device__ float upper(unsigned pair) {
    return __uint_as_float(pair & 0xffff0000);
}

extern "C" __global__ void kernel(float *out, const unsigned *, unsigned) {
    const unsigned i = threadIdx.x;
    const unsigned short falling = (unsigned short)(0xc0c0 - 13 * i), rising = (unsigned short)(0x3f00 + 9 * i);
    const unsigned pair = (unsigned)falling << 16 | rising;
    unsigned short single;
    unsigned result;
    asm("ex2.approx.ftz.bf16 %0, %1;" : "=h"(single) : "h"(rising));
    out[i] = lower(single);
    asm("ex2.approx.ftz.bf16x2 %0, %1;" : "=r"(result) : "r"(pair));
    out[i + 32] = lower(result);
    out[i + 64] = upper(result);
    asm("tanh.approx.bf16 %0, %1;" : "=h"(single) : "h"(rising));
    out[i + 96] = lower(single);
    asm("tanh.approx.bf16x2 %0, %1;" : "=r"(result) : "r"(pair));
    out[i + 128] = lower(result);
    out[i + 160] = upper(result);
}
