// SPDX-License-Identifier: MIT OR Apache-2.0
// Video instructions on one number, in the forms that video_scalar leaves out: merged into a part of a word, followed by a second
// operation, or plain; and vmad's scales.
// output: 640 u32 exact

#define ROW(text, row) \
    result = 0; \
    asm volatile(text : "=r"(result) : "r"(u), "r"(v), "r"(w)); \
    out[i + 32 * (row)] = result;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    unsigned result;
    ROW("vadd.s32.s32.u32 %0.b0, %1.h1, %2.b1, %3;", 0)
    ROW("vsub.u32.s32.s32 %0, %1.b0, %2.h1;", 1)
    ROW("vabsdiff.u32.u32.s32.sat %0, %1.h0, %2;", 2)
    ROW("vmin.u32.u32.u32 %0.b1, %1, %2.h0, %3;", 3)
    ROW("vmin.s32.s32.s32.sat.add %0, %1, %2.b3, %3;", 4)
    ROW("vmax.s32.u32.s32 %0, %1.h0, %2.h1;", 5)
    ROW("vmax.s32.s32.s32 %0.b3, %1.h0, %2.b2, %3;", 6)
    ROW("vshl.u32.u32.u32.clamp %0.b3, %1.b0, %2.b1, %3;", 7)
    ROW("vshl.s32.s32.u32.clamp.max %0, %1.h0, %2.b1, %3;", 8)
    ROW("vshl.u32.s32.u32.wrap %0, %1.h1, %2;", 9)
    ROW("vshl.u32.u32.u32.wrap %0.b2, %1, %2, %3;", 10)
    ROW("vshr.s32.s32.u32.clamp %0.b0, %1.h1, %2.b0, %3;", 11)
    ROW("vshr.u32.u32.u32.clamp.min %0, %1, %2.b3, %3;", 12)
    ROW("vshr.s32.u32.u32.wrap %0, %1, %2;", 13)
    ROW("vshr.s32.s32.u32.wrap.add %0, %1.h1, %2.b0, %3;", 14)
    ROW("vset.s32.s32.le %0.b1, %1.b0, %2.b1, %3;", 15)
    asm("vmad.u32.u32.u32.shr7 %0, %1.b3, %2.b1, %3;" : "=r"(out[i + 512]) : "r"(u), "r"(v), "r"(w >> 8));
    ROW("vmad.s32.s32.s32.sat.shr15 %0, -%1.h0, %2.h1, %3;", 17)
    ROW("vmad.u32.u32.u32.po %0, %1.b0, %2.h1, %3;", 18)
    ROW("vmad.s32.s32.u32.po.sat.shr15 %0, %1.h1, %2.h0, %3;", 19)
}
