/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/number.h"
#include "ptx/run.h"

#include <math.h>

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

/* .ftz concerns singles, but for those that become .f16: a device rounds them as they are. */
static double read_float(const ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const ptx_format *format = &ptx_formats[modifiers->source_type];
    const uint64_t bits = ptx_operand_bits(thread, instruction, 1);
    const bool flush = modifiers->flush && modifiers->source_type == PTX_F32 && modifiers->type != PTX_F16;
    return ptx_decode(format, flush ? ptx_flush_bits(format, bits) : bits);
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
    case PTX_TO_NEAREST_AWAY:
        break;
    }
    return rint(value);
}

/* What a device makes of a NaN depends on the widths. */
static uint64_t integer_of_nan(const ptx_modifiers *modifiers) {
    const bool is_zero = modifiers->source_type != PTX_F64 && bits_of(modifiers->type) < 64;
    return is_zero ? 0 : extend(UINT64_C(1) << (bits_of(modifiers->type) - 1), modifiers->type);
}

static void float_to_integer(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const ptx_type type = modifiers->type;
    const double value = to_integral(read_float(thread, instruction), modifiers->rounding);
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

/* .ftz is done with, or concerns nothing: no integer becomes a subnormal number. */
static void write_float(ptx_thread *thread, const ptx_instruction *instruction, uint64_t bits) {
    ptx_modifiers modifiers = instruction->modifiers;
    modifiers.flush = false;
    ptx_write(thread, instruction, ptx_finish(&ptx_formats[modifiers.type], &modifiers, bits));
}

static void convert_float(ptx_thread *thread, const ptx_instruction *instruction, double value, ptx_rounding rounding) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const ptx_format *format = &ptx_formats[modifiers->type];
    const uint64_t bits = ptx_encode(format, value, rounding);
    const bool flush = modifiers->flush && modifiers->type == PTX_F32;
    write_float(thread, instruction, flush ? ptx_flush_result(format, bits, value, rounding) : bits);
}

static void float_to_float(ptx_thread *thread, const ptx_instruction *instruction) {
    convert_float(thread, instruction, read_float(thread, instruction), instruction->modifiers.rounding);
}

/* Of a NaN, what there is room for; with nothing left of its fraction it is an infinity. */
static void round_away(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t bits = ptx_operand_bits(thread, instruction, 1);
    if (ptx_is_nan(&ptx_formats[PTX_F32], bits)) {
        ptx_write(thread, instruction, bits & 0xffffe000);
        return;
    }
    convert_float(thread, instruction, read_float(thread, instruction), PTX_TO_NEAREST_AWAY);
}

static void round_to_integral(ptx_thread *thread, const ptx_instruction *instruction) {
    const double value = to_integral(read_float(thread, instruction), instruction->modifiers.rounding);
    convert_float(thread, instruction, value, PTX_TO_NEAREST);
}

/* A NaN on its way to or from an .f64 keeps its sign, and what there is room for of its fraction. */
static uint64_t nan_as(const ptx_format *from, const ptx_format *to, uint64_t bits) {
    const uint64_t fraction = ptx_magnitude(from, bits) - from->infinity;
    const int wider = (int)to->fraction_bits - (int)from->fraction_bits;
    const uint64_t kept = wider < 0 ? fraction >> -wider : fraction << wider;
    return ptx_quiet(to, (ptx_is_negative(from, bits) ? ptx_sign_bit(to) : 0) | to->infinity | kept);
}

static bool keep_nan(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const ptx_format *from = &ptx_formats[modifiers->source_type];
    const uint64_t bits = ptx_operand_bits(thread, instruction, 1);
    if (!ptx_is_nan(from, bits) || modifiers->saturate) {
        return false;
    }
    ptx_write(thread, instruction, nan_as(from, &ptx_formats[modifiers->type], bits));
    return true;
}

static void convert_with_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    if (!keep_nan(thread, instruction)) {
        float_to_float(thread, instruction);
    }
}

static void round_f64_to_integral(ptx_thread *thread, const ptx_instruction *instruction) {
    if (!keep_nan(thread, instruction)) {
        round_to_integral(thread, instruction);
    }
}

