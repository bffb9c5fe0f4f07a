// SPDX-License-Identifier: MIT OR Apache-2.0
// f32, f64 and f16 to each other in the four roundings, and to whole numbers of their own type.
// input: f64
// output: 512 u32 exact

#define SINGLE(text, row) \
    asm(text " %0, %1;" : "=f"(f) : "d"(a)); \
    out[i + 32 * row] = __float_as_uint(f);
#define WHOLE(text, row) \
    asm(text " %0, %1;" : "=f"(f) : "f"(x)); \
    out[i + 32 * row] = __float_as_uint(f);
#define HALF(text, letter, value) \
    asm(text " %0, %1;" : "=h"(h) : letter(value)); \
    mixed = mixed << 16 | h;
#define WIDE(text, row) \
    asm(text " %0, %1;" : "=d"(d) : "d"(a)); \
    out[i + 32 * row] = (unsigned)(__double_as_longlong(d) ^ __double_as_longlong(d) >> 32);

extern "C" __global__ void kernel(unsigned *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i];
    const float x = i & 1 ? (float)a : __uint_as_float((unsigned)__double_as_longlong(a));
    float f;
    double d;
    unsigned short h;
    unsigned mixed = 0;
    SINGLE("cvt.rn.f32.f64", 0)
    SINGLE("cvt.rz.f32.f64", 1)
    SINGLE("cvt.rm.ftz.f32.f64", 2)
    SINGLE("cvt.rp.sat.f32.f64", 3)
    WHOLE("cvt.rni.f32.f32", 4)
    WHOLE("cvt.rzi.f32.f32", 5)
    WHOLE("cvt.rmi.f32.f32", 6)
    WHOLE("cvt.rpi.ftz.f32.f32", 7)
    WHOLE("cvt.sat.f32.f32", 8)
    WHOLE("cvt.ftz.sat.f32.f32", 9)
    HALF("cvt.rn.f16.f32", "f", x)
    HALF("cvt.rz.f16.f32", "f", x)
    out[i + 320] = mixed;
    HALF("cvt.rm.f16.f64", "d", a)
    HALF("cvt.rp.ftz.f16.f32", "f", x)
    out[i + 352] = mixed;
    WIDE("cvt.rni.f64.f64", 12)
    WIDE("cvt.rmi.f64.f64", 13)
    asm("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(x));
    h = (unsigned short)(i * 2113);
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(h));
    out[i + 448] = (unsigned)(__double_as_longlong(d) >> 32) ^ (unsigned)__double_as_longlong(d) ^ __float_as_uint(f);
    asm("cvt.ftz.f64.f32 %0, %1;" : "=d"(d) : "f"(x));
    asm("{ .reg .b16 t; cvt.rn.sat.f16.f32 t, %1; cvt.rzi.f16.f16 %0, t; }" : "=h"(h) : "f"(x));
    out[i + 480] = (unsigned)(__double_as_longlong(d) >> 32) + h;
    asm("{ .reg .f64 t; cvt.f64.f16 t, %1; cvt.rpi.sat.f64.f64 %0, t; }" : "=d"(d) : "h"((unsigned short)(i * 2113)));
    out[i + 480] ^= (unsigned)(__double_as_longlong(d) >> 32);
}
