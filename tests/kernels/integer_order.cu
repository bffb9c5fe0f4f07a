// SPDX-License-Identifier: MIT OR Apache-2.0
// min, max, abs, neg and sad of every integer type.
// output: 512 u32 exact

#define SHORTS(name, row) \
    asm(name ".u16 %0, %1, %2;" : "=h"(x) : "h"(us), "h"(vs)); \
    asm(name ".s16 %0, %1, %2;" : "=h"(y) : "h"(us), "h"(vs)); \
    out[i + 32 * row] = x << 16 | y;
#define LONGS(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=l"(wide) : "l"(lu), "l"(lv)); \
    out[i + 32 * row] = (unsigned)(wide ^ wide >> 32);
#define SADS(type, letter, a, b, c, target, row) \
    asm("sad." type " %0, %1, %2, %3;" : "=" letter(target) : letter(a), letter(b), letter(c)); \
    out[i + 32 * row] = (unsigned)target;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    const unsigned long long lu = (unsigned long long)u << 32 | v, lv = (unsigned long long)v << 32 | w;
    const unsigned short us = u, vs = v, ws = w;
    unsigned short x, y;
    unsigned narrow;
    unsigned long long wide;
    out[i] = umin(u, v) ^ (unsigned)min((int)u, (int)v) * 3;
    out[i + 32] = umax(u, v) ^ (unsigned)max((int)u, (int)v) * 3;
    SHORTS("min", 2)
    SHORTS("max", 3)
    LONGS("min.u64", 4)
    LONGS("min.s64", 5)
    LONGS("max.u64", 6)
    LONGS("max.s64", 7)
    out[i + 256] = abs((int)u) + 3 * -(int)v;
    asm("abs.s16 %0, %1;" : "=h"(x) : "h"(us));
    asm("neg.s16 %0, %1;" : "=h"(y) : "h"(vs));
    out[i + 288] = x << 16 | y;
    asm("abs.s64 %0, %1;" : "=l"(wide) : "l"(lu));
    out[i + 320] = (unsigned)(wide ^ wide >> 32);
    asm("neg.s64 %0, %1;" : "=l"(wide) : "l"(lv));
    out[i + 352] = (unsigned)(wide ^ wide >> 32);
    SADS("u32", "r", u, v, w, narrow, 12)
    SADS("s32", "r", u, v, w, narrow, 13)
    asm("sad.u16 %0, %1, %2, %3;" : "=h"(x) : "h"(us), "h"(vs), "h"(ws));
    asm("sad.s16 %0, %1, %2, %3;" : "=h"(y) : "h"(us), "h"(vs), "h"(ws));
    out[i + 448] = x << 16 | y;
    SADS("u64", "l", lu, lv, (unsigned long long)w, wide, 15)
    asm("sad.s64 %0, %1, %2, %3;" : "=l"(wide) : "l"(lu), "l"(lv), "l"(lu));
    out[i + 480] ^= (unsigned)(wide ^ wide >> 32);
}
