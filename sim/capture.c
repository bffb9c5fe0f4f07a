/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "capture.h"

#include "graph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct capture {
    struct capture *next;
    uint64_t id;
    CUstreamCaptureMode mode;
    const void *thread; /* that began it */
    int invalidated;
    struct graph *graph;
    struct stream *streams[CAPTURE_STREAMS_MAX];      /* the first began it; NULL for one that was destroyed */
    struct capture_point points[CAPTURE_STREAMS_MAX]; /* where each is */
    size_t stream_count;
};

static struct capture *captures;

static _Thread_local struct thread_mode {
    unsigned generation; /* of the simulator that the mode is about */
    CUstreamCaptureMode mode;
} thread_mode;

static CUstreamCaptureMode *mode_of_thread(void) {
    if (thread_mode.generation != simulator.generation) {
        thread_mode.generation = simulator.generation;
        thread_mode.mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    }
    return &thread_mode.mode;
}

static void invalidate(struct capture *capture) {
    capture->invalidated = 1;
}

static CUresult refuse_and_invalidate(struct capture *capture, CUresult result, const char *sentence) {
    invalidate(capture);
    return refuse(result, "%s", sentence);
}

static int forbids(const struct capture *capture) {
    CUstreamCaptureMode mode = *mode_of_thread();
    if (mode == CU_STREAM_CAPTURE_MODE_RELAXED || capture->mode == CU_STREAM_CAPTURE_MODE_RELAXED)
        return 0;
    return capture->thread == simulator_thread() ||
           (mode == CU_STREAM_CAPTURE_MODE_GLOBAL && capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
}

static CUresult refuse_if_forbidden(void) {
    int forbidden = 0;
    for (struct capture *capture = captures; capture; capture = capture->next) {
        if (forbids(capture)) {
            forbidden = 1;
            invalidate(capture);
        }
    }
    if (forbidden)
        return refuse(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "Not permitted while a stream is capturing");
    return CUDA_SUCCESS;
}

/* What CUDA calls potentially unsafe: it may wait for the device. cuCtxSynchronize and cuMemFreeAsync have rules of their own. */
CUresult capture_allows(const struct function *function) {
    static const char *const unsafe[] = {
        "cuMemAlloc",         "cuMemFree",          "cuMemAllocHost",        "cuMemHostAlloc",
        "cuMemFreeHost",      "cuMemHostRegister",  "cuMemHostUnregister",   "cuMemPoolCreate",
        "cuMemPoolDestroy",   "cuMemPoolSetAccess", "cuMemPoolSetAttribute", "cuMemPoolGetAttribute",
        "cuMemPoolTrimTo",    "cuLibraryUnload",    "cuModuleUnload",        "cuEventQuery",
        "cuEventSynchronize", "cuStreamQuery",      "cuStreamSynchronize",   "cuMemcpy",
        "cuMemcpyHtoD",       "cuMemcpyDtoH",       "cuMemcpyDtoD",          "cuMemsetD8",
        "cuMemsetD16",        "cuMemsetD32",
    };
    for (size_t i = 0; captures && i < sizeof(unsafe) / sizeof(unsafe[0]); i++) {
        if (strcmp(function->name, unsafe[i]) == 0)
            return refuse_if_forbidden();
    }
    return CUDA_SUCCESS;
}

static struct capture *capture_of_blocking_stream(const struct context *context) {
    for (struct capture *capture = captures; capture; capture = capture->next) {
        for (size_t i = 0; i < capture->stream_count; i++) {
            const struct stream *stream = capture->streams[i];
            if (stream && stream->object.context == context && stream_is_blocking(stream))
                return capture;
        }
    }
    return NULL;
}

CUresult capture_allows_work(const struct stream *stream) {
    struct capture *capture = stream->is_legacy ? capture_of_blocking_stream(stream->object.context) : NULL;
    if (capture)
        return refuse_and_invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                                     "The legacy stream would depend on a capturing blocking stream");
    if (stream->capture && stream->capture->invalidated)
        return refuse(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "Capture was invalidated by a prior API call");
    return CUDA_SUCCESS;
}

CUresult capture_allows_wait(const struct stream *stream) {
    if (stream->capture)
        return refuse_and_invalidate(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "The stream is capturing");
    return capture_allows_work(stream);
}

static struct capture *find(uint64_t id) {
    struct capture *capture = captures;
    while (capture && capture->id != id)
        capture = capture->next;
    return capture;
}

CUresult capture_allows_wait_for_point(const struct capture_point *point) {
    struct capture *capture = point->capture ? find(point->capture) : NULL;
    if (capture)
        invalidate(capture);
    if (point->capture)
        return refuse(CUDA_ERROR_CAPTURED_EVENT, "The event was last recorded in a capturing stream");
    return CUDA_SUCCESS;
}

