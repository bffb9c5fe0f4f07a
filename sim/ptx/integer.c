/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

/* An instruction on operands a, b, c of a C type. */
#define INSTRUCTION(name, type, expression) \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        const type a = (type)ptx_operand_bits(thread, instruction, 1); \
        const type b = (type)ptx_operand_bits(thread, instruction, 2); \
        const type c = (type)ptx_operand_bits(thread, instruction, 3); \
        (void)b, (void)c; \
        ptx_write(thread, instruction, (uint64_t)(expression)); \
    }

/* The low bits of these depend on the low bits of their operands alone: one handler serves every integer type. */
INSTRUCTION(add, uint64_t, a + b)
INSTRUCTION(subtract, uint64_t, a - b)
INSTRUCTION(multiply_low, uint64_t, a *b)
INSTRUCTION(multiply_add_low, uint64_t, a *b + c)
INSTRUCTION(negate, uint64_t, 0 - a)
INSTRUCTION(and, uint64_t, a &b)
INSTRUCTION(or, uint64_t, a | b)
INSTRUCTION(xor, uint64_t, a ^ b)
INSTRUCTION(not_bits, uint64_t, ~a)
INSTRUCTION(not_predicate, uint64_t, !a)

#define FOR_EACH_TYPE(name) \
    static ptx_handler *const name[PTX_TYPES] = { \
        [PTX_U16] = name##_u16, [PTX_S16] = name##_s16, [PTX_U32] = name##_u32, \
        [PTX_S32] = name##_s32, [PTX_U64] = name##_u64, [PTX_S64] = name##_s64, \
    };

