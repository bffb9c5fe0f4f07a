// SPDX-License-Identifier: MIT OR Apache-2.0
// Roundings of f32 to tf32 beside the one to nearest away from zero (PTX ISA 7.8, sm_90).
// needs: 90
// input: f32
// output: 128 u32 exact

#define CONVERT(instruction, row) asm(instruction " %0, %1;" : "=r"(out[i + 32 * row]) : "f"(in[i]));

extern "C" __global__ void kernel(unsigned *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    CONVERT("cvt.rn.tf32.f32", 0)
    CONVERT("cvt.rz.tf32.f32", 1)
    CONVERT("cvt.rn.relu.tf32.f32", 2)
    CONVERT("cvt.rz.relu.tf32.f32", 3)
}