static int has_stream_of(const struct capture *capture, const struct context *context) {
    size_t i = 0;
    while (i < capture->stream_count && !(capture->streams[i] && capture->streams[i]->object.context == context))
        i++;
    return i < capture->stream_count;
}

CUresult capture_allows_wait_for_context(const struct context *context) {
    CUresult result = refuse_if_forbidden();
    for (struct capture *capture = captures; capture; capture = capture->next) {
        if (has_stream_of(capture, context))
            result = refuse_and_invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "A stream of the context is capturing");
    }
    return result;
}

CUresult capture_allows_free(const struct stream *stream) {
    if (stream->capture)
        return refuse(CUDA_ERROR_INVALID_VALUE, "The memory was not allocated in this capture");
    return refuse_if_forbidden();
}

CUresult capture_refuse(const struct stream *stream, const char *what) {
    return refuse_and_invalidate(stream->capture, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, what);
}

struct graph *capture_graph(const struct stream *stream) {
    return stream->capture->graph;
}

static void step(struct stream *stream) {
    stream->capture->points[stream->capture_index].steps[stream->capture_index]++;
}

void capture_take_work(struct stream *stream, struct work *work) {
    step(stream);
    if (!graph_add(stream->capture->graph, work->node_type, work))
        invalidate(stream->capture);
}

void capture_add_node(struct stream *stream, int type) {
    step(stream);
    if (!graph_add(stream->capture->graph, type, NULL))
        invalidate(stream->capture);
}

void capture_record(struct stream *stream, struct capture_point *point) {
    *point = stream->capture->points[stream->capture_index];
}

/* A stream that joins must be joined to the first one again, even if nothing was put on it: so it begins with a step. */
static CUresult join(struct capture *capture, struct stream *stream) {
    if (capture->stream_count == CAPTURE_STREAMS_MAX)
        return refuse_and_invalidate(capture, CUDA_ERROR_OUT_OF_MEMORY, "Too many streams for one simulated capture");
    stream->capture = capture;
    stream->capture_index = capture->stream_count++;
    capture->streams[stream->capture_index] = stream;
    capture->points[stream->capture_index].capture = capture->id;
    step(stream);
    return CUDA_SUCCESS;
}

static void go_on_after(struct stream *stream, const struct capture_point *point) {
    struct capture_point *mine = &stream->capture->points[stream->capture_index];
    for (size_t i = 0; i < CAPTURE_STREAMS_MAX; i++) {
        if (mine->steps[i] < point->steps[i])
            mine->steps[i] = point->steps[i];
    }
}

static CUresult check_capture_to_wait_for(struct capture *capture, const struct stream *stream) {
    if (!capture)
        return refuse(CUDA_ERROR_CAPTURED_EVENT, "The event was last recorded in a capture that has ended");
    if (capture->invalidated)
        return refuse(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "Capture was invalidated by a prior API call");
    if (stream->is_legacy)
        return refuse_and_invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
                                     "The legacy stream cannot become part of a capture");
    if (stream->capture && stream->capture != capture) {
        invalidate(stream->capture);
        return refuse_and_invalidate(capture, CUDA_ERROR_STREAM_CAPTURE_MERGE, "Two captures would be merged");
    }
    return CUDA_SUCCESS;
}

CUresult capture_wait(struct stream *stream, const struct capture_point *point) {
    struct capture *capture = find(point->capture);
    CUresult result = check_capture_to_wait_for(capture, stream);
    if (result == CUDA_SUCCESS && !stream->capture)
        result = join(capture, stream);
    if (result == CUDA_SUCCESS)
        go_on_after(stream, point);
    return result;
}

CUresult capture_isolates(const struct stream *stream) {
    return refuse_and_invalidate(stream->capture, CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
                                 "A dependency on work that is not captured would cross the capture's boundary");
}

static struct capture *create(CUstreamCaptureMode mode) {
    struct capture *capture = calloc(1, sizeof(*capture));
    struct graph *graph = capture ? graph_create() : NULL;
    if (!graph) {
        free(capture);
        return NULL;
    }
    capture->id = simulator_next_id();
    capture->mode = mode;
    capture->thread = simulator_thread();
    capture->graph = graph;
    capture->next = captures;
    captures = capture;
    return capture;
}

/* Frees the capture, and leaves its graph to the caller. */
static struct graph *end(struct capture *capture) {
    struct graph *graph = capture->graph;
    struct capture **place = &captures;
    while (*place != capture)
        place = &(*place)->next;
    *place = capture->next;
    for (size_t i = 0; i < capture->stream_count; i++) {
        if (capture->streams[i])
            capture->streams[i]->capture = NULL;
    }
    free(capture);
    return graph;
}

