/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <string.h>

#define LOCAL_ALIGNMENT 16u
#define MAX_LOCAL ((size_t)512 * 1024) /* CUDA's limit for a thread */
#define MAX_FRAMES 4096u

uint64_t ptx_dynamic_shared(const ptx_module *module) {
    return ptx_align(module->shared_size, 16);
}

static uint64_t fill_value(const ptx_thread *thread, const ptx_fill *fill, uint64_t local_base) {
    switch (fill->kind) {
    case PTX_FILL_SPECIAL:
        return ptx_special_value(thread, fill->value);
    case PTX_FILL_LOCAL:
        return local_base + fill->value;
    case PTX_FILL_PARAM:
        return PTX_LOCAL_WINDOW + local_base + fill->value;
    case PTX_FILL_DYNAMIC_SHARED:
        return ptx_dynamic_shared(thread->block->launch->kernel->module) + fill->value;
    }
    return 0;
}

static void fill_slots(ptx_thread *thread, const ptx_frame *frame) {
    const ptx_function *function = frame->function;
    memcpy(thread->registers, function->slots, function->slot_count * sizeof *function->slots);
    for (size_t i = 0; i < function->fill_count; i++) {
        thread->registers[function->fills[i].slot] = fill_value(thread, &function->fills[i], frame->local_base);
    }
}

static bool make_room(ptx_thread *thread, const ptx_function *function) {
    return ptx_reserve(&thread->frames, thread->frame_count, &thread->frame_capacity, sizeof *thread->frames) &&
           ptx_reserve(&thread->slots, thread->slot_count + function->slot_count, &thread->slot_capacity, sizeof *thread->slots) &&
           ptx_reserve(&thread->local, thread->local_size + function->local_size + LOCAL_ALIGNMENT, &thread->local_capacity, 1);
}

static void copy_arguments(ptx_thread *thread, const ptx_frame *caller, const ptx_frame *callee) {
    const ptx_params *from = &callee->call->arguments;
    const ptx_params *to = &callee->function->parameters;
    for (size_t i = 0; i < to->count; i++) {
        memcpy(thread->local + callee->local_base + to->items[i].offset, thread->local + caller->local_base + from->items[i].offset,
               to->items[i].size);
    }
}

static void copy_returns(ptx_thread *thread, const ptx_frame *caller, const ptx_frame *callee) {
    const ptx_params *from = &callee->function->returns;
    const ptx_params *to = &callee->call->returns;
    for (size_t i = 0; i < to->count; i++) {
        memcpy(thread->local + caller->local_base + to->items[i].offset, thread->local + callee->local_base + from->items[i].offset,
               to->items[i].size);
    }
}

static void push_frame(ptx_thread *thread, const ptx_function *function, const ptx_call *call) {
    ptx_frame *frame = &thread->frames[thread->frame_count++];
    *frame = (ptx_frame){.function = function,
                         .call = call,
                         .return_to = thread->next,
                         .slot_base = thread->slot_count,
                         .local_base = (size_t)ptx_align(thread->local_size, LOCAL_ALIGNMENT)};
    thread->slot_count += function->slot_count;
    thread->local_size = frame->local_end = frame->local_base + function->local_size;
    thread->registers = thread->slots + frame->slot_base;
    thread->next = function->code;
    fill_slots(thread, frame);
}

void ptx_enter_kernel(ptx_thread *thread) {
    const ptx_kernel *kernel = thread->block->launch->kernel;
    thread->frame_count = 0;
    thread->slot_count = 0;
    thread->local_size = 0;
    thread->state = PTX_READY;
    if (make_room(thread, kernel)) {
        push_frame(thread, kernel, NULL);
    } else {
        ptx_fault(thread, kernel->code, PTX_RAN_OUT_OF_MEMORY, "no memory for a thread");
    }
}

void ptx_enter(ptx_thread *thread, const ptx_instruction *instruction, const ptx_function *function) {
    if (thread->frame_count == MAX_FRAMES || thread->local_size + function->local_size > MAX_LOCAL) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_ADDRESS, "the call stack is full");
    } else if (!make_room(thread, function)) {
        ptx_fault(thread, instruction, PTX_RAN_OUT_OF_MEMORY, "no memory for the call stack");
    } else {
        push_frame(thread, function, instruction->call);
        copy_arguments(thread, &thread->frames[thread->frame_count - 2], &thread->frames[thread->frame_count - 1]);
    }
}

bool ptx_extend_frame(ptx_thread *thread, const ptx_instruction *instruction, uint64_t size, uint64_t alignment, uint64_t *offset) {
    ptx_frame *frame = &thread->frames[thread->frame_count - 1];
    *offset = ptx_align(thread->local_size, alignment);
    if (size > MAX_LOCAL || *offset + size > MAX_LOCAL) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_ADDRESS, "alloca of %llu bytes", (unsigned long long)size);
    } else if (!ptx_reserve(&thread->local, (size_t)(*offset + size), &thread->local_capacity, 1)) {
        ptx_fault(thread, instruction, PTX_RAN_OUT_OF_MEMORY, "no memory for alloca");
    } else {
        thread->local_size = frame->local_end = (size_t)(*offset + size);
        return true;
    }
    return false;
}

void ptx_leave(ptx_thread *thread) {
    const ptx_frame *frame = &thread->frames[thread->frame_count - 1];
    if (thread->frame_count == 1) {
        ptx_exit_thread(thread);
        return;
    }
    const ptx_frame *caller = frame - 1;
    copy_returns(thread, caller, frame);
    thread->frame_count--;
    thread->next = frame->return_to;
    thread->slot_count = frame->slot_base;
    thread->local_size = caller->local_end;
    thread->registers = thread->slots + caller->slot_base;
}
