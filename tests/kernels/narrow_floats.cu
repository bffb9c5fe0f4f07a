// SPDX-License-Identifier: MIT OR Apache-2.0
// Floats of 4, 6 and 8 bits, and of an exponent alone (PTX ISA 8.6, sm_100a and its like). No GPU of ours runs this: what is
// expected is what the simulated device gave, and what a computation with exact fractions gave apart from it.
// needs: 100 12.9
// specific
// input: f32
// output: 480 u32 exact

#define FROM_PAIR(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=h"(narrow) : "f"(a), "f"(b)); \
    out[i + 32 * row] = narrow;
#define FROM_PAIR_TO_BYTE(instruction, row) \
    asm("{ .reg .b8 byte; " instruction " byte, %1, %2; cvt.u32.u8 %0, byte; }" : "=r"(out[i + 32 * row]) : "f"(a), "f"(b));
#define TO_HALVES(instruction, row) asm(instruction " %0, %1;" : "=r"(out[i + 32 * row]) : "h"((unsigned short)(i * 2113)));

extern "C" __global__ void kernel(unsigned *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = (float)((int)i - 16) * 0.37f;
    unsigned short narrow;
    FROM_PAIR("cvt.rn.satfinite.e2m3x2.f32", 0)
    FROM_PAIR("cvt.rn.satfinite.e3m2x2.f32", 1)
    FROM_PAIR("cvt.rn.satfinite.relu.e2m3x2.f32", 2)
    FROM_PAIR("cvt.rn.satfinite.relu.e3m2x2.f32", 3)
    FROM_PAIR_TO_BYTE("cvt.rn.satfinite.e2m1x2.f32", 4)
    FROM_PAIR_TO_BYTE("cvt.rn.satfinite.relu.e2m1x2.f32", 5)
    TO_HALVES("cvt.rn.f16x2.e2m3x2", 6)
    TO_HALVES("cvt.rn.f16x2.e3m2x2", 7)
    TO_HALVES("cvt.rn.relu.f16x2.e3m2x2", 8)
    asm("{ .reg .b8 byte; cvt.u8.u32 byte, %1; cvt.rn.f16x2.e2m1x2 %0, byte; }" : "=r"(out[i + 288]) : "r"(i * 37));
    FROM_PAIR("cvt.rz.ue8m0x2.f32", 10)
    FROM_PAIR("cvt.rp.satfinite.ue8m0x2.f32", 11)
    asm("cvt.rz.satfinite.ue8m0x2.bf16x2 %0, %1;" : "=h"(narrow) : "r"(__float_as_uint(a)));
    out[i + 384] = narrow;
    asm("cvt.rp.ue8m0x2.bf16x2 %0, %1;" : "=h"(narrow) : "r"(__float_as_uint(a)));
    out[i + 416] = narrow;
    TO_HALVES("cvt.rn.bf16x2.ue8m0x2", 14)
}
