// SPDX-License-Identifier: MIT OR Apache-2.0
// Sums, differences and products of many words, by the carry and by 128-bit integers.
// options: --device-int128
// output: 448 u32 exact

typedef unsigned long long u64;

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, a0 = in[i], a1 = in[i + 32], a2 = in[i + 64], b0 = in[i + 96], b1 = in[i + 128],
                   b2 = in[i + 160];
    unsigned r0, r1, r2, r3;
    asm("add.cc.u32 %0, %4, %7;\n\taddc.cc.u32 %1, %5, %8;\n\taddc.cc.s32 %2, %6, %9;\n\taddc.u32 %3, 0, 0;"
        : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(b0), "r"(b1), "r"(b2));
    out[i] = r0;
    out[i + 32] = r1 ^ r2;
    out[i + 64] = r3;
    asm("sub.cc.u32 %0, %4, %7;\n\tsubc.cc.u32 %1, %5, %8;\n\tsubc.cc.s32 %2, %6, %9;\n\tsubc.u32 %3, 0, 0;"
        : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
        : "r"(a0), "r"(a1), "r"(a2), "r"(b0), "r"(b1), "r"(b2));
    out[i + 96] = r0;
    out[i + 128] = r1 ^ r2;
    out[i + 160] = r3;
    asm("mad.lo.cc.u32 %0, %4, %5, %6;\n\tmadc.hi.cc.u32 %1, %4, %5, %7;\n\tmadc.lo.cc.u32 %2, %6, %7, %4;\n\tmadc.hi.u32 %3, %6, "
        "%7, 0;"
        : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
        : "r"(a0), "r"(b0), "r"(a1), "r"(b1));
    out[i + 192] = r0 ^ r1;
    out[i + 224] = r2 ^ r3;
    asm("mad.hi.cc.u32 %0, %4, %5, %6;\n\tmadc.lo.u32 %1, %4, %5, %7;\n\tmad.hi.cc.s32 %2, %4, %5, %6;\n\tmadc.lo.s32 %3, %6, %7, "
        "%5;"
        : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
        : "r"(a0), "r"(b0), "r"(a1), "r"(b1));
    out[i + 256] = r0 ^ r1 ^ r2 ^ r3;
    asm("mad.lo.cc.s32 %0, %4, %5, %6;\n\tmadc.hi.cc.s32 %1, %4, %5, %7;\n\tmadc.lo.cc.s32 %2, %6, %7, %5;\n\tmadc.hi.s32 %3, %6, "
        "%7, %4;"
        : "=r"(r0), "=r"(r1), "=r"(r2), "=r"(r3)
        : "r"(a0), "r"(b0), "r"(a1), "r"(b1));
    out[i + 288] = r0 ^ r1 ^ r2 ^ r3;
    const u64 la = (u64)a0 << 32 | a1, lb = (u64)b0 << 32 | b1;
    u64 l0, l1, l2;
    asm("add.cc.u64 %0, %3, %4;\n\taddc.cc.s64 %1, %4, %4;\n\taddc.u64 %2, %3, 0;"
        : "=l"(l0), "=l"(l1), "=l"(l2)
        : "l"(la), "l"(lb));
    out[i + 320] = (unsigned)(l0 ^ l0 >> 32 ^ l1 ^ l1 >> 32 ^ l2 ^ l2 >> 32);
    asm("sub.cc.u64 %0, %3, %4;\n\tsubc.cc.s64 %1, %4, %3;\n\tsubc.u64 %2, %3, 0;"
        : "=l"(l0), "=l"(l1), "=l"(l2)
        : "l"(la), "l"(lb));
    out[i + 352] = (unsigned)(l0 ^ l0 >> 32 ^ l1 ^ l1 >> 32 ^ l2 ^ l2 >> 32);
    const unsigned __int128 x = (unsigned __int128)la << 64 | lb, y = (unsigned __int128)lb << 64 | a2;
    const unsigned __int128 sum = x + y, difference = x - y, product = x * y;
    out[i + 384] = (unsigned)(sum >> 96 ^ difference >> 96 ^ product >> 96);
    out[i + 416] = (unsigned)(x / (y | 1) + (unsigned)((__int128)x % (__int128)(y | 1) >> 3) + (x << (a0 & 127)) +
                              ((__int128)x >> (b0 & 127)));
}
