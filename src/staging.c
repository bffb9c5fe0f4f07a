/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "staging.h"

#include "base/process.h"

#include <stdlib.h>

/* Idle blocks, linked through their first bytes, under CUCORE_LOCK_STAGING: as many as there were copies at once. */
typedef struct block {
    struct block *next;
} block;

static block *idle;

void *cucore_staging_take(const cucore_call *call) {
    cucore_lock_enter(CUCORE_LOCK_STAGING);
    block *taken = idle;
    if (taken)
        idle = taken->next;
    cucore_lock_leave(CUCORE_LOCK_STAGING);
    if (!taken)
        taken = malloc(CUCORE_STAGING_SIZE);
    if (!taken)
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory to stage the copy");
    return taken;
}

void cucore_staging_give(void *memory) {
    block *given = memory;
    cucore_lock_enter(CUCORE_LOCK_STAGING);
    given->next = idle;
    idle = given;
    cucore_lock_leave(CUCORE_LOCK_STAGING);
}
