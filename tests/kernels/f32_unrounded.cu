// SPDX-License-Identifier: MIT OR Apache-2.0
// f32 and f64 without a rounding modifier, which then is to nearest; nothing here can be fused.
// input: f32
// output: 320 f32 exact

#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=f"(out[i + 32 * row]) : "f"(a), "f"(b));
#define WIDE(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=d"(wide) : "d"((double)a), "d"((double)b)); \
    out[i + 32 * row] = (float)wide;

extern "C" __global__ void kernel(float *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32];
    double wide;
    TWO("add.f32", 0)
    TWO("sub.f32", 1)
    TWO("mul.f32", 2)
    TWO("add.ftz.f32", 3)
    TWO("sub.sat.f32", 4)
    TWO("mul.ftz.sat.f32", 5)
    WIDE("add.f64", 6)
    WIDE("sub.f64", 7)
    WIDE("mul.f64", 8)
    out[i + 288] = a * b;
}
