/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <math.h>
#include <string.h>

/* The host rounds to nearest even, as .rn does, and keeps subnormals. */

static double as_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t double_bits(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

float ptx_flush(float value, bool flush) {
    return flush && fpclassify(value) == FP_SUBNORMAL ? copysignf(0.0f, value) : value;
}

float ptx_as_float(uint64_t bits, bool flush) {
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return ptx_flush(value, flush);
}

uint64_t ptx_float_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void write_float(ptx_thread *thread, const ptx_instruction *instruction, float value) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    if (modifiers->saturate) {
        value = value > 0.0f ? fminf(value, 1.0f) : 0.0f;
    }
    ptx_write(thread, instruction, isnan(value) ? PTX_NAN_BITS : ptx_float_bits(ptx_flush(value, modifiers->flush)));
}

#define SINGLE(name, expression) \
    static void name##_f32(ptx_thread *thread, const ptx_instruction *instruction) { \
        const bool flush = instruction->modifiers.flush; \
        const float a = ptx_as_float(ptx_operand_bits(thread, instruction, 1), flush); \
        const float b = ptx_as_float(ptx_operand_bits(thread, instruction, 2), flush); \
        const float c = ptx_as_float(ptx_operand_bits(thread, instruction, 3), flush); \
        (void)b, (void)c; \
        write_float(thread, instruction, expression); \
    }

#define DOUBLE(name, expression) \
    static void name##_f64(ptx_thread *thread, const ptx_instruction *instruction) { \
        const double a = as_double(ptx_operand_bits(thread, instruction, 1)); \
        const double b = as_double(ptx_operand_bits(thread, instruction, 2)); \
        const double c = as_double(ptx_operand_bits(thread, instruction, 3)); \
        (void)b, (void)c; \
        ptx_write(thread, instruction, double_bits(expression)); \
    }

#define BOTH(name, expression) \
    SINGLE(name, expression) \
    DOUBLE(name, expression) \
    static ptx_handler *const name[PTX_TYPES] = {[PTX_F32] = name##_f32, [PTX_F64] = name##_f64};

/* -0 is less than +0, and a NaN loses to a number. */
#define LESSER(a, b) (isnan(a) ? (b) : isnan(b) ? (a) : (a) < (b) || ((a) == (b) && signbit(a)) ? (a) : (b))
#define GREATER(a, b) (isnan(a) ? (b) : isnan(b) ? (a) : (a) > (b) || ((a) == (b) && !signbit(a)) ? (a) : (b))

BOTH(add, a + b)
BOTH(subtract, a - b)
BOTH(multiply, a *b)
BOTH(divide, a / b)
BOTH(minimum, LESSER(a, b))
BOTH(maximum, GREATER(a, b))
SINGLE(multiply_add, fmaf(a, b, c))
DOUBLE(multiply_add, fma(a, b, c))
SINGLE(square_root, sqrtf(a))
DOUBLE(square_root, sqrt(a))

static ptx_handler *const multiply_add[PTX_TYPES] = {[PTX_F32] = multiply_add_f32, [PTX_F64] = multiply_add_f64};
static ptx_handler *const square_root[PTX_TYPES] = {[PTX_F32] = square_root_f32, [PTX_F64] = square_root_f64};

/* neg and abs change the sign bit and nothing else, a NaN's too. */
static void negate_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    const float value = ptx_as_float(ptx_operand_bits(thread, instruction, 1), instruction->modifiers.flush);
    ptx_write(thread, instruction, ptx_float_bits(value) ^ 0x80000000u);
}

static void negate_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, 1) ^ (UINT64_C(1) << 63));
}

static void absolute_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    const float value = ptx_as_float(ptx_operand_bits(thread, instruction, 1), instruction->modifiers.flush);
    ptx_write(thread, instruction, ptx_float_bits(value) & 0x7fffffffu);
}

static void absolute_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, 1) & ~(UINT64_C(1) << 63));
}

static ptx_handler *const negate[PTX_TYPES] = {[PTX_F32] = negate_f32, [PTX_F64] = negate_f64};
static ptx_handler *const absolute[PTX_TYPES] = {[PTX_F32] = absolute_f32, [PTX_F64] = absolute_f64};

static bool compare(const ptx_modifiers *modifiers, double a, double b) {
    if (isnan(a) || isnan(b)) {
        return modifiers->unordered;
    }
    switch (modifiers->comparison) {
    case PTX_EQ:
        return a == b;
    case PTX_NE:
        return a != b;
    case PTX_LT:
        return a < b;
    case PTX_LE:
        return a <= b;
    case PTX_GT:
        return a > b;
    case PTX_GE:
        return a >= b;
    case PTX_NUM:
        return true;
    case PTX_NAN:
        break;
    }
    return false;
}

static void compare_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    const bool flush = instruction->modifiers.flush;
    const double a = (double)ptx_as_float(ptx_operand_bits(thread, instruction, 2), flush);
    const double b = (double)ptx_as_float(ptx_operand_bits(thread, instruction, 3), flush);
    ptx_write_predicates(thread, instruction, compare(&instruction->modifiers, a, b));
}

static void compare_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    const double a = as_double(ptx_operand_bits(thread, instruction, 2));
    const double b = as_double(ptx_operand_bits(thread, instruction, 3));
    ptx_write_predicates(thread, instruction, compare(&instruction->modifiers, a, b));
}

static ptx_handler *const compare_floats[PTX_TYPES] = {[PTX_F32] = compare_f32, [PTX_F64] = compare_f64};

static const ptx_form forms[] = {
    {"add{.rn}{.ftz}{.sat}.f32", "daa", NULL, add},
    {"add{.rn}.f64", "daa", NULL, add},
    {"sub{.rn}{.ftz}{.sat}.f32", "daa", NULL, subtract},
    {"sub{.rn}.f64", "daa", NULL, subtract},
    {"mul{.rn}{.ftz}{.sat}.f32", "daa", NULL, multiply},
    {"mul{.rn}.f64", "daa", NULL, multiply},
    {"fma.rn{.ftz}{.sat}.f32", "daaa", NULL, multiply_add},
    {"fma.rn.f64", "daaa", NULL, multiply_add},
    {"mad.rn{.ftz}{.sat}.f32", "daaa", NULL, multiply_add},
    {"mad.rn.f64", "daaa", NULL, multiply_add},
    {"div.rn{.ftz}.f32", "daa", NULL, divide},
    {"div.rn.f64", "daa", NULL, divide},
    {"sqrt.rn{.ftz}.f32", "da", NULL, square_root},
    {"sqrt.rn.f64", "da", NULL, square_root},
    {"neg{.ftz}.f32", "da", NULL, negate},
    {"neg.f64", "da", NULL, negate},
    {"abs{.ftz}.f32", "da", NULL, absolute},
    {"abs.f64", "da", NULL, absolute},
    {"min{.ftz}.f32", "daa", NULL, minimum},
    {"min.f64", "daa", NULL, minimum},
    {"max{.ftz}.f32", "daa", NULL, maximum},
    {"max.f64", "daa", NULL, maximum},
    {"setp.<compare-float>{.ftz}.f32", "paa", NULL, compare_floats},
    {"setp.<compare-float>.f64", "paa", NULL, compare_floats},
    {"setp.<compare-float>.<combine>{.ftz}.f32", "paaq", NULL, compare_floats},
    {"setp.<compare-float>.<combine>.f64", "paaq", NULL, compare_floats},
};

const ptx_forms ptx_float_forms = {forms, sizeof forms / sizeof *forms};
