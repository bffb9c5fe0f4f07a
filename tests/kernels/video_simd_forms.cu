// SPDX-License-Identifier: MIT OR Apache-2.0
// Video instructions on halves and bytes, in the forms that video_simd leaves out: sums of what the parts give, and the others.
// output: 352 u32 exact

#define ROW(text, row) \
    result = 0; \
    asm volatile(text : "=r"(result) : "r"(u), "r"(v), "r"(w)); \
    out[i + 32 * (row)] = result;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    unsigned result;
    ROW("vadd4.u32.u32.u32.add %0, %1, %2, %3;", 0)
    ROW("vsub2.s32.s32.s32.add %0, %1.h10, %2.h23, %3;", 1)
    ROW("vsub4.s32.u32.u32.sat %0.b31, %1.b7654, %2.b3210, %3;", 2)
    ROW("vavrg2.s32.s32.s32.add %0, %1, %2, %3;", 3)
    ROW("vavrg4.u32.u32.u32.add %0.b210, %1, %2, %3;", 4)
    ROW("vmin2.u32.u32.u32.add %0, %1, %2, %3;", 5)
    ROW("vmin4.s32.s32.s32.add %0, %1.b0426, %2, %3;", 6)
    ROW("vmax2.s32.s32.s32.sat %0.h0, %1, %2.h31, %3;", 7)
    ROW("vmax4.u32.u32.u32.add %0, %1, %2, %3;", 8)
    ROW("vset2.s32.s32.le.add %0, %1, %2, %3;", 9)
    ROW("vset2.u32.u32.ne.add %0.h1, %1.h32, %2, %3;", 10)
}
