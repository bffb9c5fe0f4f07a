/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "use_set.h"

#include <stdlib.h>

enum { BLOCK_SIZE = sizeof((cucore_use_block *)0)->streams / sizeof((cucore_use_block *)0)->streams[0] };

/* Slots are taken in order, so whoever loses a race for one sees the winner in it before looking further: no stream is noted
 * twice. */
static bool add_to_block(cucore_use_block *block, cucore_stream *stream) {
    for (int i = 0; i < BLOCK_SIZE; i++) {
        cucore_stream *noted = atomic_load(&block->streams[i]);
        if (!noted && atomic_compare_exchange_strong(&block->streams[i], &noted, stream)) {
            cucore_stream_retain(stream);
            return true;
        }
        if (cucore_stream_is_same(noted, stream))
            return true;
    }
    return false;
}

static cucore_use_block *next_block(const cucore_call *call, cucore_use_block *block) {
    cucore_use_block *next = atomic_load(&block->next);
    if (next)
        return next;
    cucore_use_block *added = calloc(1, sizeof *added);
    if (!added) {
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory to note another stream that uses the buffer");
        return NULL;
    }
    if (atomic_compare_exchange_strong(&block->next, &next, added))
        return added;
    free(added);
    return next;
}

int32_t cucore_use_set_add(const cucore_call *call, cucore_use_set *set, cucore_stream *stream) {
    cucore_use_block *block = &set->first;
    while (!add_to_block(block, stream)) {
        block = next_block(call, block);
        if (!block)
            return CUCORE_OUT_OF_MEMORY;
    }
    return CUCORE_OK;
}

int32_t cucore_use_set_each(const cucore_use_set *set, cucore_use_set_visit visit, void *user_data) {
    for (const cucore_use_block *block = &set->first; block; block = atomic_load(&block->next))
        for (int i = 0; i < BLOCK_SIZE; i++) {
            const cucore_stream *stream = atomic_load(&block->streams[i]);
            int32_t code = stream ? visit(user_data, stream) : CUCORE_OK;
            if (code)
                return code;
        }
    return CUCORE_OK;
}

void cucore_use_set_drop(cucore_use_set *set, cucore_channel *channel) {
    cucore_use_block *block = &set->first;
    while (block) {
        for (int i = 0; i < BLOCK_SIZE; i++)
            cucore_object_drop(atomic_load(&block->streams[i]), channel);
        cucore_use_block *next = atomic_load(&block->next);
        if (block != &set->first)
            free(block);
        block = next;
    }
}
