/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <inttypes.h>
#include <stdio.h>

static unsigned char *within(unsigned char *memory, size_t size, uint64_t offset, size_t wanted) {
    return memory && offset <= size && wanted <= size - offset ? memory + offset : NULL;
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

ptx_space ptx_space_at(const ptx_launch *launch, uint64_t address) {
    const ptx_variable *variable = find_variable(launch->kernel->module, address);
    switch (address >> PTX_WINDOW_SHIFT) {
    case PTX_SHARED_WINDOW >> PTX_WINDOW_SHIFT:
        return PTX_SHARED;
    case PTX_LOCAL_WINDOW >> PTX_WINDOW_SHIFT:
        return PTX_LOCAL;
    case PTX_PARAM_WINDOW >> PTX_WINDOW_SHIFT:
        return PTX_PARAM;
    default:
        return variable && address - variable->address < variable->size ? variable->space : PTX_GLOBAL;
    }
}

static bool is_in(const ptx_range *range, uint64_t address) {
    return address - range->start < range->size;
}

/* Device memory: the module's own variables, the launch's workspace, and what the device says is live. */
static bool find_range(const ptx_launch *launch, uint64_t address, ptx_range *range) {
    const ptx_variable *variable = find_variable(launch->kernel->module, address);
    const uint64_t workspace = (uint64_t)(uintptr_t)launch->workspace;
    *range = (ptx_range){0};
    if (variable && address - variable->address < variable->size) {
        *range = (ptx_range){.start = variable->address, .size = variable->size, .is_constant = variable->space == PTX_CONST};
        return true;
    }
    if (workspace && address - workspace < PTX_WORKSPACE_SIZE) {
        *range = (ptx_range){.start = workspace, .size = PTX_WORKSPACE_SIZE};
        return true;
    }
    return address && launch->device->find(launch->device->data, address, range) && is_in(range, address);
}

/* Most instructions stay in one allocation. */
static ptx_range *look_up(ptx_block *block, const ptx_instruction *instruction, uint64_t address) {
    ptx_range *known = &block->known[(uintptr_t)instruction / sizeof *instruction % PTX_KNOWN_RANGES];
    if (is_in(known, address) && !known->is_fleeting) {
        return known;
    }
    return find_range(block->launch, address, known) ? known : NULL;
}

static bool all_written(const ptx_range *range, uint64_t offset, size_t size) {
    for (uint64_t at = offset; at < offset + size; at++) {
        if (!(__atomic_load_n(&range->written[at / 8], __ATOMIC_RELAXED) & (1u << at % 8))) {
            return false;
        }
    }
    return true;
}

static void mark_written(const ptx_range *range, uint64_t offset, size_t size) {
    for (uint64_t at = offset; at < offset + size; at++) {
        __atomic_fetch_or(&range->written[at / 8], (unsigned char)(1u << at % 8), __ATOMIC_RELAXED);
    }
}

static const char *verb(ptx_intent intent) {
    static const char *const verbs[] = {"load", "store", "atomic operation"};
    return verbs[intent];
}

static const char *space_name(const ptx_access *at) {
    static const char *const names[] = {"", "", "const ", "shared ", "local ", "param "};
    return names[at->space];
}

static unsigned char *fault(ptx_thread *thread, const ptx_instruction *instruction, ptx_outcome outcome, const ptx_access *at,
                            const char *flaw) {
    const ptx_device *device = thread->block->launch->device;
    char place[256] = "";
    if (device->describe && at->space <= PTX_CONST && !(at->address >> PTX_WINDOW_SHIFT)) {
        device->describe(device->data, at->address, place, sizeof place);
    }
    ptx_fault(thread, instruction, outcome, "%s%zu-byte %s%s at 0x%" PRIx64 "%s", flaw, at->size, space_name(at), verb(at->intent),
              at->address, place);
    return NULL;
}

static unsigned char *reach_device(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    const ptx_range *range = look_up(thread->block, instruction, at->address);
    if (!range || at->size > range->size - (at->address - range->start) || (at->intent != PTX_READS && range->is_constant)) {
        return fault(thread, instruction, PTX_ILLEGAL_ADDRESS, at, "");
    }
    if (range->written) {
        const uint64_t offset = at->address - range->start;
        if (at->intent != PTX_WRITES && !all_written(range, offset, at->size)) {
            return fault(thread, instruction, PTX_TRAPPED, at, "memory that was never written is read: ");
        }
        mark_written(range, offset, at->intent == PTX_READS ? 0 : at->size);
    }
    return (unsigned char *)(uintptr_t)at->address;
}

static unsigned char *reach_shared(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    ptx_block *block = thread->block;
    unsigned char *memory = within(block->shared, block->launch->shared_size, at->address, at->size);
    if (memory) {
        return !block->watch || ptx_watch_access(thread, instruction, at) ? memory : NULL;
    }
    memory = within(block->reserved, PTX_RESERVED_SIZE, at->address - PTX_RESERVED_OFFSET, at->size);
    return memory ? memory : fault(thread, instruction, PTX_ILLEGAL_ADDRESS, at, "");
}

static unsigned char *reach_parameters(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    const ptx_launch *launch = thread->block->launch;
    unsigned char *parameters = (unsigned char *)(uintptr_t)launch->grid->parameters;
    unsigned char *memory = within(parameters, launch->kernel->parameters.size, at->address - PTX_PARAM_WINDOW, at->size);
    return memory && at->intent == PTX_READS ? memory : fault(thread, instruction, PTX_ILLEGAL_ADDRESS, at, "");
}

static unsigned char *reach_local(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    unsigned char *memory = within(thread->local, thread->local_size, at->address, at->size);
    return memory ? memory : fault(thread, instruction, PTX_ILLEGAL_ADDRESS, at, "");
}

static unsigned char *reach_generic(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    ptx_access there = *at;
    switch (at->address >> PTX_WINDOW_SHIFT) {
    case 0:
        return reach_device(thread, instruction, at);
    case PTX_SHARED_WINDOW >> PTX_WINDOW_SHIFT:
        there.address -= PTX_SHARED_WINDOW;
        there.space = PTX_SHARED;
        return reach_shared(thread, instruction, &there);
    case PTX_LOCAL_WINDOW >> PTX_WINDOW_SHIFT:
        there.address -= PTX_LOCAL_WINDOW;
        there.space = PTX_LOCAL;
        return reach_local(thread, instruction, &there);
    case PTX_PARAM_WINDOW >> PTX_WINDOW_SHIFT:
        return reach_parameters(thread, instruction, at);
    default:
        return fault(thread, instruction, PTX_ILLEGAL_ADDRESS, at, "");
    }
}

unsigned char *ptx_reach(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    if (at->address & (at->size - 1)) {
        return fault(thread, instruction, PTX_MISALIGNED_ADDRESS, at, "");
    }
    switch (at->space) {
    case PTX_SHARED:
        return reach_shared(thread, instruction, at);
    case PTX_LOCAL:
        return reach_local(thread, instruction, at);
    case PTX_GLOBAL:
    case PTX_CONST:
        return reach_device(thread, instruction, at);
    case PTX_GENERIC:
    case PTX_PARAM:
        break;
    }
    return reach_generic(thread, instruction, at);
}

static uint64_t address_of(uint64_t base, bool narrow, int64_t offset) {
    return (narrow ? (uint32_t)base : base) + (uint64_t)offset;
}

uint64_t ptx_address(const ptx_thread *thread, const ptx_instruction *instruction) {
    return address_of(ptx_read(thread, instruction->base), instruction->narrow, instruction->offset);
}

unsigned char *ptx_reach_operand(ptx_thread *thread, const ptx_instruction *instruction, size_t element_size, ptx_intent intent) {
    const ptx_access at = {.address = ptx_address(thread, instruction),
                           .size = element_size * instruction->modifiers.vector,
                           .space = instruction->modifiers.space,
                           .intent = intent,
                           .is_strong = instruction->modifiers.is_strong};
    return ptx_reach(thread, instruction, &at);
}

uint64_t ptx_second_address(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    return address_of(ptx_operand_bits(thread, instruction, operand), instruction->narrow_second, (int32_t)instruction->target);
}
