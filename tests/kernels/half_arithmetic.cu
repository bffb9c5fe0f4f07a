// SPDX-License-Identifier: MIT OR Apache-2.0
// Half precision, one number and two at once: sums, products, fused products, with saturation and with zero for subnormals.
// input: f16
// output: 512 u32 exact

#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b));
#define THREE(instruction, row) asm(instruction " %0, %1, %2, %3;" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b), "r"(c));
#define SINGLE(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b)); \
    out[i + 32 * row] = single;
#define FUSED(instruction, row) \
    asm(instruction " %0, %1, %2, %3;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c)); \
    out[i + 32 * row] = single;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = in[i + 32], c = in[i + 64];
    unsigned short single, other;
    TWO("add.rn.f16x2", 0)
    TWO("sub.rn.f16x2", 1)
    TWO("mul.rn.f16x2", 2)
    THREE("fma.rn.f16x2", 3)
    TWO("add.ftz.f16x2", 4)
    TWO("sub.ftz.sat.f16x2", 5)
    TWO("mul.rn.ftz.sat.f16x2", 6)
    THREE("fma.rn.ftz.sat.f16x2", 7)
    SINGLE("add.f16", 8)
    SINGLE("sub.rn.sat.f16", 9)
    SINGLE("mul.ftz.f16", 10)
    FUSED("fma.rn.f16", 11)
    FUSED("fma.rn.ftz.f16", 12)
    FUSED("fma.rn.sat.f16", 13)
    asm("neg.f16x2 %0, %1;" : "=r"(out[i + 448]) : "r"(a));
    asm("abs.f16x2 %0, %1;" : "=r"(out[i + 480]) : "r"(b));
    asm("neg.ftz.f16 %0, %1;" : "=h"(single) : "h"((unsigned short)a));
    asm("abs.ftz.f16 %0, %1;" : "=h"(other) : "h"((unsigned short)b));
    out[i + 448] += single;
    out[i + 480] += other;
}
