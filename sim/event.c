/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "event.h"

#include "call.h"
#include "capture.h"
#include "context.h"
#include "pool.h"
#include "stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

/* One cuEventRecord: shared by the event, until it is recorded again, and by the work that records or waits for it. */
struct record {
    size_t references;
    int done;
    int64_t nanoseconds;
    struct capture_point point; /* of a capture: such a record is never done */
};

struct record_work {
    struct work work;
    struct record *record;
};

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void record_release(struct record *record) {
    if (record && --record->references == 0)
        free(record);
}

static void record_work_free(struct work *work) {
    struct record_work *mine = (struct record_work *)work;
    record_release(mine->record);
    free(mine);
}

/* A record that a fault or the end of its context overtook is done too: nobody shall wait for it. */
static void finish_record(struct work *work) {
    struct record *record = ((struct record_work *)work)->record;
    record->done = 1;
    record->nanoseconds = now();
    record_work_free(work);
}

static int is_recorded(const struct work *work) {
    return ((const struct record_work *)work)->record->done;
}

static struct record_work *record_work_create(struct record *record) {
    struct record_work *work = calloc(1, sizeof(*work));
    if (!work)
        return NULL;
    record->references++;
    work->record = record;
    return work;
}

static void ended(struct object *object) {
    struct event *event = (struct event *)object;
    record_release(event->record);
    event->record = NULL;
}

static CUresult event_find(CUevent raw, struct event **event) {
    CUresult result = object_find(OBJECT_EVENT, raw, event);
    return result == CUDA_SUCCESS ? context_check((*event)->object.context) : result;
}

CUresult sim_cuEventCreate(CUevent *event, unsigned int flags) {
    struct context *context = NULL;
    if (!event || flags >= 2 * CU_EVENT_INTERPROCESS)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_EVENT_INTERPROCESS)
        return refuse(CUDA_ERROR_NOT_SUPPORTED, "The simulated driver has no interprocess events");
    CUresult result = context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    struct event *created = object_create(OBJECT_EVENT, context);
    if (!created)
        return CUDA_ERROR_OUT_OF_MEMORY;
    created->object.ended = ended;
    created->flags = flags;
    *event = (CUevent)created;
    return CUDA_SUCCESS;
}

CUresult sim_cuEventDestroy_v2(CUevent event) {
    return context_end_object(OBJECT_EVENT, event);
}

/* Gives the event a record of its own, with the work that will finish it. */
static struct record_work *begin_record(struct event *event) {
    struct record *record = calloc(1, sizeof(*record));
    struct record_work *work = record ? record_work_create(record) : NULL;
    if (!work) {
        free(record);
        return NULL;
    }
    record->references++;
    record_release(event->record);
    event->record = record;
    return work;
}

static CUresult find_event_and_stream(CUevent event, CUstream stream, struct event **recorded, struct stream **on) {
    CUresult result = event_find(event, recorded);
    if (result == CUDA_SUCCESS)
        result = stream_find_to_use(stream, on);
    if (result != CUDA_SUCCESS)
        return result;
    if ((*recorded)->object.context != (*on)->object.context)
        return refuse(CUDA_ERROR_INVALID_HANDLE, "Event 0x%" PRIxPTR " and stream 0x%" PRIxPTR " are of different contexts",
                      (uintptr_t)*recorded, (uintptr_t)*on);
    return CUDA_SUCCESS;
}

CUresult sim_cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
    if (flags & ~CU_EVENT_RECORD_EXTERNAL)
        return CUDA_ERROR_INVALID_VALUE;
    if (flags & CU_EVENT_RECORD_EXTERNAL)
        return refuse(CUDA_ERROR_NOT_SUPPORTED, "The simulated driver captures no records for events outside the graph");
    return sim_cuEventRecord(event, stream);
}

