/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/integer.h"

/* Logic and shifts. */

INSTRUCTION(and, uint64_t, a &b)
INSTRUCTION(or, uint64_t, a | b)
INSTRUCTION(xor, uint64_t, a ^ b)
INSTRUCTION(not_bits, uint64_t, ~a)
INSTRUCTION(not_predicate, uint64_t, !a)
INSTRUCTION(is_zero_16, uint16_t, a == 0)
INSTRUCTION(is_zero_32, uint32_t, a == 0)
INSTRUCTION(is_zero_64, uint64_t, a == 0)
FOR_EACH_WIDTH(is_zero)

static ptx_handler *const not [PTX_TYPES] = {
    [PTX_U16] = not_bits, [PTX_U32] = not_bits, [PTX_U64] = not_bits, [PTX_PREDICATE] = not_predicate};

/* Shifts by more than the register's width are clamped to it. */
#define WORD(operand) ((uint32_t)ptx_operand_bits(thread, instruction, operand))
#define LEFT(bits) (WORD(2) >= (bits) ? 0 : (uint64_t)a << WORD(2))
#define RIGHT(bits) ((uint64_t)(WORD(2) >= (bits) ? 0 : a >> WORD(2)))
#define SIGNED_RIGHT(bits) (a >> (WORD(2) >= (bits) ? (bits)-1 : WORD(2)))
INSTRUCTION(shift_left_16, uint16_t, LEFT(16))
INSTRUCTION(shift_left_32, uint32_t, LEFT(32))
INSTRUCTION(shift_left_64, uint64_t, LEFT(64))
FOR_EACH_WIDTH(shift_left)
INSTRUCTION(shift_right_u16, uint16_t, RIGHT(16))
INSTRUCTION(shift_right_s16, int16_t, SIGNED_RIGHT(16))
INSTRUCTION(shift_right_u32, uint32_t, RIGHT(32))
INSTRUCTION(shift_right_s32, int32_t, SIGNED_RIGHT(32))
INSTRUCTION(shift_right_u64, uint64_t, RIGHT(64))
INSTRUCTION(shift_right_s64, int64_t, SIGNED_RIGHT(64))
FOR_EACH_TYPE(shift_right)

/* Funnel shifts, of b and a together. */
#define BOTH ((uint64_t)b << 32 | a)
#define CLAMPED (c < 32 ? c : 32)
INSTRUCTION(funnel_left_clamped, uint32_t, BOTH << CLAMPED >> 32)
INSTRUCTION(funnel_left_wrapped, uint32_t, BOTH << (c & 31) >> 32)
INSTRUCTION(funnel_right_clamped, uint32_t, BOTH >> CLAMPED)
INSTRUCTION(funnel_right_wrapped, uint32_t, BOTH >> (c & 31))

/* Bit 4a + 2b + c of the table is what the function gives for bits a, b and c. */
static uint32_t look_up(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t matches = (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        result |= matches & (0 - (table >> i & 1));
    }
    return result;
}

INSTRUCTION(combine_by_table, uint32_t, look_up(a, b, c, WORD(4)))

/* lop3.BoolOp d|p, a, b, c, table, q */
#define TEST_BY_TABLE(name, operator) \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        const uint32_t result = look_up(WORD(2), WORD(3), WORD(4), WORD(5)); \
        const bool with = (ptx_operand_bits(thread, instruction, 6) != 0) != instruction->negated; \
        thread->registers[instruction->slots[1]] = result != 0 operator with; \
        ptx_write(thread, instruction, result); \
    }
TEST_BY_TABLE(test_by_table_or, ||)
TEST_BY_TABLE(test_by_table_and, &&)

/* Four bytes of b and a, each chosen by four bits of c, the highest of which asks for the byte's sign instead. */
static uint32_t permute_bytes(uint64_t bytes, uint32_t control) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t choice = control >> (4 * i);
        const uint8_t byte = (uint8_t)(bytes >> (8 * (choice & 7)));
        result |= (uint32_t)(choice & 8 ? (byte & 0x80 ? 0xff : 0) : byte) << (8 * i);
    }
    return result;
}

enum { FORWARD_4, BACKWARD_4, REPLICATE_8, EDGE_LEFT, EDGE_RIGHT, REPLICATE_16 };

static uint32_t permutation(unsigned mode, uint32_t control) {
    static const uint16_t permutations[][4] = {
        [FORWARD_4] = {0x3210, 0x4321, 0x5432, 0x6543},   [BACKWARD_4] = {0x5670, 0x6701, 0x7012, 0x0123},
        [REPLICATE_8] = {0x0000, 0x1111, 0x2222, 0x3333}, [EDGE_LEFT] = {0x3210, 0x3211, 0x3222, 0x3333},
        [EDGE_RIGHT] = {0x0000, 0x1110, 0x2210, 0x3210},  [REPLICATE_16] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    return permutations[mode][control & 3];
}

INSTRUCTION(permute, uint32_t, permute_bytes(BOTH, c))
INSTRUCTION(permute_in_mode, uint32_t, permute_bytes(BOTH, permutation(instruction->modifiers.choice, c)))

static const ptx_form forms[] = {
    {"and.<bits>", "daa", and, NULL},
    {"or.<bits>", "daa", or, NULL},
    {"xor.<bits>", "daa", xor, NULL},
    {"not.<bits>", "da", NULL, not },
    {"cnot.<shift>", "da", NULL, is_zero},
    {"shl.<shift>", "dau", NULL, shift_left},
    {"shr.<int-or-bits>", "dau", NULL, shift_right},
    {"shf.l.clamp.b32", "daau", funnel_left_clamped, NULL},
    {"shf.l.wrap.b32", "daau", funnel_left_wrapped, NULL},
    {"shf.r.clamp.b32", "daau", funnel_right_clamped, NULL},
    {"shf.r.wrap.b32", "daau", funnel_right_wrapped, NULL},
    {"lop3.b32", "daaau", combine_by_table, NULL},
    {"lop3.or.b32", "Qaaauq", test_by_table_or, NULL},
    {"lop3.and.b32", "Qaaauq", test_by_table_and, NULL},
    {"prmt.b32", "daau", permute, NULL},
    {"prmt.b32.<f4e|b4e|rc8|ecl|ecr|rc16>", "daau", permute_in_mode, NULL},
    {"prmt.<f4e|b4e|rc8|ecl|ecr|rc16>.b32", "daau", permute_in_mode, NULL},
};

const ptx_forms ptx_bits_forms = {forms, sizeof forms / sizeof *forms};
