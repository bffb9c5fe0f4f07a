/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

/* Addresses: from one space to another, and which space they are in. */

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

/* Parameters lie in the global window. */
static void is_in_space(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_space asked = instruction->modifiers.space;
    const ptx_space space = ptx_space_at(thread->block->launch, ptx_operand_bits(thread, instruction, 1));
    ptx_write(thread, instruction, space == asked || (asked == PTX_GLOBAL && space == PTX_PARAM));
}

/* ---- clusters, each of which is one block ---- */

static void map_address(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint32_t rank = (uint32_t)ptx_operand_bits(thread, instruction, 2);
    if (rank == 0) {
        ptx_write(thread, instruction, ptx_operand_bits(thread, instruction, 1));
    } else {
        ptx_fault(thread, instruction, PTX_ILLEGAL_ADDRESS, "the cluster has one block, none of rank %u", rank);
    }
}

static void name_rank(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, 0);
}

static const ptx_form forms[] = {
    {"cvta{.to}.<space>.u64", "da", convert_address, NULL},
    {"isspacep.<space>", "oN", is_in_space, NULL},
    {"mapa{.<space>}.<u32|u64>", "dau", map_address, NULL},
    {"getctarank{.<space>}.<u32|u64>", "va", name_rank, NULL},
};

const ptx_forms ptx_address_forms = {forms, sizeof forms / sizeof *forms};
