/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_RUN_H
#define CUSIM_PTX_RUN_H

/* Running PTX: what handlers see of threads and of the launch. */

#include "ptx/internal.h"

typedef enum ptx_thread_state { PTX_READY, PTX_WAITING, PTX_EXITED } ptx_thread_state;

typedef struct ptx_frame {
    const ptx_function *function;
    const ptx_call *call; /* NULL in a thread's first frame */
    const ptx_instruction *return_to;
    size_t slot_base;
    size_t local_base;
} ptx_frame;

typedef struct ptx_launch {
    const ptx_kernel *kernel;
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t block_index[3];
    ptx_thread *threads;
    size_t thread_count;
    unsigned char *shared;
    size_t shared_size;
    const unsigned char *parameters;
    const ptx_memory *memory;
    ptx_outcome outcome;
    char *log;
    size_t log_size;
} ptx_launch;

/* A thread can be left at any instruction and taken up again: its own pc, registers, local memory and call stack. */
struct ptx_thread {
    uint64_t *registers; /* the current frame's slots */
    const ptx_instruction *next;
    ptx_thread_state state;
    uint32_t barrier;         /* what a waiting thread waits at, */
    uint32_t barrier_threads; /* and how many threads it wants there; 0: all */
    ptx_launch *launch;
    uint32_t index[3];
    uint32_t rank; /* in its block */
    uint64_t *slots;
    size_t slot_count;
    size_t slot_capacity;
    unsigned char *local;
    size_t local_size;
    size_t local_capacity;
    ptx_frame *frames;
    size_t frame_count;
    size_t frame_capacity;
};

/* ptx_enter begins the function that a call instruction names, ptx_leave returns from the current one. */
void ptx_enter(ptx_thread *thread, const ptx_instruction *instruction);
void ptx_leave(ptx_thread *thread);
uint64_t ptx_dynamic_shared(const ptx_module *module); /* where a launch's dynamic shared memory begins */
/* ptx_fault ends the launch with an outcome, and says where. */
void ptx_fault(ptx_thread *thread, const ptx_instruction *instruction, ptx_outcome outcome, const char *format, ...)
    PTX_PRINTF(4, 5);

uint64_t ptx_special_value(const ptx_thread *thread, uint64_t index);

static inline uint64_t ptx_read(const ptx_thread *thread, uint32_t slot) {
    return thread->registers[slot];
}

static inline void ptx_write(ptx_thread *thread, const ptx_instruction *instruction, uint64_t value) {
    thread->registers[instruction->slots[0]] = value;
}

static inline uint64_t ptx_operand_bits(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    return thread->registers[instruction->slots[operand]];
}

/* ptx_write_predicates ends a setp: the comparison, and the opposite, each combined with the predicate operand. */
void ptx_write_predicates(ptx_thread *thread, const ptx_instruction *instruction, bool holds);

/* A device gives but one single-precision NaN. */
#define PTX_NAN_BITS 0x7fffffffu

float ptx_flush(float value, bool flush);
float ptx_as_float(uint64_t bits, bool flush);
uint64_t ptx_float_bits(float value);

#endif
