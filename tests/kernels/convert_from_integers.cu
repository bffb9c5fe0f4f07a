// SPDX-License-Identifier: MIT OR Apache-2.0
// Integers of every width to f32, f64 and f16 in the four roundings.
// input: u64
// output: 32 u32 exact
// output: 448 u32 exact

#define FOUR(from, source, value, row) \
    asm("cvt.rn.f32." from " %0, %1;" : "=f"(f) : source(value)); \
    mixed = __float_as_uint(f); \
    asm("cvt.rz.f32." from " %0, %1;" : "=f"(f) : source(value)); \
    mixed = mixed * 31 + __float_as_uint(f); \
    asm("cvt.rm.f32." from " %0, %1;" : "=f"(f) : source(value)); \
    mixed = mixed * 31 + __float_as_uint(f); \
    asm("cvt.rp.f32." from " %0, %1;" : "=f"(f) : source(value)); \
    out[i + 32 * row] = mixed * 31 + __float_as_uint(f);
#define WIDE(rounding, from, source, value) \
    asm("cvt." rounding ".f64." from " %0, %1;" : "=d"(d) : source(value)); \
    bits = bits * 31 + __double_as_longlong(d);
#define HALF(rounding, from, source, value) \
    asm("cvt." rounding ".f16." from " %0, %1;" : "=h"(h) : source(value)); \
    mixed = mixed * 31 + h;

extern "C" __global__ void kernel(unsigned *out, const unsigned long long *in, unsigned) {
    const unsigned i = threadIdx.x;
    const unsigned long long l = in[i] >> (i & 31);
    const unsigned w = (unsigned)l;
    const unsigned short s = (unsigned short)w;
    float f;
    double d;
    unsigned short h;
    unsigned mixed;
    unsigned long long bits = 0;
    FOUR("u16", "h", s, 0)
    FOUR("s16", "h", s, 1)
    FOUR("u32", "r", w, 2)
    FOUR("s32", "r", w, 3)
    FOUR("u64", "l", l, 4)
    FOUR("s64", "l", l, 5)
    WIDE("rn", "u64", "l", l)
    WIDE("rz", "u64", "l", l)
    WIDE("rm", "s64", "l", l)
    WIDE("rp", "s64", "l", l)
    out[i + 192] = (unsigned)(bits ^ bits >> 32);
    WIDE("rn", "u32", "r", w)
    WIDE("rn", "s32", "r", w)
    WIDE("rn", "u16", "h", s)
    WIDE("rn", "s16", "h", s)
    out[i + 224] = (unsigned)(bits ^ bits >> 32);
    mixed = 0;
    HALF("rn", "u32", "r", w)
    HALF("rz", "s32", "r", w)
    HALF("rm", "u32", "r", w)
    HALF("rp", "s32", "r", w)
    out[i + 256] = mixed;
    HALF("rn", "u16", "h", s)
    HALF("rn", "s16", "h", s)
    HALF("rn", "u64", "l", l)
    HALF("rn", "s64", "l", l)
    out[i + 288] = mixed;
    out[i + 320] = __float_as_uint((float)(signed char)w) ^ __float_as_uint((float)(unsigned char)(w >> 8));
    out[i + 352] = __float_as_uint(__ll2float_rz((long long)l));
    out[i + 384] = __float_as_uint((float)l);
    out[i + 416] = (unsigned)__double_as_longlong((double)(long long)l);
    asm("{ .reg .u16 t; cvt.u16.u32 t, %1; cvt.rn.f32.u8 %0, t; }" : "=f"(f) : "r"(w));
    out[i + 448] = __float_as_uint(f);
}
