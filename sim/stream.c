/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "stream.h"

#include "call.h"
#include "capture.h"
#include "pool.h"

#include <inttypes.h>

#define GREATEST_PRIORITY (-5)

enum { LEGACY_STREAM_ID = 1, PER_THREAD_STREAM_ID = 2 };

static size_t running_streams;
static uint64_t last_order;
static struct stream *first_busy; /* the streams that have work, or are run */

static int has_work(const struct stream *stream) {
    return stream->running || stream->first;
}

static struct stream **busy_place(const struct stream *stream) {
    struct stream **place = &first_busy;
    while (*place && *place != stream)
        place = &(*place)->next_busy;
    return place;
}

static void keep_busy_until_done(struct stream *stream) {
    struct stream **place = busy_place(stream);
    stream->object.busy = has_work(stream);
    if (stream->object.busy && !*place) {
        stream->next_busy = NULL;
        *place = stream;
    } else if (!stream->object.busy && *place) {
        *place = stream->next_busy;
    }
}

static struct work *take(struct stream *stream) {
    struct work *work = stream->first;
    stream->first = work->next;
    if (!stream->first)
        stream->end = &stream->first;
    return work;
}

int stream_is_blocking(const struct stream *stream) {
    return !stream->is_legacy && stream->flags == CU_STREAM_DEFAULT;
}

static int wait_for_each_other(const struct stream *one, const struct stream *other) {
    return one->object.context == other->object.context &&
           ((one->is_legacy && stream_is_blocking(other)) || (other->is_legacy && stream_is_blocking(one)));
}

/* Whether work on a default stream, or on a stream that it waits for, was put in earlier and is not done. */
static int comes_after_another(const struct stream *stream, const struct work *work) {
    for (const struct stream *other = first_busy; other; other = other->next_busy) {
        const struct work *oldest = other->running ? other->current : other->first;
        if (other != stream && oldest && oldest->order < work->order && wait_for_each_other(stream, other))
            return 1;
    }
    return 0;
}

static int can_go_on(const struct stream *stream) {
    const struct work *work = stream->first;
    return work && !stream->held && (!work->is_ready || work->is_ready(work)) && !comes_after_another(stream, work);
}

static void do_work(struct stream *stream, struct work *work) {
    stream->current = work;
    if (work->run && (work->runs_after_fault || context_check(stream->object.context) == CUDA_SUCCESS))
        work->run(work, stream);
    stream->current = NULL;
    work->drop(work);
}

/* Does what can be done of a stream's work; returns whether that was anything. */
static int run(struct stream *stream) {
    if (stream->running || !can_go_on(stream))
        return 0;
    stream->running = 1;
    running_streams++;
    while (can_go_on(stream))
        do_work(stream, take(stream));
    stream->running = 0;
    running_streams--;
    keep_busy_until_done(stream);
    pthread_cond_broadcast(&simulator.stream_stopped);
    return 1;
}

/* Work just done may be what other streams waited for. */
static void run_those_waiting(void) {
    struct stream *stream = first_busy;
    while (stream)
        stream = run(stream) ? first_busy : stream->next_busy; /* running one changes the list */
}

