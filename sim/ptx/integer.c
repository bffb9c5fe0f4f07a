/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/integer.h"

/* The low bits of these depend on the low bits of their operands alone: one handler serves every integer type. */
INSTRUCTION(add, uint64_t, a + b)
INSTRUCTION(subtract, uint64_t, a - b)
INSTRUCTION(multiply_low, uint64_t, a *b)
INSTRUCTION(multiply_add_low, uint64_t, a *b + c)
INSTRUCTION(negate, uint64_t, 0 - a)

#define SATURATE(value) ((uint64_t)ptx_clamp(value, INT32_MIN, INT32_MAX))
INSTRUCTION(add_saturated, int32_t, SATURATE((int64_t)a + b))
INSTRUCTION(subtract_saturated, int32_t, SATURATE((int64_t)a - b))

INSTRUCTIONS(minimum, a < b ? a : b)
INSTRUCTIONS(maximum, a > b ? a : b)
INSTRUCTION(minimum_relu, int32_t, a < 0 || b < 0 ? 0 : a < b ? a : b)
INSTRUCTION(maximum_relu, int32_t, a < 0 && b < 0 ? 0 : a > b ? a : b)

/* The sum of absolute differences. */
INSTRUCTIONS(add_difference, (uint64_t)c + (a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b))

#define ABSOLUTE (a < 0 ? 0 - (uint64_t)a : (uint64_t)a)
INSTRUCTION(absolute_s16, int16_t, ABSOLUTE)
INSTRUCTION(absolute_s32, int32_t, ABSOLUTE)
INSTRUCTION(absolute_s64, int64_t, ABSOLUTE)
static ptx_handler *const absolute[PTX_TYPES] = {[PTX_S16] = absolute_s16, [PTX_S32] = absolute_s32, [PTX_S64] = absolute_s64};

/* PTX leaves a zero divisor open. A device gives all ones, as quotient and as remainder; the lowest number by -1 gives itself. */
#define QUOTIENT (b == 0 ? ~UINT64_C(0) : (uint64_t)(a / b))
#define SIGNED_QUOTIENT (b == 0 ? ~UINT64_C(0) : b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b))
INSTRUCTION(divide_u16, uint16_t, QUOTIENT)
INSTRUCTION(divide_s16, int16_t, SIGNED_QUOTIENT)
INSTRUCTION(divide_u32, uint32_t, QUOTIENT)
INSTRUCTION(divide_s32, int32_t, SIGNED_QUOTIENT)
INSTRUCTION(divide_u64, uint64_t, QUOTIENT)
INSTRUCTION(divide_s64, int64_t, SIGNED_QUOTIENT)
FOR_EACH_TYPE(divide)

#define REMAINDER (b == 0 ? ~UINT64_C(0) : (uint64_t)(a % b))
#define SIGNED_REMAINDER (b == 0 ? ~UINT64_C(0) : b == -1 ? 0 : (uint64_t)(a % b))
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
INSTRUCTION(multiply_add_high_saturated, int32_t, SATURATE(HIGH(int64_t, 32) + c))

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

#define FOR_NARROW_TYPES(name) \
    static ptx_handler *const name[PTX_TYPES] = { \
        [PTX_U16] = name##_u16, [PTX_S16] = name##_s16, [PTX_U32] = name##_u32, [PTX_S32] = name##_s32};
FOR_NARROW_TYPES(multiply_wide)
FOR_NARROW_TYPES(multiply_add_wide)

/* mul24, mad24: the product of the lower 24 bits of two registers, of which .hi takes the upper 32 of 48. */
#define LOW_24(value) ((uint64_t)(value)&0xffffff)
#define SIGNED_24(value) ((int64_t)((uint64_t)(value) << 40) >> 40)
#define PRODUCT_24 (LOW_24(a) * LOW_24(b))
#define SIGNED_PRODUCT_24 (SIGNED_24(a) * SIGNED_24(b))
INSTRUCTION(multiply_24_low_u32, uint32_t, PRODUCT_24)
INSTRUCTION(multiply_24_low_s32, int32_t, SIGNED_PRODUCT_24)
INSTRUCTION(multiply_24_high_u32, uint32_t, PRODUCT_24 >> 16)
INSTRUCTION(multiply_24_high_s32, int32_t, SIGNED_PRODUCT_24 >> 16)
INSTRUCTION(multiply_add_24_low_u32, uint32_t, PRODUCT_24 + c)
INSTRUCTION(multiply_add_24_low_s32, int32_t, SIGNED_PRODUCT_24 + c)
INSTRUCTION(multiply_add_24_high_u32, uint32_t, (PRODUCT_24 >> 16) + c)
INSTRUCTION(multiply_add_24_high_s32, int32_t, (SIGNED_PRODUCT_24 >> 16) + c)
INSTRUCTION(multiply_add_24_high_saturated, int32_t, SATURATE((SIGNED_PRODUCT_24 >> 16) + c))

static const ptx_form forms[] = {
    {"add.<int>", "daa", add, NULL},
    {"sub.<int>", "daa", subtract, NULL},
    {"add.sat.s32", "daa", add_saturated, NULL},
    {"sub.sat.s32", "daa", subtract_saturated, NULL},
    {"mul.lo.<int>", "daa", multiply_low, NULL},
    {"mul.hi.<int>", "daa", NULL, multiply_high},
    {"mul.wide.<narrow>", "waa", NULL, multiply_wide},
    {"mad.lo.<int>", "daaa", multiply_add_low, NULL},
    {"mad.hi.<int>", "daaa", NULL, multiply_add_high},
    {"mad.hi.sat.s32", "daaa", multiply_add_high_saturated, NULL},
    {"mad.wide.<narrow>", "waae", NULL, multiply_add_wide},
    {"mul24.lo.u32", "daa", multiply_24_low_u32, NULL},
    {"mul24.lo.s32", "daa", multiply_24_low_s32, NULL},
    {"mul24.hi.u32", "daa", multiply_24_high_u32, NULL},
    {"mul24.hi.s32", "daa", multiply_24_high_s32, NULL},
    {"mad24.lo.u32", "daaa", multiply_add_24_low_u32, NULL},
    {"mad24.lo.s32", "daaa", multiply_add_24_low_s32, NULL},
    {"mad24.hi.u32", "daaa", multiply_add_24_high_u32, NULL},
    {"mad24.hi.s32", "daaa", multiply_add_24_high_s32, NULL},
    {"mad24.hi.sat.s32", "daaa", multiply_add_24_high_saturated, NULL},
    {"sad.<int>", "daaa", NULL, add_difference},
    {"div.<int>", "daa", NULL, divide},
    {"rem.<int>", "daa", NULL, modulo},
    {"min.<int>", "daa", NULL, minimum},
    {"max.<int>", "daa", NULL, maximum},
    {"min.relu.s32", "daa", minimum_relu, NULL},
    {"min.s32.relu", "daa", minimum_relu, NULL},
    {"max.relu.s32", "daa", maximum_relu, NULL},
    {"max.s32.relu", "daa", maximum_relu, NULL},
    {"neg.<signed>", "da", negate, NULL},
    {"abs.<signed>", "da", NULL, absolute},
};

const ptx_forms ptx_integer_forms = {forms, sizeof forms / sizeof *forms};
