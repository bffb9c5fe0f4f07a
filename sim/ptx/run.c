/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOCAL_ALIGNMENT 16u
#define MAX_LOCAL ((size_t)512 * 1024) /* CUDA's limit for a thread */
#define MAX_FRAMES 4096u

void ptx_fault(ptx_thread *thread, const ptx_instruction *instruction, ptx_outcome outcome, const char *format, ...) {
    ptx_launch *launch = thread->launch;
    const uint32_t *block = launch->block_index;
    const uint32_t *index = thread->index;
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (launch->log_size) {
        snprintf(launch->log, launch->log_size, "kernel %.*s, block (%u,%u,%u), thread (%u,%u,%u), ptx line %u: %s",
                 (int)launch->kernel->name_size, launch->kernel->name, block[0], block[1], block[2], index[0], index[1], index[2],
                 instruction->line, what);
    }
    launch->outcome = outcome;
    thread->state = PTX_EXITED;
}

/* ---- frames ---- */

static uint64_t fill_value(const ptx_thread *thread, const ptx_fill *fill, uint64_t local_base) {
    switch (fill->kind) {
    case PTX_FILL_SPECIAL:
        return ptx_special_value(thread, fill->value);
    case PTX_FILL_LOCAL:
        return local_base + fill->value;
    case PTX_FILL_PARAM:
        return PTX_LOCAL_WINDOW + local_base + fill->value;
    case PTX_FILL_DYNAMIC_SHARED:
        return ptx_dynamic_shared(thread->launch->kernel->module) + fill->value;
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
    thread->local_size = frame->local_base + function->local_size;
    thread->registers = thread->slots + frame->slot_base;
    thread->next = function->code;
    fill_slots(thread, frame);
}

static void enter_kernel(ptx_thread *thread) {
    const ptx_kernel *kernel = thread->launch->kernel;
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

void ptx_enter(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_function *function = instruction->call->function;
    if (thread->frame_count == MAX_FRAMES || thread->local_size + function->local_size > MAX_LOCAL) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_ADDRESS, "the call stack is full");
    } else if (!make_room(thread, function)) {
        ptx_fault(thread, instruction, PTX_RAN_OUT_OF_MEMORY, "no memory for the call stack");
    } else {
        push_frame(thread, function, instruction->call);
        copy_arguments(thread, &thread->frames[thread->frame_count - 2], &thread->frames[thread->frame_count - 1]);
    }
}

void ptx_leave(ptx_thread *thread) {
    const ptx_frame *frame = &thread->frames[thread->frame_count - 1];
    if (thread->frame_count == 1) {
        thread->state = PTX_EXITED;
        return;
    }
    const ptx_frame *caller = frame - 1;
    copy_returns(thread, caller, frame);
    thread->frame_count--;
    thread->next = frame->return_to;
    thread->slot_count = frame->slot_base;
    thread->local_size = caller->local_base + caller->function->local_size;
    thread->registers = thread->slots + caller->slot_base;
}

/* ---- blocks ---- */

static void run_thread(ptx_thread *thread) {
    while (thread->state == PTX_READY) {
        const ptx_instruction *instruction = thread->next++;
        if (ptx_read(thread, instruction->guard) == instruction->guard_wanted) {
            instruction->run(thread, instruction);
        }
    }
}

static void place_thread(ptx_launch *launch, uint32_t rank) {
    ptx_thread *thread = &launch->threads[rank];
    thread->launch = launch;
    thread->rank = rank;
    thread->index[0] = rank % launch->block[0];
    thread->index[1] = rank / launch->block[0] % launch->block[1];
    thread->index[2] = rank / launch->block[0] / launch->block[1];
}

/* How many wait at a barrier, and how many that takes: as many as one of them says, or all that have not exited. */
static bool is_barrier_full(const ptx_launch *launch, uint32_t barrier) {
    size_t waiting = 0;
    size_t wanted = 0;
    size_t alive = 0;
    for (size_t i = 0; i < launch->thread_count; i++) {
        const ptx_thread *thread = &launch->threads[i];
        const bool is_here = thread->state == PTX_WAITING && thread->barrier == barrier;
        alive += thread->state != PTX_EXITED;
        waiting += is_here;
        wanted = is_here && thread->barrier_threads ? thread->barrier_threads : wanted;
    }
    return waiting && waiting >= (wanted ? wanted : alive);
}

