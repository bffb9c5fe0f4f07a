/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/host_atomic.h"
#include "ptx/run.h"

#include <string.h>

/* What is read or written weakly is taken as it comes. What is strong, in one piece. */

#define LOAD(suffix, type) \
    static void fill_##suffix(ptx_thread *thread, const ptx_instruction *instruction, const void *from) { \
        for (unsigned i = 0; i < instruction->modifiers.vector; i++) { \
            type value; \
            memcpy(&value, (const unsigned char *)from + i * sizeof value, sizeof value); \
            thread->registers[instruction->slots[i]] = (uint64_t)(int64_t)value; \
        } \
    } \
    LOADS(suffix, type)

#define LOADS(suffix, type) \
    static void load_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        const unsigned char *from = ptx_reach_operand(thread, instruction, sizeof(type), PTX_READS); \
        if (from) { \
            fill_##suffix(thread, instruction, from); \
        } \
    } \
    static void load_strong_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        const size_t size = sizeof(type); \
        const unsigned char *from = ptx_reach_operand(thread, instruction, size, PTX_READS); \
        unsigned char bytes[MAX_VECTOR]; \
        if (from) { \
            ptx_load_bytes(bytes, from, size * instruction->modifiers.vector); \
            fill_##suffix(thread, instruction, bytes); \
            ptx_note_order(thread, instruction); \
        } \
    }

#define STORE(suffix, type) \
    static void drain_##suffix(const ptx_thread *thread, const ptx_instruction *instruction, void *to) { \
        for (unsigned i = 0; i < instruction->modifiers.vector; i++) { \
            const type value = (type)ptx_operand_bits(thread, instruction, i); \
            memcpy((unsigned char *)to + i * sizeof value, &value, sizeof value); \
        } \
    } \
    STORES(suffix, type)

#define STORES(suffix, type) \
    static void store_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        unsigned char *to = ptx_reach_operand(thread, instruction, sizeof(type), PTX_WRITES); \
        if (to) { \
            drain_##suffix(thread, instruction, to); \
        } \
    } \
    static void store_strong_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        const size_t size = sizeof(type); \
        unsigned char *to = ptx_reach_operand(thread, instruction, size, PTX_WRITES); \
        unsigned char bytes[MAX_VECTOR]; \
        if (to) { \
            drain_##suffix(thread, instruction, bytes); \
            ptx_store_bytes(to, bytes, size * instruction->modifiers.vector); \
            ptx_note_order(thread, instruction); \
        } \
    }

enum { MAX_VECTOR = 8 * sizeof(ptx_value) };

/* A register of 128 bits has two slots; the sink has one. */
static void fill_128(ptx_thread *thread, const ptx_instruction *instruction, const void *from) {
    for (unsigned i = 0; i < instruction->modifiers.vector; i++) {
        const uint32_t slot = instruction->slots[i];
        if (slot != PTX_SLOT_SINK) {
            memcpy(&thread->registers[slot], (const unsigned char *)from + i * sizeof(ptx_value), sizeof(ptx_value));
        }
    }
}

static void drain_128(const ptx_thread *thread, const ptx_instruction *instruction, void *to) {
    for (unsigned i = 0; i < instruction->modifiers.vector; i++) {
        memcpy((unsigned char *)to + i * sizeof(ptx_value), &thread->registers[instruction->slots[i]], sizeof(ptx_value));
    }
}

LOAD(u8, uint8_t)
LOAD(s8, int8_t)
LOAD(u16, uint16_t)
LOAD(s16, int16_t)
LOAD(u32, uint32_t)
LOAD(s32, int32_t)
LOAD(u64, uint64_t)
LOADS(128, ptx_value)
STORE(8, uint8_t)
STORE(16, uint16_t)
STORE(32, uint32_t)
STORE(64, uint64_t)
STORES(128, ptx_value)

#define BY_TYPE(load) \
    { \
        [PTX_U8] = load##_u8, [PTX_S8] = load##_s8, [PTX_U16] = load##_u16, [PTX_S16] = load##_s16, [PTX_U32] = load##_u32, \
        [PTX_S32] = load##_s32, [PTX_U64] = load##_u64, [PTX_S64] = load##_u64, [PTX_F32] = load##_u32, [PTX_F64] = load##_u64, \
        [PTX_B128] = load##_128 \
    }

#define BY_SIZE(store) \
    { \
        [PTX_U8] = store##_8, [PTX_S8] = store##_8, [PTX_U16] = store##_16, [PTX_S16] = store##_16, [PTX_U32] = store##_32, \
        [PTX_S32] = store##_32, [PTX_U64] = store##_64, [PTX_S64] = store##_64, [PTX_F32] = store##_32, [PTX_F64] = store##_64, \
        [PTX_B128] = store##_128 \
    }

static ptx_handler *const load[PTX_TYPES] = BY_TYPE(load);
static ptx_handler *const load_strong[PTX_TYPES] = BY_TYPE(load_strong);
static ptx_handler *const store[PTX_TYPES] = BY_SIZE(store);
static ptx_handler *const store_strong[PTX_TYPES] = BY_SIZE(store_strong);

/* ---- mov, selp ---- */

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

static void move_128(ptx_thread *thread, const ptx_instruction *instruction) {
    if (instruction->slots[0] != PTX_SLOT_SINK) {
        memcpy(&thread->registers[instruction->slots[0]], &thread->registers[instruction->slots[1]], sizeof(ptx_value));
    }
}

/* mov.b128 d, {low, high} */
static void pack_halves(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t low = ptx_operand_bits(thread, instruction, 1);
    const uint64_t high = ptx_operand_bits(thread, instruction, 2);
    if (instruction->slots[0] != PTX_SLOT_SINK) {
        thread->registers[instruction->slots[0]] = low;
        thread->registers[instruction->slots[0] + 1] = high;
    }
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

#define STRONG "{.mmio}.<order>{.<scope>}"
#define HINTS "{.<hint>}{.<hint>}{.<policy>}"

static const ptx_form forms[] = {
    {"ld{.weak}{.<space>}{.weak}{.<cache>}{.nc}" HINTS "{.<prefetch>}{.<vector>}.<data>", "Dm", NULL, load},
    {"ld{.<space>}{.<scope>}" STRONG "{.<space>}" HINTS "{.<prefetch>}{.<vector>}.<data>", "Dm", NULL, load_strong},
    {"ldu{.global}{.<vector>}.<data>", "Dm", NULL, load},
    {"st{.weak}{.<space>}{.weak}{.<cache>}" HINTS "{.<vector>}.<data>", "mS", NULL, store},
    {"st{.<space>}{.<scope>}" STRONG "{.<space>}" HINTS "{.<vector>}.<data>", "mS", NULL, store_strong},
    {"mov.<move>", "da", move, NULL},
    {"mov.<shift>", "dP", pack, NULL},
    {"mov.<shift>", "Ua", unpack, NULL},
    {"mov.b128", "da", move_128, NULL},
    {"mov.b128", "dP", pack_halves, NULL},
    {"mov.b128", "Ua", unpack_halves, NULL},
    {"selp.<move>", "daaq", select_either, NULL},
};

const ptx_forms ptx_move_forms = {forms, sizeof forms / sizeof *forms};
