/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What random kernels are made of: the same functions for a device, by its own instructions, and for the host, written out.
 * generate.py puts this text at the top of each batch, so that a batch is one file. */
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef int i32;
typedef unsigned int u32;
typedef long long i64;
typedef unsigned long long u64;
typedef float f32;
typedef double f64;
typedef unsigned __int128 u128;
typedef __int128 i128;

#ifdef __CUDACC_RTC__
#define KERNEL extern "C" __global__
#define CONSTANT __constant__ const
#define VARIABLE __device__ const
#define NOINLINE __noinline__
#define EITHER(device, host) device
#else
#include <cfenv>
#include <cmath>
#include <cstring>
#define KERNEL
#define CONSTANT static const
#define VARIABLE static const
#define NOINLINE __attribute__((noinline))
#define EITHER(device, host) host
#endif

/* ---- bits of floats; there is but one NaN, since a device's and a host's differ ---- */

#define BITS(name, to, from, intrinsic) \
    static inline to name(from value) { \
        EITHER(return intrinsic(value), to bits; memcpy(&bits, &value, sizeof bits); return bits); \
    }
BITS(as_f32, f32, u32, __uint_as_float)
BITS(as_f64, f64, u64, __longlong_as_double)
BITS(raw_bits_f32, u32, f32, __float_as_uint)
BITS(raw_bits_f64, u64, f64, (u64)__double_as_longlong)

template <class T> static inline bool is_nan(T value) {
    return value != value;
}
static inline u32 bits_of(f32 value) {
    return is_nan(value) ? 0x7fffffffu : raw_bits_f32(value);
}
static inline u64 bits_of(f64 value) {
    return is_nan(value) ? 0x7fffffffffffffffu : raw_bits_f64(value);
}
template <class T> static inline u64 bits_of(T value) {
    return (u64)value;
}

/* ---- integers ---- */

template <class T> static inline T lesser(T a, T b) {
    return a < b ? a : b;
}
template <class T> static inline T greater(T a, T b) {
    return a > b ? a : b;
}
/* ptxas does not extend the sign of neg.s16 and abs.s16 again, and so takes what they make of -32768 for 32768 where it becomes
 * wider or is compared (docs/driver-behaviour.md): in 16 bits, numbers that may be negated are odd. */
