// SPDX-License-Identifier: MIT OR Apache-2.0
// Conversions to bf16, tf32 and pairs, and packing of two integers (PTX ISA 7.0 and 7.1, sm_80).
// needs: 80
// input: f32
// output: 512 u32 exact

#define PAIR(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "f"(a), "f"(b));
#define ONE(instruction, row) \
    asm(instruction " %0, %1;" : "=h"(narrow) : "f"(a)); \
    out[i + 32 * row] = narrow;
#define PACK(instruction, row) \
    asm(instruction " %0, %1, %2, %3;" \
        : "=r"(out[i + 32 * row]) \
        : "r"(__float_as_uint(a) >> i), "r"(i - 9), "r"(__float_as_uint(b)));
#define PACK_TWO(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "r"((int)__float_as_uint(a) >> i), "r"(__float_as_uint(b)));

extern "C" __global__ void kernel(unsigned *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = in[i + 32];
    unsigned short narrow;
    PAIR("cvt.rn.f16x2.f32", 0)
    PAIR("cvt.rz.f16x2.f32", 1)
    PAIR("cvt.rn.relu.f16x2.f32", 2)
    PAIR("cvt.rn.bf16x2.f32", 3)
    PAIR("cvt.rz.bf16x2.f32", 4)
    PAIR("cvt.rn.relu.bf16x2.f32", 5)
    ONE("cvt.rn.bf16.f32", 6)
    ONE("cvt.rz.bf16.f32", 7)
    ONE("cvt.rn.relu.bf16.f32", 8)
    ONE("cvt.rz.relu.f16.f32", 9)
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(out[i + 320]) : "f"(a));
    PACK_TWO("cvt.pack.sat.s16.s32", 11)
    PACK_TWO("cvt.pack.sat.u16.s32", 12)
    PACK("cvt.pack.sat.s8.s32.b32", 13)
    PACK("cvt.pack.sat.u8.s32.b32", 14)
    PACK("cvt.pack.sat.u4.s32.b32", 15)
}
