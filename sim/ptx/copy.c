/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <inttypes.h>
#include <string.h>

/* cp.async: copies from global to shared memory. They are done when they are issued, so there is nothing to wait for. */

enum { MAX_COPY = 16 };

/* Piece by piece, as only what is copied need be there, and that may be any number of bytes. */
static bool read_source(ptx_thread *thread, const ptx_instruction *instruction, unsigned char *to, size_t size) {
    const uint64_t address = ptx_second_address(thread, instruction, 0);
    size_t done = 0;
    for (size_t piece = MAX_COPY; piece; piece /= 2) {
        if (size & piece) {
            const ptx_access at = {.address = address + done, .size = piece, .space = PTX_GLOBAL, .intent = PTX_READS};
            const unsigned char *from = ptx_reach(thread, instruction, &at);
            if (!from) {
                return false;
            }
            memcpy(to + done, from, piece);
            done += piece;
        }
    }
    return true;
}

static bool check_size(ptx_thread *thread, const ptx_instruction *instruction, size_t size) {
    const uint64_t from = ptx_second_address(thread, instruction, 0);
    if (size != 4 && size != 8 && size != 16) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_INSTRUCTION, "an asynchronous copy of %zu bytes, not 4, 8 or 16", size);
    } else if (from & (size - 1)) {
        ptx_fault(thread, instruction, PTX_MISALIGNED_ADDRESS, "%zu-byte asynchronous copy from 0x%" PRIx64, size, from);
    } else {
        return true;
    }
    return false;
}

/* The bytes that are not read are zero. */
static void copy(ptx_thread *thread, const ptx_instruction *instruction, size_t read) {
    const size_t size = (uint32_t)ptx_operand_bits(thread, instruction, 1);
    const ptx_access at = {.address = ptx_address(thread, instruction), .size = size, .space = PTX_SHARED, .intent = PTX_WRITES};
    unsigned char bytes[MAX_COPY] = {0};
    if (!check_size(thread, instruction, size) || !read_source(thread, instruction, bytes, read < size ? read : size)) {
        return;
    }
    unsigned char *to = ptx_reach(thread, instruction, &at);
    if (to) {
        memcpy(to, bytes, size);
    }
}

static void copy_all(ptx_thread *thread, const ptx_instruction *instruction) {
    copy(thread, instruction, MAX_COPY);
}

static void copy_some(ptx_thread *thread, const ptx_instruction *instruction) {
    copy(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 2));
}

static void copy_unless(ptx_thread *thread, const ptx_instruction *instruction) {
    const bool ignored = (ptx_operand_bits(thread, instruction, 2) != 0) != instruction->negated;
    copy(thread, instruction, ignored ? 0 : MAX_COPY);
}

static void wait_for_copies(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)thread;
    (void)instruction;
}

#define COPY "cp.async.<ca|cg>.<shared|shared::cta>.global{.<policy>}{.<prefetch>}"

static const ptx_form forms[] = {
    {COPY, "mnu", copy_all, NULL},
    {COPY, "mnuu", copy_some, NULL},
    {COPY, "mnuq", copy_unless, NULL},
    {"cp.async.commit_group", "", wait_for_copies, NULL},
    {"cp.async.wait_group", "u", wait_for_copies, NULL},
    {"cp.async.wait_all", "", wait_for_copies, NULL},
};

const ptx_forms ptx_copy_forms = {forms, sizeof forms / sizeof *forms};
