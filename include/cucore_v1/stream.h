/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_STREAM_H
#define CUCORE_V1_STREAM_H

/* A stream: work put on it runs in order. */

#include "types.h"

CUCORE_BEGIN

typedef struct cucore_stream_options {
    size_t struct_size;
    int32_t has_priority; /* 1: `priority` is given. 0: the lowest priority. */
    int32_t priority;     /* lower is more urgent; the range is the device's (CUDA documentation, cuCtxGetStreamPriorityRange) */
    int32_t blocking;     /* CUCORE_ON: orders with the legacy default stream. Default: off. */
    int32_t reserved;     /* 0 */
} cucore_stream_options;

/* cucore_stream_create makes a stream in the device's context (cuStreamCreateWithPriority).
 * Fails with CUCORE_INVALID_ARGUMENT if the priority is outside the range (the message names it). */
CUCORE_API cucore_stream *cucore_stream_create(cucore_device *device, const cucore_stream_options *options, cucore_status **status);

/* cucore_stream_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_stream *cucore_stream_retain(cucore_stream *stream);

/* cucore_stream_release gives a reference up; the last one destroys the stream (work already on it still runs), and a failure
 * of that is a warning. NULL is fine. */
CUCORE_API void cucore_stream_release(cucore_stream *stream);

/* cucore_stream_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL)
 * is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_stream_close(cucore_stream *stream, int32_t *destroyed, cucore_status **status);

/* cucore_stream_raw gives the CUstream, NULL for a bad handle. */
CUCORE_API struct CUstream_st *cucore_stream_raw(const cucore_stream *stream);

/* cucore_stream_device gives a new reference to the device it was made from; NULL for a bad handle. */
CUCORE_API cucore_device *cucore_stream_device(const cucore_stream *stream);

/* cucore_stream_context gives a new reference to the context it is in; NULL for a bad handle. */
CUCORE_API cucore_context *cucore_stream_context(const cucore_stream *stream);

/* cucore_stream_synchronize waits until the work put on the stream so far is done (cuStreamSynchronize).
 * Fails with CUCORE_DEVICE_LOST, and whatever else that work failed with. */
CUCORE_API int32_t cucore_stream_synchronize(cucore_stream *stream, cucore_status **status);

/* cucore_stream_wait_event makes later work on the stream wait for what `event` recorded last (cuStreamWaitEvent); nothing
 * recorded, no wait. The event may belong to another device. It may be released before the wait is over. */
CUCORE_API int32_t cucore_stream_wait_event(cucore_stream *stream, cucore_event *event, cucore_status **status);

CUCORE_END

#endif
