// SPDX-License-Identifier: MIT OR Apache-2.0
// f32 with f16 or bfloat16 operands (PTX ISA 8.6, sm_100). No GPU of ours runs this: what is expected is computed beside it, by
// widening the operands first, and what is written is only whether the two are the same.
// needs: 100 12.9
// input: f32
// output: 384 u32 exact

#define SUM(name, type, widen, row) \
    { \
        float mixed, plain; \
        asm(name ".f32." type " %0, %1, %2;" : "=f"(mixed) : "h"(a), "f"(c)); \
        asm("{ .reg .f32 wide; " widen " wide, %1; " name ".f32 %0, wide, %2; }" : "=f"(plain) : "h"(a), "f"(c)); \
        out[i + 32 * row] = __float_as_uint(mixed) == __float_as_uint(plain); \
    }
#define FUSED(name, type, widen, row) \
    { \
        float mixed, plain; \
        asm(name ".f32." type " %0, %1, %2, %3;" : "=f"(mixed) : "h"(a), "h"(b), "f"(c)); \
        asm("{ .reg .f32 wide, other; " widen " wide, %1; " widen " other, %2; " name ".f32 %0, wide, other, %3; }" \
            : "=f"(plain) \
            : "h"(a), "h"(b), "f"(c)); \
        out[i + 32 * row] = __float_as_uint(mixed) == __float_as_uint(plain); \
    }

extern "C" __global__ void kernel(unsigned *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float c = in[i];
    const unsigned short a = (unsigned short)(__float_as_uint(in[i + 32]) >> 16), b = (unsigned short)(i * 2113);
    SUM("add", "f16", "cvt.f32.f16", 0)
    SUM("add.rz", "bf16", "cvt.f32.bf16", 1)
    SUM("add.rp.sat", "f16", "cvt.f32.f16", 2)
    SUM("add.sat", "bf16", "cvt.f32.bf16", 3)
    SUM("sub.rn", "f16", "cvt.f32.f16", 4)
    SUM("sub.rm", "bf16", "cvt.f32.bf16", 5)
    SUM("sub.rz.sat", "f16", "cvt.f32.f16", 6)
    SUM("sub.sat", "bf16", "cvt.f32.bf16", 7)
    FUSED("fma.rn", "f16", "cvt.f32.f16", 8)
    FUSED("fma.rz", "bf16", "cvt.f32.bf16", 9)
    FUSED("fma.rp.sat", "f16", "cvt.f32.f16", 10)
    FUSED("fma.rm.sat", "bf16", "cvt.f32.bf16", 11)
}
