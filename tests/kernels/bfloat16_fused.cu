// SPDX-License-Identifier: MIT OR Apache-2.0
// bfloat16: fused products, sign and magnitude (PTX ISA 7.0, sm_80), and what cuda_bf16.h makes of sums and products.
// needs: 80
// input: bf16
// output: 416 u32 exact

#include <cuda_bf16.h>

#define FUSED(instruction, row) \
    asm(instruction " %0, %1, %2, %3;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b), "h"((unsigned short)c)); \
    out[i + 32 * row] = single;
#define PAIRS(expression, row) \
    { \
        const __nv_bfloat162 pair = expression; \
        out[i + 32 * row] = *(const unsigned *)&pair; \
    }

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = in[i + 32], c = in[i + 64];
    const __nv_bfloat162 x = *(const __nv_bfloat162 *)&a, y = *(const __nv_bfloat162 *)&b;
    unsigned short single, other;
    FUSED("fma.rn.bf16", 0)
    FUSED("fma.rn.relu.bf16", 1)
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(out[i + 64]) : "r"(a), "r"(b), "r"(c));
    asm("fma.rn.relu.bf16x2 %0, %1, %2, %3;" : "=r"(out[i + 96]) : "r"(a), "r"(b), "r"(c));
    asm("neg.bf16x2 %0, %1;" : "=r"(out[i + 128]) : "r"(a));
    asm("abs.bf16x2 %0, %1;" : "=r"(out[i + 160]) : "r"(b));
    asm("neg.bf16 %0, %1;" : "=h"(single) : "h"((unsigned short)a));
    asm("abs.bf16 %0, %1;" : "=h"(other) : "h"((unsigned short)b));
    out[i + 192] = single << 16 | other;
    PAIRS(__hadd2(x, y), 7)
    PAIRS(__hsub2(x, y), 8)
    PAIRS(__hmul2(x, y), 9)
    PAIRS(__hmax2(x, y), 10)
    PAIRS(__hmin2_nan(x, y), 11)
    out[i + 384] = __hlt(x.x, y.x) | __hgeu(x.y, y.y) << 1 | __heq(x.x, x.x) << 2 | __hbne2(x, y) << 3;
}
