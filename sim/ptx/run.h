/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_RUN_H
#define CUSIM_PTX_RUN_H

/* Running PTX: what handlers see of threads, blocks and the launch.
 *
 * Threads take turns of some thousand instructions (block.c). A handler that cannot go on yet puts its thread into another state
 * and ends its turn; who then makes it ready again depends on the state: a barrier that is full, or a meeting of a warp's threads
 * (warp.c). So threads of a warp need not go together, and one may wait for another in a loop. */

#include "ptx/internal.h"

#include <pthread.h>
#include <stdatomic.h>

typedef enum ptx_thread_state { PTX_READY, PTX_AT_BARRIER, PTX_AT_MEETING, PTX_EXITED } ptx_thread_state;

typedef struct ptx_frame {
    const ptx_function *function;
    const ptx_call *call; /* NULL in a thread's first frame */
    const ptx_instruction *return_to;
    size_t slot_base;
    size_t local_base;
    size_t local_end; /* with what alloca took */
} ptx_frame;

/* What all threads of a launch share. */
typedef struct ptx_launch {
    const ptx_kernel *kernel;
    const ptx_grid *grid;
    const ptx_device *device;
    uint64_t block_count;
    size_t threads_per_block;
    size_t shared_size;
    unsigned char *workspace; /* of a cooperative launch: for the barrier of its grid */
    _Atomic uint64_t next_block;
    _Atomic uint64_t steps;
    _Atomic uint32_t fences; /* what each fence writes to, so that each comes after all before it */
    atomic_int outcome;      /* a ptx_outcome; what has been written of it stays */
    pthread_mutex_t reporting;
    char *log;
    size_t log_size;
} ptx_launch;

typedef struct ptx_barrier {
    uint32_t arrived;
    uint32_t wanted;  /* how many threads it takes; 0: all that have not exited */
    uint32_t holding; /* of those that arrived with a predicate (bar.red) */
    uint32_t asking;
} ptx_barrier;

/* A turn is long enough for taking turns to cost little, and short enough for a thread that waits in a loop to be cheap. */
#define PTX_STEPS_OF_TURN 1024u
#define PTX_KNOWN_RANGES 64u
#define PTX_MAX_WARPS 32u
#define PTX_MAX_THREADS (PTX_MAX_WARPS * PTX_WARP_SIZE) /* of a block */
#define PTX_WORKSPACE_SIZE 1024u
/* Shared memory that the system keeps for itself, cooperative groups for example: far from what a kernel has of its own. */
#define PTX_RESERVED_OFFSET (1u << 20)
#define PTX_RESERVED_SIZE 1024u

typedef struct ptx_block {
    ptx_launch *launch;
    uint32_t index[3];
    ptx_thread *threads;
    size_t live; /* threads that have not exited */
    unsigned char *shared;
    unsigned char *reserved;
    struct ptx_watch *watch; /* of shared memory, or NULL */
    ptx_barrier barriers[PTX_MAX_BARRIERS];
    ptx_range known[PTX_KNOWN_RANGES]; /* the memory last found, by instruction */
} ptx_block;

/* Done for the threads that met, a bit for each lane, in the warp that begins with `first`. */
typedef void ptx_meeting(ptx_thread *first, uint32_t lanes);

