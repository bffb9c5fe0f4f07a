// SPDX-License-Identifier: MIT OR Apache-2.0
// Video instructions on bytes and halves of words, with selectors, saturation and a second operation. Of a result merged into a
// half, of what saturates beyond 32 bits, and of a sum beyond 32 bits in vmad.shr7 a GPU's assembler makes something else than the
// ISA says.
// output: 512 u32 exact

#define ROW(text, row) asm(text : "=r"(out[i + 32 * row]) : "r"(u), "r"(v), "r"(w));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    ROW("vadd.s32.u32.s32.sat %0, %1.b1, %2.h0;", 0)
    ROW("vadd.u32.u32.u32.add %0, %1.h1, %2.b3, %3;", 1)
    ROW("vsub.s32.s32.s32.max %0, %1.b2, %2.b0, %3;", 2)
    ROW("vsub.s32.u32.u32 %0.b1, %1.h0, %2.h1, %3;", 3)
    ROW("vabsdiff.u32.s32.s32.add %0, %1.b0, %2.b1, %3;", 4)
    ROW("vabsdiff.u32.u32.u32 %0.b2, %1, %2, %3;", 5)
    ROW("vmin.s32.s32.u32.sat %0, %1.h0, %2.b3;", 6)
    ROW("vmax.u32.u32.s32.min %0, %1.b3, %2.h1, %3;", 7)
    ROW("vshl.u32.u32.u32.clamp %0, %1.h1, %2.b0;", 8)
    ROW("vshl.u32.u32.u32.wrap.add %0, %1, %2, %3;", 9)
    ROW("vshr.s32.s32.u32.clamp %0, %1, %2.b1;", 10)
    ROW("vshr.u32.u32.u32.wrap %0.b1, %1.h0, %2, %3;", 11)
    ROW("vmad.s32.s32.u32.sat %0, %1.b0, %2.h1, %3;", 12)
    asm("vmad.u32.u32.u32.po.shr7 %0, %1.b0, %2.b1, %3;" : "=r"(out[i + 416]) : "r"(u), "r"(v), "r"(w >> 8));
    ROW("vset.u32.s32.lt %0, %1.h0, %2.h1;", 14)
    ROW("vset.u32.u32.ge.add %0, %1.b0, %2.b1, %3;", 15)
}
