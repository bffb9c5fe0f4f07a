// SPDX-License-Identifier: MIT OR Apache-2.0
// min and max of half precision, and fused products that stop at zero (PTX ISA 7.0, sm_80).
// needs: 80
// input: f16
// output: 512 u32 exact

#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b));
#define SINGLE(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b)); \
    out[i + 32 * row] = single;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = in[i + 32], c = in[i + 64];
    unsigned short single;
    TWO("min.f16x2", 0)
    TWO("max.f16x2", 1)
    TWO("min.NaN.f16x2", 2)
    TWO("max.NaN.f16x2", 3)
    TWO("min.ftz.f16x2", 4)
    TWO("max.ftz.NaN.f16x2", 5)
    TWO("min.bf16x2", 6)
    TWO("max.NaN.bf16x2", 7)
    SINGLE("min.f16", 8)
    SINGLE("max.NaN.f16", 9)
    SINGLE("min.ftz.NaN.f16", 10)
    SINGLE("max.bf16", 11)
    SINGLE("min.NaN.bf16", 12)
    asm("fma.rn.relu.f16x2 %0, %1, %2, %3;" : "=r"(out[i + 416]) : "r"(a), "r"(b), "r"(c));
    asm("fma.rn.relu.f16 %0, %1, %2, %3;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c));
    out[i + 448] = single;
    asm("fma.rn.ftz.relu.f16x2 %0, %1, %2, %3;" : "=r"(out[i + 480]) : "r"(a), "r"(b), "r"(c));
}
