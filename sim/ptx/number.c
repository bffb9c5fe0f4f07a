/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/number.h"

#include <math.h>

#define HALF \
    { 5, 10, 0, 0x7bff, 0x7c00, 0x7fff }
#define BFLOAT16 \
    { 8, 7, 0, 0x7f7f, 0x7f80, 0x7fff }
#define SINGLE \
    { 8, 23, 0, 0x7f7fffff, 0x7f800000, 0x7fffffff }

const ptx_format ptx_formats[PTX_TYPES] = {
    [PTX_F16] = HALF,
    [PTX_F16X2] = HALF,
    [PTX_BF16] = BFLOAT16,
    [PTX_BF16X2] = BFLOAT16,
    [PTX_F32] = SINGLE,
    [PTX_F32X2] = SINGLE,
    [PTX_F64] = {11, 52, 0, UINT64_C(0x7fefffffffffffff), UINT64_C(0x7ff0000000000000), UINT64_C(0x7fffffffffffffff)},
    [PTX_TF32] = {8, 10, 13, 0x7f7fe000, 0x7f800000, 0x7fffe000},
    [PTX_E4M3X2] = {4, 3, 0, 0x7e, 0x7e, 0x7f},
    [PTX_E5M2X2] = {5, 2, 0, 0x7b, 0x7c, 0x7f},
    [PTX_E2M1X2] = {2, 1, 0, 0x7, 0x7, 0x7},
    [PTX_E2M3X2] = {2, 3, 0, 0x1f, 0x1f, 0x1f},
    [PTX_E3M2X2] = {3, 2, 0, 0x1f, 0x1f, 0x1f},
};

static int smallest_exponent(const ptx_format *format) {
    return 2 - (1 << (format->exponent_bits - 1));
}

static bool rounds_up(ptx_rounding rounding, bool negative, bool odd, uint64_t rest) {
    const uint64_t half = UINT64_C(1) << 63;
    switch (rounding) {
    case PTX_TO_NEAREST:
        return rest > half || (rest == half && odd);
    case PTX_TO_NEAREST_AWAY:
        return rest >= half;
    case PTX_DOWN:
        return negative && rest;
    case PTX_UP:
        return !negative && rest;
    case PTX_TO_ZERO:
        break;
    }
    return false;
}

static uint64_t too_large(const ptx_format *format, bool negative, ptx_rounding rounding) {
    const bool stays = rounding == PTX_TO_ZERO || (rounding == PTX_DOWN && !negative) || (rounding == PTX_UP && negative);
    return stays ? format->largest : format->infinity;
}

/* The bits above `dropped`, and those below as a fraction of 2^64; any that are lower still are known to be there, not which. */
static uint64_t split(uint64_t significand, int dropped, uint64_t *rest) {
    if (dropped > 64) {
        *rest = 1;
        return 0;
    }
    *rest = dropped == 64 ? significand : significand << (64 - dropped);
    return dropped == 64 ? 0 : significand >> dropped;
}

uint64_t ptx_round(const ptx_format *format, const ptx_number *number, ptx_rounding rounding) {
    const uint64_t sign = number->negative ? ptx_sign_bit(format) : 0;
    if (number->significand == 0) {
        return sign;
    }
    const int zeros = __builtin_clzll(number->significand);
    const int above = number->exponent + 63 - zeros - smallest_exponent(format); /* below 0: a subnormal */
    const int dropped = 63 - (int)format->fraction_bits - (above < 0 ? above : 0);
    uint64_t rest;
    uint64_t bits = split(number->significand << zeros, dropped, &rest);
    /* A carry out of the fraction goes into the exponent, where it belongs. */
    bits += above > 0 ? (uint64_t)above << format->fraction_bits : 0;
    bits += rounds_up(rounding, number->negative, bits & 1, rest);
    bits <<= format->unused_bits;
    return sign | (bits > format->largest ? too_large(format, number->negative, rounding) : bits);
}

/* 2^exponent, a normal double */
static double power_of_two(int exponent) {
    const int biased = exponent + 1023;
    return ptx_as_f64((uint64_t)biased << 52);
}

double ptx_decode(const ptx_format *format, uint64_t bits) {
    const uint64_t magnitude = ptx_magnitude(format, bits);
    const uint64_t fraction = magnitude & ((UINT64_C(1) << format->fraction_bits) - 1);
    const int above = (int)(magnitude >> format->fraction_bits) - 1;
    double value;
    if (magnitude > format->largest) {
        value = magnitude == format->infinity ? (double)INFINITY : (double)NAN;
    } else if (format->fraction_bits == 52) {
        value = ptx_as_f64(magnitude);
    } else if (above < 0) {
        value = (double)fraction * power_of_two(smallest_exponent(format) - (int)format->fraction_bits);
    } else {
        const int exponent = above + smallest_exponent(format) + 1023;
        value = ptx_as_f64((uint64_t)exponent << 52 | fraction << (52 - format->fraction_bits));
    }
    return ptx_is_negative(format, bits) ? -value : value;
}

uint64_t ptx_encode(const ptx_format *format, double value, ptx_rounding rounding) {
    const uint64_t bits = ptx_f64_bits(value);
    const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
    const int exponent = (int)(bits >> 52 & 0x7ff);
    if (isnan(value)) {
        return format->nan;
    }
    if (isinf(value)) {
        return format->infinity | (value < 0 ? ptx_sign_bit(format) : 0);
    }
    const uint64_t hidden = exponent ? UINT64_C(1) << 52 : 0;
    const ptx_number number = {bits >> 63, hidden | fraction, (exponent ? exponent : 1) - 1075};
    return ptx_round(format, &number, rounding);
}

/* Far enough up, nothing that is near the smallest normal number is subnormal. */
bool ptx_is_tiny(const ptx_format *format, double value, ptx_rounding rounding) {
    const int up = (int)format->fraction_bits + 1;
    const uint64_t rounded = ptx_encode(format, value * power_of_two(up), rounding);
    return ptx_magnitude(format, rounded) >> format->fraction_bits <= (uint64_t)up;
}

/* What was rounded away is as large as `rest`, or has its sign at least. Of the two doubles around the exact value, the odd one
 * can be no number of fewer bits, and lies on the side of each of them that the exact value is on. */
static double to_odd(double rounded, double rest) {
    const uint64_t bits = ptx_f64_bits(rounded);
    const bool inexact = rest < 0 || rest > 0;
    if (!inexact || (bits & 1)) {
        return rounded;
    }
    return ptx_as_f64((rest > 0) == (rounded > 0) ? bits + 1 : bits - 1);
}

double ptx_add_to_odd(double a, double b, double c) {
    const double sum = a + b;
    const double added = sum - a;
    const double rest = (a - (sum - added)) + (b - added); /* exactly */
    (void)c;
    return to_odd(sum, rest);
}

double ptx_subtract_to_odd(double a, double b, double c) {
    return ptx_add_to_odd(a, -b, c);
}

/* Factors of at most 24 bits have an exact product. */
double ptx_multiply_to_odd(double a, double b, double c) {
    (void)c;
    return a * b;
}

double ptx_multiply_add_to_odd(double a, double b, double c) {
    return ptx_add_to_odd(a * b, c, 0);
}

double ptx_divide_to_odd(double a, double b, double c) {
    const double quotient = a / b;
    (void)c;
    return to_odd(quotient, fma(-quotient, b, a) / b);
}
