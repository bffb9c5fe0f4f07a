// SPDX-License-Identifier: MIT OR Apache-2.0
// min and max of magnitudes of half precision, with the sign of both (PTX ISA 7.2, sm_86).
// needs: 86
// input: f16
// output: 192 u32 exact

#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = in[i + 32];
    unsigned short single, other;
    TWO("min.xorsign.abs.f16x2", 0)
    TWO("max.NaN.xorsign.abs.f16x2", 1)
    TWO("min.xorsign.abs.bf16x2", 2)
    TWO("max.NaN.xorsign.abs.bf16x2", 3)
    asm("min.ftz.xorsign.abs.f16 %0, %1, %2;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b));
    asm("max.ftz.NaN.xorsign.abs.f16 %0, %1, %2;" : "=h"(other) : "h"((unsigned short)a), "h"((unsigned short)b));
    out[i + 128] = single << 16 | other;
    asm("min.NaN.xorsign.abs.bf16 %0, %1, %2;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b));
    asm("max.xorsign.abs.bf16 %0, %1, %2;" : "=h"(other) : "h"((unsigned short)a), "h"((unsigned short)b));
    out[i + 160] = single << 16 | other;
}
