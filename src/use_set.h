/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_USE_SET_H
#define CUCORE_USE_SET_H

/* The streams on which a buffer is used, beside its own. It only grows until the buffer's end; any thread may add to it. */

#include "stream.h"

typedef struct cucore_use_block cucore_use_block;

struct cucore_use_block {
    _Atomic(cucore_stream *) streams[4]; /* filled in order */
    _Atomic(cucore_use_block *) next;
};

/* The first block is part of the buffer, so that up to four streams cost no allocation. */
typedef struct cucore_use_set {
    cucore_use_block first;
} cucore_use_set;

/* cucore_use_set_add notes `stream`, with a reference. Fails with OUT_OF_MEMORY, before anything was put on the stream. */
int32_t cucore_use_set_add(const cucore_call *call, cucore_use_set *set, cucore_stream *stream);

/* A cleanup that waits for a set's streams. */
typedef struct cucore_use_join {
    cucore_call call;         /* told of a failure to wait */
    CUstream waiter;          /* the stream that is made to wait */
    cucore_channel *channel;  /* told of failures that do not stop the waiting */
    cucore_status *restoring; /* a failure to restore the caller's context, to be reported when the cleanup has ended */
} cucore_use_join;

/* cucore_use_set_join makes the waiter wait for all that was put on the set's streams so far. It stops at the first failure. */
int32_t cucore_use_set_join(const cucore_use_set *set, cucore_use_join *join);

/* cucore_use_set_drop lets go of the streams. */
void cucore_use_set_drop(cucore_use_set *set, cucore_channel *channel);

#endif
