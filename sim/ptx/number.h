/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_NUMBER_H
#define CUSIM_PTX_NUMBER_H

/* Floating-point formats, and exact ways into and out of them. Every number of a format other than .f64 is a double too, so
 * that a double carries values from one format to another, and between operations on the narrow ones: computed there "to odd",
 * a result rounds once more, to at most 51 bits, as if it had been exact. */

#include "ptx/internal.h"

#include <string.h>

typedef struct ptx_format {
    unsigned exponent_bits;
    unsigned fraction_bits;
    unsigned unused_bits; /* below those: .tf32 is held as an .f32 */
    uint64_t largest;     /* the bits of the largest finite number */
    uint64_t infinity;    /* what a result that is too large becomes: the largest, if there is no infinity */
    uint64_t nan;         /* the one that operations give */
} ptx_format;

/* ptx_formats has the format of each floating-point type; of a packed one (.f16x2), that of each of the two. */
extern const ptx_format ptx_formats[PTX_TYPES];

/* significand * 2^exponent, plus something less than 2^exponent if the significand's lowest bit is set */
typedef struct ptx_number {
    bool negative;
    uint64_t significand;
    int exponent;
} ptx_number;

uint64_t ptx_round(const ptx_format *format, const ptx_number *number, ptx_rounding rounding);
/* ptx_decode gives a number that a format has, exactly; ptx_encode rounds one to the format. */
double ptx_decode(const ptx_format *format, uint64_t bits);
uint64_t ptx_encode(const ptx_format *format, double value, ptx_rounding rounding);

/* ptx_is_tiny says whether a number is below the smallest normal one of its format when rounded with no bound to the exponent. */
bool ptx_is_tiny(const ptx_format *format, double value, ptx_rounding rounding);

/* The parts of a number as its bits say it. */
static inline uint64_t ptx_sign_bit(const ptx_format *format) {
    return UINT64_C(1) << (format->exponent_bits + format->fraction_bits + format->unused_bits);
}

static inline uint64_t ptx_magnitude(const ptx_format *format, uint64_t bits) {
    return bits & (ptx_sign_bit(format) - 1);
}

static inline bool ptx_is_nan(const ptx_format *format, uint64_t bits) {
    return ptx_magnitude(format, bits) > format->infinity;
}

static inline bool ptx_is_negative(const ptx_format *format, uint64_t bits) {
    return bits & ptx_sign_bit(format);
}

static inline uint64_t ptx_one(const ptx_format *format) {
    return ((UINT64_C(1) << (format->exponent_bits - 1)) - 1) << format->fraction_bits;
}

/* A NaN of .f64 goes through operations, made quiet; of numbers that are none they make this one. */
#define PTX_F64_NAN (UINT64_C(0xfff8) << 48)

static inline uint64_t ptx_quiet(const ptx_format *format, uint64_t nan) {
    return nan | UINT64_C(1) << (format->fraction_bits - 1);
}

/* A subnormal number becomes a zero of its sign. */
static inline uint64_t ptx_flush_bits(const ptx_format *format, uint64_t bits) {
    return (ptx_magnitude(format, bits) >> format->fraction_bits) ? bits : bits & ptx_sign_bit(format);
}

/* ptx_finish makes of a result what .sat, .satfinite, .relu and .ftz ask for, and of a NaN the one there is. */
static inline uint64_t ptx_finish(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t bits) {
    if (ptx_is_nan(format, bits)) {
        return modifiers->saturate ? 0 : format->nan;
    }
    if ((modifiers->saturate || modifiers->relu) && ptx_is_negative(format, bits)) {
        return 0;
    }
    if (modifiers->saturate && bits > ptx_one(format)) {
        return ptx_one(format);
    }
    if (modifiers->finite && ptx_magnitude(format, bits) == format->infinity) {
        return (bits & ptx_sign_bit(format)) | format->largest;
    }
    return modifiers->flush ? ptx_flush_bits(format, bits) : bits;
}

/* ptx_flush_result is .ftz of a result that was rounded from `exact`, or from that to odd: a zero of its sign also where it is the
 * smallest normal number only because a subnormal one has fewer bits to round to. */
static inline uint64_t ptx_flush_result(const ptx_format *format, uint64_t bits, double exact, ptx_rounding rounding) {
    const bool is_smallest = ptx_magnitude(format, bits) == UINT64_C(1) << format->fraction_bits;
    return is_smallest && ptx_is_tiny(format, exact, rounding) ? bits & ptx_sign_bit(format) : ptx_flush_bits(format, bits);
}

static inline double ptx_as_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t ptx_f64_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline float ptx_as_f32(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline uint64_t ptx_f32_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* An operation on numbers of a narrow format, to odd. */
typedef double ptx_operation(double a, double b, double c);

ptx_operation ptx_add_to_odd, ptx_subtract_to_odd, ptx_multiply_to_odd, ptx_multiply_add_to_odd, ptx_divide_to_odd;

#endif
