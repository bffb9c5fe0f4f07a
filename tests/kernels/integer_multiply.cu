// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums and products of 16, 32 and 64 bits: low, high, wide, with an addend.
// output: 480 u32 exact

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], w = in[i + 64];
    const int a = u, b = v, c = w;
    const unsigned long long lu = (unsigned long long)u << 32 | v, lv = (unsigned long long)v << 32 | w;
    const long long la = lu, lb = lv;
    const unsigned long long sums[] = {
        lu + lv, lu - lv, lu * lv, lu * lv + w, __umul64hi(lu, lv), (unsigned long long)__mul64hi(la, lb)};
    out[i] = u + v;
    out[i + 32] = u - v;
    out[i + 64] = u * v + w;
    out[i + 96] = __umulhi(u, v);
    out[i + 128] = __mulhi(a, b);
    out[i + 160] = __umulhi(u, v) + w;
    out[i + 192] = __mulhi(a, b) + c;
    unsigned long long wide = (unsigned long long)u * v + lv, narrow = (unsigned long long)((long long)a * b + lb);
    unsigned short us = u, vs = v, ws = w, product, sum;
    asm("mul.lo.u16 %0, %1, %2;" : "=h"(product) : "h"(us), "h"(vs));
    asm("mad.lo.u16 %0, %1, %2, %3;" : "=h"(sum) : "h"(us), "h"(vs), "h"(ws));
    out[i + 224] = product << 16 | sum;
    asm("mul.hi.u16 %0, %1, %2;" : "=h"(product) : "h"(us), "h"(vs));
    asm("mul.hi.s16 %0, %1, %2;" : "=h"(sum) : "h"(us), "h"(vs));
    out[i + 256] = product << 16 | sum;
    asm("mad.hi.u16 %0, %1, %2, %3;" : "=h"(product) : "h"(us), "h"(vs), "h"(ws));
    asm("mad.hi.s16 %0, %1, %2, %3;" : "=h"(sum) : "h"(us), "h"(vs), "h"(ws));
    out[i + 288] = product << 16 | sum;
    unsigned short added = us + vs, taken = us - vs;
    out[i + 320] = added << 16 | taken;
    out[i + 352] = (unsigned)us * vs + w;
    out[i + 384] = (short)us * (short)vs + c;
    for (int k = 0; k < 6; k++) {
        wide = wide * 31 + sums[k];
        narrow = (narrow ^ sums[k]) * 33;
    }
    out[i + 416] = (unsigned)(wide ^ wide >> 32);
    out[i + 448] = (unsigned)(narrow ^ narrow >> 32);
}