/* A thread can be left at any instruction and taken up again: its own pc, registers, local memory and call stack. */
struct ptx_thread {
    uint64_t *registers; /* the current frame's slots */
    const ptx_instruction *next;
    uint32_t carry;       /* 0 or 1 (carry.c) */
    uint32_t steps_left;  /* of its turn: 0 ends it */
    uint32_t steps_saved; /* of a turn that ended early */
    ptx_thread_state state;
    uint32_t barrier; /* that it waits at */
    ptx_meeting *meeting;
    uint32_t lanes; /* that it wants to meet; 0: those that come */
    ptx_block *block;
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

/* ---- frame.c ---- */

void ptx_enter_kernel(ptx_thread *thread);
/* ptx_enter begins the function that a call instruction names, ptx_leave returns from the current one. */
void ptx_enter(ptx_thread *thread, const ptx_instruction *instruction, const ptx_function *function);
void ptx_leave(ptx_thread *thread);
/* ptx_extend_frame gives the offset in local memory of `size` more bytes for the current frame (alloca). */
bool ptx_extend_frame(ptx_thread *thread, const ptx_instruction *instruction, uint64_t size, uint64_t alignment, uint64_t *offset);
uint64_t ptx_dynamic_shared(const ptx_module *module); /* where a launch's dynamic shared memory begins */
uint64_t ptx_special_value(const ptx_thread *thread, uint64_t index);

/* ---- block.c, barrier.c, warp.c ---- */

bool ptx_block_create(ptx_block *block, ptx_launch *launch);
void ptx_block_free(ptx_block *block);
/* ptx_block_begin puts the block's threads at the kernel's first instruction. */
void ptx_block_begin(ptx_block *block, uint64_t number);
/* ptx_block_go gives each thread that can go on a turn. False: none can. */
bool ptx_block_go(ptx_block *block);

static inline void ptx_end_turn(ptx_thread *thread) {
    thread->steps_saved = thread->steps_left;
    thread->steps_left = 0;
}

void ptx_exit_thread(ptx_thread *thread);
/* ptx_meet leaves the thread waiting for the lanes of its warp, after which `meeting` is done for all of them. */
void ptx_meet(ptx_thread *thread, const ptx_instruction *instruction, uint32_t lanes, ptx_meeting *meeting);
/* ptx_hold_meetings lets the meetings of a warp happen for which all are there. */
bool ptx_hold_meetings(ptx_thread *first, uint32_t count);

static inline const ptx_instruction *ptx_current(const ptx_thread *thread) {
    return thread->next - 1;
}

static inline uint32_t ptx_lane(const ptx_thread *thread) {
    return thread->rank % PTX_WARP_SIZE;
}

/* ptx_leave_barrier gives the thread, now ready again, what a reduction came to. */
void ptx_leave_barrier(ptx_thread *thread, const ptx_barrier *barrier);

/* ---- fault.c ---- */

/* ptx_fault ends the launch with an outcome, and says where. */
void ptx_fault(ptx_thread *thread, const ptx_instruction *instruction, ptx_outcome outcome, const char *format, ...)
    PTX_PRINTF(4, 5);

static inline bool ptx_has_ended(ptx_launch *launch) {
    return atomic_load_explicit(&launch->outcome, memory_order_relaxed) != PTX_RAN;
}

/* ---- reach.c, watch.c: memory ---- */

typedef enum ptx_intent { PTX_READS, PTX_WRITES, PTX_UPDATES } ptx_intent; /* the last: atomically */

typedef struct ptx_access {
    uint64_t address;
    size_t size;
    ptx_space space;
    ptx_intent intent;
    bool is_strong; /* no race with others that are, whatever they do */
} ptx_access;

/* ptx_reach gives the host's view of memory; NULL after a fault. ptx_reach_operand is that for an instruction's address operand,
 * and its vector of elements; ptx_reach_second for its second address operand, whose base is the slot given. */
unsigned char *ptx_reach(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at);
unsigned char *ptx_reach_operand(ptx_thread *thread, const ptx_instruction *instruction, size_t element_size, ptx_intent intent);
uint64_t ptx_address(const ptx_thread *thread, const ptx_instruction *instruction);
uint64_t ptx_second_address(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand);

/* ptx_space_at gives the space that a generic address is in. */
ptx_space ptx_space_at(const ptx_launch *launch, uint64_t address);

/* Shared memory watched for races and for reads of what nobody wrote. */
struct ptx_watch *ptx_watch_create(size_t size, const ptx_grid *grid);
void ptx_watch_free(struct ptx_watch *watch);
void ptx_watch_restart(struct ptx_watch *watch);
void ptx_watch_synchronize(struct ptx_watch *watch); /* all threads of the block */
void ptx_watch_synchronize_warp(struct ptx_watch *watch, uint32_t warp);
/* ptx_watch_order notes that a thread acquires, or releases, or both. */
void ptx_watch_order(struct ptx_watch *watch, uint32_t rank, bool acquires, bool releases);
static inline void ptx_note_order(ptx_thread *thread, const ptx_instruction *instruction) {
    if (thread->block->watch) {
        ptx_watch_order(thread->block->watch, thread->rank, instruction->modifiers.acquires, instruction->modifiers.releases);
    }
}
bool ptx_watch_access(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at);

/* ---- operands ---- */

static inline uint64_t ptx_read(const ptx_thread *thread, uint32_t slot) {
    return thread->registers[slot];
}

static inline void ptx_write(ptx_thread *thread, const ptx_instruction *instruction, uint64_t value) {
    thread->registers[instruction->slots[0]] = value;
}

static inline uint64_t ptx_operand_bits(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    return thread->registers[instruction->slots[operand]];
}

/* ptx_combine joins a comparison with the predicate operand, if there is one. */
static inline bool ptx_combine(ptx_combination combination, bool holds, bool with) {
    switch (combination) {
    case PTX_AND:
        return holds && with;
    case PTX_OR:
        return holds || with;
    case PTX_XOR:
        return holds != with;
    case PTX_ALONE:
        break;
    }
    return holds;
}

/* ptx_write_predicates ends a setp: the comparison, and the opposite, each combined with the predicate operand. */
void ptx_write_predicates(ptx_thread *thread, const ptx_instruction *instruction, bool holds);

/* A device gives but one single-precision NaN. */
#define PTX_NAN_BITS 0x7fffffffu

#endif
