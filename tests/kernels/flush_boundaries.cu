// SPDX-License-Identifier: MIT OR Apache-2.0
// .ftz where a result is near the smallest normal number: flushed if it is below with all the bits that a normal number has.
// output: 448 u32 exact

// Times one another, or added to the smallest normal number: below it by its last bit, by half of that, by a little less.
__constant__ unsigned as[] = {0x3f7fffff, 0x3f7ffffe, 0x3f7fffff, 0x20000400, 0x20000400, 0x20000800, 0x19800000, 0x19000000,
                              0x3f800000, 0x00ffffff, 0x3f800001, 0x1f800001, 0x20800400, 0x19800000, 0x18800000, 0x3f7fffff};
__constant__ unsigned bs[] = {0x00800000, 0x00800000, 0x00800001, 0x1ffff800, 0x1ffff7ff, 0x1ffff000, 0x19800000, 0x19800000,
                              0x00800000, 0x3f000000, 0x00800000, 0x1fffffff, 0x1f7ff800, 0x1a000000, 0x19800000, 0x00800002};
__constant__ unsigned long long wide[] = {
    0x380fffffe0000000, 0x380fffffe0000001, 0x380fffffefffffff, 0x380ffffff0000000, 0x380ffffff0000001, 0x380fffffffffffff,
    0x3810000000000000, 0x380fffffdfffffff, 0x380fffffd0000000, 0x380fffffc0000000, 0x3810000000000001, 0x3800000000000000,
    0x36a0000000000000, 0x380ffffeffffffff, 0x0000000000000001, 0x3810000010000000};
__constant__ unsigned short half_as[] = {0x3bff, 0x3bfe, 0x2008, 0x2010, 0x0400, 0x0800, 0x0400, 0x03ff,
                                         0x2004, 0x3c00, 0x3c01, 0x07ff, 0x2008, 0x2020, 0x0200, 0x3bff};
__constant__ unsigned short half_bs[] = {0x0400, 0x0400, 0x1ff0, 0x1fe0, 0x0400, 0x0400, 0x0800, 0x3c00,
                                         0x1ff8, 0x0400, 0x0400, 0x3800, 0x1fef, 0x1fc0, 0x0400, 0x0401};

#define ROW(row) out[i + 32 * (row)]
#define TWO(instruction, row) asm(instruction " %0, %1, %2;" : "=f"(x) : "f"(a), "f"(b)); ROW(row) = __float_as_uint(x);
#define THREE(instruction, row) \
    asm(instruction " %0, %1, %2, %3;" : "=f"(x) : "f"(a), "f"(b), "f"(c)); ROW(row) = __float_as_uint(x);
#define NARROW(instruction, row) asm(instruction " %0, %1;" : "=f"(x) : "d"(d)); ROW(row) = __float_as_uint(x);

extern "C" __global__ void kernel(unsigned *out, const unsigned *, unsigned) {
    const unsigned i = threadIdx.x, sign = i / 16 << 31;
    const float a = __uint_as_float(as[i % 16] ^ sign), b = __uint_as_float(bs[i % 16]);
    const float c = __uint_as_float(0x00800000 ^ sign ^ 0x80000000); // the product's sign is the other
    const double d = __longlong_as_double(wide[i % 16] ^ (unsigned long long)sign << 32);
    const unsigned short ha = half_as[i % 16] ^ sign >> 16, hb = half_bs[i % 16], hc = 0x0400 ^ sign >> 16 ^ 0x8000;
    float x;
    unsigned short h;
    TWO("mul.rn.ftz.f32", 0)
    TWO("mul.rz.ftz.f32", 1)
    TWO("mul.rm.ftz.f32", 2)
    TWO("mul.rp.ftz.f32", 3)
    THREE("fma.rn.ftz.f32", 4)
    THREE("fma.rz.ftz.f32", 5)
    THREE("fma.rm.ftz.f32", 6)
    THREE("fma.rp.ftz.f32", 7)
    NARROW("cvt.rn.ftz.f32.f64", 8)
    NARROW("cvt.rz.ftz.f32.f64", 9)
    NARROW("cvt.rm.ftz.f32.f64", 10)
    NARROW("cvt.rp.ftz.f32.f64", 11)
    asm("mul.rn.ftz.f16 %0, %1, %2;" : "=h"(h) : "h"(ha), "h"(hb)); ROW(12) = h;
    asm("fma.rn.ftz.f16 %0, %1, %2, %3;" : "=h"(h) : "h"(ha), "h"(hb), "h"(hc)); ROW(13) = h;
}
