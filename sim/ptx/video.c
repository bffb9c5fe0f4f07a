/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/video.h"

/* Scalar video instructions: an operation on parts of registers, its result perhaps saturated, and then combined with a third
 * operand or merged into it. */

typedef wide_signed operation(const ptx_modifiers *modifiers, int64_t a, int64_t b);

static unsigned width_of(uint64_t part) {
    return (unsigned)(part >> 8 & 0xff);
}

static int64_t read_part(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand, bool is_signed) {
    const uint64_t bits = (uint32_t)ptx_operand_bits(thread, instruction, operand);
    const uint64_t part = ptx_operand_bits(thread, instruction, operand + 1);
    return ptx_extend(bits >> (part & 0xff), width_of(part), is_signed);
}

/* The operation's result, its sources' slots beginning with number `first`. */
static wide_signed operate(const ptx_thread *thread, const ptx_instruction *instruction, unsigned first, operation *made) {
    const unsigned signs = ptx_video_signs(&instruction->modifiers);
    const int64_t a = read_part(thread, instruction, first, signs & PTX_SIGNED_A);
    const int64_t b = read_part(thread, instruction, first + 2, signs & PTX_SIGNED_B);
    return made(&instruction->modifiers, a, b);
}

static void write_whole(ptx_thread *thread, const ptx_instruction *instruction, operation *made) {
    const wide_signed result = ptx_saturate_to(&instruction->modifiers, operate(thread, instruction, 1, made), 32);
    ptx_write(thread, instruction, (uint64_t)result);
}

enum { THEN_ADD, THEN_MINIMUM, THEN_MAXIMUM };

static void write_combined(ptx_thread *thread, const ptx_instruction *instruction, operation *made) {
    const wide_signed result = ptx_saturate_to(&instruction->modifiers, operate(thread, instruction, 1, made), 32);
    const bool is_signed = ptx_video_signs(&instruction->modifiers) & PTX_SIGNED_RESULT;
    const wide_signed c = ptx_extend(ptx_operand_bits(thread, instruction, 5), 32, is_signed);
    const wide_signed combined[] = {
        [THEN_ADD] = result + c, [THEN_MINIMUM] = result < c ? result : c, [THEN_MAXIMUM] = result > c ? result : c};
    ptx_write(thread, instruction, (uint64_t)combined[instruction->modifiers.choice]);
}

/* The other parts of the destination are those of c. */
static void write_part(ptx_thread *thread, const ptx_instruction *instruction, operation *made) {
    const uint64_t part = ptx_operand_bits(thread, instruction, 1);
    const wide_signed result = ptx_saturate_to(&instruction->modifiers, operate(thread, instruction, 2, made), width_of(part));
    const uint64_t mask = ((UINT64_C(1) << width_of(part)) - 1) << (part & 0xff);
    const uint64_t c = ptx_operand_bits(thread, instruction, 6);
    ptx_write(thread, instruction, ((uint64_t)result << (part & 0xff) & mask) | (c & ~mask));
}

#define VIDEO(name, expression) \
    static wide_signed name##_of(const ptx_modifiers *modifiers, int64_t a, int64_t b) { \
        (void)modifiers; \
        return expression; \
    } \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        write_whole(thread, instruction, name##_of); \
    } \
    static void name##_combined(ptx_thread *thread, const ptx_instruction *instruction) { \
        write_combined(thread, instruction, name##_of); \
    } \
    static void name##_part(ptx_thread *thread, const ptx_instruction *instruction) { \
        write_part(thread, instruction, name##_of); \
    }

#define CLAMPED (b < 32 ? b : 32)
VIDEO(add, a + b)
VIDEO(subtract, a - b)
VIDEO(difference, a < b ? b - a : a - b)
VIDEO(minimum, a < b ? a : b)
VIDEO(maximum, a > b ? a : b)
VIDEO(shift_left_clamped, (wide_signed)a *(INT64_C(1) << CLAMPED))
VIDEO(shift_left_wrapped, (wide_signed)a *(INT64_C(1) << (b & 31)))
VIDEO(shift_right_clamped, a >> CLAMPED)
VIDEO(shift_right_wrapped, a >> (b & 31))
VIDEO(set, ptx_compares(modifiers->comparison, a, b))

/* ---- vmad d, a, b, c ---- */

static bool is_negated(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    return ptx_operand_bits(thread, instruction, operand + 1) & PTX_NEGATED;
}

static void finish_multiply_add(ptx_thread *thread, const ptx_instruction *instruction, wide_signed result, bool is_signed) {
    ptx_write(thread, instruction, (uint64_t)(instruction->modifiers.saturate ? ptx_clamp_to(result, 32, is_signed) : result));
}