template <class T> static inline T negatable(T a) {
    return sizeof(T) == 2 ? (T)(a | 1) : a;
}
template <class T> static inline T negated(T a) {
    return (T)(0 - (u64)negatable(a));
}
template <class T> static inline T magnitude(T a) {
    return negatable(a) < 0 ? negated(a) : negatable(a);
}
/* C leaves division by zero open, and the lowest number by -1. */
template <class T> static inline bool is_divisible(T a, T b) {
    const T lowest = (T)((u64)1 << (sizeof(T) * 8 - 1));
    return b != 0 && !((T)-1 < 0 && b == (T)-1 && a == lowest);
}
template <class T> static inline T quotient(T a, T b) {
    return is_divisible(a, b) ? (T)(a / b) : a;
}
template <class T> static inline T remainder_of(T a, T b) {
    return is_divisible(a, b) ? (T)(a % b) : a;
}
static inline u64 high_product(u64 a, u64 b) {
    return EITHER(__umul64hi(a, b), (u64)((u128)a * b >> 64));
}
static inline i64 high_product(i64 a, i64 b) {
    return EITHER(__mul64hi(a, b), (i64)((i128)a * b >> 64));
}
static inline u32 high_product(u32 a, u32 b) {
    return EITHER(__umulhi(a, b), (u32)((u64)a * b >> 32));
}
static inline i32 high_product(i32 a, i32 b) {
    return EITHER(__mulhi(a, b), (i32)((i64)a * b >> 32));
}
static inline u32 product_24(u32 a, u32 b) {
    return EITHER(__umul24(a, b), (a & 0xffffffu) * (b & 0xffffffu));
}
static inline u32 population(u32 a) {
    return (u32)(EITHER(__popc(a), __builtin_popcount(a)));
}
static inline u32 population(u64 a) {
    return (u32)(EITHER(__popcll(a), __builtin_popcountll(a)));
}
static inline u32 leading_zeros(u32 a) {
    return (u32)(EITHER(__clz((i32)a), a ? __builtin_clz(a) : 32));
}
static inline u32 leading_zeros(u64 a) {
    return (u32)(EITHER(__clzll((i64)a), a ? __builtin_clzll(a) : 64));
}
static inline u32 first_set(u32 a) {
    return (u32)(EITHER(__ffs((i32)a), __builtin_ffs((i32)a)));
}
static inline u32 first_set(u64 a) {
    return (u32)(EITHER(__ffsll((i64)a), __builtin_ffsll((i64)a)));
}
static inline u64 reversed_on_host(u64 a, u32 bits) {
    u64 result = 0;
    for (u32 i = 0; i < bits; i++) {
        result |= (a >> i & 1) << (bits - 1 - i);
    }
    return result;
}
static inline u32 reversed(u32 a) {
    return EITHER(__brev(a), (u32)reversed_on_host(a, 32));
}
static inline u64 reversed(u64 a) {
    return EITHER(__brevll(a), reversed_on_host(a, 64));
}
static inline u32 chosen_bytes_on_host(u32 a, u32 b, u32 selector) {
    const u64 bytes = (u64)b << 32 | a;
    u32 result = 0;
    for (u32 i = 0; i < 4; i++) {
        result |= (u32)(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
    }
    return result;
}
static inline u32 chosen_bytes(u32 a, u32 b, u32 selector) {
    return EITHER(__byte_perm(a, b, selector & 0x7777u), chosen_bytes_on_host(a, b, selector));
}
static inline u32 funnel_left(u32 low, u32 high, u32 shift) {
    return EITHER(__funnelshift_l(low, high, shift), (u32)(((u64)high << 32 | low) << (shift & 31) >> 32));
}
static inline u32 funnel_right(u32 low, u32 high, u32 shift) {
    return EITHER(__funnelshift_r(low, high, shift), (u32)(((u64)high << 32 | low) >> (shift & 31)));
}
static inline u32 funnel_left_clamped(u32 low, u32 high, u32 shift) {
    return EITHER(__funnelshift_lc(low, high, shift), (u32)(((u64)high << 32 | low) << lesser(shift, 32u) >> 32));
}
static inline u32 funnel_right_clamped(u32 low, u32 high, u32 shift) {
    return EITHER(__funnelshift_rc(low, high, shift), (u32)(((u64)high << 32 | low) >> lesser(shift, 32u)));
}
template <class T> static inline T rotated(T a, u32 count) {
    const u32 bits = sizeof(T) * 8;
    return (T)(a << (count & (bits - 1)) | a >> ((0 - count) & (bits - 1)));
}
static inline u32 distance(u32 a, u32 b, u32 c) {
    return EITHER(__usad(a, b, c), (a > b ? a - b : b - a) + c);
}
static inline u32 distance(i32 a, i32 b, u32 c) {
    return EITHER(__sad(a, b, c), (a > b ? (u32)a - (u32)b : (u32)b - (u32)a) + c);
}
static inline u32 average(u32 a, u32 b) {
    return EITHER(__uhadd(a, b), (u32)(((u64)a + b) >> 1));
}
static inline i32 average(i32 a, i32 b) {
    return EITHER(__hadd(a, b), (i32)(((i64)a + b) >> 1));
}
static inline u32 dot_on_host(u32 a, u32 b, u32 c) {
    for (u32 i = 0; i < 32; i += 8) {
        c += (a >> i & 0xff) * (b >> i & 0xff);
    }
    return c;
}
static inline i32 signed_dot_on_host(i32 a, i32 b, i32 c) {
    u32 sum = (u32)c;
    for (u32 i = 0; i < 32; i += 8) {
        sum += (u32)((i8)(a >> i) * (i8)(b >> i));
    }
    return (i32)sum;
}
static inline u32 dot(u32 a, u32 b, u32 c) {
    return EITHER(__dp4a(a, b, c), dot_on_host(a, b, c));
}
static inline i32 dot(i32 a, i32 b, i32 c) {
    return EITHER(__dp4a(a, b, c), signed_dot_on_host(a, b, c));
}
/* 128 bits: sums with a carry, and products of parts */
static inline u64 wide_mix(u64 a, u64 b, u64 c, u64 d) {
    const u128 x = (u128)a << 64 | b;
    const u128 y = (u128)c << 64 | d;
    const u128 sum = x + y;
    const u128 rest = x * c - y;
    return (u64)(sum >> 64) ^ (u64)sum ^ (u64)(rest >> 64) ^ (u64)rest ^ (x < y);
}

/* ---- instructions that no C++ asks for ---- */

/* Shifts by the width or more, which C leaves open: nothing of the value is left but its sign. */
#define SHIFT(name, type, letter, instruction, host) \
    static inline type name(type a, u32 count) { \
        EITHER(type d; asm(instruction " %0, %1, %2;" \
                           : "=" letter(d) \
                           : letter(a), "r"(count)); \
               return d, const u32 bits = sizeof(type) * 8; return host); \
    }
SHIFT(shifted_left, u32, "r", "shl.b32", count < bits ? a << count : 0)
SHIFT(shifted_left, u64, "l", "shl.b64", count < bits ? a << count : 0)
SHIFT(shifted_right, u32, "r", "shr.u32", count < bits ? a >> count : 0)
SHIFT(shifted_right, u64, "l", "shr.u64", count < bits ? a >> count : 0)
SHIFT(shifted_right, i32, "r", "shr.s32", a >> (count < bits ? count : bits - 1))
SHIFT(shifted_right, i64, "l", "shr.s64", a >> (count < bits ? count : bits - 1))

static inline u64 field_on_host(u64 a, u32 at, u32 count, u32 bits) {
    const u64 from = at < bits ? a >> at : 0;
    return count < 64 ? from & (((u64)1 << count) - 1) : from;
}
static inline u32 field(u32 a, u32 at, u32 count) {
    at &= 31;
    count &= 31;
    EITHER(u32 d; asm("bfe.u32 %0, %1, %2, %3;"
                      : "=r"(d)
                      : "r"(a), "r"(at), "r"(count));
           return d, return (u32)field_on_host(a, at, count, 32));
}
static inline u64 field(u64 a, u32 at, u32 count) {
    at &= 63;
    count &= 63;
    EITHER(u64 d; asm("bfe.u64 %0, %1, %2, %3;"
                      : "=l"(d)
                      : "l"(a), "r"(at), "r"(count));
           return d, return field_on_host(a, at, count, 64));
}
static inline u32 inserted_on_host(u32 a, u32 b, u32 at, u32 count) {
    const u32 mask = (u32)((((u64)1 << count) - 1) << at);
    return (b & ~mask) | (a << at & mask);
}
static inline u32 inserted(u32 a, u32 b, u32 at, u32 count) {
    at &= 31;
    count &= 31;
    EITHER(u32 d; asm("bfi.b32 %0, %1, %2, %3, %4;"
                      : "=r"(d)
                      : "r"(a), "r"(b), "r"(at), "r"(count));
           return d, return inserted_on_host(a, b, at, count));
}
static inline u32 logic_on_host(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (u32 i = 0; i < 32; i++) {
        const u32 row = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
        result |= (table >> row & 1) << i;
    }
    return result;
}
template <u32 table> static inline u32 logic(u32 a, u32 b, u32 c) {
    EITHER(u32 d; asm("lop3.b32 %0, %1, %2, %3, %4;"
                      : "=r"(d)
                      : "r"(a), "r"(b), "r"(c), "n"(table));
           return d, return logic_on_host(a, b, c, table));
}

/* ---- floats ---- */

/* -0 is less than +0, and a NaN loses to a number. */
template <class T> static inline T lesser_float_on_host(T a, T b) {
    return is_nan(a) ? b : is_nan(b) ? a : a < b || (a == b && bits_of(a) > bits_of(b)) ? a : b;
}
template <class T> static inline T greater_float_on_host(T a, T b) {
    return is_nan(a) ? b : is_nan(b) ? a : a > b || (a == b && bits_of(a) < bits_of(b)) ? a : b;
}
static inline f32 lesser_float(f32 a, f32 b) {
    return EITHER(fminf(a, b), lesser_float_on_host(a, b));
}
static inline f64 lesser_float(f64 a, f64 b) {
    return EITHER(fmin(a, b), lesser_float_on_host(a, b));
}
static inline f32 greater_float(f32 a, f32 b) {
    return EITHER(fmaxf(a, b), greater_float_on_host(a, b));
}
static inline f64 greater_float(f64 a, f64 b) {
    return EITHER(fmax(a, b), greater_float_on_host(a, b));
}

#define SAME_ON_BOTH_1(name, function) \
    static inline f32 name(f32 a) { \
        return function##f(a); \
    } \
    static inline f64 name(f64 a) { \
        return function(a); \
    }
#define SAME_ON_BOTH_2(name, function) \
    static inline f32 name(f32 a, f32 b) { \
        return function##f(a, b); \
    } \
    static inline f64 name(f64 a, f64 b) { \
        return function(a, b); \
    }
SAME_ON_BOTH_1(square_root, sqrt)
SAME_ON_BOTH_1(without_sign, fabs)
SAME_ON_BOTH_1(rounded_down, floor)
SAME_ON_BOTH_1(rounded_up, ceil)
SAME_ON_BOTH_1(cut, trunc)
SAME_ON_BOTH_1(rounded_to_even, rint)
SAME_ON_BOTH_1(rounded_away, round)
SAME_ON_BOTH_2(float_remainder, fmod)
SAME_ON_BOTH_2(positive_difference, fdim)
SAME_ON_BOTH_2(next_float, nextafter)
static inline f32 scaled(f32 a, i32 exponent) {
    return ldexpf(a, exponent % 300);
}
static inline f64 scaled(f64 a, i32 exponent) {
    return ldexp(a, exponent % 2200);
}
static inline f32 multiplied_and_added(f32 a, f32 b, f32 c) {
    return EITHER(__fmaf_rn(a, b, c), fmaf(a, b, c));
}
static inline f64 multiplied_and_added(f64 a, f64 b, f64 c) {
    return EITHER(__fma_rn(a, b, c), fma(a, b, c));
}
static inline f32 with_sign_of(f32 a, f32 b) {
    return copysignf(a, is_nan(b) ? 1.0f : b);
}
static inline f64 with_sign_of(f64 a, f64 b) {
    return copysign(a, is_nan(b) ? 1.0 : b);
}
static inline f32 between_0_and_1(f32 a) {
    return EITHER(__saturatef(a), a > 0.0f ? lesser(a, 1.0f) : 0.0f);
}

/* ---- roundings: the host computes in the rounding's mode, and its compiler does not look through volatile ---- */

#define IN_MODE(mode, type, expression) \
    fesetround(mode); \
    const volatile type result = (expression); \
    fesetround(FE_TONEAREST); \
    return result

#define ROUNDED_1(name, type, from, device, mode, host) \
    static NOINLINE type name(from given) { \
        EITHER(return device(given), const volatile from a = given; IN_MODE(mode, type, host)); \
    }
#define ROUNDED_2(name, type, device, mode, host) \
    static NOINLINE type name(type left, type right) { \
        EITHER(return device(left, right), const volatile type a = left; const volatile type b = right; \
               IN_MODE(mode, type, host)); \
    }
#define ROUNDED_3(name, type, device, mode, host) \
    static NOINLINE type name(type x, type y, type z) { \
        EITHER(return device(x, y, z), const volatile type a = x; const volatile type b = y; const volatile type c = z; \
               IN_MODE(mode, type, host)); \
    }
#define ARITHMETIC_IN_MODE(suffix, mode) \
    ROUNDED_2(sum_##suffix, f32, __fadd_##suffix, mode, a + b) \
    ROUNDED_2(product_##suffix, f32, __fmul_##suffix, mode, a *b) \
    ROUNDED_2(quotient_##suffix, f32, __fdiv_##suffix, mode, a / b) \
    ROUNDED_3(fma_##suffix, f32, __fmaf_##suffix, mode, fmaf(a, b, c)) \
    ROUNDED_1(root_##suffix, f32, f32, __fsqrt_##suffix, mode, sqrtf(a)) \
    ROUNDED_2(sum_##suffix, f64, __dadd_##suffix, mode, a + b) \
    ROUNDED_2(product_##suffix, f64, __dmul_##suffix, mode, a *b) \
    ROUNDED_2(quotient_##suffix, f64, __ddiv_##suffix, mode, a / b) \
    ROUNDED_3(fma_##suffix, f64, __fma_##suffix, mode, fma(a, b, c)) \
    ROUNDED_1(root_##suffix, f64, f64, __dsqrt_##suffix, mode, sqrt(a)) \
    ROUNDED_1(narrowed_##suffix, f32, f64, __double2float_##suffix, mode, (f32)a) \
    ROUNDED_1(f32_of_##suffix, f32, i32, __int2float_##suffix, mode, (f32)a) \
    ROUNDED_1(f32_of_##suffix, f32, u32, __uint2float_##suffix, mode, (f32)a) \
    ROUNDED_1(f32_of_##suffix, f32, i64, __ll2float_##suffix, mode, (f32)a) \
    ROUNDED_1(f32_of_##suffix, f32, u64, __ull2float_##suffix, mode, (f32)a) \
    ROUNDED_1(f64_of_##suffix, f64, i64, __ll2double_##suffix, mode, (f64)a) \
    ROUNDED_1(f64_of_##suffix, f64, u64, __ull2double_##suffix, mode, (f64)a)

ARITHMETIC_IN_MODE(rn, FE_TONEAREST)
ARITHMETIC_IN_MODE(rz, FE_TOWARDZERO)
ARITHMETIC_IN_MODE(rd, FE_DOWNWARD)
ARITHMETIC_IN_MODE(ru, FE_UPWARD)

/* ---- floats to integers: what does not fit becomes the nearest that does; a NaN, which devices treat in two ways, 0 ---- */

template <class T> static inline T fitted(f64 value) {
    const bool is_signed = (T)-1 < 0;
    const u32 bits = sizeof(T) * 8;
    const f64 limit = (f64)((u64)1 << (bits - 1)) * (is_signed ? 1 : 2);
    const T largest = (T)((u64)-1 >> (64 - bits + is_signed));
    return value >= limit ? largest : value < (is_signed ? -limit : 0) ? (T)~largest : (T)value;
}
#define INTEGER_OF(to, from, suffix, intrinsic, round) \
    static inline to to##_of_##suffix(from a) { \
        return is_nan(a) ? (to)0 : EITHER(intrinsic##suffix(a), fitted<to>((f64)round(a))); \
    }
#define INTEGERS_OF(suffix, round) \
    INTEGER_OF(i32, f32, suffix, __float2int_, round) \
    INTEGER_OF(u32, f32, suffix, __float2uint_, round) \
    INTEGER_OF(i64, f32, suffix, __float2ll_, round) \
    INTEGER_OF(u64, f32, suffix, __float2ull_, round) \
    INTEGER_OF(i32, f64, suffix, __double2int_, round) \
    INTEGER_OF(u32, f64, suffix, __double2uint_, round) \
    INTEGER_OF(i64, f64, suffix, __double2ll_, round) \
    INTEGER_OF(u64, f64, suffix, __double2ull_, round)
INTEGERS_OF(rn, rounded_to_even)
INTEGERS_OF(rz, cut)
INTEGERS_OF(rd, rounded_down)
INTEGERS_OF(ru, rounded_up)