CUresult sim_cuEventRecord(CUevent event, CUstream stream) {
    struct event *recorded = NULL;
    struct stream *on = NULL;
    CUresult result = find_event_and_stream(event, stream, &recorded, &on);
    if (result != CUDA_SUCCESS)
        return result;
    struct record_work *work = begin_record(recorded);
    if (!work)
        return CUDA_ERROR_OUT_OF_MEMORY;
    if (on->capture) {
        capture_record(on, &work->record->point);
        record_work_free(&work->work);
        return CUDA_SUCCESS;
    }
    work->work.drop = finish_record;
    stream_put(on, &work->work);
    return CUDA_SUCCESS;
}

static CUresult put_wait(struct stream *stream, struct record *record) {
    struct record_work *work = record_work_create(record);
    if (!work)
        return CUDA_ERROR_OUT_OF_MEMORY;
    work->work.node_type = CU_GRAPH_NODE_TYPE_WAIT_EVENT;
    work->work.is_ready = is_recorded;
    work->work.drop = record_work_free;
    stream_put(stream, &work->work);
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    struct event *awaited = NULL;
    struct stream *waiting = NULL;
    CUresult result = flags <= CU_EVENT_WAIT_EXTERNAL ? stream_find(stream, &waiting) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = event_find(event, &awaited);
    if (result == CUDA_SUCCESS && awaited->record && awaited->record->point.capture)
        return capture_wait(waiting, &awaited->record->point);
    if (result == CUDA_SUCCESS)
        result = capture_allows_work(waiting);
    if (result != CUDA_SUCCESS || !awaited->record)
        return result;
    if (waiting->capture && flags != CU_EVENT_WAIT_EXTERNAL)
        return capture_isolates(waiting);
    return put_wait(waiting, awaited->record);
}

/* The event, if its record can be asked about and waited for. */
static CUresult find_to_wait_for(CUevent raw, struct event **event) {
    CUresult result = event_find(raw, event);
    if (result == CUDA_SUCCESS && (*event)->record)
        result = capture_allows_wait_for_point(&(*event)->record->point);
    return result;
}

CUresult sim_cuEventQuery(CUevent event) {
    struct event *found = NULL;
    CUresult result = find_to_wait_for(event, &found);
    return result == CUDA_SUCCESS && found->record && !found->record->done ? CUDA_ERROR_NOT_READY : result;
}

static CUresult wait_for_record(const struct event *event, const struct record *record) {
    while (!record->done) {
        if (!stream_yield_until_stopped())
            return violation(CUDA_ERROR_NOT_READY, "The record of event 0x%" PRIxPTR " is held back: this would wait for ever",
                             (uintptr_t)event);
    }
    pools_release_unused();
    return context_check(event->object.context);
}

CUresult sim_cuEventSynchronize(CUevent event) {
    struct event *found = NULL;
    CUresult result = find_to_wait_for(event, &found);
    struct record *record = result == CUDA_SUCCESS ? found->record : NULL;
    if (!record)
        return result;
    record->references++;
    result = wait_for_record(found, record);
    record_release(record);
    return result;
}

static CUresult check_timed(const struct event *event) {
    if (!event->record || event->record->point.capture)
        return refuse(CUDA_ERROR_INVALID_HANDLE, "Event 0x%" PRIxPTR " was not recorded", (uintptr_t)event);
    if (event->flags & CU_EVENT_DISABLE_TIMING)
        return refuse(CUDA_ERROR_INVALID_HANDLE, "Event 0x%" PRIxPTR " was made without timing", (uintptr_t)event);
    return CUDA_SUCCESS;
}

CUresult sim_cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    struct event *first = NULL;
    struct event *last = NULL;
    CUresult result = milliseconds ? event_find(start, &first) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = event_find(end, &last);
    if (result == CUDA_SUCCESS)
        result = check_timed(first);
    if (result == CUDA_SUCCESS)
        result = check_timed(last);
    if (result != CUDA_SUCCESS)
        return result;
    if (!first->record->done || !last->record->done)
        return CUDA_ERROR_NOT_READY;
    *milliseconds = (float)(last->record->nanoseconds - first->record->nanoseconds) / 1e6F;
    return CUDA_SUCCESS;
}
