// SPDX-License-Identifier: MIT OR Apache-2.0
// Conversions of a floating-point type to itself, which flush, saturate or round to an integral value.
// input: f64
// output: 128 f32 exact
// output: 96 f64 exact

extern "C" __global__ void kernel(float *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i], small = a * 1e-300;
    const float single = i & 1 ? (float)a : __uint_as_float((unsigned)__double_as_longlong(a));
    double *wide = (double *)(out + 128);
    asm("cvt.f32.f32 %0, %1;" : "=f"(out[i]) : "f"(single));
    asm("cvt.ftz.f32.f32 %0, %1;" : "=f"(out[i + 32]) : "f"(single));
    asm("cvt.ftz.sat.f32.f32 %0, %1;" : "=f"(out[i + 64]) : "f"(single));
    asm("cvt.rpi.ftz.sat.f32.f32 %0, %1;" : "=f"(out[i + 96]) : "f"(single));
    asm("cvt.f64.f64 %0, %1;" : "=d"(wide[i]) : "d"(small));
    asm("cvt.sat.f64.f64 %0, %1;" : "=d"(wide[i + 32]) : "d"(a));
    asm("cvt.rmi.sat.f64.f64 %0, %1;" : "=d"(wide[i + 64]) : "d"(a));
}
