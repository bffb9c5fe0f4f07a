/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

static void branch(ptx_thread *thread, const ptx_instruction *instruction) {
    thread->next = thread->frames[thread->frame_count - 1].function->code + instruction->target;
}

static void call(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_enter(thread, instruction);
}

static void leave(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)instruction;
    ptx_leave(thread);
}

static void leave_kernel(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)instruction;
    thread->state = PTX_EXITED;
}

static void trap(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_fault(thread, instruction, PTX_TRAPPED, "trap");
}

static void wait_at_barrier(ptx_thread *thread, const ptx_instruction *instruction, uint32_t threads) {
    thread->barrier = (uint32_t)ptx_operand_bits(thread, instruction, 0);
    thread->barrier_threads = threads;
    thread->state = PTX_WAITING;
    if (thread->barrier >= PTX_MAX_BARRIERS) {
        ptx_fault(thread, instruction, PTX_TRAPPED, "there is no barrier %u", thread->barrier);
    }
}

static void wait_for_all(ptx_thread *thread, const ptx_instruction *instruction) {
    wait_at_barrier(thread, instruction, 0);
}

static void wait_for_some(ptx_thread *thread, const ptx_instruction *instruction) {
    wait_at_barrier(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 1));
}

static const ptx_form forms[] = {
    {"bra{.uni}", "L", branch, NULL},
    {"call{.uni}", "C", call, NULL},
    {"ret{.uni}", "", leave, NULL},
    {"exit", "", leave_kernel, NULL},
    {"trap", "", trap, NULL},
    {"bar{.cta}.sync", "u", wait_for_all, NULL},
    {"bar{.cta}.sync", "uu", wait_for_some, NULL},
    {"barrier{.cta}.sync{.aligned}", "u", wait_for_all, NULL},
    {"barrier{.cta}.sync{.aligned}", "uu", wait_for_some, NULL},
};

const ptx_forms ptx_control_forms = {forms, sizeof forms / sizeof *forms};
