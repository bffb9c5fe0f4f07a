// SPDX-License-Identifier: MIT OR Apache-2.0
// lop3 whose result is also compared with zero and combined with a predicate (PTX ISA 8.2).
// needs: 75 12.9
// output: 128 u32 exact

#define LOP3(operation, table, negation, row) \
    asm("{ .reg .pred p, q; setp.lt.u32 q, %4, 16; lop3." operation ".b32 %0|p, %1, %2, %3, " table ", " negation \
        "q; @p add.u32 %0, %0, 1; }" \
        : "=r"(out[i + 32 * row]) \
        : "r"(u), "r"(v), "r"(w), "r"(i));

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = i % 3 ? in[i] : 0, v = in[i + 32], w = i % 4 ? in[i + 64] : 0;
    LOP3("or", "0x80", "", 0)
    LOP3("and", "0x80", "!", 1)
    LOP3("or", "0x96", "!", 2)
    LOP3("and", "0xea", "", 3)
}
