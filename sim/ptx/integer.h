/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_INTEGER_H
#define CUSIM_PTX_INTEGER_H

/* How handlers of integer instructions are written: an expression of operands a, b, c of a C type. */

#include "ptx/run.h"

__extension__ typedef unsigned __int128 wide_unsigned;
__extension__ typedef __int128 wide_signed;

#define INSTRUCTION(name, type, expression) \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        const type a = (type)ptx_operand_bits(thread, instruction, 1); \
        const type b = (type)ptx_operand_bits(thread, instruction, 2); \
        const type c = (type)ptx_operand_bits(thread, instruction, 3); \
        (void)a, (void)b, (void)c; \
        ptx_write(thread, instruction, (uint64_t)(expression)); \
    }

/* The table of handlers that INSTRUCTION made for each type. */
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

/* For instructions that treat signed and unsigned numbers alike, or have bits alone. */
#define FOR_EACH_WIDTH(name) \
    static ptx_handler *const name[PTX_TYPES] = { \
        [PTX_U16] = name##_16, [PTX_S16] = name##_16, [PTX_U32] = name##_32, \
        [PTX_S32] = name##_32, [PTX_U64] = name##_64, [PTX_S64] = name##_64, \
    };

static inline int64_t ptx_clamp(wide_signed value, int64_t lowest, int64_t highest) {
    return value < lowest ? lowest : value > highest ? highest : (int64_t)value;
}

#endif
