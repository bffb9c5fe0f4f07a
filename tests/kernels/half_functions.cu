// SPDX-License-Identifier: MIT OR Apache-2.0
// The functions of cuda_fp16.h, as the CUDA Math API bounds them (Half Math Functions): within 2 ulp of half precision, most
// of them 1.
// input: f16
// output: 32 f32 relative 2^-9, hsin
// output: 32 f32 relative 2^-9, hcos
// output: 32 f32 relative 2^-9, hexp
// output: 32 f32 relative 2^-9, hexp2
// output: 32 f32 absolute 2^-9, hlog
// output: 32 f32 absolute 2^-9, hlog2
// output: 32 f32 relative 2^-10, hrcp
// output: 32 f32 relative 2^-10, hsqrt
// output: 32 f32 relative 2^-10, hrsqrt
// output: 32 f32 relative 2^-10, a quotient
// output: 32 f32 exact, hrint, hfloor, hceil and htrunc
// output: 32 f32 exact, operators

#include <cuda_fp16.h>

extern "C" __global__ void kernel(float *out, const __half2 *in, unsigned) {
    const unsigned i = threadIdx.x;
    const __half a = __float2half((float)i * 0.1f + 0.07f), b = in[i].x, c = in[i].y;
    out[i] = __half2float(hsin(a));
    out[i + 32] = __half2float(hcos(a * __float2half(0.4f)));
    out[i + 64] = __half2float(hexp(a));
    out[i + 96] = __half2float(hexp2(a));
    out[i + 128] = __half2float(hlog(a));
    out[i + 160] = __half2float(hlog2(a));
    out[i + 192] = __half2float(hrcp(a));
    out[i + 224] = __half2float(hsqrt(a));
    out[i + 256] = __half2float(hrsqrt(a));
    out[i + 288] = __half2float(__hdiv(b, a));
    out[i + 320] = __half2float(hrint(b)) + 2 * __half2float(hfloor(b)) + 4 * __half2float(hceil(b)) + 8 * __half2float(htrunc(b));
    __half sum = b + c;
    sum = __hmul_rn(sum, c); // which the driver does not join with the difference that follows
    sum -= b;
    out[i + 352] = __half2float(__hfma(b, c, sum)) + (b < c ? 1.0f : 2.0f);
}
