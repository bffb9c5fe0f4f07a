/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <stdlib.h>
#include <string.h>

#define TURNS_OF_WARP 16u

bool ptx_block_create(ptx_block *block, ptx_launch *launch) {
    const ptx_grid *grid = launch->grid;
    *block = (ptx_block){.launch = launch};
    block->threads = calloc(launch->threads_per_block + 1, sizeof *block->threads);
    block->shared = calloc(1, launch->shared_size + 1);
    block->reserved = calloc(1, PTX_RESERVED_SIZE);
    const bool watches = grid->finds_unwritten || grid->finds_races;
    block->watch = watches ? ptx_watch_create(launch->shared_size, grid) : NULL;
    return block->threads && block->shared && block->reserved && (block->watch || !watches);
}

void ptx_block_free(ptx_block *block) {
    for (size_t i = 0; block->threads && i < block->launch->threads_per_block; i++) {
        free(block->threads[i].slots);
        free(block->threads[i].local);
        free(block->threads[i].frames);
    }
    free(block->threads);
    free(block->shared);
    free(block->reserved);
    ptx_watch_free(block->watch);
}

static void split_index(uint64_t number, const uint32_t sizes[3], uint32_t index[3]) {
    index[0] = (uint32_t)(number % sizes[0]);
    index[1] = (uint32_t)(number / sizes[0] % sizes[1]);
    index[2] = (uint32_t)(number / sizes[0] / sizes[1]);
}

void ptx_block_begin(ptx_block *block, uint64_t number) {
    const ptx_launch *launch = block->launch;
    split_index(number, launch->grid->blocks, block->index);
    memset(block->barriers, 0, sizeof block->barriers);
    if (block->watch) {
        ptx_watch_restart(block->watch);
    }
    block->live = launch->threads_per_block;
    for (uint32_t rank = 0; rank < launch->threads_per_block; rank++) {
        ptx_thread *thread = &block->threads[rank];
        thread->block = block;
        thread->rank = rank;
        split_index(rank, launch->grid->threads, thread->index);
        ptx_enter_kernel(thread);
    }
}

void ptx_exit_thread(ptx_thread *thread) {
    thread->block->live -= thread->state != PTX_EXITED;
    thread->state = PTX_EXITED;
    ptx_end_turn(thread);
}

/* ---- turns ---- */

static void run_thread(ptx_thread *thread) {
    thread->steps_saved = 0;
    for (thread->steps_left = PTX_STEPS_OF_TURN; thread->steps_left;) {
        const ptx_instruction *instruction = thread->next++;
        thread->steps_left--;
        if (ptx_read(thread, instruction->guard) == instruction->guard_wanted) {
            instruction->run(thread, instruction);
        }
    }
}

static void count_steps(ptx_thread *thread, uint64_t steps) {
    ptx_launch *launch = thread->block->launch;
    const uint64_t limit = launch->grid->step_limit;
    const uint64_t before = atomic_fetch_add_explicit(&launch->steps, steps, memory_order_relaxed);
    if (limit && before + steps > limit) {
        const bool goes_on = thread->state == PTX_READY;
        ptx_fault(thread, goes_on ? thread->next : ptx_current(thread), PTX_TIMED_OUT,
                  "the launch has run more than %llu instructions", (unsigned long long)limit);
    }
}

/* One turn for each thread of the warp that is ready. False: none is. */
static bool run_warp_once(ptx_block *block, ptx_thread *first, uint32_t count) {
    uint64_t steps = 0;
    ptx_thread *last = NULL;
    for (uint32_t lane = 0; lane < count && !ptx_has_ended(block->launch); lane++) {
        if (first[lane].state == PTX_READY) {
            last = &first[lane];
            run_thread(last);
            steps += PTX_STEPS_OF_TURN - last->steps_saved;
        }
    }
    if (last) {
        count_steps(last, steps);
    }
    return last != NULL;
}

static bool run_warp(ptx_block *block, ptx_thread *first, uint32_t count) {
    bool went = false;
    for (unsigned turn = 0; turn < TURNS_OF_WARP && !ptx_has_ended(block->launch); turn++) {
        const bool ran = run_warp_once(block, first, count);
        const bool met = ptx_hold_meetings(first, count);
        went |= ran || met;
        if (!met) {
            break;
        }
    }
    return went;
}

/* ---- barriers ---- */

static bool is_full(const ptx_block *block, const ptx_barrier *barrier) {
    return barrier->arrived && barrier->arrived >= (barrier->wanted ? barrier->wanted : block->live);
}

static void open_barrier(ptx_block *block, uint32_t number) {
    ptx_barrier barrier = block->barriers[number];
    block->barriers[number] = (ptx_barrier){0};
    for (size_t i = 0; i < block->launch->threads_per_block; i++) {
        ptx_thread *thread = &block->threads[i];
        if (thread->state == PTX_AT_BARRIER && thread->barrier == number) {
            thread->state = PTX_READY;
            ptx_leave_barrier(thread, &barrier);
        }
    }
    if (block->watch) {
        ptx_watch_synchronize(block->watch);
    }
}

static bool open_full_barriers(ptx_block *block) {
    bool opened = false;
    for (uint32_t number = 0; number < PTX_MAX_BARRIERS; number++) {
        if (is_full(block, &block->barriers[number])) {
            open_barrier(block, number);
            opened = true;
        }
    }
    return opened;
}

bool ptx_block_go(ptx_block *block) {
    const size_t count = block->launch->threads_per_block;
    bool went = false;
    for (size_t first = 0; first < count && !ptx_has_ended(block->launch); first += PTX_WARP_SIZE) {
        const size_t left = count - first;
        went |= run_warp(block, &block->threads[first], left < PTX_WARP_SIZE ? (uint32_t)left : PTX_WARP_SIZE);
    }
    return open_full_barriers(block) || went;
}