static void integer_to_float(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const uint64_t value = extend(ptx_operand_bits(thread, instruction, 1), modifiers->source_type);
    const bool negative = is_signed(modifiers->source_type) && (int64_t)value < 0;
    const ptx_number number = {negative, negative ? 0 - value : value, 0};
    write_float(thread, instruction, ptx_round(&ptx_formats[modifiers->type], &number, modifiers->rounding));
}

/* What the host has an operator for. */
static void plain_integer_to_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_type from = instruction->modifiers.source_type;
    const uint64_t value = extend(ptx_operand_bits(thread, instruction, 1), from);
    ptx_write(thread, instruction, ptx_f32_bits(is_signed(from) ? (float)(int64_t)value : (float)value));
}

static void plain_integer_to_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_type from = instruction->modifiers.source_type;
    const uint64_t value = extend(ptx_operand_bits(thread, instruction, 1), from);
    ptx_write(thread, instruction, ptx_f64_bits(is_signed(from) ? (double)(int64_t)value : (double)value));
}

static void plain_f64_to_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_f32_bits((float)ptx_as_f64(ptx_operand_bits(thread, instruction, 1))));
}

static void plain_f32_to_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_f64_bits((double)ptx_as_f32(ptx_operand_bits(thread, instruction, 1))));
}

/* A .bf16 is the upper half of an .f32, NaNs included. */
static void plain_bf16_to_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, 1) << 16);
}

static void plain_bf16_to_f64(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_f64_bits((double)ptx_as_f32(ptx_operand_bits(thread, instruction, 1) << 16)));
}

/* Nothing is converted: a NaN stays as it is. */
static void copy_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 1));
}

static const ptx_form forms[] = {
    {"cvt{.sat}.<convert>.<convert>", "xy", integer_to_integer, NULL},
    {"cvt.<to-integer>{.ftz}{.sat}.<convert>.<f16|bf16|f32|f64>", "xy", float_to_integer, NULL},
    {"cvt.rn.f32.<convert>", "xy", plain_integer_to_f32, NULL},
    {"cvt.rn.f64.<convert>", "xy", plain_integer_to_f64, NULL},
    {"cvt.<rounding>{.ftz}{.sat}.<f16|bf16|f32|f64>.<convert>", "xy", integer_to_float, NULL},
    {"cvt.rn.f32.f64", "xy", plain_f64_to_f32, NULL},
    {"cvt.f64.f32", "xy", plain_f32_to_f64, NULL},
    {"cvt.<rounding>{.ftz}{.sat}.f32.f64", "xy", convert_with_f64, NULL},
    {"cvt.<rounding>{.sat}.f16.f64", "xy", convert_with_f64, NULL},
    {"cvt.<rounding>.bf16.f64", "xy", convert_with_f64, NULL},
    {"cvt{.sat}.f64.f16", "xy", convert_with_f64, NULL},
    {"cvt.<rounding>{.relu}{.satfinite}.<f16|bf16>.f32", "xy", float_to_float, NULL},
    {"cvt.<rounding>{.ftz}{.sat}.f16.<bf16|f32|f64>", "xy", float_to_float, NULL},
    {"cvt.<rounding>{.ftz}.bf16.<f16|f32|f64>", "xy", float_to_float, NULL},
    {"cvt.f32.f32", "xy", copy_f32, NULL},
    {"cvt{.ftz}{.sat}.<f32|f64>.<f16|f32>", "xy", float_to_float, NULL},
    {"cvt.f32.bf16", "xy", plain_bf16_to_f32, NULL},
    {"cvt.f64.bf16", "xy", plain_bf16_to_f64, NULL},
    {"cvt.ftz.f32.bf16", "xy", float_to_float, NULL},
    {"cvt{.sat}.f64.f64", "xy", convert_with_f64, NULL},
    {"cvt.<to-integer>{.ftz}{.sat}.f32.f32", "xy", round_to_integral, NULL},
    {"cvt.<to-integer>{.sat}.f64.f64", "xy", round_f64_to_integral, NULL},
    {"cvt.<to-integer>{.ftz}{.sat}.f16.f16", "xy", round_to_integral, NULL},
    {"cvt.<to-integer>.bf16.bf16", "xy", round_to_integral, NULL},
    {"cvt.rna{.satfinite}.tf32.f32", "xy", round_away, NULL},
    {"cvt.<rounding>{.satfinite}{.relu}.tf32.f32", "xy", float_to_float, NULL},
};

const ptx_forms ptx_convert_forms = {forms, sizeof forms / sizeof *forms};
