/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_OWNER_H
#define CUCORE_BASE_OWNER_H

/* What a caller gives the library to keep until it is no longer needed. */

#include "base/process.h"
#include "cucore_v1/types.h"

typedef struct cucore_owner {
    void *user_data;
    cucore_drop_function drop;
} cucore_owner;

/* cucore_owner_drop disposes of it. At the process's end and in a forked child it does nothing: callers are promised that. */
static inline void cucore_owner_drop(const cucore_owner *owner) {
    if (owner->drop && cucore_process_state_now() == CUCORE_PROCESS_RUNNING)
        owner->drop(owner->user_data);
}

#endif
