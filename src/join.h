/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_JOIN_H
#define CUCORE_JOIN_H

/* Making one stream wait for another, with an event that lives no longer than that takes. */

#include "stream.h"

typedef struct cucore_join {
    cucore_call call;          /* told of a failure to wait */
    cucore_channel *channel;   /* told of a failure to destroy the event, which does not stop the waiting; a final one */
    cucore_status **restoring; /* in a cleanup: where a failure to restore the caller's context is kept; else NULL */
} cucore_join;

/* cucore_join_streams makes later work on `waiter` wait for what was put on `awaited` so far. */
int32_t cucore_join_streams(const cucore_join *join, const cucore_stream *waiter, const cucore_stream *awaited);

#endif
