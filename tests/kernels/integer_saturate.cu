// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums and products that stop at the ends of s32, and the 24-bit products.
// output: 480 u32 exact

#define ROW(instruction, row) \
    asm(instruction " %0, %1, %2, %3;" : "=r"(result) : "r"(u), "r"(v), "r"(w)); \
    out[i + 32 * row] = result;
#define PAIR(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=r"(result) : "r"(u), "r"(v)); \
    out[i + 32 * row] = result;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    unsigned result;
    PAIR("add.sat.s32", 0)
    PAIR("sub.sat.s32", 1)
    ROW("mad.hi.sat.s32", 2)
    PAIR("mul24.lo.u32", 3)
    PAIR("mul24.lo.s32", 4)
    PAIR("mul24.hi.u32", 5)
    PAIR("mul24.hi.s32", 6)
    ROW("mad24.lo.u32", 7)
    ROW("mad24.lo.s32", 8)
    ROW("mad24.hi.u32", 9)
    ROW("mad24.hi.s32", 10)
    ROW("mad24.hi.sat.s32", 11)
    out[i + 384] = __mul24((int)u, (int)v);
    out[i + 416] = __umul24(u, v);
    out[i + 448] = __uhadd(u, v) ^ __urhadd(u, v) ^ (unsigned)__hadd((int)u, (int)v) ^ (unsigned)__rhadd((int)v, (int)w);
}
