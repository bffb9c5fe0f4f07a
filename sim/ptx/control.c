/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <inttypes.h>

static void go_to(ptx_thread *thread, uint32_t target) {
    thread->next = thread->frames[thread->frame_count - 1].function->code + target;
}

static void branch(ptx_thread *thread, const ptx_instruction *instruction) {
    go_to(thread, instruction->target);
}

static void branch_by_index(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint32_t index = (uint32_t)ptx_operand_bits(thread, instruction, 0);
    if (index < instruction->targets->count) {
        go_to(thread, instruction->targets->items[index]);
    } else {
        ptx_fault(thread, instruction, PTX_INVALID_PC, "brx.idx has %zu targets, none is number %u", instruction->targets->count,
                  index);
    }
}

/* ---- calls ---- */

/* The function whose address a register holds. */
static const ptx_function *function_at(const ptx_module *module, uint64_t address) {
    const uint64_t index = (address - PTX_CODE_WINDOW) / 16;
    const bool is_one = address >= PTX_CODE_WINDOW && address % 16 == 0 && index < module->function_count;
    return is_one && !module->functions[index]->is_entry ? module->functions[index] : NULL;
}

static bool takes(const ptx_params *given, const ptx_params *wanted) {
    bool fits = given->count == wanted->count;
    for (size_t i = 0; fits && i < given->count; i++) {
        fits = given->items[i].size == wanted->items[i].size;
    }
    return fits;
}

static void run_function(ptx_thread *thread, const ptx_instruction *instruction, const ptx_function *function) {
    if (function->service) {
        function->service(thread, instruction);
    } else {
        ptx_enter(thread, instruction, function);
    }
}

void ptx_call_function(ptx_thread *thread, const ptx_instruction *instruction) {
    run_function(thread, instruction, instruction->call->function);
}

void ptx_call_address(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t address = ptx_operand_bits(thread, instruction, 0);
    const ptx_function *function = function_at(thread->block->launch->kernel->module, address);
    if (!function || !(function->has_body || function->service) || !takes(&instruction->call->arguments, &function->parameters) ||
        !takes(&instruction->call->returns, &function->returns)) {
        ptx_fault(thread, instruction, PTX_INVALID_PC, "0x%" PRIx64 " is not the address of a function that fits the call",
                  address);
        return;
    }
    run_function(thread, instruction, function);
}

static void leave(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)instruction;
    ptx_leave(thread);
}

static void leave_kernel(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)instruction;
    ptx_exit_thread(thread);
}

/* ---- the stack of local memory ---- */

static void allocate_on_stack(ptx_thread *thread, const ptx_instruction *instruction, uint64_t alignment) {
    uint64_t offset;
    if (ptx_extend_frame(thread, instruction, ptx_operand_bits(thread, instruction, 1), alignment, &offset)) {
        ptx_write(thread, instruction, offset);
    }
}

static void allocate(ptx_thread *thread, const ptx_instruction *instruction) {
    allocate_on_stack(thread, instruction, 16);
}

static void allocate_aligned(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t alignment = (uint32_t)ptx_operand_bits(thread, instruction, 2);
    allocate_on_stack(thread, instruction, alignment && !(alignment & (alignment - 1)) && alignment <= 512 ? alignment : 16);
}

static void save_stack(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, thread->local_size);
}

static void restore_stack(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_frame *frame = &thread->frames[thread->frame_count - 1];
    const uint64_t size = ptx_operand_bits(thread, instruction, 0);
    if (size < frame->local_base + frame->function->local_size || size > thread->local_size) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_ADDRESS, "0x%" PRIx64 " is not a saved stack of this function", size);
        return;
    }
    thread->local_size = frame->local_end = (size_t)size;
}

/* ---- ends ---- */

static void trap(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_fault(thread, instruction, PTX_TRAPPED, "trap");
}

static void stop_for_debugger(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_fault(thread, instruction, PTX_TRAPPED, "brkpt, and there is no debugger");
}

static void yield_turn(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)instruction;
    ptx_end_turn(thread);
}

static void do_nothing(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)thread;
    (void)instruction;
}

static const ptx_form forms[] = {
    {"bra{.uni}", "L", branch, NULL},
    {"brx.idx{.uni}", "uT", branch_by_index, NULL},
    {"call{.uni}", "C", ptx_call_function, NULL},
    {"ret{.uni}", "", leave, NULL},
    {"exit", "", leave_kernel, NULL},
    {"alloca.u64", "da", allocate, NULL},
    {"alloca.u64", "dau", allocate_aligned, NULL},
    {"stacksave.u64", "d", save_stack, NULL},
    {"stackrestore.u64", "a", restore_stack, NULL},
    {"trap", "", trap, NULL},
    {"brkpt", "", stop_for_debugger, NULL},
    {"nanosleep.u32", "u", yield_turn, NULL},
    {"pmevent{.mask}", "u", do_nothing, NULL},
    {"griddepcontrol.<launch_dependents|wait>", "", do_nothing, NULL},
    {"setmaxnreg.<inc|dec>.sync.aligned.u32", "u", do_nothing, NULL},
};

const ptx_forms ptx_control_forms = {forms, sizeof forms / sizeof *forms};
