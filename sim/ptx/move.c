/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <string.h>

#define LOAD(suffix, type) \
    static void load_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        const unsigned char *from = ptx_reach_operand(thread, instruction, sizeof(type), PTX_READS); \
        for (unsigned i = 0; from && i < instruction->modifiers.vector; i++) { \
            type value; \
            memcpy(&value, from + i * sizeof value, sizeof value); \
            thread->registers[instruction->slots[i]] = (uint64_t)(int64_t)value; \
        } \
    }

#define STORE(suffix, type) \
    static void store_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        unsigned char *to = ptx_reach_operand(thread, instruction, sizeof(type), PTX_WRITES); \
        for (unsigned i = 0; to && i < instruction->modifiers.vector; i++) { \
            const type value = (type)ptx_operand_bits(thread, instruction, i); \
            memcpy(to + i * sizeof value, &value, sizeof value); \
        } \
    }

LOAD(u8, uint8_t)
LOAD(s8, int8_t)
LOAD(u16, uint16_t)
LOAD(s16, int16_t)
LOAD(u32, uint32_t)
LOAD(s32, int32_t)
LOAD(u64, uint64_t)
STORE(8, uint8_t)
STORE(16, uint16_t)
STORE(32, uint32_t)
STORE(64, uint64_t)

static void load_b128(ptx_thread *thread, const ptx_instruction *instruction) {
    const unsigned char *from = ptx_reach_operand(thread, instruction, 16, PTX_READS);
    for (unsigned i = 0; from && i < instruction->modifiers.vector; i++) {
        memcpy(&thread->registers[instruction->slots[i]], from + i * 16, 16);
    }
}

static void store_128(ptx_thread *thread, const ptx_instruction *instruction) {
    unsigned char *to = ptx_reach_operand(thread, instruction, 16, PTX_WRITES);
    for (unsigned i = 0; to && i < instruction->modifiers.vector; i++) {
        memcpy(to + i * 16, &thread->registers[instruction->slots[i]], 16);
    }
}

static ptx_handler *const load[PTX_TYPES] = {
    [PTX_U8] = load_u8,   [PTX_S8] = load_s8,   [PTX_U16] = load_u16,   [PTX_S16] = load_s16,
    [PTX_U32] = load_u32, [PTX_S32] = load_s32, [PTX_U64] = load_u64,   [PTX_S64] = load_u64,
    [PTX_F32] = load_u32, [PTX_F64] = load_u64, [PTX_B128] = load_b128,
};

static ptx_handler *const store[PTX_TYPES] = {
    [PTX_U8] = store_8,   [PTX_S8] = store_8,   [PTX_U16] = store_16,   [PTX_S16] = store_16,
    [PTX_U32] = store_32, [PTX_S32] = store_32, [PTX_U64] = store_64,   [PTX_S64] = store_64,
    [PTX_F32] = store_32, [PTX_F64] = store_64, [PTX_B128] = store_128,
};

/* ---- mov, selp, cvta ---- */

static void move(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, 1));
}

/* mov.b32 d, {a, b}: the first piece is the lowest */
static void pack(ptx_thread *thread, const ptx_instruction *instruction) {
    const unsigned pieces = instruction->modifiers.vector;
    const unsigned bits = ptx_type_size(instruction->modifiers.type) * 8 / pieces;
    uint64_t value = 0;
    for (unsigned i = 0; i < pieces; i++) {
        const uint64_t piece = ptx_operand_bits(thread, instruction, i + 1) & ((UINT64_C(1) << bits) - 1);
        value |= piece << (i * bits);
    }
    ptx_write(thread, instruction, value);
}

static void unpack(ptx_thread *thread, const ptx_instruction *instruction) {
    const unsigned pieces = instruction->modifiers.vector;
    const unsigned bits = ptx_type_size(instruction->modifiers.type) * 8 / pieces;
    const uint64_t value = ptx_operand_bits(thread, instruction, pieces);
    for (unsigned i = 0; i < pieces; i++) {
        thread->registers[instruction->slots[i]] = value >> (i * bits);
    }
}

/* mov.b128 d, {low, high} */
static void pack_halves(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t low = ptx_operand_bits(thread, instruction, 1);
    const uint64_t high = ptx_operand_bits(thread, instruction, 2);
    thread->registers[instruction->slots[0]] = low;
    thread->registers[instruction->slots[0] + 1] = high;
}

static void unpack_halves(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint32_t from = instruction->slots[2];
    const uint64_t high = thread->registers[from + 1];
    thread->registers[instruction->slots[0]] = thread->registers[from];
    thread->registers[instruction->slots[1]] = high;
}

static void select_either(ptx_thread *thread, const ptx_instruction *instruction) {
    const bool first = (ptx_operand_bits(thread, instruction, 3) != 0) != instruction->negated;
    ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, first ? 1 : 2));
}

static uint64_t window_of(ptx_space space) {
    switch (space) {
    case PTX_SHARED:
        return PTX_SHARED_WINDOW;
    case PTX_LOCAL:
        return PTX_LOCAL_WINDOW;
    default:
        return 0; /* a parameter's address is generic already */
    }
}

static void convert_address(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t window = window_of(instruction->modifiers.space);
    const uint64_t address = ptx_operand_bits(thread, instruction, 1);
    ptx_write(thread, instruction, instruction->modifiers.to ? address - window : address + window);
}

#define HINTS "{.<hint>}{.<hint>}{.<policy>}"

static const ptx_form forms[] = {
    {"ld{.<order>}{.<order>}{.<scope>}{.<space>}{.<cache>}{.nc}" HINTS "{.<prefetch>}{.<vector>}.<data>", "Dm", NULL, load},
    {"ldu{.global}{.<vector>}.<data>", "Dm", NULL, load},
    {"st{.<order>}{.<order>}{.<scope>}{.<space>}{.<cache>}" HINTS "{.<vector>}.<data>", "mS", NULL, store},
    {"mov.<move>", "da", move, NULL},
    {"mov.<shift>", "dP", pack, NULL},
    {"mov.<shift>", "Ua", unpack, NULL},
    {"mov.b128", "dP", pack_halves, NULL},
    {"mov.b128", "Ua", unpack_halves, NULL},
    {"selp.<move>", "daaq", select_either, NULL},
    {"cvta{.to}.<space>.u64", "da", convert_address, NULL},
};

const ptx_forms ptx_move_forms = {forms, sizeof forms / sizeof *forms};
