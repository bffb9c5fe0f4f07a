// SPDX-License-Identifier: MIT OR Apache-2.0
// set, slct and selp: results of comparisons as numbers, and choices.
// input: f32
// output: 512 u32 exact

#define SET(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "f"(a), "f"(b));
#define INTEGERS(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "r"(u), "r"(v));
#define LONGS(instruction, row) asm(instruction " %0, %1, %2;" : "=r"(out[i + 32 * row]) : "l"(lu), "l"(lv));

extern "C" __global__ void kernel(unsigned *out, const float *in, unsigned) {
    const unsigned i = threadIdx.x;
    const float a = in[i], b = i % 6 ? in[i + 32] : a;
    const unsigned u = __float_as_uint(a), v = __float_as_uint(b);
    const unsigned long long lu = (unsigned long long)u << 32 | v, lv = (unsigned long long)v << 32 | u;
    float single;
    double wide;
    unsigned long long chosen;
    SET("set.lt.u32.f32", 0)
    SET("set.geu.s32.f32", 1)
    asm("set.ne.ftz.f32.f32 %0, %1, %2;" : "=f"(single) : "f"(a), "f"(b));
    out[i + 64] = __float_as_uint(single);
    INTEGERS("set.le.u32.s32", 3)
    INTEGERS("set.hi.s32.u32", 4)
    INTEGERS("set.eq.u32.b32", 5)
    asm("set.gt.f32.s32 %0, %1, %2;" : "=f"(single) : "r"(u), "r"(v));
    out[i + 192] = __float_as_uint(single);
    LONGS("set.lt.u32.s64", 7)
    LONGS("set.hs.s32.u64", 8)
    asm("{ .reg .pred p; setp.gt.f32 p, %1, 0f00000000; set.eq.and.u32.f32 %0, %1, %2, p; }" : "=r"(out[i + 288]) : "f"(a), "f"(b));
    asm("{ .reg .pred p; setp.gt.f32 p, %1, 0f00000000; set.num.xor.s32.f32 %0, %1, %2, !p; }"
        : "=r"(out[i + 320])
        : "f"(a), "f"(b));
    asm("slct.u32.s32 %0, %1, %2, %3;" : "=r"(out[i + 352]) : "r"(u), "r"(v), "r"(i - 16));
    asm("slct.f32.f32 %0, %1, %2, %3;" : "=f"(single) : "f"(a), "f"(b), "f"(in[i + 64]));
    out[i + 384] = __float_as_uint(single);
    asm("slct.b64.f32 %0, %1, %2, %3;" : "=l"(chosen) : "l"(lu), "l"(lv), "f"(in[i + 64]));
    asm("slct.ftz.f64.f32 %0, %1, %2, %3;" : "=d"(wide) : "d"((double)a), "d"((double)b), "f"(in[i + 96]));
    out[i + 416] = (unsigned)chosen ^ (unsigned)__double_as_longlong(wide) ^ (unsigned)(__double_as_longlong(wide) >> 32);
    asm("{ .reg .pred p; setp.nan.f32 p, %1, %2; selp.f32 %0, %1, %2, p; }" : "=f"(single) : "f"(a), "f"(b));
    out[i + 448] = __float_as_uint(single);
    asm("{ .reg .pred p; setp.lt.f64 p, %1, %2; selp.f64 %0, %1, %2, p; }" : "=d"(wide) : "d"((double)a), "d"((double)b));
    asm("{ .reg .pred p; setp.lt.u64 p, %1, %2; selp.b64 %0, %1, %2, p; }" : "=l"(chosen) : "l"(lu), "l"(lv));
    out[i + 480] = (unsigned)chosen + (unsigned)(__double_as_longlong(wide) >> 32);
}
