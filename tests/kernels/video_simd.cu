// SPDX-License-Identifier: MIT OR Apache-2.0
// Video instructions on two halves and on four bytes at once.
// output: 512 u32 exact

#define ROW(text, row) asm(text : "=r"(out[i + 32 * row]) : "r"(u), "r"(v), "r"(w));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    ROW("vadd2.s32.s32.s32.sat %0, %1, %2, %3;", 0)
    ROW("vadd2.u32.u32.u32.add %0.h10, %1.h10, %2.h32, %3;", 1)
    ROW("vsub2.s32.u32.u32 %0.h1, %1.h31, %2.h20, %3;", 2)
    ROW("vavrg2.u32.u32.u32 %0, %1, %2, %3;", 3)
    ROW("vabsdiff2.s32.s32.s32 %0, %1, %2, %3;", 4)
    ROW("vmin2.s32.s32.s32 %0, %1, %2, %3;", 5)
    ROW("vmax2.u32.u32.u32.add %0, %1, %2, %3;", 6)
    ROW("vset2.u32.u32.lt %0, %1, %2, %3;", 7)
    ROW("vadd4.s32.s32.s32.sat %0, %1, %2, %3;", 8)
    ROW("vsub4.u32.u32.u32.add %0, %1, %2, %3;", 9)
    ROW("vavrg4.s32.s32.s32 %0.b3210, %1.b7531, %2.b6420, %3;", 10)
    ROW("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;", 11)
    ROW("vmin4.u32.u32.u32 %0.b20, %1, %2, %3;", 12)
    ROW("vmax4.s32.s32.s32 %0, %1, %2, %3;", 13)
    ROW("vset4.s32.u32.ne %0, %1, %2, %3;", 14)
    ROW("vset4.u32.u32.gt.add %0, %1, %2, %3;", 15)
}
