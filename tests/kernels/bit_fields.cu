// SPDX-License-Identifier: MIT OR Apache-2.0
// Fields of bits: taken out, put in, found, counted, reversed, masked.
// output: 512 u32 exact

#define FOLD(wide) (unsigned)((wide) ^ (wide) >> 32)

extern "C" __global__ void kernel(unsigned *out, const unsigned *in, unsigned) {
    const unsigned i = threadIdx.x, u = in[i], v = in[i + 32], p = i * 3 % 40, n = i < 28 ? i * 5 % 37 : in[i + 64];
    const unsigned long long lu = (unsigned long long)u << 32 | v, lv = (unsigned long long)v << 32 | u;
    unsigned r, s;
    unsigned long long l, m;
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(out[i]) : "r"(u), "r"(p), "r"(n));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(out[i + 32]) : "r"(u), "r"(p), "r"(n));
    asm("bfe.u64 %0, %1, %2, %3;" : "=l"(l) : "l"(lu), "r"(p * 2), "r"(n));
    asm("bfe.s64 %0, %1, %2, %3;" : "=l"(m) : "l"(lu), "r"(p * 2), "r"(n));
    out[i + 64] = FOLD(l);
    out[i + 96] = FOLD(m);
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(out[i + 128]) : "r"(u), "r"(v), "r"(p), "r"(n));
    asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(l) : "l"(lu), "l"(lv), "r"(p * 2), "r"(n));
    out[i + 160] = FOLD(l);
    asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(i & 7 ? u >> i : 0));
    asm("bfind.s32 %0, %1;" : "=r"(s) : "r"((unsigned)((int)u >> i)));
    out[i + 192] = r * 64 + s;
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(i & 7 ? u >> i : 0));
    asm("bfind.shiftamt.s32 %0, %1;" : "=r"(s) : "r"((unsigned)((int)u >> i)));
    out[i + 224] = r * 64 + s;
    asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(lu >> 2 * i));
    asm("bfind.s64 %0, %1;" : "=r"(s) : "l"((unsigned long long)((long long)lu >> 2 * i)));
    out[i + 256] = r * 64 + s;
    asm("bfind.shiftamt.u64 %0, %1;" : "=r"(r) : "l"(lu >> 2 * i));
    asm("bfind.shiftamt.s64 %0, %1;" : "=r"(s) : "l"((unsigned long long)((long long)lu >> 2 * i)));
    out[i + 288] = r * 64 + s;
    out[i + 320] = __popc(u) << 24 | __popcll(lu) << 16 | __clz((int)(u >> i)) << 8 | __clzll((long long)(lv >> i));
    out[i + 352] = __brev(u);
    out[i + 384] = FOLD(__brevll(lu));
    out[i + 416] = __ffs((int)(u << i)) << 8 | __ffsll((long long)(lu << i));
    asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(p), "r"(n));
    asm("bmsk.wrap.b32 %0, %1, %2;" : "=r"(s) : "r"(p), "r"(n));
    out[i + 448] = r ^ s * 3;
    unsigned t, w;
    asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r) : "r"(u), "r"(n));
    asm("szext.clamp.s32 %0, %1, %2;" : "=r"(s) : "r"(u), "r"(n));
    asm("szext.wrap.u32 %0, %1, %2;" : "=r"(t) : "r"(u), "r"(n));
    asm("szext.wrap.s32 %0, %1, %2;" : "=r"(w) : "r"(u), "r"(n));
    out[i + 480] = r + s * 3 + t * 5 + w * 7;
}
