/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_CONTEXT_H
#define CUCORE_V1_CONTEXT_H

/* A context: a device's primary context (cucore_device_context), or one that the caller's own code made and
 * cucore_context_set_current found current; such a one is borrowed, and its maker keeps it alive longer than the handle. */

#include "types.h"

CUCORE_BEGIN

/* cucore_context_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_context *cucore_context_retain(cucore_context *context);

/* cucore_context_release gives a reference up. The primary context itself is kept: see cucore_context_release_primary. NULL is
 * fine. */
CUCORE_API void cucore_context_release(cucore_context *context);

/* cucore_context_close does the same. `destroyed` (may be NULL) is set to 1 if the handle is gone, else to 0. */
CUCORE_API int32_t cucore_context_close(cucore_context *context, int32_t *destroyed, cucore_status **status);

/* cucore_context_raw gives the CUcontext, NULL for a bad handle. */
CUCORE_API struct CUctx_st *cucore_context_raw(const cucore_context *context);

/* cucore_context_ordinal gives the ordinal of the context's device, -1 for a bad handle. */
CUCORE_API int32_t cucore_context_ordinal(const cucore_context *context);

/* cucore_context_synchronize waits until all work in the context is done (cuCtxSynchronize).
 * Fails with CUCORE_DEVICE_LOST, and whatever else earlier asynchronous work failed with. */
CUCORE_API int32_t cucore_context_synchronize(cucore_context *context, cucore_status **status);

/* cucore_context_set_current makes `context`, or none if it is NULL, the calling thread's current context: the one function of
 * the library whose job that is. `previous` (may be NULL) is set to the context that was current, NULL if none was. On failure
 * the previous one stays current. */
CUCORE_API int32_t cucore_context_set_current(cucore_context *context, cucore_context **previous, cucore_status **status);

/* cucore_context_release_primary gives up the library's hold on the primary context of this device (cuDevicePrimaryCtxRelease).
 * With no hold there is nothing to do. A later use of the device takes a new one. If the driver fails to release it, the hold is
 * given up all the same.
 * It must not be current on any other thread: a destroyed context that is current there is a trap (docs/driver-behaviour.md).
 * Fails with CUCORE_INVALID_STATE while handles bound to it live, a device that was used among them, or while it is current on
 * this thread; then nothing changes.
 * Fails with CUCORE_INVALID_ARGUMENT if the ordinal is negative. */
CUCORE_API int32_t cucore_context_release_primary(int32_t ordinal, cucore_status **status);

CUCORE_END

#endif
