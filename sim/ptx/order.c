/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/arithmetic.h"
#include "ptx/run.h"

#include <math.h>

/* Comparing floating-point numbers, and what else their bits say without arithmetic. */

typedef enum relation { IS_LESS, IS_EQUAL, IS_GREATER, IS_UNORDERED } relation;

/* Of which relations a comparison holds; .unordered adds the last. */
#define BIT(relation) (1u << (relation))
static const unsigned char relations[] = {
    [PTX_EQ] = BIT(IS_EQUAL),
    [PTX_NE] = BIT(IS_LESS) | BIT(IS_GREATER),
    [PTX_LT] = BIT(IS_LESS),
    [PTX_LE] = BIT(IS_LESS) | BIT(IS_EQUAL),
    [PTX_GT] = BIT(IS_GREATER),
    [PTX_GE] = BIT(IS_GREATER) | BIT(IS_EQUAL),
    [PTX_NUM] = BIT(IS_LESS) | BIT(IS_EQUAL) | BIT(IS_GREATER),
    [PTX_NAN] = 0,
};

static inline bool holds_of(const ptx_modifiers *modifiers, relation found) {
    const unsigned asked = relations[modifiers->comparison] | (unsigned)modifiers->unordered << IS_UNORDERED;
    return asked >> found & 1;
}

#define RELATION(a, b) ((a) < (b) ? IS_LESS : (a) > (b) ? IS_GREATER : (a) == (b) ? IS_EQUAL : IS_UNORDERED)

/* Numbers in order: -0 comes just before 0. */
static int64_t rank_of(const ptx_format *format, uint64_t bits) {
    const int64_t magnitude = (int64_t)ptx_magnitude(format, bits);
    return ptx_is_negative(format, bits) ? -1 - magnitude : magnitude;
}

static relation relation_of(const ptx_format *format, uint64_t a, uint64_t b) {
    if (ptx_is_nan(format, a) || ptx_is_nan(format, b)) {
        return IS_UNORDERED;
    }
    const bool are_zeros = (ptx_magnitude(format, a) | ptx_magnitude(format, b)) == 0;
    const int64_t first = rank_of(format, a);
    const int64_t second = rank_of(format, b);
    return are_zeros ? IS_EQUAL : RELATION(first, second);
}

static uint64_t flushed(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t bits) {
    return modifiers->flush ? ptx_flush_bits(format, bits) : bits;
}

static bool compares(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b) {
    return holds_of(modifiers, relation_of(format, flushed(format, modifiers, a), flushed(format, modifiers, b)));
}

bool ptx_compare_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b) {
    return compares(&ptx_formats[type], modifiers, a, b);
}

/* ---- setp ---- */

#define COMPARE(suffix, type) \
    static void plain_compare_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        const type a = ptx_as_##suffix(ptx_operand_bits(thread, instruction, 2)); \
        const type b = ptx_as_##suffix(ptx_operand_bits(thread, instruction, 3)); \
        const bool holds = holds_of(&instruction->modifiers, RELATION(a, b)); \
        thread->registers[instruction->slots[0]] = holds; \
        thread->registers[instruction->slots[1]] = !holds; \
    }

COMPARE(f32, float)
COMPARE(f64, double)
static ptx_handler *const plain_compare[PTX_TYPES] = {[PTX_F32] = plain_compare_f32, [PTX_F64] = plain_compare_f64};

static bool compare_elements(const ptx_thread *thread, const ptx_instruction *instruction, ptx_type type, unsigned shift) {
    const uint64_t a = ptx_operand_bits(thread, instruction, 2) >> shift;
    const uint64_t b = ptx_operand_bits(thread, instruction, 3) >> shift;
    return ptx_compare_floats(type, &instruction->modifiers, a, b);
}

static void compare(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write_predicates(thread, instruction, compare_elements(thread, instruction, instruction->modifiers.type, 0));
}

/* p is what the lower two come to, q what the upper two do. */
static void compare_pairs(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const bool with = (ptx_operand_bits(thread, instruction, 4) != 0) != instruction->negated;
    const bool low = compare_elements(thread, instruction, modifiers->type, 0);
    const bool high = compare_elements(thread, instruction, modifiers->type, 16);
    thread->registers[instruction->slots[0]] = ptx_combine(modifiers->combination, low, with);
    thread->registers[instruction->slots[1]] = ptx_combine(modifiers->combination, high, with);
}

/* ---- min, max ---- */

typedef bool prefers(int64_t a, int64_t b);

static bool prefers_lesser(int64_t a, int64_t b) {
    return a < b;
}

static bool prefers_greater(int64_t a, int64_t b) {
    return a > b;
}

