// SPDX-License-Identifier: MIT OR Apache-2.0
// fma.oob of half precision and bfloat16: what stands for data out of bounds makes 0 (PTX ISA 8.1, sm_90).
// needs: 90 12.9
// input: f16
// output: 256 u32 exact

#define FUSED(instruction, row) asm(instruction " %0, %1, %2, %3;" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b), "r"(c));
#define SINGLE(instruction, row) \
    asm(instruction " %0, %1, %2, %3;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c)); \
    out[i + 32 * row] = single;

__device__ unsigned with_holes(unsigned pair, unsigned choice) {
    const unsigned kinds[] = {pair, 0x7fff7fff, pair & 0xffff0000 | 0x7fff, 0x7fff0000 | pair & 0xffff, 0xffffffff, pair,
                              pair, pair};
    return kinds[choice % 8];
}

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x;
    const unsigned a = with_holes(in[i], i), b = with_holes(in[i + 32], i / 4), c = with_holes(in[i + 64], i < 28 ? 0 : i);
    unsigned short single;
    FUSED("fma.rn.oob.f16x2", 0)
    FUSED("fma.rn.oob.relu.f16x2", 1)
    FUSED("fma.rn.oob.bf16x2", 2)
    FUSED("fma.rn.oob.relu.bf16x2", 3)
    SINGLE("fma.rn.oob.f16", 4)
    SINGLE("fma.rn.oob.relu.f16", 5)
    SINGLE("fma.rn.oob.bf16", 6)
    SINGLE("fma.rn.oob.relu.bf16", 7)
}
