// SPDX-License-Identifier: MIT OR Apache-2.0
// What kind of number: testp of f32 and f64, and what CUDA C++ makes of isnan and the like.
// input: f64
// output: 64 u32 exact

#define TEST(which, bit) \
    asm("{ .reg .pred p, q; testp." which ".f32 p, %1; testp." which ".f64 q, %2; selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" \
        : "=r"(kind) \
        : "f"(single), "d"(a)); \
    kinds |= kind << bit;

extern "C" __global__ void kernel(unsigned *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i];
    const float single = i & 1 ? (float)a : __uint_as_float((unsigned)__double_as_longlong(a));
    unsigned kinds = 0, kind;
    TEST("finite", 0)
    TEST("infinite", 2)
    TEST("number", 4)
    TEST("notanumber", 6)
    TEST("normal", 8)
    TEST("subnormal", 10)
    out[i] = kinds;
    out[i + 32] = isnan(a) | isinf(single) << 1 | isfinite(a) << 2 | !!signbit(single) << 3;
}
