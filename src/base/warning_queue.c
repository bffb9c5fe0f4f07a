/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/process.h"
#include "base/status.h"
#include "cucore_v1/warning.h"

#include <stdlib.h>

enum { LARGEST_CAPACITY = 65536 };

/* A ring, under CUCORE_LOCK_QUEUES. Its sink feeds it. */
struct cucore_warning_queue {
    cucore_warning_sink *sink;
    uint64_t lost;
    size_t capacity;
    size_t count;
    size_t oldest;
    cucore_status *warnings[];
};

static bool put(cucore_warning_queue *queue, cucore_status *warning) {
    if (queue->count == queue->capacity) {
        queue->lost++;
        return false;
    }
    queue->warnings[(queue->oldest + queue->count++) % queue->capacity] = warning;
    return true;
}

static cucore_status *take(cucore_warning_queue *queue) {
    if (!queue->count)
        return NULL;
    cucore_status *warning = queue->warnings[queue->oldest];
    queue->oldest = (queue->oldest + 1) % queue->capacity;
    queue->count--;
    return warning;
}

static int32_t receive(const cucore_status *warning, void *user_data) {
    cucore_status *kept = cucore_status_retain(warning);
    cucore_lock_enter(CUCORE_LOCK_QUEUES);
    bool delivered = put(user_data, kept);
    cucore_lock_leave(CUCORE_LOCK_QUEUES);
    if (!delivered)
        cucore_status_release(kept);
    return !delivered;
}

/* When no call of the sink is under way any more, wherever it was released. */
static void dispose(void *user_data) {
    cucore_warning_queue *queue = user_data;
    for (cucore_status *warning = take(queue); warning; warning = take(queue))
        cucore_status_release(warning);
    free(queue);
}

cucore_warning_queue *cucore_warning_queue_create(size_t capacity, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (capacity < 1 || capacity > LARGEST_CAPACITY) {
        cucore_fail(&call, CUCORE_INVALID_ARGUMENT, ": capacity is %zu, not from 1 to %d", capacity, LARGEST_CAPACITY);
        return NULL;
    }
    cucore_warning_queue *queue = calloc(1, sizeof *queue + capacity * sizeof(cucore_status *));
    if (!queue) {
        cucore_fail(&call, CUCORE_OUT_OF_MEMORY, ": no memory for a queue of %zu warnings", capacity);
        return NULL;
    }
    queue->capacity = capacity;
    cucore_warning_sink *sink =
        cucore_warning_sink_register(receive, queue, dispose, status); /* takes the queue, if it fails too */
    if (!sink)
        return NULL;
    queue->sink = sink;
    return queue;
}

cucore_status *cucore_warning_queue_poll(cucore_warning_queue *queue) {
    if (!queue)
        return NULL;
    cucore_lock_enter(CUCORE_LOCK_QUEUES);
    cucore_status *warning = take(queue);
    cucore_lock_leave(CUCORE_LOCK_QUEUES);
    return warning;
}

uint64_t cucore_warning_queue_lost(cucore_warning_queue *queue) {
    if (!queue)
        return 0;
    cucore_lock_enter(CUCORE_LOCK_QUEUES);
    uint64_t lost = queue->lost;
    cucore_lock_leave(CUCORE_LOCK_QUEUES);
    return lost;
}

void cucore_warning_queue_release(cucore_warning_queue *queue) {
    if (queue)
        cucore_warning_sink_release(queue->sink);
}
