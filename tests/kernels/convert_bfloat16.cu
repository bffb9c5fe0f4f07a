// SPDX-License-Identifier: MIT OR Apache-2.0
// bfloat16 from and to every other type (PTX ISA 7.8, sm_90).
// needs: 90
// input: f64
// output: 480 u32 exact

#define TO(text, letter, value, row) \
    asm(text " %0, %1;" : "=h"(h) : letter(value)); \
    out[i + 32 * row] = h;

extern "C" __global__ void kernel(unsigned *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i];
    const unsigned long long l = __double_as_longlong(a);
    const unsigned w = (unsigned)l;
    unsigned short h;
    float f;
    double d;
    unsigned x;
    int y;
    unsigned long long z;
    TO("cvt.rn.bf16.f64", "d", a, 0)
    TO("cvt.rz.bf16.f64", "d", a, 1)
    TO("cvt.rn.bf16.u32", "r", w, 2)
    TO("cvt.rm.bf16.s32", "r", w, 3)
    TO("cvt.rp.bf16.u64", "l", l, 4)
    TO("cvt.rn.bf16.s16", "h", (unsigned short)w, 5)
    TO("cvt.rn.bf16.f16", "h", (unsigned short)w, 6)
    TO("cvt.rn.f16.bf16", "h", (unsigned short)w, 7)
    TO("cvt.rni.bf16.bf16", "h", (unsigned short)w, 8)
    asm("cvt.f32.bf16 %0, %1;" : "=f"(f) : "h"((unsigned short)w));
    asm("cvt.f64.bf16 %0, %1;" : "=d"(d) : "h"((unsigned short)w));
    out[i + 288] = __float_as_uint(f);
    out[i + 320] = (unsigned)(__double_as_longlong(d) >> 32);
    asm("cvt.rni.u32.bf16 %0, %1;" : "=r"(x) : "h"((unsigned short)w));
    asm("cvt.rzi.s32.bf16 %0, %1;" : "=r"(y) : "h"((unsigned short)w));
    asm("cvt.rpi.s64.bf16 %0, %1;" : "=l"(z) : "h"((unsigned short)w));
    out[i + 352] = x;
    out[i + 384] = (unsigned)y;
    out[i + 416] = (unsigned)(z ^ z >> 32);
    asm("cvt.ftz.f32.bf16 %0, %1;" : "=f"(f) : "h"((unsigned short)w));
    out[i + 448] = __float_as_uint(f);
}
