// SPDX-License-Identifier: MIT OR Apache-2.0
// set and setp of bfloat16, alone and combined with a predicate (PTX ISA 7.8, sm_90).
// needs: 90
// input: bf16
// output: 288 u32 exact

#define WITH_PREDICATE "{ .reg .pred p; setp.lt.u32 p, %3, 16; "
/* Packed: ptxas takes the upper half of a single one's register for zero, which it is not. */
#define SINGLE(instruction, combined, row) \
    asm(WITH_PREDICATE ".reg .b16 s; " instruction " s, %1, %2" combined "; mov.b32 %0, {s, s}; }" \
        : "=r"(out[i + 32 * row]) \
        : "h"((unsigned short)a), "h"((unsigned short)b), "r"(i));
#define WORD(instruction, combined, row) \
    asm(WITH_PREDICATE instruction " %0, %1, %2" combined "; }" \
        : "=r"(out[i + 32 * row]) \
        : "h"((unsigned short)a), "h"((unsigned short)b), "r"(i));
#define PAIR(instruction, combined, row) \
    asm(WITH_PREDICATE instruction " %0, %1, %2" combined "; }" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b), "r"(i));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = i % 5 ? in[i + 32] : a;
    SINGLE("set.lt.bf16.bf16", "", 0)
    SINGLE("set.geu.and.bf16.bf16", ", !p", 1)
    WORD("set.eq.xor.u32.bf16", ", p", 2)
    SINGLE("set.num.u16.bf16", "", 3)
    PAIR("set.ne.bf16x2.bf16x2", "", 4)
    PAIR("set.ne.and.bf16x2.bf16x2", ", p", 5)
    PAIR("set.gtu.xor.bf16x2.bf16x2", ", !p", 6)
    asm(WITH_PREDICATE ".reg .pred q; setp.le.xor.bf16 q, %1, %2, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(out[i + 224])
        : "h"((unsigned short)a), "h"((unsigned short)b), "r"(i));
    asm(WITH_PREDICATE ".reg .pred q, r; setp.nan.or.bf16x2 q|r, %1, %2, !p; selp.u32 %0, 1, 0, q; @r add.u32 %0, %0, 2; }"
        : "=r"(out[i + 256])
        : "r"(a), "r"(b), "r"(i));
}
