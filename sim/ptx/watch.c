/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Who last stored to and loaded from a byte of shared memory, and when: times grow with each barrier that all of the block passes,
 * with each that the warp does, and with each operation that acquires or releases. */
typedef struct touch {
    uint32_t thread; /* counted from 1; 0: none */
    uint32_t line;
    uint32_t block_time;
    uint32_t warp_time;
    uint32_t order_time;
    bool is_strong; /* and no race with others that are */
} touch;

typedef struct byte_history {
    touch stored;
    touch loaded;       /* the last */
    touch loaded_other; /* the last by another thread than that */
} byte_history;

struct ptx_watch {
    bool finds_unwritten;
    bool finds_races;
    size_t size;
    uint32_t block_time;
    uint32_t warp_times[PTX_MAX_WARPS];
    uint32_t order_time;
    uint32_t acquired[PTX_MAX_WARPS]; /* when a thread of the warp last did */
    uint32_t released[PTX_MAX_WARPS];
    byte_history bytes[];
};

struct ptx_watch *ptx_watch_create(size_t size, const ptx_grid *grid) {
    struct ptx_watch *watch = calloc(1, sizeof *watch + size * sizeof *watch->bytes);
    if (watch) {
        watch->finds_unwritten = grid->finds_unwritten;
        watch->finds_races = grid->finds_races;
        watch->size = size;
    }
    return watch;
}

void ptx_watch_free(struct ptx_watch *watch) {
    free(watch);
}

void ptx_watch_restart(struct ptx_watch *watch) {
    memset(watch->bytes, 0, watch->size * sizeof *watch->bytes);
}

void ptx_watch_synchronize(struct ptx_watch *watch) {
    watch->block_time++;
}

void ptx_watch_synchronize_warp(struct ptx_watch *watch, uint32_t warp) {
    watch->warp_times[warp]++;
}

static uint32_t warp_of(uint32_t rank) {
    return rank / PTX_WARP_SIZE;
}

void ptx_watch_order(struct ptx_watch *watch, uint32_t rank, bool acquires, bool releases) {
    watch->order_time += acquires || releases;
    if (acquires) {
        watch->acquired[warp_of(rank)] = watch->order_time;
    }
    if (releases) {
        watch->released[warp_of(rank)] = watch->order_time;
    }
}

static touch touch_of(const ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    const struct ptx_watch *watch = thread->block->watch;
    return (touch){.thread = thread->rank + 1,
                   .line = instruction->line,
                   .block_time = watch->block_time,
                   .warp_time = watch->warp_times[warp_of(thread->rank)],
                   .order_time = watch->order_time,
                   .is_strong = at->is_strong || at->intent == PTX_UPDATES};
}

/* A release by the one after its touch and an acquisition by the other before its own, by any thread of their warps as one may do
 * it for all. That both are of the same variable is not looked for: races may be missed, but none is reported that is none. */
static bool is_ordered(const struct ptx_watch *watch, const touch *before, const touch *now) {
    return watch->released[warp_of(before->thread - 1)] > before->order_time &&
           watch->acquired[warp_of(now->thread - 1)] > before->order_time;
}

/* Nothing orders two touches by different threads if no barrier lies between. */
static bool collide(const struct ptx_watch *watch, const touch *before, const touch *now) {
    if (!before->thread || before->thread == now->thread || (before->is_strong && now->is_strong) ||
        before->block_time != now->block_time || is_ordered(watch, before, now)) {
        return false;
    }
    return warp_of(before->thread - 1) != warp_of(now->thread - 1) || before->warp_time == now->warp_time;
}

static const char *const did_what[] = {"load", "store", "atomic operation"};

static bool report_race(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at, const touch *other,
                        const char *did) {
    const uint32_t rank = other->thread - 1;
    const uint32_t *size = thread->block->launch->grid->threads;
    ptx_fault(thread, instruction, PTX_TRAPPED,
              "a race: %zu-byte shared %s at 0x%" PRIx64 ", which thread (%u,%u,%u) %s on ptx line %u, with no barrier between",
              at->size, did_what[at->intent], at->address, rank % size[0], rank / size[0] % size[1], rank / size[0] / size[1], did,
              other->line);
    return false;
}

static bool check_race(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at, const byte_history *byte,
                       const touch *now) {
    const struct ptx_watch *watch = thread->block->watch;
    if (collide(watch, &byte->stored, now)) {
        return report_race(thread, instruction, at, &byte->stored, "stored to");
    }
    if (at->intent == PTX_READS) {
        return true;
    }
    const touch *loaded = byte->loaded.thread == now->thread ? &byte->loaded_other : &byte->loaded;
    return !collide(watch, loaded, now) || report_race(thread, instruction, at, loaded, "loaded from");
}

/* Two by one thread with nothing between count as the weaker of them. */
static touch weaker(const touch *before, const touch *now) {
    touch both = *now;
    both.is_strong =
        now->is_strong && (before->is_strong || before->thread != now->thread || before->block_time != now->block_time ||
                           before->warp_time != now->warp_time || before->order_time != now->order_time);
    return both;
}

static void note_touch(byte_history *byte, ptx_intent intent, const touch *now) {
    if (intent != PTX_READS) {
        byte->stored = weaker(&byte->stored, now);
    } else {
        if (byte->loaded.thread != now->thread) {
            byte->loaded_other = byte->loaded;
        }
        byte->loaded = weaker(&byte->loaded, now);
    }
}

bool ptx_watch_access(ptx_thread *thread, const ptx_instruction *instruction, const ptx_access *at) {
    struct ptx_watch *watch = thread->block->watch;
    const touch now = touch_of(thread, instruction, at);
    for (size_t i = 0; i < at->size; i++) {
        byte_history *byte = &watch->bytes[at->address + i];
        if (watch->finds_unwritten && at->intent != PTX_WRITES && !byte->stored.thread) {
            ptx_fault(thread, instruction, PTX_TRAPPED, "memory that was never written is read: %zu-byte shared %s at 0x%" PRIx64,
                      at->size, did_what[at->intent], at->address);
            return false;
        }
        if (watch->finds_races && !check_race(thread, instruction, at, byte, &now)) {
            return false;
        }
        note_touch(byte, at->intent, &now);
    }
    return true;
}