#define INSTRUCTIONS(name, expression) \
    INSTRUCTION(name##_u16, uint16_t, expression) \
    INSTRUCTION(name##_s16, int16_t, expression) \
    INSTRUCTION(name##_u32, uint32_t, expression) \
    INSTRUCTION(name##_s32, int32_t, expression) \
    INSTRUCTION(name##_u64, uint64_t, expression) \
    INSTRUCTION(name##_s64, int64_t, expression) \
    FOR_EACH_TYPE(name)

INSTRUCTIONS(minimum, a < b ? a : b)
INSTRUCTIONS(maximum, a > b ? a : b)

#define ABSOLUTE (a < 0 ? 0 - (uint64_t)a : (uint64_t)a)
INSTRUCTION(absolute_s16, int16_t, ABSOLUTE)
INSTRUCTION(absolute_s32, int32_t, ABSOLUTE)
INSTRUCTION(absolute_s64, int64_t, ABSOLUTE)
static ptx_handler *const absolute[PTX_TYPES] = {[PTX_S16] = absolute_s16, [PTX_S32] = absolute_s32, [PTX_S64] = absolute_s64};

/* A zero divisor gives all ones, as on a device; the lowest number by -1 gives itself. */
#define QUOTIENT (b == 0 ? ~UINT64_C(0) : (uint64_t)(a / b))
#define SIGNED_QUOTIENT (b == 0 ? ~UINT64_C(0) : b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b))
INSTRUCTION(divide_u16, uint16_t, QUOTIENT)
INSTRUCTION(divide_s16, int16_t, SIGNED_QUOTIENT)
INSTRUCTION(divide_u32, uint32_t, QUOTIENT)
INSTRUCTION(divide_s32, int32_t, SIGNED_QUOTIENT)
INSTRUCTION(divide_u64, uint64_t, QUOTIENT)
INSTRUCTION(divide_s64, int64_t, SIGNED_QUOTIENT)
FOR_EACH_TYPE(divide)

#define REMAINDER (b == 0 ? a : a % b)
#define SIGNED_REMAINDER (b == 0 ? a : b == -1 ? 0 : a % b)
INSTRUCTION(modulo_u16, uint16_t, REMAINDER)
INSTRUCTION(modulo_s16, int16_t, SIGNED_REMAINDER)
INSTRUCTION(modulo_u32, uint32_t, REMAINDER)
INSTRUCTION(modulo_s32, int32_t, SIGNED_REMAINDER)
INSTRUCTION(modulo_u64, uint64_t, REMAINDER)
INSTRUCTION(modulo_s64, int64_t, SIGNED_REMAINDER)
FOR_EACH_TYPE(modulo)

/* The upper half of the product. */
#define HIGH(wide, bits) (((wide)a * (wide)b) >> (bits))
INSTRUCTION(multiply_high_u16, uint16_t, HIGH(uint32_t, 16))
INSTRUCTION(multiply_high_s16, int16_t, HIGH(int32_t, 16))
INSTRUCTION(multiply_high_u32, uint32_t, HIGH(uint64_t, 32))
INSTRUCTION(multiply_high_s32, int32_t, HIGH(int64_t, 32))
INSTRUCTION(multiply_high_u64, uint64_t, HIGH(wide_unsigned, 64))
INSTRUCTION(multiply_high_s64, int64_t, HIGH(wide_signed, 64))
FOR_EACH_TYPE(multiply_high)
INSTRUCTION(multiply_add_high_u16, uint16_t, (uint64_t)HIGH(uint32_t, 16) + c)
INSTRUCTION(multiply_add_high_s16, int16_t, (uint64_t)HIGH(int32_t, 16) + (uint64_t)c)
INSTRUCTION(multiply_add_high_u32, uint32_t, HIGH(uint64_t, 32) + c)
INSTRUCTION(multiply_add_high_s32, int32_t, (uint64_t)HIGH(int64_t, 32) + (uint64_t)c)
INSTRUCTION(multiply_add_high_u64, uint64_t, (uint64_t)HIGH(wide_unsigned, 64) + c)
INSTRUCTION(multiply_add_high_s64, int64_t, (uint64_t)HIGH(wide_signed, 64) + (uint64_t)c)
FOR_EACH_TYPE(multiply_add_high)

/* The whole product, and an addend as wide as it, whose bits are taken as they are. */
#define ADDEND ptx_operand_bits(thread, instruction, 3)
INSTRUCTION(multiply_wide_u16, uint16_t, (uint64_t)a *b)
INSTRUCTION(multiply_wide_s16, int16_t, (int64_t)a *b)
INSTRUCTION(multiply_wide_u32, uint32_t, (uint64_t)a *b)
INSTRUCTION(multiply_wide_s32, int32_t, (int64_t)a *b)
INSTRUCTION(multiply_add_wide_u16, uint16_t, (uint64_t)a *b + ADDEND)
INSTRUCTION(multiply_add_wide_s16, int16_t, (uint64_t)((int64_t)a *b) + ADDEND)
INSTRUCTION(multiply_add_wide_u32, uint32_t, (uint64_t)a *b + ADDEND)
INSTRUCTION(multiply_add_wide_s32, int32_t, (uint64_t)((int64_t)a *b) + ADDEND)

/* Shifts by 32 bits or more are clamped to the register's width. */
#define COUNT ((uint32_t)ptx_operand_bits(thread, instruction, 2))
#define LEFT(bits) (COUNT >= (bits) ? 0 : (uint64_t)a << COUNT)
#define RIGHT(bits) ((uint64_t)(COUNT >= (bits) ? 0 : a >> COUNT))
#define SIGNED_RIGHT(bits) (a >> (COUNT >= (bits) ? (bits)-1 : COUNT))
INSTRUCTION(shift_left_16, uint16_t, LEFT(16))
INSTRUCTION(shift_left_32, uint32_t, LEFT(32))
INSTRUCTION(shift_left_64, uint64_t, LEFT(64))
INSTRUCTION(shift_right_u16, uint16_t, RIGHT(16))
INSTRUCTION(shift_right_s16, int16_t, SIGNED_RIGHT(16))
INSTRUCTION(shift_right_u32, uint32_t, RIGHT(32))
INSTRUCTION(shift_right_s32, int32_t, SIGNED_RIGHT(32))
INSTRUCTION(shift_right_u64, uint64_t, RIGHT(64))
INSTRUCTION(shift_right_s64, int64_t, SIGNED_RIGHT(64))
FOR_EACH_TYPE(shift_right)

static ptx_handler *const shift_left[PTX_TYPES] = {[PTX_U16] = shift_left_16, [PTX_U32] = shift_left_32, [PTX_U64] = shift_left_64};

static ptx_handler *const multiply_wide[PTX_TYPES] = {
    [PTX_U16] = multiply_wide_u16, [PTX_S16] = multiply_wide_s16, [PTX_U32] = multiply_wide_u32, [PTX_S32] = multiply_wide_s32};
static ptx_handler *const multiply_add_wide[PTX_TYPES] = {[PTX_U16] = multiply_add_wide_u16,
                                                          [PTX_S16] = multiply_add_wide_s16,
                                                          [PTX_U32] = multiply_add_wide_u32,
                                                          [PTX_S32] = multiply_add_wide_s32};

static ptx_handler *const not [PTX_TYPES] = {
    [PTX_U16] = not_bits, [PTX_U32] = not_bits, [PTX_U64] = not_bits, [PTX_PREDICATE] = not_predicate};

void ptx_write_predicates(ptx_thread *thread, const ptx_instruction *instruction, bool holds) {
    const ptx_combination combination = instruction->modifiers.combination;
    const bool with = (ptx_operand_bits(thread, instruction, 4) != 0) != instruction->negated;
    thread->registers[instruction->slots[0]] = ptx_combine(combination, holds, with);
    thread->registers[instruction->slots[1]] = ptx_combine(combination, !holds, with);
}

/* setp p|q, a, b, c */
#define COMPARE(suffix, type) \
    static void compare_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        const type a = (type)ptx_operand_bits(thread, instruction, 2); \
        const type b = (type)ptx_operand_bits(thread, instruction, 3); \
        const bool holds[] = {a == b, a != b, a<b, a <= b, a> b, a >= b}; \
        ptx_write_predicates(thread, instruction, holds[instruction->modifiers.comparison]); \
    }

COMPARE(u16, uint16_t)
COMPARE(s16, int16_t)
COMPARE(u32, uint32_t)
COMPARE(s32, int32_t)
COMPARE(u64, uint64_t)
COMPARE(s64, int64_t)
FOR_EACH_TYPE(compare)

static const ptx_form forms[] = {
    {"add.<int>", "daa", add, NULL},
    {"sub.<int>", "daa", subtract, NULL},
    {"mul.lo.<int>", "daa", multiply_low, NULL},
    {"mul.hi.<int>", "daa", NULL, multiply_high},
    {"mul.wide.<narrow>", "waa", NULL, multiply_wide},
    {"mad.lo.<int>", "daaa", multiply_add_low, NULL},
    {"mad.hi.<int>", "daaa", NULL, multiply_add_high},
    {"mad.wide.<narrow>", "waae", NULL, multiply_add_wide},
    {"div.<int>", "daa", NULL, divide},
    {"rem.<int>", "daa", NULL, modulo},
    {"min.<int>", "daa", NULL, minimum},
    {"max.<int>", "daa", NULL, maximum},
    {"neg.<signed>", "da", negate, NULL},
    {"abs.<signed>", "da", NULL, absolute},
    {"and.<bits>", "daa", and, NULL},
    {"or.<bits>", "daa", or, NULL},
    {"xor.<bits>", "daa", xor, NULL},
    {"not.<bits>", "da", NULL, not },
    {"shl.<shift>", "dau", NULL, shift_left},
    {"shr.<int-or-bits>", "dau", NULL, shift_right},
    {"setp.<compare>.<int-or-bits>", "paa", NULL, compare},
    {"setp.<compare>.<combine>.<int-or-bits>", "paaq", NULL, compare},
};

const ptx_forms ptx_integer_forms = {forms, sizeof forms / sizeof *forms};
