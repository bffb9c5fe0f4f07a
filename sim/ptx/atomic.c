/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/arithmetic.h"
#include "ptx/host_atomic.h"
#include "ptx/run.h"

/* atom and red: one operation on memory at a time, of vectors on each element. */

/* What memory is to hold after `old`, by an operand. */
typedef uint64_t combine(const ptx_modifiers *modifiers, uint64_t old, uint64_t operand);

/* ---- integers ---- */

static int64_t as_signed(ptx_type type, uint64_t bits) {
    return type == PTX_S32 ? (int32_t)bits : (int64_t)bits;
}

static uint64_t as_unsigned(const ptx_modifiers *modifiers, uint64_t bits) {
    return ptx_type_size(modifiers->type) == 4 ? (uint32_t)bits : bits;
}

enum { MIN, MAX };

static uint64_t choose(const ptx_modifiers *modifiers, uint64_t old, uint64_t operand) {
    const ptx_type type = modifiers->type;
    const bool is_signed = type == PTX_S32 || type == PTX_S64;
    const bool less =
        is_signed ? as_signed(type, operand) < as_signed(type, old) : as_unsigned(modifiers, operand) < as_unsigned(modifiers, old);
    return less == (modifiers->choice == MIN) ? operand : old;
}

enum { AND, OR, XOR };

static uint64_t combine_bits(const ptx_modifiers *modifiers, uint64_t old, uint64_t operand) {
    switch (modifiers->choice) {
    case AND:
        return old & operand;
    case OR:
        return old | operand;
    default:
        return old ^ operand;
    }
}

enum { INC, DEC };

/* Up to the operand and then to 0, or down to 0 and then to the operand. */
static uint64_t count(const ptx_modifiers *modifiers, uint64_t old, uint64_t operand) {
    const uint32_t last = (uint32_t)operand;
    if (modifiers->choice == INC) {
        return old >= last ? 0 : old + 1;
    }
    return old == 0 || old > last ? last : old - 1;
}

/* ---- sums and floats ---- */

static bool is_float(ptx_type type) {
    return type >= PTX_F16 && type <= PTX_F64;
}

static uint64_t add(const ptx_modifiers *modifiers, uint64_t old, uint64_t operand) {
    return is_float(modifiers->type) ? ptx_add_floats(modifiers->type, modifiers, old, operand) : old + operand;
}

static uint64_t choose_float(const ptx_modifiers *modifiers, uint64_t old, uint64_t operand) {
    return modifiers->choice == MIN ? ptx_min_floats(modifiers->type, modifiers, old, operand)
                                    : ptx_max_floats(modifiers->type, modifiers, old, operand);
}

static uint64_t replace(const ptx_modifiers *modifiers, uint64_t old, uint64_t operand) {
    (void)modifiers;
    (void)old;
    return operand;
}

/* ---- on memory ---- */

/* Sums of .f32 in global memory flush subnormals, those in shared memory do not (PTX ISA, atom). */
static bool flushes(const ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_space space = instruction->modifiers.space;
    return (space == PTX_GENERIC ? ptx_space_at(thread->block->launch, ptx_address(thread, instruction)) : space) == PTX_GLOBAL;
}

static uint64_t update_element(unsigned char *at, size_t size, combine *how, const ptx_modifiers *modifiers, uint64_t operand) {
    ptx_value old = ptx_load_value(at, size);
    while (!ptx_replace_value(at, size, &old, (ptx_value){.low = how(modifiers, old.low, operand)})) {
    }
    return old.low;
}

/* The first of the operands is number `first`, after those that take what was there before, if any. */
static void update(ptx_thread *thread, const ptx_instruction *instruction, combine *how, unsigned first) {
    const size_t size = ptx_type_size(instruction->modifiers.type);
    unsigned char *at = ptx_reach_operand(thread, instruction, size, PTX_UPDATES);
    ptx_modifiers modifiers = instruction->modifiers;
    uint64_t old[PTX_MAX_OPERANDS] = {0};
    if (!at) {
        return;
    }
    modifiers.flush = modifiers.type == PTX_F32 && flushes(thread, instruction);
    for (unsigned i = 0; i < modifiers.vector; i++) {
        old[i] = update_element(at + i * size, size, how, &modifiers, ptx_operand_bits(thread, instruction, first + i));
    }
    for (unsigned i = 0; first && i < modifiers.vector; i++) {
        thread->registers[instruction->slots[i]] = old[i];
    }
    ptx_note_order(thread, instruction);
}

