// SPDX-License-Identifier: MIT OR Apache-2.0
// Integers to integers of every width, with and without saturation.
// input: u64
// output: 480 u32 exact

#define TO_NARROW(from, letter, value, row) \
    asm("{ .reg .u16 t; cvt.sat.u8." from " t, %1; cvt.u32.u16 %0, t; }" : "=r"(x) : letter(value)); \
    asm("{ .reg .u16 t; cvt.sat.s8." from " t, %1; cvt.s32.s16 %0, t; }" : "=r"(y) : letter(value)); \
    asm("cvt.sat.u16." from " %0, %1;" : "=h"(h) : letter(value)); \
    asm("cvt.sat.s16." from " %0, %1;" : "=h"(k) : letter(value)); \
    out[i + 32 * row] = (x & 0xff) << 8 | (y & 0xff); \
    out[i + 32 * row + 32] = h << 16 | k;
#define TO_WORD(from, letter, value, row) \
    asm("cvt.sat.u32." from " %0, %1;" : "=r"(x) : letter(value)); \
    asm("cvt.sat.s32." from " %0, %1;" : "=r"(y) : letter(value)); \
    out[i + 32 * row] = x ^ y * 3;

extern "C" __global__ void kernel(unsigned *out, const unsigned long long *in, unsigned) {
    const unsigned i = threadIdx.x;
    const unsigned long long a = in[i];
    const unsigned w = (unsigned)(a >> (i & 31));
    const unsigned short s = (unsigned short)(a >> (i & 15));
    unsigned x, y;
    unsigned short h, k;
    unsigned long long l, m;
    TO_NARROW("u32", "r", w, 0)
    TO_NARROW("s32", "r", w, 2)
    TO_NARROW("u64", "l", a, 4)
    TO_NARROW("s64", "l", a, 6)
    TO_WORD("u64", "l", a, 8)
    TO_WORD("s64", "l", a, 9)
    asm("{ .reg .u16 t; cvt.sat.u8.s16 t, %1; cvt.u32.u16 %0, t; }" : "=r"(x) : "h"(s));
    asm("{ .reg .u16 t; cvt.sat.s8.u16 t, %1; cvt.s32.s16 %0, t; }" : "=r"(y) : "h"(s));
    asm("cvt.sat.u16.s16 %0, %1;" : "=h"(h) : "h"(s));
    asm("cvt.sat.s16.u16 %0, %1;" : "=h"(k) : "h"(s));
    out[i + 320] = (x & 0xff) ^ (y & 0xff) << 8 ^ h << 16 ^ k;
    asm("cvt.sat.u32.s32 %0, %1;" : "=r"(x) : "r"(w));
    asm("cvt.sat.s32.u32 %0, %1;" : "=r"(y) : "r"(w));
    out[i + 352] = x ^ y * 3;
    asm("cvt.sat.u64.s64 %0, %1;" : "=l"(l) : "l"(a));
    asm("cvt.sat.s64.u64 %0, %1;" : "=l"(m) : "l"(a));
    out[i + 384] = (unsigned)(l >> 32 ^ m >> 30 ^ l ^ m);
    const long long wide =
        (signed char)a * 3ll + (short)a * 5ll + (int)a * 7ll + (unsigned char)(a >> 8) + (unsigned short)(a >> 16);
    out[i + 416] = (unsigned)(wide ^ wide >> 32);
    asm("{ .reg .s16 t; cvt.s16.s8 t, %1; cvt.s32.s8 %0, t; }" : "=r"(x) : "h"(s));
    asm("{ .reg .u16 t; cvt.u8.u32 t, %1; cvt.u64.u8 %0, t; }" : "=l"(l) : "r"(w));
    out[i + 448] = x ^ (unsigned)l << 3;
}
