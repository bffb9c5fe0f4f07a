// SPDX-License-Identifier: MIT OR Apache-2.0
// The single precision functions of CUDA C++, within the errors that the CUDA C++ Programming Guide states (Mathematical
// Functions, Standard Functions).
// input: f32
// output: 32 f32 ulp 2, expf
// output: 32 f32 ulp 1, logf
// output: 32 f32 ulp 2, sinf
// output: 32 f32 ulp 2, cosf
// output: 32 f32 ulp 4, tanf
// output: 32 f32 ulp 4, powf
// output: 32 f32 ulp 2, tanhf
// output: 32 f32 ulp 3, atan2f
// output: 32 f32 ulp 1, cbrtf
// output: 32 f32 ulp 3, hypotf
// output: 32 f32 ulp 2, erff
// output: 32 f32 exact, fmodf
// output: 32 f32 exact, remainderf
// output: 32 f32 exact, ldexpf
// output: 32 f32 exact, nextafterf
// output: 32 f32 exact, roundf and its kin

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32], small = (float)((int)__float_as_uint(a) >> 8) * 0x1p-18f;
    out[i] = expf(small);
    out[i + 32] = logf(fabsf(a));
    out[i + 64] = sinf(i & 1 ? a : small);
    out[i + 96] = cosf(i & 1 ? a : small);
    out[i + 128] = tanf(small);
    out[i + 160] = powf(fabsf(small), 1.7f);
    out[i + 192] = tanhf(small);
    out[i + 224] = atan2f(a, b);
    out[i + 256] = cbrtf(a);
    out[i + 288] = hypotf(a, b);
    out[i + 320] = erff(small);
    out[i + 352] = fmodf(a, b);
    out[i + 384] = remainderf(small, 0.37f);
    out[i + 416] = ldexpf(a, (int)i - 16);
    out[i + 448] = nextafterf(a, b);
    out[i + 480] = roundf(small) + 2 * rintf(small) + 4 * floorf(small) + 8 * ceilf(small) + 16 * truncf(small);
}
