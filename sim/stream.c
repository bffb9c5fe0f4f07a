/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "stream.h"

#include "call.h"

#include <inttypes.h>

#define GREATEST_PRIORITY (-5)

static size_t running_streams;
static size_t conditional_works; /* in queues: with an is_ready of their own */

static void keep_busy_until_done(struct stream *stream) {
    stream->object.busy = stream->running || stream->first;
}

static struct work *take(struct stream *stream) {
    struct work *work = stream->first;
    stream->first = work->next;
    if (!stream->first)
        stream->end = &stream->first;
    conditional_works -= work->is_ready != NULL;
    return work;
}

static int can_go_on(const struct stream *stream) {
    const struct work *work = stream->first;
    return work && !stream->held && (!work->is_ready || work->is_ready(work));
}

/* Does what can be done of a stream's work; returns whether that was anything. */
static int run(struct stream *stream) {
    if (stream->running || !can_go_on(stream))
        return 0;
    stream->running = 1;
    running_streams++;
    while (can_go_on(stream)) {
        struct work *work = take(stream);
        if (work->run && context_check(stream->object.context) == CUDA_SUCCESS)
            work->run(work, stream);
        work->drop(work);
    }
    stream->running = 0;
    running_streams--;
    keep_busy_until_done(stream);
    pthread_cond_broadcast(&simulator.stream_stopped);
    return 1;
}

/* Work just done may be what other streams waited for. */
static void run_those_waiting(void) {
    int moved = conditional_works > 0;
    while (moved) {
        struct stream *stream;
        moved = 0;
        for (size_t position = 0; (stream = object_next(OBJECT_STREAM, &position));)
            moved |= run(stream);
    }
}

void stream_put(struct stream *stream, struct work *work) {
    work->next = NULL;
    *stream->end = work;
    stream->end = &work->next;
    conditional_works += work->is_ready != NULL;
    if (run(stream))
        run_those_waiting();
    keep_busy_until_done(stream);
}

int streams_are_running(void) {
    return running_streams > 0;
}

int stream_yield_until_stopped(void) {
    if (running_streams == 0)
        return 0;
    pthread_cond_wait(&simulator.stream_stopped, &simulator.mutex);
    return 1;
}

CUresult stream_wait(struct stream *stream) {
    while (stream->first || stream->running) {
        if (!stream_yield_until_stopped())
            return violation(CUDA_ERROR_NOT_READY, "The work of stream 0x%" PRIxPTR " is held back: this would wait for ever",
                             (uintptr_t)stream);
    }
    return context_check(stream->object.context);
}

CUresult streams_wait(const struct context *context) {
    CUresult result = context_check(context);
    struct stream *stream;
    for (size_t position = 0; result == CUDA_SUCCESS && (stream = object_next(OBJECT_STREAM, &position));) {
        if (stream->object.context == context && stream->object.state != OBJECT_ORPHANED)
            result = stream_wait(stream);
    }
    return result;
}

/* The queue of a stream outlives cuStreamDestroy, but not the context. */
static void ended(struct object *object) {
    struct stream *stream = (struct stream *)object;
    while (object->state == OBJECT_ORPHANED && stream->first) {
        struct work *work = take(stream);
        work->drop(work);
    }
    keep_busy_until_done(stream);
}

struct stream *stream_create(struct context *context, unsigned int flags, int priority) {
    struct stream *stream = object_create(OBJECT_STREAM, context);
    if (!stream)
        return NULL;
    stream->object.ended = ended;
    stream->flags = flags;
    stream->priority = priority;
    stream->end = &stream->first;
    return stream;
}

CUresult stream_find(CUstream raw, struct stream **stream) {
    if (!raw || raw == CU_STREAM_LEGACY || raw == CU_STREAM_PER_THREAD) {
        struct context *context = NULL;
        CUresult result = context_current(&context);
        if (result != CUDA_ERROR_INVALID_CONTEXT)
            *stream = context->default_stream;
        return result;
    }
    CUresult result = object_find(OBJECT_STREAM, raw, stream);
    return result == CUDA_SUCCESS ? context_check((*stream)->object.context) : result;
}

/* Destroyed streams too: their work can still be waiting. */
static struct stream *find_to_hold(const void *raw) {
    struct stream *stream;
    for (size_t position = 0; (stream = object_next(OBJECT_STREAM, &position));) {
        if (stream == raw)
            return stream;
    }
    return stream_find((CUstream)(uintptr_t)raw, &stream) == CUDA_SUCCESS ? stream : NULL;
}

void stream_hold(const void *raw) {
    struct stream *stream = find_to_hold(raw);
    if (stream)
        stream->held = 1;
}

void stream_release(const void *raw) {
    struct stream *stream = find_to_hold(raw);
    if (!stream)
        return;
    stream->held = 0;
    if (run(stream))
        run_those_waiting();
}

CUresult sim_cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    struct context *context = NULL;
    CUresult result = context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority) {
    struct context *context = NULL;
    if (!stream || flags > CU_STREAM_NON_BLOCKING)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    int in_range = priority > 0 ? 0 : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
    struct stream *created = stream_create(context, flags, in_range);
    if (!created)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *stream = (CUstream)created;
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamCreate(CUstream *stream, unsigned int flags) {
    return sim_cuStreamCreateWithPriority(stream, flags, 0);
}

CUresult sim_cuStreamDestroy_v2(CUstream stream) {
    return context_end_object(OBJECT_STREAM, stream);
}

CUresult sim_cuStreamGetCtx(CUstream stream, CUcontext *context) {
    struct stream *found = NULL;
    CUresult result = context ? stream_find(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *context = (CUcontext)found->object.context;
    return result;
}

CUresult sim_cuStreamGetPriority(CUstream stream, int *priority) {
    struct stream *found = NULL;
    CUresult result = priority ? stream_find(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *priority = found->priority;
    return result;
}

CUresult sim_cuStreamGetFlags(CUstream stream, unsigned int *flags) {
    struct stream *found = NULL;
    CUresult result = flags ? stream_find(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = found->flags;
    return result;
}

CUresult sim_cuStreamQuery(CUstream stream) {
    struct stream *found = NULL;
    CUresult result = stream_find(stream, &found);
    if (result == CUDA_SUCCESS && (found->first || found->running))
        return CUDA_ERROR_NOT_READY;
    return result;
}

CUresult sim_cuStreamSynchronize(CUstream stream) {
    struct stream *found = NULL;
    CUresult result = stream_find(stream, &found);
    return result == CUDA_SUCCESS ? stream_wait(found) : result;
}

CUresult sim_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
    static _Thread_local CUstreamCaptureMode of_thread = CU_STREAM_CAPTURE_MODE_GLOBAL;
    if (!mode || *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode previous = of_thread;
    of_thread = *mode;
    *mode = previous;
    return CUDA_SUCCESS;
}
