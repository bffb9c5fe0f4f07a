/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/arithmetic.h"
#include "ptx/run.h"

/* Comparisons of integers into predicates, of integers and floats into registers, and selection by a sign. */

static bool read_predicate(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    return (ptx_operand_bits(thread, instruction, operand) != 0) != instruction->negated;
}

void ptx_write_predicates(ptx_thread *thread, const ptx_instruction *instruction, bool holds) {
    const ptx_combination combination = instruction->modifiers.combination;
    const bool with = read_predicate(thread, instruction, 4);
    thread->registers[instruction->slots[0]] = ptx_combine(combination, holds, with);
    thread->registers[instruction->slots[1]] = ptx_combine(combination, !holds, with);
}

/* ---- setp p|q, a, b, c ---- */

#define COMPARE_AS(name, type, operator) \
    static bool name##_holds(const ptx_thread *thread, const ptx_instruction *instruction) { \
        return (type)ptx_operand_bits(thread, instruction, 2) operator(type) ptx_operand_bits(thread, instruction, 3); \
    } \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        const bool holds = name##_holds(thread, instruction); \
        thread->registers[instruction->slots[0]] = holds; \
        thread->registers[instruction->slots[1]] = !holds; \
    } \
    static void combined_##name(ptx_thread *thread, const ptx_instruction *instruction) { \
        ptx_write_predicates(thread, instruction, name##_holds(thread, instruction)); \
    }

#define TABLE(name, s16, s32, s64) \
    static ptx_handler *const name[PTX_TYPES] = { \
        [PTX_U16] = name##_u16,   [PTX_S16] = name##_##s16, [PTX_U32] = name##_u32, \
        [PTX_S32] = name##_##s32, [PTX_U64] = name##_u64,   [PTX_S64] = name##_##s64, \
    };

