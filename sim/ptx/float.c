/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/arithmetic.h"
#include "ptx/directed.h"
#include "ptx/run.h"

#include <math.h>

/* Arithmetic on .f32 and .f64. The host rounds to nearest even, as .rn does, and keeps subnormals: without .ftz and .sat, that
 * is done at once ("plain"); the rest goes through the number's bits. */

#define OPERAND(number) ptx_operand_bits(thread, instruction, number)

/* A NaN that is an operand goes on, made quiet; the first of them that there is. */
static uint64_t first_nan(uint64_t a, uint64_t b, uint64_t c) {
    const ptx_format *format = &ptx_formats[PTX_F64];
    const uint64_t operands[] = {a, b, c};
    for (size_t i = 0; i < 3; i++) {
        if (ptx_is_nan(format, operands[i])) {
            return ptx_quiet(format, operands[i]);
        }
    }
    return PTX_F64_NAN;
}

/* One operation: as C, and as handlers of instructions on operands a, b, c. `exact` is the same on doubles, to odd. */
#define SINGLE(name, expression, exact) \
    static float name##_single(float a, float b, float c) { \
        (void)b, (void)c; \
        return expression; \
    } \
    static void plain_##name##_f32(ptx_thread *thread, const ptx_instruction *instruction) { \
        const float result = name##_single(ptx_as_f32(OPERAND(1)), ptx_as_f32(OPERAND(2)), ptx_as_f32(OPERAND(3))); \
        ptx_write(thread, instruction, isnan(result) ? PTX_NAN_BITS : ptx_f32_bits(result)); \
    } \
    static uint64_t name##_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) { \
        return single_operation(name##_single, exact, format, modifiers, (uint64_t[]){a, b, c}); \
    } \
    static void name##_f32(ptx_thread *thread, const ptx_instruction *instruction) { \
        const ptx_modifiers *modifiers = &instruction->modifiers; \
        ptx_write(thread, instruction, ptx_for_each(modifiers->type, modifiers, name##_bits, OPERAND(1), OPERAND(2), OPERAND(3))); \
    }

/* `order` is of the operands' bits: which NaN wins. */
#define DOUBLE(name, expression, order) \
    static double name##_double(double a, double b, double c) { \
        (void)b, (void)c; \
        return expression; \
    } \
    static uint64_t name##_or_nan(double result, uint64_t a, uint64_t b, uint64_t c) { \
        (void)b, (void)c; \
        return isnan(result) ? first_nan order : ptx_f64_bits(result); \
    } \
    static void plain_##name##_f64(ptx_thread *thread, const ptx_instruction *instruction) { \
        const uint64_t a = OPERAND(1), b = OPERAND(2), c = OPERAND(3); \
        ptx_write(thread, instruction, name##_or_nan(name##_double(ptx_as_f64(a), ptx_as_f64(b), ptx_as_f64(c)), a, b, c)); \
    } \
    static uint64_t name##_doubles(ptx_rounding rounding, uint64_t a, uint64_t b, uint64_t c) { \
        const double result = ptx_directed_double(name##_double, rounding, ptx_as_f64(a), ptx_as_f64(b), ptx_as_f64(c)); \
        return name##_or_nan(result, a, b, c); \
    } \
    static void name##_f64(ptx_thread *thread, const ptx_instruction *instruction) { \
        const ptx_rounding rounding = instruction->modifiers.rounding; \
        ptx_write(thread, instruction, name##_doubles(rounding, OPERAND(1), OPERAND(2), OPERAND(3))); \
    }

#define BOTH(name, in_single, exact, in_double, order) \
    SINGLE(name, in_single, exact) \
    DOUBLE(name, in_double, order) \
    static ptx_handler *const plain_##name[PTX_TYPES] = {[PTX_F32] = plain_##name##_f32, [PTX_F64] = plain_##name##_f64}; \
    static ptx_handler *const name[PTX_TYPES] = {[PTX_F32] = name##_f32, [PTX_F32X2] = name##_f32, [PTX_F64] = name##_f64};

static float read_single(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t bits) {
    return ptx_as_f32(modifiers->flush ? ptx_flush_bits(format, bits) : bits);
}

static uint64_t single_operation(ptx_single_operation *operation, ptx_operation *exact, const ptx_format *format,
                                 const ptx_modifiers *modifiers, const uint64_t operands[3]) {
    const float a = read_single(format, modifiers, operands[0]);
    const float b = read_single(format, modifiers, operands[1]);
    const float c = read_single(format, modifiers, operands[2]);
    uint64_t bits = ptx_f32_bits(ptx_directed_single(operation, modifiers->rounding, a, b, c));
    if (modifiers->flush) {
        bits = ptx_flush_result(format, bits, exact((double)a, (double)b, (double)c), modifiers->rounding);
    }
    return ptx_finish(format, modifiers, bits);
}

uint64_t ptx_for_each(ptx_type type, const ptx_modifiers *modifiers, ptx_bits_operation *operation, uint64_t a, uint64_t b,
                      uint64_t c) {
    const ptx_format *format = &ptx_formats[type];
    const unsigned bits = ptx_element_bits(type);
    const uint64_t low = operation(format, modifiers, a, b, c);
    return ptx_is_packed(type) ? operation(format, modifiers, a >> bits, b >> bits, c >> bits) << bits | low : low;
}

static double invert_to_odd(double a, double b, double c) {
    (void)b;
    return ptx_divide_to_odd(1.0, a, c);
}

/* No root is near the smallest normal number. */
static double root_of(double a, double b, double c) {
    (void)b, (void)c;
    return sqrt(a);
}

BOTH(add, a + b, ptx_add_to_odd, a + b, (b, a, 0))
BOTH(subtract, a - b, ptx_subtract_to_odd, a - b, (b, a, 0))
BOTH(multiply, a *b, ptx_multiply_to_odd, a *b, (b, a, 0))
BOTH(multiply_add, fmaf(a, b, c), ptx_multiply_add_to_odd, fma(a, b, c), (b, a, c))
BOTH(divide, a / b, ptx_divide_to_odd, a / b, (a, b, 0))
BOTH(reciprocal, 1.0f / a, invert_to_odd, 1.0 / a, (a, 0, 0))
BOTH(square_root, sqrtf(a), root_of, sqrt(a), (a, 0, 0))

uint64_t ptx_add_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b) {
    if (type == PTX_F64) {
        return add_doubles(modifiers->rounding, a, b, 0);
    }
    return ptx_for_each(type, modifiers, type == PTX_F32 || type == PTX_F32X2 ? add_bits : ptx_add_halves, a, b, 0);
}