/* An atom and a red by a combination. */
#define OPERATIONS(name, how) \
    static void atom_##name(ptx_thread *thread, const ptx_instruction *instruction) { \
        update(thread, instruction, how, instruction->modifiers.vector); \
    } \
    static void red_##name(ptx_thread *thread, const ptx_instruction *instruction) { \
        update(thread, instruction, how, 0); \
    }

OPERATIONS(add, add)
OPERATIONS(choose, choose)
OPERATIONS(choose_float, choose_float)
OPERATIONS(bits, combine_bits)
OPERATIONS(count, count)

static void atom_exchange(ptx_thread *thread, const ptx_instruction *instruction) {
    update(thread, instruction, replace, 1);
}

/* ---- cas, and 128 bits ---- */

static ptx_value read_value(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    const uint64_t *registers = &thread->registers[instruction->slots[operand]];
    return (ptx_value){.low = registers[0], .high = instruction->modifiers.type == PTX_B128 ? registers[1] : 0};
}

static void write_value(ptx_thread *thread, const ptx_instruction *instruction, ptx_value value) {
    ptx_write(thread, instruction, value.low);
    if (instruction->modifiers.type == PTX_B128 && instruction->slots[0] != PTX_SLOT_SINK) {
        thread->registers[instruction->slots[0] + 1] = value.high;
    }
}

static void compare_and_swap(ptx_thread *thread, const ptx_instruction *instruction) {
    const size_t size = ptx_type_size(instruction->modifiers.type);
    unsigned char *at = ptx_reach_operand(thread, instruction, size, PTX_UPDATES);
    if (at) {
        ptx_value old = read_value(thread, instruction, 1);
        ptx_replace_value(at, size, &old, read_value(thread, instruction, 2));
        write_value(thread, instruction, old);
        ptx_note_order(thread, instruction);
    }
}

static void exchange_wide(ptx_thread *thread, const ptx_instruction *instruction) {
    unsigned char *at = ptx_reach_operand(thread, instruction, sizeof(ptx_value), PTX_UPDATES);
    if (at) {
        ptx_value old = ptx_load_value(at, sizeof old);
        while (!ptx_replace_value(at, sizeof old, &old, read_value(thread, instruction, 1))) {
        }
        write_value(thread, instruction, old);
        ptx_note_order(thread, instruction);
    }
}

/* Compilers and programs write order, scope and space before the operation or after, in any order. */
#define AT "{.<space>}{.<scope>}{.<order>}{.<scope>}{.<space>}"
#define ATOM(operation) "atom" AT "." operation AT "{.<policy>}."
#define RED(operation) "red" AT "." operation AT "{.<policy>}."

#define NUMBERS "<u32|s32|u64|s64|f32|f64>"
#define HALVES "<f16|bf16|f16x2|bf16x2>"
#define INTEGERS "<u32|s32|u64|s64>"

static const ptx_form forms[] = {
    {ATOM("add") NUMBERS, "dma", atom_add, NULL},
    {RED("add") NUMBERS, "ma", red_add, NULL},
    {ATOM("add") "<vector>.f32", "DmS", atom_add, NULL},
    {RED("add") "<vector>.f32", "mS", red_add, NULL},
    {ATOM("add.noftz") HALVES, "dma", atom_add, NULL},
    {RED("add.noftz") HALVES, "ma", red_add, NULL},
    {ATOM("add.noftz") "<vector>." HALVES, "DmS", atom_add, NULL},
    {RED("add.noftz") "<vector>." HALVES, "mS", red_add, NULL},
    {ATOM("<min|max>.noftz") "<vector>." HALVES, "DmS", atom_choose_float, NULL},
    {RED("<min|max>.noftz") "<vector>." HALVES, "mS", red_choose_float, NULL},
    {ATOM("<min|max>") INTEGERS, "dma", atom_choose, NULL},
    {RED("<min|max>") INTEGERS, "ma", red_choose, NULL},
    {ATOM("<and|or|xor>") "<b32|b64>", "dma", atom_bits, NULL},
    {RED("<and|or|xor>") "<b32|b64>", "ma", red_bits, NULL},
    {ATOM("<inc|dec>") "u32", "dma", atom_count, NULL},
    {RED("<inc|dec>") "u32", "ma", red_count, NULL},
    {ATOM("exch") "<b32|b64>", "dma", atom_exchange, NULL},
    {ATOM("exch") "b128", "dma", exchange_wide, NULL},
    {ATOM("cas") "<b16|b32|b64|b128>", "dmaa", compare_and_swap, NULL},
};

const ptx_forms ptx_atomic_forms = {forms, sizeof forms / sizeof *forms};
