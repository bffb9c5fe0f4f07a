/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_CAPTURE_H
#define CUCORE_DRIVER_CAPTURE_H

/* Stream captures. While a thread captures, some calls that have nothing to do with it fail and invalidate the capture, unless the
 * thread's capture mode is relaxed (docs/driver-behaviour.md). So the library relaxes it around what the user did not ask for. */

#include "driver/cuda.h"

/* cucore_capture_exchange sets this thread's capture mode, and gives the one before in its place. NULL if that worked. */
cucore_status *cucore_capture_exchange(CUstreamCaptureMode *mode);

/* cucore_capture_failure makes the status of a failed exchange. */
cucore_status *cucore_capture_failure(CUresult result);

/* cucore_capture_relax relaxes the mode. If it fails, the work must not be done. */
int32_t cucore_capture_relax(const cucore_call *call, CUstreamCaptureMode *before);

/* cucore_capture_restore sets it back after work that gave `code`; a failure of that is the call's if the work did not fail. */
int32_t cucore_capture_restore(const cucore_call *call, CUstreamCaptureMode before, int32_t code);

/* cucore_capture_is_active tells whether work put on `stream` would become part of a capture, or break one. */
int32_t cucore_capture_is_active(const cucore_call *call, CUstream stream, bool *active);

/* cucore_capture_refuse fails the call with INVALID_STATE in that case: `what` cannot be captured. */
int32_t cucore_capture_refuse(const cucore_call *call, CUstream stream, const char *what);

#endif
