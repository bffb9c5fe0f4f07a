/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/arithmetic.h"
#include "ptx/run.h"

/* Arithmetic on .f16 and .bf16, one or a pair. The host has none: it is done in doubles, to odd, and rounded once. */

static double read_number(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t bits) {
    return ptx_decode(format, modifiers->flush ? ptx_flush_bits(format, bits) : bits);
}

static uint64_t half_operation(ptx_operation *operation, const ptx_format *format, const ptx_modifiers *modifiers,
                               const uint64_t operands[3]) {
    const double exact = operation(read_number(format, modifiers, operands[0]), read_number(format, modifiers, operands[1]),
                                   read_number(format, modifiers, operands[2]));
    const uint64_t bits = ptx_encode(format, exact, PTX_TO_NEAREST);
    return ptx_finish(format, modifiers, modifiers->flush ? ptx_flush_result(format, bits, exact, PTX_TO_NEAREST) : bits);
}

uint64_t ptx_add_halves(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    return half_operation(ptx_add_to_odd, format, modifiers, (uint64_t[]){a, b, c});
}

static uint64_t subtract_halves(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    return half_operation(ptx_subtract_to_odd, format, modifiers, (uint64_t[]){a, b, c});
}

static uint64_t multiply_halves(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    return half_operation(ptx_multiply_to_odd, format, modifiers, (uint64_t[]){a, b, c});
}

static uint64_t multiply_add_halves(const ptx_format *format, const ptx_modifiers *modifiers, uint64_t a, uint64_t b, uint64_t c) {
    return half_operation(ptx_multiply_add_to_odd, format, modifiers, (uint64_t[]){a, b, c});
}

#define HANDLER(name, operation) \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        const ptx_modifiers *modifiers = &instruction->modifiers; \
        const uint64_t a = ptx_operand_bits(thread, instruction, 1); \
        const uint64_t b = ptx_operand_bits(thread, instruction, 2); \
        const uint64_t c = ptx_operand_bits(thread, instruction, 3); \
        ptx_write(thread, instruction, ptx_for_each(modifiers->type, modifiers, operation, a, b, c)); \
    }

HANDLER(add, ptx_add_halves)
HANDLER(subtract, subtract_halves)
HANDLER(multiply, multiply_halves)
HANDLER(multiply_add, multiply_add_halves)

static const ptx_form forms[] = {
    {"add{.rn}{.ftz}{.sat}.<f16|f16x2>", "daa", add, NULL},
    {"add{.rn}.<bf16|bf16x2>", "daa", add, NULL},
    {"sub{.rn}{.ftz}{.sat}.<f16|f16x2>", "daa", subtract, NULL},
    {"sub{.rn}.<bf16|bf16x2>", "daa", subtract, NULL},
    {"mul{.rn}{.ftz}{.sat}.<f16|f16x2>", "daa", multiply, NULL},
    {"mul{.rn}.<bf16|bf16x2>", "daa", multiply, NULL},
    {"fma.rn{.ftz}{.sat}.<f16|f16x2>", "daaa", multiply_add, NULL},
    {"fma.rn{.ftz}.relu.<f16|f16x2>", "daaa", multiply_add, NULL},
    {"fma.rn{.relu}.<bf16|bf16x2>", "daaa", multiply_add, NULL},
    /* What lies out of bounds would be a NaN that makes 0; no NaN does on an H200. */
    {"fma.rn.oob{.relu}.<f16|f16x2|bf16|bf16x2>", "daaa", multiply_add, NULL},
};

const ptx_forms ptx_half_forms = {forms, sizeof forms / sizeof *forms};