static void end_with_graph(struct capture *capture) {
    object_end(&end(capture)->object, OBJECT_DESTROYED);
}

void capture_stream_ended(struct stream *stream) {
    struct capture *capture = stream->capture;
    if (!capture)
        return;
    capture->streams[stream->capture_index] = NULL;
    stream->capture = NULL;
    invalidate(capture);
    if (stream->capture_index == 0)
        end_with_graph(capture);
}

void captures_reset(void) {
    while (captures)
        end_with_graph(captures);
}

static int is_joined(const struct capture *capture) {
    for (size_t i = 0; i < capture->stream_count; i++) {
        if (capture->points[0].steps[i] < capture->points[i].steps[i])
            return 0;
    }
    return 1;
}

static CUresult check_begin(const struct stream *stream, CUstreamCaptureMode mode) {
    if (mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    if (stream->is_legacy)
        return refuse(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "The legacy stream cannot be captured");
    if (stream->capture)
        return refuse(CUDA_ERROR_ILLEGAL_STATE, "Stream is already capturing");
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
    struct stream *found = NULL;
    CUresult result = stream_find(stream, &found);
    if (result == CUDA_SUCCESS)
        result = check_begin(found, mode);
    if (result != CUDA_SUCCESS)
        return result;
    struct capture *capture = create(mode);
    return capture ? join(capture, found) : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult sim_cuStreamBeginCapture(CUstream stream) {
    return sim_cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_GLOBAL);
}

static CUresult check_end(const struct stream *stream) {
    const struct capture *capture = stream->capture;
    if (!capture)
        return refuse(CUDA_ERROR_ILLEGAL_STATE, "Stream is not actively capturing");
    if (stream->capture_index != 0)
        return refuse(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "The capture was not begun on this stream");
    if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED && capture->thread != simulator_thread())
        return refuse(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "The capture was begun by another thread");
    return CUDA_SUCCESS;
}

static CUresult outcome(const struct capture *capture) {
    if (capture->invalidated)
        return refuse(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "Capture was invalidated by a prior API call");
    if (!is_joined(capture))
        return refuse(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "A forked stream was not joined to the stream that began the capture");
    return CUDA_SUCCESS;
}

CUresult sim_cuStreamEndCapture(CUstream stream, CUgraph *graph) {
    struct stream *found = NULL;
    CUresult result = graph ? stream_find(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = check_end(found);
    if (result != CUDA_SUCCESS)
        return result;
    result = outcome(found->capture);
    struct graph *captured = end(found->capture);
    captured->object.listed = 1;
    if (result != CUDA_SUCCESS)
        object_end(&captured->object, OBJECT_DESTROYED);
    *graph = result == CUDA_SUCCESS ? (CUgraph)captured : NULL;
    return result;
}

static CUstreamCaptureStatus status_of(const struct capture *capture) {
    if (!capture)
        return CU_STREAM_CAPTURE_STATUS_NONE;
    return capture->invalidated ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}

/* Asking about the legacy stream asks whether it can be used; but asking does no harm. */
static CUresult find_to_ask(CUstream raw, struct stream **stream) {
    CUresult result = stream_find(raw, stream);
    if (result == CUDA_SUCCESS && (*stream)->is_legacy && capture_of_blocking_stream((*stream)->object.context))
        return refuse(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "A blocking stream of the context is capturing");
    return result;
}

CUresult sim_cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus *status) {
    struct stream *found = NULL;
    CUresult result = status ? find_to_ask(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *status = status_of(found->capture);
    return result;
}

CUresult sim_cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id) {
    return sim_cuStreamGetCaptureInfo_v3(stream, status, id, NULL, NULL, NULL, NULL);
}

CUresult sim_cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                       const CUgraphNode **dependencies, size_t *count) {
    return sim_cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, NULL, count);
}

/* The dependencies of the next node are not told: there are none, it says. */
CUresult sim_cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                                       const CUgraphNode **dependencies, const CUgraphEdgeData **edges, size_t *count) {
    struct stream *found = NULL;
    CUresult result = status ? find_to_ask(stream, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *status = status_of(found->capture);
    if (id)
        *id = found->capture ? found->capture->id : 0;
    if (graph)
        *graph = found->capture ? (CUgraph)found->capture->graph : NULL;
    if (dependencies)
        *dependencies = NULL;
    if (edges)
        *edges = NULL;
    if (count)
        *count = 0;
    return CUDA_SUCCESS;
}

CUresult sim_cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
    CUstreamCaptureMode *mine = mode_of_thread();
    if (!mode || *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
        return CUDA_ERROR_INVALID_VALUE;
    CUstreamCaptureMode previous = *mine;
    *mine = *mode;
    *mode = previous;
    return CUDA_SUCCESS;
}
