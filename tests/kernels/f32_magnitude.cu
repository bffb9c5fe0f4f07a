// SPDX-License-Identifier: MIT OR Apache-2.0
// min and max of magnitudes, with the sign of both (PTX ISA 7.2, sm_86).
// needs: 86
// input: f32
// output: 192 f32 exact

#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=f"(out[i + 32 * row]) : "f"(a), "f"(b));

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32];
    TWO("min.xorsign.abs.f32", 0)
    TWO("max.xorsign.abs.f32", 1)
    TWO("min.NaN.xorsign.abs.f32", 2)
    TWO("max.NaN.xorsign.abs.f32", 3)
    TWO("min.ftz.xorsign.abs.f32", 4)
    TWO("max.ftz.NaN.xorsign.abs.f32", 5)
}
