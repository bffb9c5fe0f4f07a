// SPDX-License-Identifier: MIT OR Apache-2.0
// Which NaN of f64 goes on of several, and what is left of one in a narrower number.
// output: 640 u64 exact

#define QUIET 0x7ff8000000000123ull
#define SIGNALLING 0x7ff0dead00000001ull
#define NEGATIVE 0xfff8000000000456ull

__constant__ unsigned long long firsts[] = {QUIET,  SIGNALLING, NEGATIVE, 0xfff4000000000000ull, 0x3ff8000000000000ull,
                                            0xbff8000000000000ull, 0x7ff0000000000000ull, 0};
__constant__ unsigned long long seconds[] = {0x7ff8000000000055ull, 0xfff0000000000066ull, 0x3ff0000000000000ull,
                                             0xfff0000000000000ull};
__constant__ unsigned singles[] = {0x7f800001, 0x7fc00123, 0xffc00456, 0xffffffff, 0x3f800000, 0x80000000, 0xff800000, 1};
__constant__ unsigned short halves[] = {0x7c01, 0x7e12, 0xfe12, 0xffff, 0x3c00, 0x8000, 0xfc00, 1};

#define ROW(row) out[i + 32 * (row)]
#define ONE(instruction, row) asm(instruction " %0, %1;" : "=d"(result) : "d"(a)); ROW(row) = __double_as_longlong(result);
#define TWO(instruction, row) \
    asm(instruction " %0, %1, %2;" : "=d"(result) : "d"(a), "d"(b)); ROW(row) = __double_as_longlong(result);
#define THREE(instruction, row, x, y, z) \
    asm(instruction " %0, %1, %2, %3;" : "=d"(result) : "d"(x), "d"(y), "d"(z)); ROW(row) = __double_as_longlong(result);

extern "C" __global__ void kernel(unsigned long long *out, const unsigned *, unsigned) {
    const unsigned i = threadIdx.x;
    const double a = __longlong_as_double(firsts[i % 8]), b = __longlong_as_double(seconds[i / 8]);
    double result;
    float single;
    unsigned short half;
    TWO("add.rn.f64", 0)
    TWO("sub.rn.f64", 1)
    TWO("mul.rn.f64", 2)
    TWO("div.rn.f64", 3)
    TWO("add.rz.f64", 4)
    TWO("mul.rp.f64", 5)
    TWO("sub.rm.f64", 6)
    TWO("min.f64", 7)
    TWO("max.f64", 8)
    THREE("fma.rn.f64", 9, a, b, 1.0)
    ONE("neg.f64", 10)
    ONE("abs.f64", 11)
    ONE("sqrt.rn.f64", 12)
    ONE("rcp.rn.f64", 13)
    ONE("cvt.rni.f64.f64", 14)
    ONE("cvt.rzi.f64.f64", 15)
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(single) : "d"(a)); ROW(16) = __float_as_uint(single);
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(half) : "d"(a)); ROW(17) = half;
    asm("cvt.f64.f32 %0, %1;" : "=d"(result) : "f"(__uint_as_float(singles[i % 8]))); ROW(18) = __double_as_longlong(result);
    asm("cvt.f64.f16 %0, %1;" : "=d"(result) : "h"(halves[i % 8])); ROW(19) = __double_as_longlong(result);
}