/* (a*b) + c, of which either may be negated. The result is signed if a factor is or something is negated. */
static void multiply_add_by(ptx_thread *thread, const ptx_instruction *instruction, unsigned scale) {
    const unsigned signs = ptx_video_signs(&instruction->modifiers);
    const wide_signed product = (wide_signed)read_part(thread, instruction, 1, signs & PTX_SIGNED_A) *
                                read_part(thread, instruction, 3, signs & PTX_SIGNED_B);
    const bool minus_product = is_negated(thread, instruction, 1) != is_negated(thread, instruction, 3);
    const bool minus_c = !minus_product && is_negated(thread, instruction, 5);
    const bool is_signed = signs & (PTX_SIGNED_A | PTX_SIGNED_B) || minus_product || minus_c;
    const uint64_t bits = ptx_operand_bits(thread, instruction, 5);
    const wide_signed c = ptx_extend(minus_c ? ~bits : bits, 32, is_signed);
    const wide_signed sum = minus_product ? c - product : product + c + minus_c;
    finish_multiply_add(thread, instruction, sum >> scale, is_signed);
}

/* (a*b) + c + 1 */
static void multiply_add_one_by(ptx_thread *thread, const ptx_instruction *instruction, unsigned scale) {
    const unsigned signs = ptx_video_signs(&instruction->modifiers);
    const wide_signed product = (wide_signed)read_part(thread, instruction, 1, signs & PTX_SIGNED_A) *
                                read_part(thread, instruction, 3, signs & PTX_SIGNED_B);
    const int64_t c = ptx_extend(ptx_operand_bits(thread, instruction, 5), 32, signs & (PTX_SIGNED_A | PTX_SIGNED_B));
    finish_multiply_add(thread, instruction, (product + c + 1) >> scale, signs & (PTX_SIGNED_A | PTX_SIGNED_B));
}

#define SCALED(name, suffix, scale) \
    static void name##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        name##_by(thread, instruction, scale); \
    }
SCALED(multiply_add, , 0)
SCALED(multiply_add, _scaled_by_7, 7)
SCALED(multiply_add, _scaled_by_15, 15)
SCALED(multiply_add_one, , 0)
SCALED(multiply_add_one, _scaled_by_7, 7)
SCALED(multiply_add_one, _scaled_by_15, 15)

#define TYPE ".<u32|s32>"
#define FORMS(mnemonic, name) \
    {mnemonic, "vAA", name, NULL}, {mnemonic, "ZAAu", name##_part, NULL}, { \
        mnemonic ".<add|min|max>", "vAAu", name##_combined, NULL \
    }

static const ptx_form forms[] = {
    FORMS("vadd" TYPE TYPE TYPE "{.sat}", add),
    FORMS("vsub" TYPE TYPE TYPE "{.sat}", subtract),
    FORMS("vabsdiff" TYPE TYPE TYPE "{.sat}", difference),
    FORMS("vmin" TYPE TYPE TYPE "{.sat}", minimum),
    FORMS("vmax" TYPE TYPE TYPE "{.sat}", maximum),
    FORMS("vshl" TYPE TYPE ".u32{.sat}.clamp", shift_left_clamped),
    FORMS("vshl" TYPE TYPE ".u32{.sat}.wrap", shift_left_wrapped),
    FORMS("vshr" TYPE TYPE ".u32{.sat}.clamp", shift_right_clamped),
    FORMS("vshr" TYPE TYPE ".u32{.sat}.wrap", shift_right_wrapped),
    FORMS("vset" TYPE TYPE ".<compare-signed>", set),
    {"vmad" TYPE TYPE TYPE "{.sat}", "vVVX", multiply_add, NULL},
    {"vmad" TYPE TYPE TYPE "{.sat}.shr7", "vVVX", multiply_add_scaled_by_7, NULL},
    {"vmad" TYPE TYPE TYPE "{.sat}.shr15", "vVVX", multiply_add_scaled_by_15, NULL},
    {"vmad" TYPE TYPE TYPE ".po{.sat}", "vAAu", multiply_add_one, NULL},
    {"vmad" TYPE TYPE TYPE ".po{.sat}.shr7", "vAAu", multiply_add_one_scaled_by_7, NULL},
    {"vmad" TYPE TYPE TYPE ".po{.sat}.shr15", "vAAu", multiply_add_one_scaled_by_15, NULL},
};

const ptx_forms ptx_video_forms = {forms, sizeof forms / sizeof *forms};
