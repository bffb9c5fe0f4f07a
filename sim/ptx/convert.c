/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <math.h>
#include <string.h>

static bool is_signed(ptx_type type) {
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static unsigned bits_of(ptx_type type) {
    return ptx_type_size(type) * 8;
}

/* The value's bits as 64 of them, by its type's sign. */
static uint64_t extend(uint64_t value, ptx_type type) {
    const unsigned unused = 64 - bits_of(type);
    return is_signed(type) ? (uint64_t)((int64_t)(value << unused) >> unused) : value << unused >> unused;
}

static uint64_t largest(ptx_type type) {
    return UINT64_MAX >> (64 - bits_of(type) + is_signed(type));
}

static uint64_t smallest(ptx_type type) {
    return is_signed(type) ? ~largest(type) : 0;
}

static uint64_t clamp(uint64_t value, ptx_type from, ptx_type to) {
    const bool negative = is_signed(from) && (int64_t)value < 0;
    if (negative) {
        return is_signed(to) && (int64_t)value >= (int64_t)smallest(to) ? value : smallest(to);
    }
    return value <= largest(to) ? value : largest(to);
}

static void integer_to_integer(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const uint64_t value = extend(ptx_operand_bits(thread, instruction, 1), modifiers->source_type);
    const uint64_t kept = modifiers->saturate ? clamp(value, modifiers->source_type, modifiers->type) : value;
    ptx_write(thread, instruction, extend(kept, modifiers->type));
}

static double read_double(const ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t bits = ptx_operand_bits(thread, instruction, 1);
    double value;
    if (instruction->modifiers.source_type == PTX_F32) {
        return (double)ptx_as_float(bits, instruction->modifiers.flush);
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double to_integral(double value, ptx_rounding rounding) {
    switch (rounding) {
    case PTX_TO_ZERO:
        return trunc(value);
    case PTX_DOWN:
        return floor(value);
    case PTX_UP:
        return ceil(value);
    case PTX_TO_NEAREST:
        break;
    }
    return rint(value);
}

/* What a device makes of a NaN depends on the widths. */
static uint64_t integer_of_nan(const ptx_modifiers *modifiers) {
    const bool is_zero = modifiers->source_type != PTX_F64 && bits_of(modifiers->type) < 64;
    return is_zero ? 0 : UINT64_C(1) << (bits_of(modifiers->type) - 1);
}

static void float_to_integer(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const ptx_type type = modifiers->type;
    const double value = to_integral(read_double(thread, instruction), modifiers->rounding);
    const double limit = ldexp(1.0, (int)bits_of(type) - is_signed(type)); /* one more than the largest */
    uint64_t result;
    if (isnan(value)) {
        result = integer_of_nan(modifiers);
    } else if (value >= limit) {
        result = largest(type);
    } else if (value < (is_signed(type) ? -limit : 0.0)) {
        result = smallest(type);
    } else {
        result = is_signed(type) ? (uint64_t)(int64_t)value : (uint64_t)value;
    }
    ptx_write(thread, instruction, result);
}

static void write_float_of(ptx_thread *thread, const ptx_instruction *instruction, float value) {
    ptx_write(thread, instruction, isnan(value) ? PTX_NAN_BITS : ptx_float_bits(ptx_flush(value, instruction->modifiers.flush)));
}

static void write_double(ptx_thread *thread, const ptx_instruction *instruction, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    ptx_write(thread, instruction, bits);
}

static void integer_to_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_type from = instruction->modifiers.source_type;
    const uint64_t value = extend(ptx_operand_bits(thread, instruction, 1), from);
    write_float_of(thread, instruction, is_signed(from) ? (float)(int64_t)value : (float)value);
}

static void integer_to_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_type from = instruction->modifiers.source_type;
    const uint64_t value = extend(ptx_operand_bits(thread, instruction, 1), from);
    write_double(thread, instruction, is_signed(from) ? (double)(int64_t)value : (double)value);
}

static void float_to_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    write_float_of(thread, instruction, (float)read_double(thread, instruction));
}

static void float_to_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    write_double(thread, instruction, read_double(thread, instruction));
}

static void round_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    write_float_of(thread, instruction, (float)to_integral(read_double(thread, instruction), instruction->modifiers.rounding));
}

static void round_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    write_double(thread, instruction, to_integral(read_double(thread, instruction), instruction->modifiers.rounding));
}

static const ptx_form forms[] = {
    {"cvt{.sat}.<convert>.<convert>", "xy", integer_to_integer, NULL},
    {"cvt.<to-integer>{.ftz}{.sat}.<convert>.f32", "xy", float_to_integer, NULL},
    {"cvt.<to-integer>{.sat}.<convert>.f64", "xy", float_to_integer, NULL},
    {"cvt.rn.f32.<convert>", "xy", integer_to_f32, NULL},
    {"cvt.rn.f64.<convert>", "xy", integer_to_f64, NULL},
    {"cvt.rn{.ftz}.f32.f64", "xy", float_to_f32, NULL},
    {"cvt{.ftz}.f64.f32", "xy", float_to_f64, NULL},
    {"cvt{.ftz}.f32.f32", "xy", float_to_f32, NULL},
    {"cvt.<to-integer>{.ftz}.f32.f32", "xy", round_f32, NULL},
    {"cvt.<to-integer>.f64.f64", "xy", round_f64, NULL},
};

const ptx_forms ptx_convert_forms = {forms, sizeof forms / sizeof *forms};