/* The first operand, or two, of half the width. */
static float read_half(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    return (float)ptx_decode(&ptx_formats[instruction->modifiers.source_type], OPERAND(operand));
}

static void mixed(ptx_thread *thread, const ptx_instruction *instruction, ptx_single_operation *operation, float a, float b,
                  float c) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const float result = ptx_directed_single(operation, modifiers->rounding, a, b, c);
    ptx_write(thread, instruction, ptx_finish(&ptx_formats[PTX_F32], modifiers, ptx_f32_bits(result)));
}

static void add_mixed(ptx_thread *thread, const ptx_instruction *instruction) {
    mixed(thread, instruction, add_single, read_half(thread, instruction, 1), ptx_as_f32(OPERAND(2)), 0);
}

static void subtract_mixed(ptx_thread *thread, const ptx_instruction *instruction) {
    mixed(thread, instruction, subtract_single, read_half(thread, instruction, 1), ptx_as_f32(OPERAND(2)), 0);
}

static void multiply_add_mixed(ptx_thread *thread, const ptx_instruction *instruction) {
    mixed(thread, instruction, multiply_add_single, read_half(thread, instruction, 1), read_half(thread, instruction, 2),
          ptx_as_f32(OPERAND(3)));
}

static const ptx_form forms[] = {
    {"add{.rn}.<f32|f64>", "daa", NULL, plain_add},
    {"add{.<rounding>}{.ftz}{.sat}.f32", "daa", NULL, add},
    {"add.<rounding>.f64", "daa", NULL, add},
    {"add{.<rounding>}{.ftz}.f32x2", "daa", NULL, add},
    {"add{.<rounding>}{.sat}.f32.<f16|bf16>", "dya", add_mixed, NULL},
    {"sub{.rn}.<f32|f64>", "daa", NULL, plain_subtract},
    {"sub{.<rounding>}{.ftz}{.sat}.f32", "daa", NULL, subtract},
    {"sub.<rounding>.f64", "daa", NULL, subtract},
    {"sub{.<rounding>}{.ftz}.f32x2", "daa", NULL, subtract},
    {"sub{.<rounding>}{.sat}.f32.<f16|bf16>", "dya", subtract_mixed, NULL},
    {"mul{.rn}.<f32|f64>", "daa", NULL, plain_multiply},
    {"mul{.<rounding>}{.ftz}{.sat}.f32", "daa", NULL, multiply},
    {"mul.<rounding>.f64", "daa", NULL, multiply},
    {"mul{.<rounding>}{.ftz}.f32x2", "daa", NULL, multiply},
    {"fma.rn.<f32|f64>", "daaa", NULL, plain_multiply_add},
    {"fma.<rounding>{.ftz}{.sat}.f32", "daaa", NULL, multiply_add},
    {"fma.<rounding>.f64", "daaa", NULL, multiply_add},
    {"fma.<rounding>{.ftz}.f32x2", "daaa", NULL, multiply_add},
    {"fma.<rounding>{.sat}.f32.<f16|bf16>", "dyya", multiply_add_mixed, NULL},
    {"mad.rn.<f32|f64>", "daaa", NULL, plain_multiply_add},
    {"mad.<rounding>{.ftz}{.sat}.f32", "daaa", NULL, multiply_add},
    {"mad.<rounding>.f64", "daaa", NULL, multiply_add},
    {"div.rn.<f32|f64>", "daa", NULL, plain_divide},
    {"div.<rounding>{.ftz}.f32", "daa", NULL, divide},
    {"div.<rounding>.f64", "daa", NULL, divide},
    {"rcp.rn.<f32|f64>", "da", NULL, plain_reciprocal},
    {"rcp.<rounding>{.ftz}.f32", "da", NULL, reciprocal},
    {"rcp.<rounding>.f64", "da", NULL, reciprocal},
    {"sqrt.rn.<f32|f64>", "da", NULL, plain_square_root},
    {"sqrt.<rounding>{.ftz}.f32", "da", NULL, square_root},
    {"sqrt.<rounding>.f64", "da", NULL, square_root},
};

const ptx_forms ptx_float_forms = {forms, sizeof forms / sizeof *forms};
