// SPDX-License-Identifier: MIT OR Apache-2.0
// The approximate functions of f32 with subnormal numbers taken for zero, within the errors that the PTX ISA states under
// each (Floating Point Instructions: rcp, div, sqrt, rsqrt, ex2, lg2, sin, cos).
// input: f32
// output: 32 f32 ulp 1, rcp.approx
// output: 32 f32 ulp 2, div.approx, for divisors between 2^-126 and 2^126
// output: 32 f32 ulp 2, div.full
// output: 32 f32 relative 2^-23, sqrt.approx
// output: 32 f32 relative 2^-22.9, rsqrt.approx
// output: 32 f32 ulp 2, ex2.approx
// output: 32 f32 relative 2^-22, lg2.approx where it is not near 1
// output: 32 f32 absolute 2^-20.5, sin.approx between -2 pi and 2 pi
// output: 32 f32 absolute 2^-20.5, cos.approx between -2 pi and 2 pi
// output: 32 f32 relative 2^-22, what --use_fast_math makes of an intrinsic

#define ONE(instruction, row, value) asm(instruction " %0, %1;" : "=f"(out[i + 32 * row]) : "f"(value));
#define TWO(instruction, row, value, by) asm(instruction " %0, %1, %2;" : "=f"(out[i + 32 * row]) : "f"(value), "f"(by));

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32], step = (float)i / 32;
    const float moderate = fabsf(b) >= 0x1p-126f && fabsf(b) <= 0x1p126f ? b : 3;
    ONE("rcp.approx.ftz.f32", 0, a)
    TWO("div.approx.ftz.f32", 1, a, moderate)
    TWO("div.full.ftz.f32", 2, a, b)
    ONE("sqrt.approx.ftz.f32", 3, a)
    ONE("rsqrt.approx.ftz.f32", 4, a)
    ONE("ex2.approx.ftz.f32", 5, i & 1 ? a : (step - 0.5f) * 290)
    ONE("lg2.approx.ftz.f32", 6, a > 0.5f && a < 2 ? a * 4 : a)
    ONE("sin.approx.ftz.f32", 7, (step - 0.5f) * 12.5f)
    ONE("cos.approx.ftz.f32", 8, (step - 0.5f) * 12.5f)
    out[i + 288] = __frsqrt_rn(1 + step);
}