static void open_barrier(ptx_launch *launch, uint32_t barrier) {
    for (size_t i = 0; i < launch->thread_count; i++) {
        ptx_thread *thread = &launch->threads[i];
        if (thread->state == PTX_WAITING && thread->barrier == barrier) {
            thread->state = PTX_READY;
        }
    }
}

static bool open_full_barriers(ptx_launch *launch) {
    bool opened = false;
    for (uint32_t barrier = 0; barrier < PTX_MAX_BARRIERS; barrier++) {
        if (is_barrier_full(launch, barrier)) {
            open_barrier(launch, barrier);
            opened = true;
        }
    }
    return opened;
}

static ptx_thread *first_waiting(const ptx_launch *launch) {
    for (size_t i = 0; i < launch->thread_count; i++) {
        if (launch->threads[i].state == PTX_WAITING) {
            return &launch->threads[i];
        }
    }
    return NULL;
}

/* Each thread runs until it waits or exits; then the barriers that are full open. */
static void run_block(ptx_launch *launch) {
    ptx_thread *waiting = NULL;
    for (size_t i = 0; i < launch->thread_count && launch->outcome == PTX_RAN; i++) {
        enter_kernel(&launch->threads[i]);
    }
    do {
        for (size_t i = 0; i < launch->thread_count && launch->outcome == PTX_RAN; i++) {
            run_thread(&launch->threads[i]);
        }
        waiting = launch->outcome == PTX_RAN ? first_waiting(launch) : NULL;
    } while (waiting && open_full_barriers(launch));
    if (waiting) { /* on a device it would hang */
        ptx_fault(waiting, waiting->next - 1, PTX_TRAPPED, "waits for ever at barrier %u", waiting->barrier);
    }
}

static void run_grid(ptx_launch *launch) {
    const uint64_t count = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    for (uint64_t i = 0; i < count && launch->outcome == PTX_RAN; i++) {
        launch->block_index[0] = (uint32_t)(i % launch->grid[0]);
        launch->block_index[1] = (uint32_t)(i / launch->grid[0] % launch->grid[1]);
        launch->block_index[2] = (uint32_t)(i / launch->grid[0] / launch->grid[1]);
        run_block(launch);
    }
}

uint64_t ptx_dynamic_shared(const ptx_module *module) {
    return ptx_align(module->shared_size, 16);
}

static bool begin_launch(ptx_launch *launch, uint32_t shared_bytes) {
    launch->thread_count = (size_t)launch->block[0] * launch->block[1] * launch->block[2];
    launch->shared_size = (size_t)ptx_dynamic_shared(launch->kernel->module) + shared_bytes;
    launch->shared = calloc(1, launch->shared_size ? launch->shared_size : 1);
    launch->threads = calloc(launch->thread_count ? launch->thread_count : 1, sizeof *launch->threads);
    if (!launch->shared || !launch->threads) {
        return false;
    }
    for (uint32_t i = 0; i < launch->thread_count; i++) {
        place_thread(launch, i);
    }
    return true;
}

static void end_launch(ptx_launch *launch) {
    for (size_t i = 0; launch->threads && i < launch->thread_count; i++) {
        free(launch->threads[i].slots);
        free(launch->threads[i].local);
        free(launch->threads[i].frames);
    }
    free(launch->threads);
    free(launch->shared);
}

ptx_outcome ptx_run(const ptx_kernel *kernel, const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                    const void *parameters, const ptx_memory *memory, char *log, size_t log_size) {
    ptx_launch launch = {.kernel = kernel, .parameters = parameters, .memory = memory, .log = log, .log_size = log_size};
    memcpy(launch.grid, grid, sizeof launch.grid);
    memcpy(launch.block, block, sizeof launch.block);
    if (log_size) {
        log[0] = '\0';
    }
    if (begin_launch(&launch, shared_bytes)) {
        run_grid(&launch);
    } else {
        launch.outcome = PTX_RAN_OUT_OF_MEMORY;
    }
    end_launch(&launch);
    return launch.outcome;
}
