// SPDX-License-Identifier: MIT OR Apache-2.0
// bfloat16: sums, products and comparisons as instructions of their own (PTX ISA 7.8, sm_90).
// needs: 90
// input: bf16
// output: 384 u32 exact

#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b));
#define SINGLE(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=h"(single) : "h"((unsigned short)a), "h"((unsigned short)b)); \
    out[i + 32 * row] = single;
#define COMPARE(name, bit) \
    asm("{ .reg .pred p, q, r; setp." name ".bf16x2 p|q, %1, %2; setp." name \
        ".bf16 r, %3, %4; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; " \
        "@r add.u32 %0, %0, 4; }" \
        : "=r"(result) \
        : "r"(a), "r"(b), "h"((unsigned short)a), "h"((unsigned short)b)); \
    out[i + 256] |= result << bit;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = i % 5 ? in[i + 32] : a;
    unsigned short single;
    unsigned result;
    TWO("add.rn.bf16x2", 0)
    TWO("sub.rn.bf16x2", 1)
    TWO("mul.rn.bf16x2", 2)
    TWO("add.bf16x2", 3)
    SINGLE("add.rn.bf16", 4)
    SINGLE("sub.bf16", 5)
    SINGLE("mul.rn.bf16", 6)
    SINGLE("sub.rn.bf16", 7)
    out[i + 256] = 0;
    COMPARE("eq", 0)
    COMPARE("ne", 3)
    COMPARE("lt", 6)
    COMPARE("ge", 9)
    COMPARE("ltu", 12)
    COMPARE("gtu", 15)
    COMPARE("num", 18)
    COMPARE("nan", 21)
    TWO("set.lt.bf16x2.bf16x2", 9)
    TWO("set.geu.u32.bf16x2", 10)
    /* Packed: ptxas takes the upper half of the register of a single one for zero, which it is not. */
    asm("{ .reg .b16 s; set.ne.bf16.bf16 s, %1, %2; mov.b32 %0, {s, s}; }"
        : "=r"(out[i + 352])
        : "h"((unsigned short)a), "h"((unsigned short)b));
}
