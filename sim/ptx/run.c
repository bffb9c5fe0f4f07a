/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <stdlib.h>

#define MAX_WORKERS 256u

/* On a device it would hang. */
static void fail_stuck(ptx_block *block) {
    for (size_t i = 0; i < block->launch->threads_per_block; i++) {
        ptx_thread *thread = &block->threads[i];
        if (thread->state == PTX_AT_BARRIER) {
            ptx_fault(thread, ptx_current(thread), PTX_TIMED_OUT, "waits for ever at barrier %u", thread->barrier);
            return;
        }
        if (thread->state == PTX_AT_MEETING) {
            ptx_fault(thread, ptx_current(thread), PTX_TIMED_OUT, "waits for ever for the lanes 0x%08x of its warp", thread->lanes);
            return;
        }
    }
}

static void run_block(ptx_block *block, uint64_t number) {
    ptx_block_begin(block, number);
    while (!ptx_has_ended(block->launch) && ptx_block_go(block)) {
    }
    if (!ptx_has_ended(block->launch) && block->live) {
        fail_stuck(block);
    }
}

static void out_of_memory(ptx_launch *launch) {
    atomic_store(&launch->outcome, PTX_RAN_OUT_OF_MEMORY);
}

/* Takes block after block until there are no more. */
static void *run_blocks(void *data) {
    ptx_launch *launch = data;
    ptx_block block;
    uint64_t number = 0;
    if (!ptx_block_create(&block, launch)) {
        out_of_memory(launch);
    }
    while (!ptx_has_ended(launch) && (number = atomic_fetch_add(&launch->next_block, 1)) < launch->block_count) {
        run_block(&block, number);
    }
    ptx_block_free(&block);
    return NULL;
}

/* The calling thread is one of the workers; if the others cannot be had, it does all the work. */
static void run_in_turn(ptx_launch *launch) {
    pthread_t others[MAX_WORKERS];
    const unsigned asked = launch->grid->workers ? launch->grid->workers - 1 : 0;
    unsigned wanted = asked < MAX_WORKERS ? asked : MAX_WORKERS;
    wanted = wanted < launch->block_count ? wanted : (unsigned)launch->block_count - 1;
    unsigned count = 0;
    while (count < wanted && pthread_create(&others[count], NULL, run_blocks, launch) == 0) {
        count++;
    }
    run_blocks(launch);
    for (unsigned i = 0; i < count; i++) {
        pthread_join(others[i], NULL);
    }
}

static ptx_block *create_blocks(ptx_launch *launch) {
    ptx_block *blocks = calloc((size_t)launch->block_count, sizeof *blocks);
    for (uint64_t i = 0; blocks && i < launch->block_count; i++) {
        if (!ptx_block_create(&blocks[i], launch)) {
            out_of_memory(launch);
        }
    }
    return blocks;
}

/* One pass over all blocks. */
static bool go_together(const ptx_launch *launch, ptx_block *blocks) {
    bool went = false;
    for (uint64_t i = 0; i < launch->block_count; i++) {
        went |= ptx_block_go(&blocks[i]);
    }
    return went;
}

static void fail_first_stuck(const ptx_launch *launch, ptx_block *blocks) {
    for (uint64_t i = 0; i < launch->block_count; i++) {
        if (blocks[i].live) {
            fail_stuck(&blocks[i]);
            return;
        }
    }
}

static void run_blocks_together(ptx_launch *launch, ptx_block *blocks) {
    for (uint64_t i = 0; i < launch->block_count && !ptx_has_ended(launch); i++) {
        ptx_block_begin(&blocks[i], i);
    }
    while (!ptx_has_ended(launch) && go_together(launch, blocks)) {
    }
    if (!ptx_has_ended(launch)) {
        fail_first_stuck(launch, blocks);
    }
}

static void run_together(ptx_launch *launch) {
    launch->workspace = calloc(1, PTX_WORKSPACE_SIZE);
    ptx_block *blocks = launch->workspace ? create_blocks(launch) : NULL;
    if (blocks) {
        run_blocks_together(launch, blocks);
    } else {
        out_of_memory(launch);
    }
    for (uint64_t i = 0; blocks && i < launch->block_count; i++) {
        ptx_block_free(&blocks[i]);
    }
    free(blocks);
    free(launch->workspace);
}

static uint64_t product(const uint32_t sizes[3]) {
    return (uint64_t)sizes[0] * sizes[1] * sizes[2];
}

/* To the byte, so that what lies behind is found. */
static size_t shared_size(const ptx_module *module, const ptx_grid *grid) {
    return grid->shared_bytes ? (size_t)ptx_dynamic_shared(module) + grid->shared_bytes : module->shared_size;
}

ptx_outcome ptx_run(const ptx_kernel *kernel, const ptx_grid *grid, const ptx_device *device, char *log, size_t log_size) {
    ptx_launch launch = {.kernel = kernel,
                         .grid = grid,
                         .device = device,
                         .block_count = product(grid->blocks),
                         .threads_per_block = (size_t)product(grid->threads),
                         .shared_size = shared_size(kernel->module, grid),
                         .reporting = PTHREAD_MUTEX_INITIALIZER,
                         .log = log,
                         .log_size = log_size};
    if (log_size) {
        log[0] = '\0';
    }
    if (launch.block_count == 0 || launch.threads_per_block == 0) {
        return PTX_RAN;
    }
    if (grid->is_cooperative) {
        run_together(&launch);
    } else {
        run_in_turn(&launch);
    }
    if (grid->steps) {
        *grid->steps += atomic_load(&launch.steps);
    }
    return (ptx_outcome)atomic_load(&launch.outcome);
}
