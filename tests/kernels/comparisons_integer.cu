// SPDX-License-Identifier: MIT OR Apache-2.0
// Every comparison of every integer type, alone and combined with a predicate, by setp.
// output: 256 u32 exact

#define COMPARE(name, type, letter, a, b, bit) \
    asm("{ .reg .pred p; setp." name "." type " p, %1, %2; selp.u32 %0, 1, 0, p; }" : "=r"(result) : letter(a), letter(b)); \
    bits |= result << bit;
#define SIX(type, letter, a, b, shift) \
    COMPARE("eq", type, letter, a, b, shift) \
    COMPARE("ne", type, letter, a, b, shift + 1) \
    COMPARE("lt", type, letter, a, b, shift + 2) \
    COMPARE("le", type, letter, a, b, shift + 3) \
    COMPARE("gt", type, letter, a, b, shift + 4) \
    COMPARE("ge", type, letter, a, b, shift + 5)
#define FOUR(type, letter, a, b, shift) \
    COMPARE("lo", type, letter, a, b, shift) \
    COMPARE("ls", type, letter, a, b, shift + 1) \
    COMPARE("hi", type, letter, a, b, shift + 2) \
    COMPARE("hs", type, letter, a, b, shift + 3)
#define BITS(type, letter, a, b, shift) COMPARE("eq", type, letter, a, b, shift) COMPARE("ne", type, letter, a, b, shift + 1)
#define COMBINE(text, bit) \
    asm("{ .reg .pred p, q, r; setp.lt.s32 r, %2, 0; " text " selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" \
        : "=r"(result) \
        : "r"(u), "r"(v), "l"(lu), "l"(lv)); \
    bits |= result << bit;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = i % 5 == 0 ? u : in[i + 32];
    const unsigned long long lu = (unsigned long long)u << 32 | v, lv = (unsigned long long)v << 32 | (i % 3 ? v : u);
    const unsigned short us = u, vs = i % 4 ? v : u;
    unsigned result, bits = 0;
    SIX("u16", "h", us, vs, 0)
    SIX("s16", "h", us, vs, 6)
    FOUR("u16", "h", us, vs, 12)
    BITS("b16", "h", us, vs, 16)
    out[i] = bits;
    bits = 0;
    SIX("u32", "r", u, v, 0)
    SIX("s32", "r", u, v, 6)
    FOUR("u32", "r", u, v, 12)
    BITS("b32", "r", u, v, 16)
    out[i + 32] = bits;
    bits = 0;
    SIX("u64", "l", lu, lv, 0)
    SIX("s64", "l", lu, lv, 6)
    FOUR("u64", "l", lu, lv, 12)
    BITS("b64", "l", lu, lv, 16)
    out[i + 64] = bits;
    bits = 0;
    COMBINE("setp.lt.and.u32 p|q, %1, %2, r;", 0)
    COMBINE("setp.ge.or.s32 p|q, %1, %2, !r;", 2)
    COMBINE("setp.ne.xor.b32 p|q, %1, %2, r;", 4)
    COMBINE("setp.gt.xor.s64 p|q, %3, %4, !r;", 6)
    COMBINE("setp.le.and.u64 p|q, %3, %4, r;", 8)
    COMBINE("setp.eq.or.b64 p|q, %3, %4, r;", 10)
    COMBINE("setp.hs.u32 p|q, %1, %2;", 12)
    COMBINE("setp.eq.s32 p, %1, %2; setp.lt.xor.s32 q|_, %1, %2, p;", 14)
    out[i + 96] = bits;
    out[i + 128] = (u < v ? u : v) + ((int)u > (int)v ? 1 : 2) + (lu != lv ? 4 : 8);
    out[i + 160] = (us <= vs) + ((short)us < (short)vs) * 2 + (lu >= lv) * 4 + ((long long)lu < (long long)lv) * 8;
    out[i + 192] = u && v;
    out[i + 224] = (u > v || us < vs) && !(lu < lv);
}
