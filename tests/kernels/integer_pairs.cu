// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums and orders of two 16-bit integers at once, and orders that stop at zero (PTX ISA 8.0, sm_90).
// needs: 90
// output: 416 u32 exact

#define ROW(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=r"(result) : "r"(u), "r"(v)); \
    out[i + 32 * row] = result;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32];
    unsigned result;
    ROW("add.u16x2", 0)
    ROW("add.s16x2", 1)
    ROW("min.u16x2", 2)
    ROW("min.s16x2", 3)
    ROW("max.u16x2", 4)
    ROW("max.s16x2", 5)
    ROW("min.relu.s16x2", 6)
    ROW("max.relu.s16x2", 7)
    ROW("min.relu.s32", 8)
    ROW("max.relu.s32", 9)
    out[i + 320] = __vimax3_s32((int)u, (int)v, (int)(u ^ v)) ^ __vimin3_u32(u, v, u + v);
    out[i + 352] = __viaddmax_s16x2(u, v, u ^ v);
    out[i + 384] = __vimax_s32_relu((int)u, (int)v);
}
