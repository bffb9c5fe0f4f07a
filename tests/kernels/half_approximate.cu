// SPDX-License-Identifier: MIT OR Apache-2.0
// The approximate functions of half precision, within the errors that the PTX ISA states (Half Precision Floating Point
// Instructions: ex2, tanh).
// needs: 75
// output: 32 f32 relative 2^-9.9, ex2.approx.f16
// output: 32 f32 relative 2^-9.9, ex2.approx.f16x2, the lower
// output: 32 f32 relative 2^-9.9, ex2.approx.f16x2, the upper
// output: 32 f32 absolute 2^-10.987, tanh.approx.f16
// output: 32 f32 absolute 2^-10.987, tanh.approx.f16x2, the lower
// output: 32 f32 absolute 2^-10.987, tanh.approx.f16x2, the upper

#include <cuda_fp16.h>

extern "C" __global__ void kernel(float *out, const unsigned *, unsigned) {
    const unsigned i = threadIdx.x;
    const __half2 both = __floats2half2_rn((float)i * 0.4f - 6.3f, 3.1f - (float)i * 0.2f);
    const unsigned pair = *(const unsigned *)&both;
    unsigned short single;
    unsigned result;
    asm("ex2.approx.f16 %0, %1;" : "=h"(single) : "h"((unsigned short)pair));
    out[i] = __half2float(__ushort_as_half(single));
    asm("ex2.approx.f16x2 %0, %1;" : "=r"(result) : "r"(pair));
    out[i + 32] = __half2float(__ushort_as_half((unsigned short)result));
    out[i + 64] = __half2float(__ushort_as_half((unsigned short)(result >> 16)));
    asm("tanh.approx.f16 %0, %1;" : "=h"(single) : "h"((unsigned short)pair));
    out[i + 96] = __half2float(__ushort_as_half(single));
    asm("tanh.approx.f16x2 %0, %1;" : "=r"(result) : "r"(pair));
    out[i + 128] = __half2float(__ushort_as_half((unsigned short)result));
    out[i + 160] = __half2float(__ushort_as_half((unsigned short)(result >> 16)));
}
