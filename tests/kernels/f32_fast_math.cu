// SPDX-License-Identifier: MIT OR Apache-2.0
// What --use_fast_math makes of the single precision functions, within the errors that the CUDA C++ Programming
// Guide states (Mathematical Functions, Intrinsic Functions).
// options: --use_fast_math
// input: f32
// output: 32 f32 absolute 2^-20.5, sinf
// output: 32 f32 absolute 2^-20.5, cosf
// output: 32 f32 ulp 4, expf
// output: 32 f32 relative 2^-20, logf
// output: 32 f32 relative 2^-20, exp2f
// output: 32 f32 relative 2^-11, tanhf
// output: 32 f32 ulp 2, a quotient
// output: 32 f32 ulp 2, a square root
// output: 32 f32 relative 2^-18, powf

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], step = (float)i / 32 + 0.01f;
    out[i] = sinf(step * 6);
    out[i + 32] = cosf(step * 6);
    out[i + 64] = expf(step * 2);
    out[i + 96] = logf(step * 40 + 2);
    out[i + 128] = exp2f(step * 30 - 14);
    out[i + 160] = tanhf(step * 3);
    out[i + 192] = a / (step + 1);
    out[i + 224] = sqrtf(fabsf(a));
    out[i + 256] = powf(step + 0.5f, 2.5f);
}