#define COMPARE_UNSIGNED(name, operator) \
    COMPARE_AS(name##_u16, uint16_t, operator) \
    COMPARE_AS(name##_u32, uint32_t, operator) \
    COMPARE_AS(name##_u64, uint64_t, operator)

#define COMPARE_EQUALITY(name, operator) \
    COMPARE_UNSIGNED(name, operator) \
    TABLE(name, u16, u32, u64) \
    TABLE(combined_##name, u16, u32, u64)

#define COMPARE_ORDER(name, operator) \
    COMPARE_UNSIGNED(name, operator) \
    COMPARE_AS(name##_s16, int16_t, operator) \
    COMPARE_AS(name##_s32, int32_t, operator) \
    COMPARE_AS(name##_s64, int64_t, operator) \
    TABLE(name, s16, s32, s64) \
    TABLE(combined_##name, s16, s32, s64)

COMPARE_EQUALITY(equal, ==)
COMPARE_EQUALITY(not_equal, !=)
COMPARE_ORDER(less, <)
COMPARE_ORDER(less_or_equal, <=)
COMPARE_ORDER(greater, >)
COMPARE_ORDER(greater_or_equal, >=)

/* ---- set d, a, b, c ---- */

/* `order` is negative, zero or positive, as a is less than b, equal or greater. */
static bool order_holds(ptx_comparison comparison, int order) {
    switch (comparison) {
    case PTX_EQ:
        return order == 0;
    case PTX_NE:
        return order != 0;
    case PTX_LT:
        return order < 0;
    case PTX_LE:
        return order <= 0;
    case PTX_GT:
        return order > 0;
    case PTX_GE:
        return order >= 0;
    case PTX_NUM:
        return true;
    case PTX_NAN:
        break;
    }
    return false;
}

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

static bool is_signed(ptx_type type) {
    return type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static bool integers_compare(const ptx_modifiers *modifiers, uint64_t a, uint64_t b) {
    const unsigned above = 64 - 8 * ptx_type_size(modifiers->source_type);
    const uint64_t left = a << above;
    const uint64_t right = b << above;
    const int order = is_signed(modifiers->source_type) ? ORDER((int64_t)left, (int64_t)right) : ORDER(left, right);
    return order_holds(modifiers->comparison, order);
}

static bool sources_compare(const ptx_modifiers *modifiers, uint64_t a, uint64_t b) {
    const bool is_float = modifiers->source_type == PTX_F32 || modifiers->source_type == PTX_F64;
    return is_float ? ptx_compare_floats(modifiers->source_type, modifiers, a, b) : integers_compare(modifiers, a, b);
}

#define ONE_AS_F32 0x3f800000u

static void set(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const bool compares =
        sources_compare(modifiers, ptx_operand_bits(thread, instruction, 1), ptx_operand_bits(thread, instruction, 2));
    const bool holds = ptx_combine(modifiers->combination, compares, read_predicate(thread, instruction, 3));
    const uint32_t truth = modifiers->type == PTX_F32 ? ONE_AS_F32 : UINT32_MAX;
    ptx_write(thread, instruction, holds ? truth : 0);
}

/* ---- slct d, a, b, c ---- */

static void select_by_s32(ptx_thread *thread, const ptx_instruction *instruction) {
    const int32_t c = (int32_t)ptx_operand_bits(thread, instruction, 3);
    ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, c >= 0 ? 1 : 2));
}

static void select_by_f32(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t bits = (uint32_t)ptx_operand_bits(thread, instruction, 3);
    const float c = ptx_as_f32(instruction->modifiers.flush ? ptx_flush_bits(&ptx_formats[PTX_F32], bits) : bits);
    ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, c >= 0.0f ? 1 : 2));
}

#define FOR_ALL_BUT_PREDICATES(handler) \
    { \
        [PTX_U16] = (handler), [PTX_S16] = (handler), [PTX_U32] = (handler), [PTX_S32] = (handler), [PTX_U64] = (handler), \
        [PTX_S64] = (handler), [PTX_F32] = (handler), [PTX_F64] = (handler), \
    }
static ptx_handler *const selections_by_s32[PTX_TYPES] = FOR_ALL_BUT_PREDICATES(select_by_s32);
static ptx_handler *const selections_by_f32[PTX_TYPES] = FOR_ALL_BUT_PREDICATES(select_by_f32);

#define UNSIGNED "<u16|u32|u64>"
#define SIGNED "<s16|s32|s64>"
#define COMPARISON(word, types, handlers) \
    {"setp." word "." types, "paa", NULL, handlers}, { \
        "setp." word ".<combine>." types, "paaq", NULL, combined_##handlers \
    }
#define SET(comparisons, flush, types) \
    {"set.<" comparisons ">" flush ".<u32|s32|f32>." types, "dyy", set, NULL}, { \
        "set.<" comparisons ">.<combine>" flush ".<u32|s32|f32>." types, "dyyq", set, NULL \
    }

static const ptx_form forms[] = {
    COMPARISON("eq", "<int-or-bits>", equal),
    COMPARISON("ne", "<int-or-bits>", not_equal),
    COMPARISON("lt", "<int>", less),
    COMPARISON("le", "<int>", less_or_equal),
    COMPARISON("gt", "<int>", greater),
    COMPARISON("ge", "<int>", greater_or_equal),
    COMPARISON("lo", UNSIGNED, less),
    COMPARISON("ls", UNSIGNED, less_or_equal),
    COMPARISON("hi", UNSIGNED, greater),
    COMPARISON("hs", UNSIGNED, greater_or_equal),
    SET("compare-bits", "", "<shift>"),
    SET("compare-signed", "", SIGNED),
    SET("compare", "", UNSIGNED),
    SET("compare-float", "{.ftz}", "f32"),
    SET("compare-float", "", "f64"),
    {"slct.<move>.s32", "daay", NULL, selections_by_s32},
    {"slct{.ftz}.<move>.f32", "daay", NULL, selections_by_f32},
};

const ptx_forms ptx_predicate_forms = {forms, sizeof forms / sizeof *forms};