/* What goes on of a NaN: of an .f64 itself, made quiet. */
static uint64_t nan_of(const ptx_format *format, uint64_t bits) {
    return format == &ptx_formats[PTX_F64] ? ptx_quiet(format, bits) : format->nan;
}

/* A NaN loses to a number, unless .NaN is said; of two the second goes on. */
static uint64_t select_number(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, prefers *first) {
    const bool a_is_nan = ptx_is_nan(format, a);
    const bool b_is_nan = ptx_is_nan(format, b);
    if (a_is_nan || b_is_nan) {
        return modifiers->keeps_nan || (a_is_nan && b_is_nan) ? nan_of(format, b) : a_is_nan ? b : a;
    }
    return first(rank_of(format, a), rank_of(format, b)) ? a : b;
}

static uint64_t select_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, prefers *first) {
    const uint64_t sign = ptx_sign_bit(format);
    const uint64_t kept = modifiers->absolute ? sign - 1 : sign | (sign - 1);
    const uint64_t chosen =
        select_number(format, modifiers, flushed(format, modifiers, a) & kept, flushed(format, modifiers, b) & kept, first);
    return modifiers->xor_sign && !ptx_is_nan(format, chosen) ? chosen | ((a ^ b) & sign) : chosen;
}

static uint64_t minimum_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    return select_bits(format, modifiers, a, b, prefers_lesser);
}

static uint64_t maximum_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    (void)c;
    return select_bits(format, modifiers, a, b, prefers_greater);
}

static uint64_t least_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    return minimum_bits(format, modifiers, minimum_bits(format, modifiers, a, b, 0), c, 0);
}

static uint64_t greatest_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    return maximum_bits(format, modifiers, maximum_bits(format, modifiers, a, b, 0), c, 0);
}

uint64_t ptx_min_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b) {
    return ptx_for_each(type, modifiers, minimum_bits, a, b, 0);
}

uint64_t ptx_max_floats(ptx_type type, const ptx_modifiers *modifiers, uint64_t a, uint64_t b) {
    return ptx_for_each(type, modifiers, maximum_bits, a, b, 0);
}

/* ---- the sign ---- */

/* neg and abs change the sign bit alone, and that of no NaN. */
static uint64_t negate_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    const uint64_t negative = (flushed(format, modifiers, a) ^ ptx_sign_bit(format)) & (ptx_sign_bit(format) * 2 - 1);
    return ptx_is_nan(format, a) ? nan_of(format, a) : negative;
}

static uint64_t absolute_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    (void)b, (void)c;
    return ptx_is_nan(format, a) ? nan_of(format, a) : ptx_magnitude(format, flushed(format, modifiers, a));
}

/* The first operand's sign, the second's magnitude. */
static uint64_t copy_sign_bits(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    (void)modifiers, (void)c;
    return (a & ptx_sign_bit(format)) | ptx_magnitude(format, b);
}

#define HANDLER(name) \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        const ptx_modifiers *modifiers = &instruction->modifiers; \
        const uint64_t a = ptx_operand_bits(thread, instruction, 1); \
        const uint64_t b = ptx_operand_bits(thread, instruction, 2); \
        const uint64_t c = ptx_operand_bits(thread, instruction, 3); \
        ptx_write(thread, instruction, ptx_for_each(modifiers->type, modifiers, name##_bits, a, b, c)); \
    }

HANDLER(minimum)
HANDLER(maximum)
HANDLER(least)
HANDLER(greatest)
HANDLER(negate)
HANDLER(absolute)
HANDLER(copy_sign)

/* ---- set on halves ---- */

/* What a comparison that holds gives: 1, or all ones. */
static uint64_t truth_of(ptx_type type) {
    const bool is_float = type == PTX_F16 || type == PTX_BF16 || type == PTX_F16X2 || type == PTX_BF16X2;
    return is_float ? ptx_one(&ptx_formats[type]) : UINT64_MAX;
}

static bool compare_for_set(const ptx_thread *thread, const ptx_instruction *instruction, unsigned shift) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const uint64_t a = ptx_operand_bits(thread, instruction, 1) >> shift;
    const uint64_t b = ptx_operand_bits(thread, instruction, 2) >> shift;
    const bool with = (ptx_operand_bits(thread, instruction, 3) != 0) != instruction->negated;
    return ptx_combine(modifiers->combination, ptx_compare_floats(modifiers->source_type, modifiers, a, b), with);
}

static void set(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t truth = truth_of(instruction->modifiers.type);
    ptx_write(thread, instruction, compare_for_set(thread, instruction, 0) ? truth : 0);
}

static void set_pair(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t truth = truth_of(instruction->modifiers.type) & 0xffff;
    const uint64_t low = compare_for_set(thread, instruction, 0) ? truth : 0;
    const uint64_t high = compare_for_set(thread, instruction, 16) ? truth : 0;
    ptx_write(thread, instruction, high << 16 | low);
}

