/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_CONTEXT_H
#define CUCORE_V1_CONTEXT_H

/* A context: a device's primary context (cucore_device_context), or one that the caller's own code made and hands over
 * (cucore_context_from_raw) or that was found current (cucore_context_current); such a one is borrowed, and its maker keeps it
 * alive longer than the handle. cucore_device_with_context makes a device that works in it. */

#include "types.h"

CUCORE_BEGIN

/* cucore_context_from_raw makes a handle of a CUcontext that is alive. CUCORE_BORROW: the handle never destroys it; if the
 * library has a handle of it already, the new one keeps that alive. CUCORE_ADOPT: the end of the handle destroys it (cuCtxDestroy,
 * which also makes it not current on the calling thread; it must be current on no other). `drop` (may be NULL) is called with
 * `owner` when the handle ends or this call fails. On failure `raw` stays the caller's.
 * Fails with CUCORE_INVALID_ARGUMENT if `raw` is NULL, CUCORE_INVALID_STATE if it is to be adopted and the library owns it. */
CUCORE_API cucore_context *cucore_context_from_raw(struct CUctx_st *raw, int32_t ownership, void *owner, cucore_drop_function drop,
                                                   cucore_status **status);

/* cucore_context_current stores a handle of the calling thread's current context, NULL if there is none. */
CUCORE_API int32_t cucore_context_current(cucore_context **current, cucore_status **status);

/* cucore_context_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_context *cucore_context_retain(cucore_context *context);

/* cucore_context_release gives a reference up; the last one of an adopted context destroys it, and a failure of that is a warning.
 * A primary context is kept: see cucore_context_release_primary. NULL is fine. */
CUCORE_API void cucore_context_release(cucore_context *context);

/* cucore_context_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL) is
 * set to 1 if the handle is gone, else to 0. */
CUCORE_API int32_t cucore_context_close(cucore_context *context, int32_t *destroyed, cucore_status **status);

/* cucore_context_raw gives the CUcontext, NULL for a bad handle. */
CUCORE_API struct CUctx_st *cucore_context_raw(const cucore_context *context);

/* cucore_context_ordinal gives the ordinal of the context's device, -1 for a bad handle. */
CUCORE_API int32_t cucore_context_ordinal(const cucore_context *context);

/* cucore_context_synchronize waits until all work in the context is done (cuCtxSynchronize).
 * Fails with CUCORE_DEVICE_LOST, and whatever else earlier asynchronous work failed with; CUCORE_INVALID_STATE in a CUDA
 * callback. */
CUCORE_API int32_t cucore_context_synchronize(cucore_context *context, cucore_status **status);

/* cucore_context_set_current makes `context`, or none if it is NULL, the calling thread's current context: the one function of
 * the library whose job that is. `previous` (may be NULL) is set to the context that was current, NULL if none was. On failure
 * the previous one stays current. */
CUCORE_API int32_t cucore_context_set_current(cucore_context *context, cucore_context **previous, cucore_status **status);

/* A function to be run by cucore_context_run. What it returns is passed on. It must return: no exception, no longjmp. */
typedef int32_t (*cucore_context_function)(void *user_data);

/* cucore_context_run calls `function` with `user_data` while `context` is current, stores in `result` (may be NULL) what it
 * returned, and makes the caller's context current again, also if the function made another one current, or none. `drop` (may be
 * NULL) is called with `user_data` at the end, also if this call fails. If the function was run and the caller's context could not
 * be restored, `result` is stored all the same. */
CUCORE_API int32_t cucore_context_run(cucore_context *context, cucore_context_function function, void *user_data,
                                      cucore_drop_function drop, int32_t *result, cucore_status **status);

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
