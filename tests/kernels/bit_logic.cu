// SPDX-License-Identifier: MIT OR Apache-2.0
// Logic and shifts of every width; shifts of more bits than there are stop at the width.
// output: 512 u32 exact

#define PAIR(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=r"(result) : "r"(u), "r"(v)); \
    out[i + 32 * row] = result;
#define SHIFT(name, row) \
    asm(name "32 %0, %1, %2;" : "=r"(result) : "r"(u), "r"(n)); \
    asm(name "64 %0, %1, %2;" : "=l"(wide) : "l"(lu), "r"(n)); \
    asm(name "16 %0, %1, %2;" : "=h"(narrow) : "h"(us), "r"(n)); \
    out[i + 32 * row] = result; \
    out[i + 32 * row + 32] = (unsigned)(wide ^ wide >> 32) + narrow;
#define LOP3(table, row) \
    asm("lop3.b32 %0, %1, %2, %3, " #table ";" : "=r"(result) : "r"(u), "r"(v), "r"(w)); \
    out[i + 32 * row] = result;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64], n = i < 24 ? i * 3 : in[i + 96];
    const unsigned long long lu = (unsigned long long)u << 32 | v, lv = (unsigned long long)w << 32 | u;
    const unsigned short us = u, vs = v;
    unsigned result;
    unsigned short narrow, other;
    unsigned long long wide;
    PAIR("and.b32", 0)
    PAIR("or.b32", 1)
    PAIR("xor.b32", 2)
    asm("cnot.b32 %0, %1;" : "=r"(result) : "r"(i & 1 ? u : 0));
    asm("cnot.b16 %0, %1;" : "=h"(narrow) : "h"((unsigned short)(i & 2 ? u : 0)));
    asm("cnot.b64 %0, %1;" : "=l"(wide) : "l"(i & 4 ? lu : 0));
    out[i + 96] = ~u ^ result << 2 ^ narrow << 1 ^ (unsigned)wide;
    wide = (lu & lv) + (lu | ~lv) * 3 + (lu ^ lv) * 5;
    out[i + 128] = (unsigned)(wide ^ wide >> 32);
    asm("and.b16 %0, %1, %2;" : "=h"(narrow) : "h"(us), "h"(vs));
    asm("or.b16 %0, %1, %2;" : "=h"(other) : "h"(us), "h"(vs));
    out[i + 160] = narrow << 16 | other;
    asm("xor.b16 %0, %1, %2;" : "=h"(narrow) : "h"(us), "h"(vs));
    asm("not.b16 %0, %1;" : "=h"(other) : "h"(us));
    out[i + 192] = narrow << 16 | other;
    SHIFT("shl.b", 7)
    SHIFT("shr.u", 9)
    SHIFT("shr.s", 11)
    SHIFT("shr.b", 13)
    LOP3(0x96, 15)
    LOP3(0xe8, 14)
    LOP3(0x01, 12)
    LOP3(0xca, 10)
}