/* ---- testp ---- */

/* Zeros count as normal. */
static bool is_of_kind(const ptx_format *format, uint64_t bits, unsigned kind) {
    const uint64_t magnitude = ptx_magnitude(format, bits);
    const bool is_finite = magnitude <= format->largest;
    const bool is_subnormal = magnitude && magnitude >> format->fraction_bits == 0;
    const bool is_number = magnitude <= format->infinity;
    const bool kinds[] = {is_finite, !is_finite && is_number, is_number, !is_number, is_finite && !is_subnormal, is_subnormal};
    return kinds[kind];
}

static void test_property(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const uint64_t bits = ptx_operand_bits(thread, instruction, 1);
    ptx_write(thread, instruction, is_of_kind(&ptx_formats[modifiers->type], bits, modifiers->choice));
}

static const ptx_form forms[] = {
    {"setp.<compare-float>.<f32|f64>", "paa", NULL, plain_compare},
    {"setp.<compare-float>{.ftz}.<f16|f32>", "paa", compare, NULL},
    {"setp.<compare-float>.<combine>{.ftz}.<f16|f32>", "paaq", compare, NULL},
    {"setp.<compare-float>.bf16", "paa", compare, NULL},
    {"setp.<compare-float>.<combine>.<bf16|f64>", "paaq", compare, NULL},
    {"setp.<compare-float>{.ftz}.f16x2", "paa", compare_pairs, NULL},
    {"setp.<compare-float>.<combine>{.ftz}.f16x2", "paaq", compare_pairs, NULL},
    {"setp.<compare-float>.bf16x2", "paa", compare_pairs, NULL},
    {"setp.<compare-float>.<combine>.bf16x2", "paaq", compare_pairs, NULL},
    {"set.<compare-float>{.ftz}.<f16|u16|s16|u32|s32>.f16", "dyy", set, NULL},
    {"set.<compare-float>.<combine>{.ftz}.<f16|u16|s16|u32|s32>.f16", "dyyq", set, NULL},
    {"set.<compare-float>.<bf16|u16|s16|u32|s32>.bf16", "dyy", set, NULL},
    {"set.<compare-float>.<combine>.<bf16|u16|s16|u32|s32>.bf16", "dyyq", set, NULL},
    {"set.<compare-float>{.ftz}.<f16x2|u32|s32>.f16x2", "dyy", set_pair, NULL},
    {"set.<compare-float>.<combine>{.ftz}.<f16x2|u32|s32>.f16x2", "dyyq", set_pair, NULL},
    {"set.<compare-float>.<bf16x2|u32|s32>.bf16x2", "dyy", set_pair, NULL},
    {"set.<compare-float>.<combine>.<bf16x2|u32|s32>.bf16x2", "dyyq", set_pair, NULL},
    {"min{.ftz}{.NaN}.<f32|f16|f16x2>", "daa", minimum, NULL},
    {"min{.ftz}{.NaN}.xorsign.abs.<f32|f16|f16x2>", "daa", minimum, NULL},
    {"min{.NaN}.<bf16|bf16x2>", "daa", minimum, NULL},
    {"min{.NaN}.xorsign.abs.<bf16|bf16x2>", "daa", minimum, NULL},
    {"min.f64", "daa", minimum, NULL},
    {"min{.ftz}{.NaN}{.abs}.f32", "daaa", least, NULL},
    {"max{.ftz}{.NaN}.<f32|f16|f16x2>", "daa", maximum, NULL},
    {"max{.ftz}{.NaN}.xorsign.abs.<f32|f16|f16x2>", "daa", maximum, NULL},
    {"max{.NaN}.<bf16|bf16x2>", "daa", maximum, NULL},
    {"max{.NaN}.xorsign.abs.<bf16|bf16x2>", "daa", maximum, NULL},
    {"max.f64", "daa", maximum, NULL},
    {"max{.ftz}{.NaN}{.abs}.f32", "daaa", greatest, NULL},
    {"neg{.ftz}.<f32|f16|f16x2>", "da", negate, NULL},
    {"neg.<f64|bf16|bf16x2>", "da", negate, NULL},
    {"abs{.ftz}.<f32|f16|f16x2>", "da", absolute, NULL},
    {"abs.<f64|bf16|bf16x2>", "da", absolute, NULL},
    {"copysign.<f32|f64>", "daa", copy_sign, NULL},
    {"testp.<finite|infinite|number|notanumber|normal|subnormal>.<f32|f64>", "oa", test_property, NULL},
};

const ptx_forms ptx_order_forms = {forms, sizeof forms / sizeof *forms};
