/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <inttypes.h>
#include <string.h>

/* ---- addresses ---- */

typedef struct access {
    uint64_t address;
    size_t size;
    bool writes;
} access;

static void *within(const unsigned char *memory, size_t size, uint64_t offset, size_t wanted) {
    return memory && offset <= size && wanted <= size - offset ? (void *)(uintptr_t)(memory + offset) : NULL;
}

static const ptx_variable *find_variable(const ptx_module *module, uint64_t address) {
    size_t low = 0;
    size_t high = module->variable_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (module->variables[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low ? &module->variables[low - 1] : NULL;
}

/* Device memory: the module's own variables, and what the launcher says is live. */
static void *reach_device(const ptx_launch *launch, access at) {
    const ptx_variable *variable = find_variable(launch->kernel->module, at.address);
    if (variable && at.address - variable->address < variable->size) {
        const bool fits = at.size <= variable->size - (at.address - variable->address);
        return fits && !(at.writes && variable->space == PTX_CONST) ? (void *)(uintptr_t)at.address : NULL;
    }
    return at.address ? launch->memory->resolve(launch->memory->data, at.address, at.size, at.writes) : NULL;
}

static void *reach_generic(const ptx_thread *thread, access at) {
    const ptx_launch *launch = thread->launch;
    switch (at.address >> PTX_WINDOW_SHIFT) {
    case 0:
        return reach_device(launch, at);
    case PTX_SHARED_WINDOW >> PTX_WINDOW_SHIFT:
        return within(launch->shared, launch->shared_size, at.address - PTX_SHARED_WINDOW, at.size);
    case PTX_LOCAL_WINDOW >> PTX_WINDOW_SHIFT:
        return within(thread->local, thread->local_size, at.address - PTX_LOCAL_WINDOW, at.size);
    case PTX_PARAM_WINDOW >> PTX_WINDOW_SHIFT:
        return at.writes ? NULL
                         : within(launch->parameters, launch->kernel->parameters.size, at.address - PTX_PARAM_WINDOW, at.size);
    default:
        return NULL;
    }
}

static void *reach_space(const ptx_thread *thread, ptx_space space, access at) {
    const ptx_launch *launch = thread->launch;
    switch (space) {
    case PTX_SHARED:
        return within(launch->shared, launch->shared_size, at.address, at.size);
    case PTX_LOCAL:
        return within(thread->local, thread->local_size, at.address, at.size);
    case PTX_GLOBAL:
    case PTX_CONST:
        return at.address >> PTX_WINDOW_SHIFT ? NULL : reach_device(launch, at);
    case PTX_GENERIC:
    case PTX_PARAM:
        break;
    }
    return reach_generic(thread, at);
}

static void *fault(ptx_thread *thread, const ptx_instruction *instruction, ptx_outcome outcome, access at) {
    static const char *const spaces[] = {"", "", " const", " shared", " local", " param"};
    const char *space = spaces[instruction->modifiers.space];
    ptx_fault(thread, instruction, outcome, "%zu-byte%s %s at 0x%" PRIx64, at.size, space, at.writes ? "store" : "load",
              at.address);
    return NULL;
}

/* The host's view of what a load or store touches: NULL after a fault. */
static unsigned char *reach(ptx_thread *thread, const ptx_instruction *instruction, size_t element_size, bool writes) {
    const uint64_t base = ptx_read(thread, instruction->base);
    const access at = {.address = (instruction->narrow ? (uint32_t)base : base) + (uint64_t)instruction->offset,
                       .size = element_size * instruction->modifiers.vector,
                       .writes = writes};
    if (at.address & (at.size - 1)) {
        return fault(thread, instruction, PTX_MISALIGNED_ADDRESS, at);
    }
    void *memory = reach_space(thread, instruction->modifiers.space, at);
    return memory ? memory : fault(thread, instruction, PTX_ILLEGAL_ADDRESS, at);
}

/* ---- ld, st ---- */

#define LOAD(suffix, type) \
    static void load_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        const unsigned char *from = reach(thread, instruction, sizeof(type), false); \
        for (unsigned i = 0; from && i < instruction->modifiers.vector; i++) { \
            type value; \
            memcpy(&value, from + i * sizeof value, sizeof value); \
            thread->registers[instruction->slots[i]] = (uint64_t)(int64_t)value; \
        } \
    }

#define STORE(suffix, type) \
    static void store_##suffix(ptx_thread *thread, const ptx_instruction *instruction) { \
        unsigned char *to = reach(thread, instruction, sizeof(type), true); \
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

static ptx_handler *const load[PTX_TYPES] = {
    [PTX_U8] = load_u8,   [PTX_S8] = load_s8,   [PTX_U16] = load_u16, [PTX_S16] = load_s16, [PTX_U32] = load_u32,
    [PTX_S32] = load_s32, [PTX_U64] = load_u64, [PTX_S64] = load_u64, [PTX_F32] = load_u32, [PTX_F64] = load_u64,
};

static ptx_handler *const store[PTX_TYPES] = {
    [PTX_U8] = store_8,   [PTX_S8] = store_8,   [PTX_U16] = store_16, [PTX_S16] = store_16, [PTX_U32] = store_32,
    [PTX_S32] = store_32, [PTX_U64] = store_64, [PTX_S64] = store_64, [PTX_F32] = store_32, [PTX_F64] = store_64,
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

static void select_either(ptx_thread *thread, const ptx_instruction *instruction) {
    const bool first = ptx_operand_bits(thread, instruction, 3) != 0;
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

static const ptx_form forms[] = {
    {"ld{.weak}{.<space>}{.nc}{.<cache>}{.<vector>}.<data>", "Dm", NULL, load},
    {"st{.weak}{.<space>}{.<cache>}{.<vector>}.<data>", "mS", NULL, store},
    {"mov.<move>", "da", move, NULL},
    {"mov.<shift>", "dP", pack, NULL},
    {"mov.<shift>", "Ua", unpack, NULL},
    {"selp.<move>", "daaq", select_either, NULL},
    {"cvta{.to}.<space>.u64", "da", convert_address, NULL},
};

const ptx_forms ptx_move_forms = {forms, sizeof forms / sizeof *forms};
