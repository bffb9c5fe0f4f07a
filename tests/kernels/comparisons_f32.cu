// SPDX-License-Identifier: MIT OR Apache-2.0
// Every comparison of f32 and of f64, ordered and not, alone and combined with a predicate.
// input: f64
// output: 128 u32 exact

#define COMPARE(name, bit) \
    asm("{ .reg .pred p, q; setp." name ".f32 p, %1, %2; setp." name \
        ".f64 q, %3, %4; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" \
        : "=r"(result) \
        : "f"(x), "f"(y), "d"(a), "d"(b)); \
    out[i + 32 * (bit / 16)] |= result << 2 * (bit % 16);
#define COMBINE(text, bit) \
    asm("{ .reg .pred p, q, r; setp.lt.f32 r, %2, %1; " text " selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" \
        : "=r"(result) \
        : "f"(x), "f"(y), "d"(a), "d"(b)); \
    out[i + 96] |= result << bit;

extern "C" __global__ void kernel(unsigned *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i], b = i % 5 == 0 ? a : in[i + 32];
    const float x = (float)a, y = i % 7 == 0 ? x : (float)b;
    unsigned result;
    out[i] = out[i + 32] = out[i + 64] = out[i + 96] = 0;
    COMPARE("eq", 0)
    COMPARE("ne", 1)
    COMPARE("lt", 2)
    COMPARE("le", 3)
    COMPARE("gt", 4)
    COMPARE("ge", 5)
    COMPARE("equ", 6)
    COMPARE("neu", 7)
    COMPARE("ltu", 8)
    COMPARE("leu", 9)
    COMPARE("gtu", 10)
    COMPARE("geu", 11)
    COMPARE("num", 12)
    COMPARE("nan", 13)
    COMBINE("setp.ge.and.f32 p|q, %1, %2, r;", 0)
    COMBINE("setp.ne.or.ftz.f32 p|q, %1, %2, !r;", 2)
    COMBINE("setp.leu.xor.f64 p|q, %3, %4, r;", 4)
    COMBINE("setp.eq.ftz.f32 p|q, %1, %2;", 6)
    COMBINE("setp.gtu.and.f64 p|q, %3, %4, !r;", 8)
    out[i + 64] =
        (x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (a < b) << 6 | !(a >= b) << 7;
}
