/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/integer.h"

/* Arithmetic of extended precision: a thread's carry flag takes what add.cc, sub.cc and mad.cc carry, and gives it to addc, subc
 * and madc. A difference is the sum with the complement and 1, so that it carries where it does not borrow: PTX speaks of a borrow,
 * but the compiler's own division of 128 bits reads what sub.cc left with addc, and counts on this. */

typedef uint64_t wide_32;
typedef wide_unsigned wide_64;

#define CARRYING(name, bits, reads, writes, first, expression) \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        typedef uint##bits##_t narrow; \
        typedef wide_##bits wide; \
        const narrow a = (narrow)ptx_operand_bits(thread, instruction, 1); \
        const narrow b = (narrow)ptx_operand_bits(thread, instruction, 2); \
        const narrow c = (narrow)ptx_operand_bits(thread, instruction, 3); \
        const narrow carry = (reads) ? thread->carry : (first); \
        const wide result = expression; \
        (void)c; \
        if (writes) { \
            thread->carry = result >> (bits)&1; \
        } \
        ptx_write(thread, instruction, (uint64_t)result); \
    }

/* add.cc, addc and addc.cc, for example. `first` is the carry that the first of a chain begins with. */
#define CHAIN(name, type, bits, first, expression) \
    CARRYING(name##_begin_##type, bits, false, true, first, expression) \
    CARRYING(name##_end_##type, bits, true, false, first, expression) \
    CARRYING(name##_continue_##type, bits, true, true, first, expression)

#define TABLE(name, unsigned_32, signed_32, unsigned_64, signed_64) \
    static ptx_handler *const name[PTX_TYPES] = {[PTX_U32] = name##_##unsigned_32, \
                                                 [PTX_S32] = name##_##signed_32, \
                                                 [PTX_U64] = name##_##unsigned_64, \
                                                 [PTX_S64] = name##_##signed_64};

#define TABLES(name, ...) \
    TABLE(name##_begin, __VA_ARGS__) \
    TABLE(name##_end, __VA_ARGS__) \
    TABLE(name##_continue, __VA_ARGS__)

/* Where signs make no difference. */
#define CHAINS(name, first, expression) \
    CHAIN(name, 32, 32, first, expression) \
    CHAIN(name, 64, 64, first, expression) \
    TABLES(name, 32, 32, 64, 64)

CHAINS(add, 0, (wide)a + b + carry)
CHAINS(subtract, 1, (wide)a + (narrow)~b + carry)
CHAINS(multiply_add_low, 0, (wide)(narrow)((wide)a *b) + c + carry)

#define SIGNED_HIGH(half, whole, bits) ((narrow)(((whole)(half)a * (whole)(half)b) >> (bits)))
CHAIN(multiply_add_high, u32, 32, 0, (((wide)a * b) >> 32) + c + carry)
CHAIN(multiply_add_high, s32, 32, 0, (wide)SIGNED_HIGH(int32_t, int64_t, 32) + c + carry)
CHAIN(multiply_add_high, u64, 64, 0, (((wide)a * b) >> 64) + c + carry)
CHAIN(multiply_add_high, s64, 64, 0, (wide)SIGNED_HIGH(int64_t, wide_signed, 64) + c + carry)
TABLES(multiply_add_high, u32, s32, u64, s64)

static const ptx_form forms[] = {
    {"add.cc.<int>", "daa", NULL, add_begin},
    {"addc.<int>", "daa", NULL, add_end},
    {"addc.cc.<int>", "daa", NULL, add_continue},
    {"sub.cc.<int>", "daa", NULL, subtract_begin},
    {"subc.<int>", "daa", NULL, subtract_end},
    {"subc.cc.<int>", "daa", NULL, subtract_continue},
    {"mad.lo.cc.<int>", "daaa", NULL, multiply_add_low_begin},
    {"madc.lo.<int>", "daaa", NULL, multiply_add_low_end},
    {"madc.lo.cc.<int>", "daaa", NULL, multiply_add_low_continue},
    {"mad.hi.cc.<int>", "daaa", NULL, multiply_add_high_begin},
    {"madc.hi.<int>", "daaa", NULL, multiply_add_high_end},
    {"madc.hi.cc.<int>", "daaa", NULL, multiply_add_high_continue},
};

const ptx_forms ptx_carry_forms = {forms, sizeof forms / sizeof *forms};
