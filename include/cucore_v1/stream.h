/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_STREAM_H
#define CUCORE_V1_STREAM_H

/* A stream: work put on it runs in order. The legacy default stream is got from a device and means that of the device's bound
 * context, whatever context is current. The per-thread default stream names another stream on each thread, and is not offered. */

#include "types.h"

CUCORE_BEGIN

typedef struct cucore_stream_options {
    size_t struct_size;
    int32_t has_priority; /* 1: `priority` is given. 0: the lowest priority; `priority` is then 0. */
    int32_t priority;     /* lower is more urgent; the range is the device's (CUDA documentation, cuCtxGetStreamPriorityRange) */
    int32_t blocking;     /* CUCORE_ON: orders with the legacy default stream. Default: off. */
    int32_t reserved;     /* 0 */
} cucore_stream_options;

/* cucore_stream_create makes a stream in the device's context (cuStreamCreateWithPriority).
 * Fails with CUCORE_INVALID_ARGUMENT if the priority is outside the range (the message names it). */
CUCORE_API cucore_stream *cucore_stream_create(cucore_device *device, const cucore_stream_options *options, cucore_status **status);

/* cucore_stream_default gives the legacy default stream of the device's bound context, which is never destroyed. */
CUCORE_API cucore_stream *cucore_stream_default(cucore_device *device, cucore_status **status);

/* cucore_stream_from_raw makes a handle of a CUstream in the device's bound context. CUCORE_BORROW: the handle never destroys it;
 * if the library has a handle of it already, the new one keeps that alive. CUCORE_ADOPT: the end of the handle destroys it.
 * `drop` (may be NULL) is called with `owner` when the handle ends or this call fails. On failure `raw` stays the caller's.
 * Fails with CUCORE_INVALID_ARGUMENT for the default streams (NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD; see
 * cucore_stream_default), CUCORE_INVALID_HANDLE if the stream is in another context (cuStreamGetCtx), CUCORE_INVALID_STATE if it
 * is to be adopted and the library owns it. */
CUCORE_API cucore_stream *cucore_stream_from_raw(cucore_device *device, struct CUstream_st *raw, int32_t ownership, void *owner,
                                                 cucore_drop_function drop, cucore_status **status);

/* cucore_stream_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_stream *cucore_stream_retain(cucore_stream *stream);

/* cucore_stream_release gives a reference up; the last one destroys the stream (work already on it still runs), and a failure
 * of that is a warning. NULL is fine. */
CUCORE_API void cucore_stream_release(cucore_stream *stream);

/* cucore_stream_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL)
 * is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_stream_close(cucore_stream *stream, int32_t *destroyed, cucore_status **status);

/* cucore_stream_raw gives the CUstream, NULL for a bad handle. The default stream's is CU_STREAM_LEGACY, which the driver takes
 * to be that of the current context. A stream is to be captured by this handle only, not by the number that a failure names. */
CUCORE_API struct CUstream_st *cucore_stream_raw(const cucore_stream *stream);

/* cucore_stream_device gives a new reference to the device it was made from; NULL for a bad handle. */
CUCORE_API cucore_device *cucore_stream_device(const cucore_stream *stream);

/* cucore_stream_context gives a new reference to the context it is in; NULL for a bad handle. */
CUCORE_API cucore_context *cucore_stream_context(const cucore_stream *stream);

/* cucore_stream_priority stores the stream's priority; lower numbers are more urgent (cuStreamGetPriority). */
CUCORE_API int32_t cucore_stream_priority(cucore_stream *stream, int32_t *priority, cucore_status **status);

/* cucore_stream_flags stores how the stream was made: 1 (CU_STREAM_NON_BLOCKING) if it does not order with the legacy default
 * stream, else 0 (cuStreamGetFlags). */
CUCORE_API int32_t cucore_stream_flags(cucore_stream *stream, uint32_t *flags, cucore_status **status);

/* cucore_stream_id stores a number that no other stream of the process has had (cuStreamGetId). */
CUCORE_API int32_t cucore_stream_id(cucore_stream *stream, uint64_t *id, cucore_status **status);

/* cucore_stream_is_capturing stores 1 while work put on the stream is captured into a graph, else 0 (cuStreamIsCapturing). A
 * capture that was invalidated goes on until it is ended. */
CUCORE_API int32_t cucore_stream_is_capturing(cucore_stream *stream, int32_t *capturing, cucore_status **status);

/* cucore_stream_is_done stores 1 if the work put on the stream so far is done, 0 if not (cuStreamQuery).
 * Fails with CUCORE_DEVICE_LOST, and whatever else that work failed with. */
CUCORE_API int32_t cucore_stream_is_done(cucore_stream *stream, int32_t *done, cucore_status **status);

/* cucore_stream_synchronize waits until the work put on the stream so far is done (cuStreamSynchronize).
 * Fails with CUCORE_DEVICE_LOST, and whatever else that work failed with; CUCORE_INVALID_STATE in a CUDA callback. */
CUCORE_API int32_t cucore_stream_synchronize(cucore_stream *stream, cucore_status **status);

/* cucore_stream_wait_stream makes later work on the stream wait for what was put on `awaited` so far, which may be of another
 * device. The same stream: nothing to wait for. */
CUCORE_API int32_t cucore_stream_wait_stream(cucore_stream *stream, cucore_stream *awaited, cucore_status **status);

/* cucore_stream_wait_event makes later work on the stream wait for what `event` recorded last (cuStreamWaitEvent); nothing
 * recorded, no wait. The event may belong to another device. It may be released before the wait is over. */
CUCORE_API int32_t cucore_stream_wait_event(cucore_stream *stream, cucore_event *event, cucore_status **status);

/* cucore_stream_function is called when a stream gets to it, on a thread of CUDA's, where the driver must not be called: functions
 * that wait fail there, and what is released is destroyed later. `outcome` is NULL if the work put on the stream before went well,
 * else what it failed with; it is valid during the call. */
typedef void (*cucore_stream_function)(const cucore_status *outcome, void *user_data);

/* cucore_stream_add_callback has `function` called with `user_data` once, when the work put on the stream so far is done or has
 * failed (cuStreamAddCallback); later work waits until it returns. It is called too if the stream's last handle is released before.
 * `drop` (may be NULL) is called with `user_data` afterwards, on the library's thread (cucore_deferred_drain waits for that), or
 * before this call returns a failure; `function` is then not called, but for one failure: that the caller's context could not be
 * restored after all else was done. At process exit and in a forked child neither runs.
 * Fails with CUCORE_INVALID_STATE while the stream is captured: a graph's callbacks run again at each launch; CUCORE_OUT_OF_MEMORY
 * or CUCORE_OS if the library's thread could not be started. */
CUCORE_API int32_t cucore_stream_add_callback(cucore_stream *stream, cucore_stream_function function, void *user_data,
                                              cucore_drop_function drop, cucore_status **status);

CUCORE_END

#endif
