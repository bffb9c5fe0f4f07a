/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/integer.h"

/* Registers that hold two 16-bit or four 8-bit numbers. */

#define HALF(value, type, i) ((type)((value) >> (16 * (i))))
#define QUARTER(value, type, i) ((type)((value) >> (8 * (i))))

#define EACH_HALF(name, type, expression) \
    static uint32_t name##_of(type a, type b) { \
        return (uint16_t)(expression); \
    } \
    INSTRUCTION(name, uint32_t, name##_of(HALF(a, type, 1), HALF(b, type, 1)) << 16 | name##_of(HALF(a, type, 0), HALF(b, type, 0)))

EACH_HALF(add_halves, uint16_t, a + b)
EACH_HALF(minimum_u16, uint16_t, a < b ? a : b)
EACH_HALF(minimum_s16, int16_t, a < b ? a : b)
EACH_HALF(minimum_relu, int16_t, a < 0 || b < 0 ? 0 : a < b ? a : b)
EACH_HALF(maximum_u16, uint16_t, a > b ? a : b)
EACH_HALF(maximum_s16, int16_t, a > b ? a : b)
EACH_HALF(maximum_relu, int16_t, a < 0 && b < 0 ? 0 : a > b ? a : b)

/* dp4a and dp2a: products of parts, added to c. */
#define DOT(signs, type_a, type_b) \
    INSTRUCTION(dot_4_##signs, uint32_t, \
                c + (uint32_t)(QUARTER(a, type_a##8_t, 0) * QUARTER(b, type_b##8_t, 0)) + \
                    (uint32_t)(QUARTER(a, type_a##8_t, 1) * QUARTER(b, type_b##8_t, 1)) + \
                    (uint32_t)(QUARTER(a, type_a##8_t, 2) * QUARTER(b, type_b##8_t, 2)) + \
                    (uint32_t)(QUARTER(a, type_a##8_t, 3) * QUARTER(b, type_b##8_t, 3))) \
    INSTRUCTION(dot_2_low_##signs, uint32_t, \
                c + (uint32_t)(HALF(a, type_a##16_t, 0) * QUARTER(b, type_b##8_t, 0)) + \
                    (uint32_t)(HALF(a, type_a##16_t, 1) * QUARTER(b, type_b##8_t, 1))) \
    INSTRUCTION(dot_2_high_##signs, uint32_t, \
                c + (uint32_t)(HALF(a, type_a##16_t, 0) * QUARTER(b, type_b##8_t, 2)) + \
                    (uint32_t)(HALF(a, type_a##16_t, 1) * QUARTER(b, type_b##8_t, 3)))
DOT(unsigned, uint, uint)
DOT(unsigned_signed, uint, int)
DOT(signed_unsigned, int, uint)
DOT(signed, int, int)

#define DOT_FORMS(types, signs) \
    {"dp4a." types, "vuuu", dot_4_##signs, NULL}, {"dp2a.lo." types, "vuuu", dot_2_low_##signs, NULL}, { \
        "dp2a.hi." types, "vuuu", dot_2_high_##signs, NULL \
    }

static const ptx_form forms[] = {
    {"add.u16x2", "vuu", add_halves, NULL},
    {"add.s16x2", "vuu", add_halves, NULL},
    {"min.u16x2", "vuu", minimum_u16, NULL},
    {"min.s16x2", "vuu", minimum_s16, NULL},
    {"min.relu.s16x2", "vuu", minimum_relu, NULL},
    {"min.s16x2.relu", "vuu", minimum_relu, NULL},
    {"max.u16x2", "vuu", maximum_u16, NULL},
    {"max.s16x2", "vuu", maximum_s16, NULL},
    {"max.relu.s16x2", "vuu", maximum_relu, NULL},
    {"max.s16x2.relu", "vuu", maximum_relu, NULL},
    DOT_FORMS("u32.u32", unsigned),
    DOT_FORMS("u32.s32", unsigned_signed),
    DOT_FORMS("s32.u32", signed_unsigned),
    DOT_FORMS("s32.s32", signed),
};

const ptx_forms ptx_packed_forms = {forms, sizeof forms / sizeof *forms};
