/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <inttypes.h>
#include <string.h>

/* mbarrier: barriers in shared memory, whose phases end when all arrivals and all announced bytes have come. The threads of a
 * block run on one host thread, so nothing here need be atomic. */

typedef struct phased {
    uint32_t pending;  /* arrivals that the phase still wants */
    uint32_t expected; /* that the next one will */
    int32_t bytes;     /* announced and not come */
    bool is_odd;       /* the phase: they are counted from 0 */
} phased;

#define COUNT_BITS 20u
#define COUNT_MASK ((UINT64_C(1) << COUNT_BITS) - 1)
#define BYTES_SHIFT (2 * COUNT_BITS)
#define BYTES_MASK ((UINT64_C(1) << (COUNT_BITS + 1)) - 1)
#define VALID_BIT (UINT64_C(1) << 62)
#define ODD_BIT (UINT64_C(1) << 63)

static uint64_t pack(const phased *barrier) {
    return barrier->pending | (uint64_t)barrier->expected << COUNT_BITS | ((uint64_t)barrier->bytes & BYTES_MASK) << BYTES_SHIFT |
           VALID_BIT | (barrier->is_odd ? ODD_BIT : 0);
}

static phased unpack(uint64_t word) {
    const uint32_t bytes = (uint32_t)(word >> BYTES_SHIFT & BYTES_MASK);
    return (phased){.pending = (uint32_t)(word & COUNT_MASK),
                    .expected = (uint32_t)(word >> COUNT_BITS & COUNT_MASK),
                    .bytes = (int32_t)bytes - (bytes >> COUNT_BITS ? (int32_t)BYTES_MASK + 1 : 0),
                    .is_odd = (word & ODD_BIT) != 0};
}

/* ---- where they lie ---- */

static unsigned char *reach(ptx_thread *thread, const ptx_instruction *instruction, ptx_intent intent) {
    const uint64_t address = ptx_address(thread, instruction);
    if (instruction->modifiers.space == PTX_GENERIC && ptx_space_at(thread->block->launch, address) != PTX_SHARED) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_ADDRESS, "0x%" PRIx64 " is not in shared memory, where barriers are", address);
        return NULL;
    }
    return ptx_reach_operand(thread, instruction, sizeof(uint64_t), intent);
}

static unsigned char *find_barrier(ptx_thread *thread, const ptx_instruction *instruction, uint64_t *word) {
    unsigned char *at = reach(thread, instruction, PTX_UPDATES);
    if (!at) {
        return NULL;
    }
    memcpy(word, at, sizeof *word);
    if (!(*word & VALID_BIT)) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_INSTRUCTION, "no barrier was initialised at 0x%" PRIx64,
                  ptx_address(thread, instruction));
        return NULL;
    }
    return at;
}

static void put(unsigned char *at, const phased *barrier) {
    const uint64_t word = pack(barrier);
    memcpy(at, &word, sizeof word);
}

static uint32_t operand(const ptx_thread *thread, const ptx_instruction *instruction, unsigned index) {
    return (uint32_t)ptx_operand_bits(thread, instruction, index);
}

static void initialise(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint32_t count = operand(thread, instruction, 0);
    if (count == 0 || count > COUNT_MASK) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_INSTRUCTION, "a barrier for %u arrivals", count);
        return;
    }
    unsigned char *at = reach(thread, instruction, PTX_WRITES);
    if (at) {
        put(at, &(phased){.pending = count, .expected = count});
    }
}

static void invalidate(ptx_thread *thread, const ptx_instruction *instruction) {
    uint64_t word;
    unsigned char *at = find_barrier(thread, instruction, &word);
    if (at) {
        memset(at, 0, sizeof word);
    }
}

/* ---- arriving ---- */

/* What arrives, and for how many from now on. */
typedef struct arrival {
    uint32_t count;
    uint32_t dropped;
    int64_t bytes; /* announced, or, if negative, come */
} arrival;

static void end_phase_if_complete(ptx_thread *thread, phased *barrier) {
    if (barrier->pending || barrier->bytes) {
        return;
    }
    barrier->pending = barrier->expected;
    barrier->is_odd = !barrier->is_odd;
    if (thread->block->watch) {
        ptx_watch_synchronize(thread->block->watch);
    }
}

static bool fits(const phased *barrier, const arrival *what, int64_t bytes) {
    return what->count <= barrier->pending && what->dropped <= barrier->expected && bytes <= (int64_t)COUNT_MASK &&
           bytes >= -(int64_t)COUNT_MASK;
}

/* Gives the state before, which waits for the phase that was then. False after a fault. */
static bool arrive(ptx_thread *thread, const ptx_instruction *instruction, const arrival *what, uint64_t *before) {
    unsigned char *at = find_barrier(thread, instruction, before);
    if (!at) {
        return false;
    }
    phased barrier = unpack(*before);
    const int64_t bytes = barrier.bytes + what->bytes;
    if (!fits(&barrier, what, bytes)) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_INSTRUCTION, "%u arrivals and %lld bytes at a barrier that waits for %u and %d",
                  what->count, (long long)what->bytes, barrier.pending, barrier.bytes);
        return false;
    }
    barrier.pending -= what->count;
    barrier.expected -= what->dropped;
    barrier.bytes = (int32_t)bytes;
    if (what->count || what->bytes < 0) {
        end_phase_if_complete(thread, &barrier);
    }
    put(at, &barrier);
    return true;
}

