// SPDX-License-Identifier: MIT OR Apache-2.0
// set and setp of half precision whose result is combined with a predicate.
// input: f16
// output: 256 u32 exact

#define WITH_PREDICATE "{ .reg .pred p; setp.lt.u32 p, %3, 16; "
/* Packed: ptxas takes the upper half of a single one's register for zero, which it is not. */
#define SINGLE(instruction, negation, row) \
    asm(WITH_PREDICATE ".reg .b16 s; " instruction " s, %1, %2, " negation "p; mov.b32 %0, {s, s}; }" \
        : "=r"(out[i + 32 * row]) \
        : "h"((unsigned short)a), "h"((unsigned short)b), "r"(i));
#define WORD(instruction, negation, row) \
    asm(WITH_PREDICATE instruction " %0, %1, %2, " negation "p; }" \
        : "=r"(out[i + 32 * row]) \
        : "h"((unsigned short)a), "h"((unsigned short)b), "r"(i));
#define PAIR(instruction, negation, row) \
    asm(WITH_PREDICATE instruction " %0, %1, %2, " negation "p; }" : "=r"(out[i + 32 * row]) : "r"(a), "r"(b), "r"(i));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a = in[i], b = i % 5 ? in[i + 32] : a;
    SINGLE("set.lt.and.f16.f16", "", 0)
    SINGLE("set.geu.or.ftz.f16.f16", "!", 1)
    WORD("set.eq.xor.u32.f16", "", 2)
    SINGLE("set.num.and.u16.f16", "", 3)
    PAIR("set.ne.and.f16x2.f16x2", "", 4)
    PAIR("set.gtu.xor.ftz.f16x2.f16x2", "!", 5)
    asm(WITH_PREDICATE ".reg .pred q; setp.le.xor.f16 q, %1, %2, p; selp.u32 %0, 1, 0, q; }"
        : "=r"(out[i + 192])
        : "h"((unsigned short)a), "h"((unsigned short)b), "r"(i));
    asm(WITH_PREDICATE ".reg .pred q, r; setp.nan.or.f16x2 q|r, %1, %2, !p; selp.u32 %0, 1, 0, q; @r add.u32 %0, %0, 2; }"
        : "=r"(out[i + 224])
        : "r"(a), "r"(b), "r"(i));
}
