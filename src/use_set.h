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

/* cucore_use_set_is_empty tells whether no stream was noted. */
static inline bool cucore_use_set_is_empty(const cucore_use_set *set) {
    return !atomic_load(&set->first.streams[0]);
}

/* cucore_use_set_each calls `visit` with each stream that was noted, until it fails. */
typedef int32_t (*cucore_use_set_visit)(void *user_data, const cucore_stream *stream);
int32_t cucore_use_set_each(const cucore_use_set *set, cucore_use_set_visit visit, void *user_data);

/* cucore_use_set_drop lets go of the streams. */
void cucore_use_set_drop(cucore_use_set *set, cucore_channel *channel) CUCORE_RARE;

#endif