static void arrive_and_tell(ptx_thread *thread, const ptx_instruction *instruction, arrival what) {
    uint64_t before;
    if (arrive(thread, instruction, &what, &before)) {
        ptx_write(thread, instruction, before);
    }
}

static void arrive_alone(ptx_thread *thread, const ptx_instruction *instruction) {
    arrive_and_tell(thread, instruction, (arrival){.count = 1});
}

static void arrive_for_some(ptx_thread *thread, const ptx_instruction *instruction) {
    arrive_and_tell(thread, instruction, (arrival){.count = operand(thread, instruction, 1)});
}

static void arrive_expecting(ptx_thread *thread, const ptx_instruction *instruction) {
    arrive_and_tell(thread, instruction, (arrival){.count = 1, .bytes = operand(thread, instruction, 1)});
}

static void drop_out(ptx_thread *thread, const ptx_instruction *instruction) {
    arrive_and_tell(thread, instruction, (arrival){.count = 1, .dropped = 1});
}

static void drop_some(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint32_t count = operand(thread, instruction, 1);
    arrive_and_tell(thread, instruction, (arrival){.count = count, .dropped = count});
}

static void drop_out_expecting(ptx_thread *thread, const ptx_instruction *instruction) {
    arrive_and_tell(thread, instruction, (arrival){.count = 1, .dropped = 1, .bytes = operand(thread, instruction, 1)});
}

static void expect_bytes(ptx_thread *thread, const ptx_instruction *instruction) {
    uint64_t before;
    arrive(thread, instruction, &(arrival){.bytes = operand(thread, instruction, 0)}, &before);
}

static void complete_bytes(ptx_thread *thread, const ptx_instruction *instruction) {
    uint64_t before;
    arrive(thread, instruction, &(arrival){.bytes = -(int64_t)operand(thread, instruction, 0)}, &before);
}

/* For the thread's asynchronous copies, which are done. Without .noinc the barrier wants one more arrival first. */
static void arrive_after_copies(ptx_thread *thread, const ptx_instruction *instruction) {
    uint64_t word;
    find_barrier(thread, instruction, &word);
}

static void arrive_after_copies_as_expected(ptx_thread *thread, const ptx_instruction *instruction) {
    uint64_t before;
    arrive(thread, instruction, &(arrival){.count = 1}, &before);
}

static void count_pending(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, unpack(ptx_operand_bits(thread, instruction, 1)).pending);
}

/* ---- waiting ---- */

/* A thread that finds its phase unfinished lets others go on. */
static void wait_for(ptx_thread *thread, const ptx_instruction *instruction, bool phase_is_odd) {
    uint64_t word;
    if (find_barrier(thread, instruction, &word)) {
        const bool is_over = unpack(word).is_odd != phase_is_odd;
        ptx_write(thread, instruction, is_over);
        if (!is_over) {
            ptx_end_turn(thread);
        }
    }
}

static void wait_for_state(ptx_thread *thread, const ptx_instruction *instruction) {
    wait_for(thread, instruction, unpack(ptx_operand_bits(thread, instruction, 1)).is_odd);
}

static void wait_for_parity(ptx_thread *thread, const ptx_instruction *instruction) {
    wait_for(thread, instruction, operand(thread, instruction, 1) & 1);
}

#define AT "{.<order>}{.<scope>}{.<space>}.b64"

static const ptx_form forms[] = {
    {"mbarrier.init{.<space>}.b64", "mu", initialise, NULL},
    {"mbarrier.inval{.<space>}.b64", "m", invalidate, NULL},
    {"mbarrier.arrive" AT, "Wm", arrive_alone, NULL},
    {"mbarrier.arrive{.noComplete}" AT, "Wmu", arrive_for_some, NULL},
    {"mbarrier.arrive.expect_tx" AT, "Wmu", arrive_expecting, NULL},
    {"mbarrier.arrive_drop" AT, "Wm", drop_out, NULL},
    {"mbarrier.arrive_drop{.noComplete}" AT, "Wmu", drop_some, NULL},
    {"mbarrier.arrive_drop.expect_tx" AT, "Wmu", drop_out_expecting, NULL},
    {"mbarrier.expect_tx" AT, "mu", expect_bytes, NULL},
    {"mbarrier.complete_tx" AT, "mu", complete_bytes, NULL},
    {"mbarrier.pending_count.b64", "vN", count_pending, NULL},
    {"mbarrier.<test_wait|try_wait>" AT, "omN", wait_for_state, NULL},
    {"mbarrier.<test_wait|try_wait>.parity" AT, "omu", wait_for_parity, NULL},
    {"mbarrier.try_wait" AT, "omNu", wait_for_state, NULL},
    {"mbarrier.try_wait.parity" AT, "omuu", wait_for_parity, NULL},
    {"cp.async.mbarrier.arrive{.<space>}.b64", "m", arrive_after_copies, NULL},
    {"cp.async.mbarrier.arrive.noinc{.<space>}.b64", "m", arrive_after_copies_as_expected, NULL},
};

const ptx_forms ptx_mbarrier_forms = {forms, sizeof forms / sizeof *forms};
