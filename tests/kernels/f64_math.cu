// SPDX-License-Identifier: MIT OR Apache-2.0
// The double precision functions of CUDA C++, within the errors that the CUDA C++ Programming Guide states (Mathematical
// Functions, Standard Functions).
// input: f64
// output: 32 f64 ulp 1, exp
// output: 32 f64 ulp 1, log
// output: 32 f64 ulp 2, sin
// output: 32 f64 ulp 2, cos
// output: 32 f64 ulp 2, pow
// output: 32 f64 ulp 1, cbrt
// output: 32 f64 ulp 1, rsqrt
// output: 32 f64 ulp 2, tanh
// output: 32 f64 ulp 2, atan2
// output: 32 f64 exact, fmod
// output: 32 f64 ulp 10, tgamma
// output: 32 f64 exact, ldexp and rounding

extern "C" __global__ void kernel(double *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i], b = in[i + 32], small = (double)(int)(__double_as_longlong(a) >> 32) * 0x1p-26;
    out[i] = exp(small);
    out[i + 32] = log(fabs(a));
    out[i + 64] = sin(i & 1 ? a : small);
    out[i + 96] = cos(i & 1 ? a : small);
    out[i + 128] = pow(fabs(small), 1.7);
    out[i + 160] = cbrt(a);
    out[i + 192] = rsqrt(fabs(a));
    out[i + 224] = tanh(small);
    out[i + 256] = atan2(a, b);
    out[i + 288] = fmod(a, small);
    out[i + 320] = tgamma(small);
    out[i + 352] = ldexp(small, (int)i) + rint(small) + 2 * round(small) + 4 * trunc(small);
}
