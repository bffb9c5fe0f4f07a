// SPDX-License-Identifier: MIT OR Apache-2.0
// Dot products of bytes with bytes and with 16-bit integers, of every sign.
// output: 384 u32 exact

#define DOT(instruction, row) asm(instruction " %0, %1, %2, %3;" : "=r"(out[i + 32 * row]) : "r"(u), "r"(v), "r"(w));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    DOT("dp4a.u32.u32", 0)
    DOT("dp4a.u32.s32", 1)
    DOT("dp4a.s32.u32", 2)
    DOT("dp4a.s32.s32", 3)
    DOT("dp2a.lo.u32.u32", 4)
    DOT("dp2a.lo.u32.s32", 5)
    DOT("dp2a.lo.s32.u32", 6)
    DOT("dp2a.lo.s32.s32", 7)
    DOT("dp2a.hi.u32.u32", 8)
    DOT("dp2a.hi.u32.s32", 9)
    DOT("dp2a.hi.s32.u32", 10)
    DOT("dp2a.hi.s32.s32", 11)
}
