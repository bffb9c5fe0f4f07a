// SPDX-License-Identifier: MIT OR Apache-2.0
// min and max of three numbers of f32 (PTX ISA 8.8, sm_100). No GPU of ours runs this: what is expected is what the simulated
// device gave, and what the definition gave apart from it.
// needs: 100 12.9
// input: f32
// output: 256 f32 exact

#define THREE(instruction, row) asm(instruction " %0, %1, %2, %3;" : "=f"(out[i + 32 * row]) : "f"(a), "f"(b), "f"(c));

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32], c = in[i + 64];
    THREE("min.f32", 0)
    THREE("max.f32", 1)
    THREE("min.NaN.f32", 2)
    THREE("max.NaN.f32", 3)
    THREE("min.abs.f32", 4)
    THREE("max.abs.f32", 5)
    THREE("min.ftz.NaN.abs.f32", 6)
    THREE("max.ftz.f32", 7)
}