void stream_put(struct stream *stream, struct work *work) {
    if (stream->capture) {
        capture_take_work(stream, work);
        return;
    }
    work->next = NULL;
    work->order = ++last_order;
    *stream->end = work;
    stream->end = &work->next;
    keep_busy_until_done(stream);
    if (run(stream))
        run_those_waiting();
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

/* The stream whose work a wait for this one is for: the legacy default stream is done when the blocking ones are too. */
static const struct stream *unfinished(const struct stream *stream) {
    if (has_work(stream))
        return stream;
    for (const struct stream *other = stream->is_legacy ? first_busy : NULL; other; other = other->next_busy) {
        if (wait_for_each_other(stream, other))
            return other;
    }
    return NULL;
}

CUresult stream_wait(struct stream *stream) {
    const struct stream *other;
    while ((other = unfinished(stream))) {
        if (!stream_yield_until_stopped())
            return violation(CUDA_ERROR_NOT_READY, "The work of stream 0x%" PRIxPTR " is held back: this would wait for ever",
                             (uintptr_t)other);
    }
    return context_check(stream->object.context);
}

static struct stream *busy_stream_of(const struct context *context) {
    struct stream *stream = first_busy;
    while (stream && (stream->object.context != context || stream->object.state == OBJECT_ORPHANED))
        stream = stream->next_busy;
    return stream;
}

CUresult streams_wait(const struct context *context) {
    CUresult result = context_check(context);
    struct stream *stream;
    while (result == CUDA_SUCCESS && (stream = busy_stream_of(context)))
        result = stream_wait(stream);
    return result;
}

static int work_uses(const struct work *work, uint64_t address, size_t size) {
    return work && work->uses && work->uses(work, address, size);
}

const struct stream *stream_using(uint64_t address, size_t size, const struct stream *except) {
    for (const struct stream *stream = first_busy; stream; stream = stream->next_busy) {
        int uses = stream != except && work_uses(stream->current, address, size);
        for (const struct work *work = stream->first; !uses && work && stream != except; work = work->next)
            uses = work_uses(work, address, size);
        if (uses)
            return stream;
    }
    return NULL;
}

void streams_leave_memory(uint64_t address, size_t size) {
    while (stream_using(address, size, NULL) && stream_yield_until_stopped()) {
    }
}

/* The queue of a stream outlives cuStreamDestroy, but not the context. */
static void ended(struct object *object) {
    struct stream *stream = (struct stream *)object;
    capture_stream_ended(stream);
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
    stream->id = simulator_next_id();
    stream->end = &stream->first;
    return stream;
}

static struct stream *find_per_thread_stream(const struct context *context) {
    struct stream *stream;
    for (size_t position = 0; (stream = object_next(OBJECT_STREAM, &position));) {
        if (stream->thread == simulator_thread() && stream->object.context == context && stream->object.state == OBJECT_LIVE)
            return stream;
    }
    return NULL;
}

static struct stream *per_thread_stream(struct context *context) {
    struct stream *stream = find_per_thread_stream(context);
    if (stream)
        return stream;
    stream = stream_create(context, CU_STREAM_DEFAULT, 0);
    if (!stream)
        return NULL;
    stream->object.listed = 0;
    stream->thread = simulator_thread();
    stream->id = PER_THREAD_STREAM_ID;
    return stream;
}

static CUresult find_default_stream(CUstream raw, struct stream **stream) {
    struct context *context = NULL;
    CUresult result = context_current(&context);
    if (result == CUDA_ERROR_INVALID_CONTEXT)
        return result;
    *stream = raw == CU_STREAM_PER_THREAD ? per_thread_stream(context) : context->default_stream;
    return *stream ? result : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult stream_find(CUstream raw, struct stream **stream) {
    if (!raw || raw == CU_STREAM_LEGACY || raw == CU_STREAM_PER_THREAD)
        return find_default_stream(raw, stream);
    CUresult result = object_find(OBJECT_STREAM, raw, stream);
    return result == CUDA_SUCCESS ? context_check((*stream)->object.context) : result;
}

CUresult stream_find_to_use(CUstream raw, struct stream **stream) {
    CUresult result = stream_find(raw, stream);
    return result == CUDA_SUCCESS ? capture_allows_work(*stream) : result;
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

CUresult sim_cuStreamGetCtx_v2(CUstream stream, CUcontext *context, CUgreenCtx *green) {
    CUresult result = green ? sim_cuStreamGetCtx(stream, context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *green = NULL;
    return result;
}

CUresult sim_cuStreamGetDevice(CUstream stream, CUdevice *device) {
    struct stream *found = NULL;
    CUresult result = device ? stream_find(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *device = found->object.context->device->ordinal;
    return result;
}

CUresult sim_cuStreamGetId(CUstream stream, unsigned long long *id) {
    struct stream *found = NULL;
    CUresult result = id ? stream_find(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *id = found->is_legacy ? LEGACY_STREAM_ID : found->id;
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
    if (result == CUDA_SUCCESS)
        result = capture_allows_wait(found);
    return result == CUDA_SUCCESS && unfinished(found) ? CUDA_ERROR_NOT_READY : result;
}

CUresult sim_cuStreamSynchronize(CUstream stream) {
    struct stream *found = NULL;
    CUresult result = stream_find(stream, &found);
    if (result == CUDA_SUCCESS)
        result = capture_allows_wait(found);
    if (result == CUDA_SUCCESS)
        result = stream_wait(found);
    if (result == CUDA_SUCCESS)
        pools_release_unused();
    return result;
}
