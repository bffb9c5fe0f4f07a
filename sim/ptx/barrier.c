/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

/* The barriers of a block: bar and barrier. Those for a warp are meetings (warp.c). */

static ptx_barrier *arrive_at(ptx_thread *thread, const ptx_instruction *instruction, uint32_t number, uint32_t wanted) {
    if (number >= PTX_MAX_BARRIERS) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_INSTRUCTION, "there is no barrier %u", number);
        return NULL;
    }
    ptx_barrier *barrier = &thread->block->barriers[number];
    barrier->arrived++;
    barrier->wanted = wanted ? wanted : barrier->wanted;
    return barrier;
}

static ptx_barrier *wait_at(ptx_thread *thread, const ptx_instruction *instruction, uint32_t number, uint32_t wanted) {
    ptx_barrier *barrier = arrive_at(thread, instruction, number, wanted);
    if (barrier) {
        thread->barrier = number;
        thread->state = PTX_AT_BARRIER;
        ptx_end_turn(thread);
    }
    return barrier;
}

static uint32_t operand(const ptx_thread *thread, const ptx_instruction *instruction, unsigned index) {
    return (uint32_t)ptx_operand_bits(thread, instruction, index);
}

static void wait_for_all(ptx_thread *thread, const ptx_instruction *instruction) {
    wait_at(thread, instruction, operand(thread, instruction, 0), 0);
}

static void wait_for_some(ptx_thread *thread, const ptx_instruction *instruction) {
    wait_at(thread, instruction, operand(thread, instruction, 0), operand(thread, instruction, 1));
}

static void arrive(ptx_thread *thread, const ptx_instruction *instruction) {
    arrive_at(thread, instruction, operand(thread, instruction, 0), operand(thread, instruction, 1));
}

/* ---- reductions ---- */

enum { RED_AND, RED_OR, RED_POPC };

static void reduce_at(ptx_thread *thread, const ptx_instruction *instruction, uint32_t wanted, unsigned predicate) {
    ptx_barrier *barrier = wait_at(thread, instruction, operand(thread, instruction, 1), wanted);
    if (barrier) {
        barrier->asking++;
        barrier->holding += (ptx_operand_bits(thread, instruction, predicate) != 0) != instruction->negated;
    }
}

static void reduce_all(ptx_thread *thread, const ptx_instruction *instruction) {
    reduce_at(thread, instruction, 0, 2);
}

static void reduce_some(ptx_thread *thread, const ptx_instruction *instruction) {
    reduce_at(thread, instruction, operand(thread, instruction, 2), 3);
}

void ptx_leave_barrier(ptx_thread *thread, const ptx_barrier *barrier) {
    const ptx_instruction *instruction = ptx_current(thread);
    if (instruction->run != reduce_all && instruction->run != reduce_some) {
        return;
    }
    switch (instruction->modifiers.choice) {
    case RED_AND:
        ptx_write(thread, instruction, barrier->holding == barrier->asking);
        break;
    case RED_OR:
        ptx_write(thread, instruction, barrier->holding != 0);
        break;
    default:
        ptx_write(thread, instruction, barrier->holding);
        break;
    }
}

static const ptx_form forms[] = {
    {"bar{.cta}.sync", "u", wait_for_all, NULL},
    {"bar{.cta}.sync", "uu", wait_for_some, NULL},
    {"bar{.cta}.arrive", "uu", arrive, NULL},
    {"bar{.cta}.red.<and|or>.pred", "ouq", reduce_all, NULL},
    {"bar{.cta}.red.<and|or>.pred", "ouuq", reduce_some, NULL},
    {"bar{.cta}.red.<and|or|popc>.u32", "vuq", reduce_all, NULL},
    {"bar{.cta}.red.<and|or|popc>.u32", "vuuq", reduce_some, NULL},
    {"barrier{.cta}.sync{.aligned}", "u", wait_for_all, NULL},
    {"barrier{.cta}.sync{.aligned}", "uu", wait_for_some, NULL},
    {"barrier{.cta}.arrive{.aligned}", "uu", arrive, NULL},
    {"barrier{.cta}.red.<and|or>{.aligned}.pred", "ouq", reduce_all, NULL},
    {"barrier{.cta}.red.<and|or>{.aligned}.pred", "ouuq", reduce_some, NULL},
    {"barrier{.cta}.red.<and|or|popc>{.aligned}.u32", "vuq", reduce_all, NULL},
    {"barrier{.cta}.red.<and|or|popc>{.aligned}.u32", "vuuq", reduce_some, NULL},
};

const ptx_forms ptx_barrier_forms = {forms, sizeof forms / sizeof *forms};
