// SPDX-License-Identifier: MIT OR Apache-2.0
// setp and set whose result is combined with a predicate: of unsigned numbers by their own names of the comparisons, of signed
// ones, of bits, and of f64; and set of f64 alone.
// input: f64
// output: 416 u32 exact

#define WITH_PREDICATE "{ .reg .pred p, q; setp.lt.u32 p, %3, 16; "
#define SETP(instruction, operands, row) \
    asm(WITH_PREDICATE instruction " q, %1, %2, " operands "; selp.u32 %0, 1, 0, q; }" \
        : "=r"(out[i + 32 * row]) \
        : "r"(u), "r"(v), "r"(i));
#define SET(instruction, operands, constraint, x, y, row) \
    asm(WITH_PREDICATE instruction " %0, %1, %2, " operands "; }" : "=r"(out[i + 32 * row]) : constraint(x), constraint(y), "r"(i));

extern "C" __global__ void kernel(unsigned *out, const double *in, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = in[i], b = i % 6 ? in[i + 32] : a;
    const long long l = __double_as_longlong(a), m = __double_as_longlong(b);
    const unsigned u = (unsigned)(l >> 40), v = (unsigned)(m >> 40);
    SETP("setp.lo.and.u32", "p", 0)
    SETP("setp.ls.or.u32", "!p", 1)
    SETP("setp.hi.xor.u32", "p", 2)
    SETP("setp.hs.and.u32", "!p", 3)
    SET("set.eq.and.u32.b32", "p", "r", u, v, 4)
    SET("set.ge.or.s32.s32", "!p", "r", u, v, 5)
    SET("set.lt.xor.u32.s64", "p", "l", l, m, 6)
    SET("set.hi.and.u32.u64", "p", "l", l, m, 7)
    SET("set.ls.or.f32.u32", "!p", "r", u, v, 8)
    SET("set.ltu.and.u32.f64", "p", "d", a, b, 9)
    SET("set.gt.xor.f32.f64", "!p", "d", a, b, 10)
    asm("set.neu.u32.f64 %0, %1, %2;" : "=r"(out[i + 352]) : "d"(a), "d"(b));
    asm("set.num.f32.f64 %0, %1, %2;" : "=r"(out[i + 384]) : "d"(a), "d"(b));
}
