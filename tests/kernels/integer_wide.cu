// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums and products of 64 bits, each result in whole.
// input: u64
// output: 480 u64 exact

typedef unsigned long long u64;
typedef long long s64;

extern "C" __global__ void kernel(u64 *out, const u64 *in, unsigned) {
    const unsigned i = threadIdx.x;
    const u64 u = in[i], v = in[i + 32], w = in[i + 64];
    const s64 a = u, b = v;
    out[i] = u + v;
    out[i + 32] = u - v;
    out[i + 64] = u * v;
    out[i + 96] = u * v + w;
    out[i + 128] = __umul64hi(u, v);
    out[i + 160] = __mul64hi(a, b);
    asm("mad.hi.u64 %0, %1, %2, %3;" : "=l"(out[i + 192]) : "l"(u), "l"(v), "l"(w));
    asm("mad.hi.s64 %0, %1, %2, %3;" : "=l"(out[i + 224]) : "l"(u), "l"(v), "l"(w));
    out[i + 256] = (u64)(unsigned)u * (unsigned)v;
    out[i + 288] = (s64)(int)u * (int)v;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(out[i + 320]) : "r"((unsigned)u), "r"((unsigned)v), "l"(w));
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(out[i + 352]) : "r"((unsigned)u), "r"((unsigned)v), "l"(w));
    out[i + 384] = (u64)-a;
    out[i + 416] = (u64)(a < 0 ? -a : a);
    out[i + 448] = (u64)llabs(b) + llmin(a, b) - llmax(a, b) + ullmin(u, v) * ullmax(u, v);
}
