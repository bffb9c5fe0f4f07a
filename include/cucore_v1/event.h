/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_EVENT_H
#define CUCORE_V1_EVENT_H

/* An event: a point in a stream's work, to wait for and to measure time between. */

#include "types.h"

CUCORE_BEGIN

typedef struct cucore_event_options {
    size_t struct_size;
    int32_t timing;        /* CUCORE_ON: it can measure time. Default: off, which makes waiting for it cheaper. */
    int32_t blocking_sync; /* CUCORE_ON: a thread that waits for it sleeps instead of spinning. Default: off. */
} cucore_event_options;

/* cucore_event_create makes an event in the device's context (cuEventCreate). */
CUCORE_API cucore_event *cucore_event_create(cucore_device *device, const cucore_event_options *options, cucore_status **status);

/* cucore_event_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_event *cucore_event_retain(cucore_event *event);

/* cucore_event_release gives a reference up; the last one destroys the event, and a failure of that is a warning. NULL is
 * fine. */
CUCORE_API void cucore_event_release(cucore_event *event);

/* cucore_event_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL) is
 * set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_event_close(cucore_event *event, int32_t *destroyed, cucore_status **status);

/* cucore_event_raw gives the CUevent, NULL for a bad handle. */
CUCORE_API struct CUevent_st *cucore_event_raw(const cucore_event *event);

/* cucore_event_device gives a new reference to the device it was made from; NULL for a bad handle. */
CUCORE_API cucore_device *cucore_event_device(const cucore_event *event);

/* cucore_event_context gives a new reference to the context it is in; NULL for a bad handle. */
CUCORE_API cucore_context *cucore_event_context(const cucore_event *event);

/* cucore_event_has_timing gives 1 if the event was made with timing, else 0. */
CUCORE_API int32_t cucore_event_has_timing(const cucore_event *event);

/* cucore_event_is_blocking_sync gives 1 if a thread that waits for the event sleeps, else 0. */
CUCORE_API int32_t cucore_event_is_blocking_sync(const cucore_event *event);

/* cucore_event_record records the stream's work so far in the event (cuEventRecord); an earlier record is forgotten.
 * Fails with CUCORE_INVALID_HANDLE if the two are in different contexts. */
CUCORE_API int32_t cucore_event_record(cucore_event *event, cucore_stream *stream, cucore_status **status);

/* cucore_event_is_done stores 1 if what was recorded last is done, or nothing was recorded; 0 if not (cuEventQuery).
 * Fails with CUCORE_DEVICE_LOST, and whatever else that work failed with. */
CUCORE_API int32_t cucore_event_is_done(cucore_event *event, int32_t *done, cucore_status **status);

/* cucore_event_synchronize waits until what was recorded last is done (cuEventSynchronize); nothing recorded, no wait.
 * Fails with CUCORE_DEVICE_LOST, and whatever else that work failed with; CUCORE_INVALID_STATE in a CUDA callback. */
CUCORE_API int32_t cucore_event_synchronize(cucore_event *event, cucore_status **status);

/* cucore_event_elapsed stores the time between two recorded events, in milliseconds, to about half a microsecond
 * (cuEventElapsedTime).
 * Fails with CUCORE_INVALID_STATE if either was made without timing or was never recorded, CUCORE_NOT_READY if the work of either
 * has not finished, CUCORE_INVALID_HANDLE if they are in different contexts. */
CUCORE_API int32_t cucore_event_elapsed(cucore_event *start, cucore_event *end, float *milliseconds, cucore_status **status);

CUCORE_END

#endif
