/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/arithmetic.h"
#include "ptx/run.h"

#include <float.h>
#include <math.h>

/* What a device only approximates, each with an error that the documentation bounds: here it is the double-precision result,
 * rounded. */

typedef double approximation(double a);

static double reciprocal(double a) {
    return 1 / a;
}

static double reciprocal_root(double a) {
    return 1 / sqrt(a);
}

static uint64_t approximate_number(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t bits,
                                   approximation *function) {
    const double a = ptx_decode(format, modifiers->flush ? ptx_flush_bits(format, bits) : bits);
    return ptx_finish(format, modifiers, ptx_encode(format, function(a), PTX_TO_NEAREST));
}

#define APPROXIMATE(name, function) \
    static uint64_t name##_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) { \
        (void)b, (void)c; \
        return approximate_number(format, modifiers, a, function); \
    } \
    static void approximate_##name(ptx_thread *thread, const ptx_instruction *instruction) { \
        const ptx_modifiers *modifiers = &instruction->modifiers; \
        const uint64_t a = ptx_operand_bits(thread, instruction, 1); \
        ptx_write(thread, instruction, ptx_for_each(modifiers->type, modifiers, name##_bits, a, 0, 0)); \
    }

APPROXIMATE(reciprocal, reciprocal)
APPROXIMATE(reciprocal_root, reciprocal_root)
APPROXIMATE(root, sqrt)
APPROXIMATE(sine, sin)
APPROXIMATE(cosine, cos)
APPROXIMATE(logarithm, log2)
APPROXIMATE(power, exp2)
APPROXIMATE(tangent, tanh)

/* Of these a device reads the upper half alone, also of a NaN, and gives no more: what begins an iteration. */
static void upper_half(ptx_thread *thread, const ptx_instruction *instruction, approximation *function) {
    const ptx_format *format = &ptx_formats[PTX_F64];
    const uint64_t a = ptx_operand_bits(thread, instruction, 1);
    ptx_write(thread, instruction, approximate_number(format, &instruction->modifiers, a >> 32 << 32, function) >> 32 << 32);
}

static void approximate_upper_reciprocal(ptx_thread *thread, const ptx_instruction *instruction) {
    upper_half(thread, instruction, reciprocal);
}

static void approximate_upper_reciprocal_root(ptx_thread *thread, const ptx_instruction *instruction) {
    upper_half(thread, instruction, reciprocal_root);
}

/* A NaN goes on, made quiet, and has a sign where the number was negative. */
static void approximate_double_root(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t a = ptx_operand_bits(thread, instruction, 1);
    const double result = reciprocal_root(ptx_as_f64(a));
    const uint64_t nan = isnan(ptx_as_f64(a)) ? ptx_quiet(&ptx_formats[PTX_F64], a) : PTX_F64_NAN;
    ptx_write(thread, instruction, isnan(result) ? nan : ptx_f64_bits(result));
}

static uint64_t divide_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    const double dividend = ptx_decode(format, modifiers->flush ? ptx_flush_bits(format, a) : a);
    const double divisor = ptx_decode(format, modifiers->flush ? ptx_flush_bits(format, b) : b);
    (void)c;
    return ptx_finish(format, modifiers, ptx_encode(format, dividend / divisor, PTX_TO_NEAREST));
}

static void divide_fully(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t a = ptx_operand_bits(thread, instruction, 1);
    const uint64_t b = ptx_operand_bits(thread, instruction, 2);
    ptx_write(thread, instruction, divide_bits(&ptx_formats[PTX_F32], &instruction->modifiers, a, b, 0));
}

/* A device multiplies by the reciprocal, which for large divisors is lost. */
static void divide_roughly(ptx_thread *thread, const ptx_instruction *instruction) {
    const double divisor = fabs((double)ptx_as_f32(ptx_operand_bits(thread, instruction, 2)));
    const ptx_format *format = &ptx_formats[PTX_F32];
    const uint64_t a = ptx_operand_bits(thread, instruction, 1);
    const uint64_t sign = (a ^ ptx_operand_bits(thread, instruction, 2)) & ptx_sign_bit(format);
    if (divisor > 0x1p126 && divisor <= (double)FLT_MAX && !ptx_is_nan(format, a)) {
        ptx_write(thread, instruction, ptx_magnitude(format, a) == format->infinity ? PTX_NAN_BITS : sign);
        return;
    }
    divide_fully(thread, instruction);
}

static const ptx_form forms[] = {
    {"div.approx{.ftz}.f32", "daa", divide_roughly, NULL},
    {"div.full{.ftz}.f32", "daa", divide_fully, NULL},
    {"rcp.approx{.ftz}.f32", "da", approximate_reciprocal, NULL},
    {"rcp.approx.ftz.f64", "da", approximate_upper_reciprocal, NULL},
    {"sqrt.approx{.ftz}.f32", "da", approximate_root, NULL},
    {"rsqrt.approx{.ftz}.f32", "da", approximate_reciprocal_root, NULL},
    {"rsqrt.approx.f64", "da", approximate_double_root, NULL},
    {"rsqrt.approx.ftz.f64", "da", approximate_upper_reciprocal_root, NULL},
    {"sin.approx{.ftz}.f32", "da", approximate_sine, NULL},
    {"cos.approx{.ftz}.f32", "da", approximate_cosine, NULL},
    {"lg2.approx{.ftz}.f32", "da", approximate_logarithm, NULL},
    {"ex2.approx{.ftz}.f32", "da", approximate_power, NULL},
    {"ex2.approx.<f16|f16x2>", "da", approximate_power, NULL},
    {"ex2.approx.ftz.<bf16|bf16x2>", "da", approximate_power, NULL},
    {"tanh.approx.<f32|f16|f16x2|bf16|bf16x2>", "da", approximate_tangent, NULL},
};

const ptx_forms ptx_approximate_forms = {forms, sizeof forms / sizeof *forms};
