/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_CALLBACK_H
#define CUCORE_V1_CALLBACK_H

/* Callbacks that CUDA runs on threads of its own (cuLaunchHostFunc, cuStreamAddCallback), where the driver must not be called. The
 * library cannot know of those that other code gave to CUDA: they say so with the two functions below. In between, functions that
 * wait fail with CUCORE_INVALID_STATE, and the resources that a release or close gives up are destroyed a little later by the
 * library's one thread. The same thread frees memory whose free has to wait for the end of a stream's capture. A program that
 * needs neither has no thread of the library's. */

#include "types.h"

CUCORE_BEGIN

/* cucore_callback_enter says that this thread is inside a CUDA callback until cucore_callback_leave. Calls nest.
 * Fails with CUCORE_OUT_OF_MEMORY or CUCORE_OS if the library's thread could not be started; then do not leave. Callback-safe. */
CUCORE_API int32_t cucore_callback_enter(cucore_status **status);

/* cucore_callback_leave ends what cucore_callback_enter began on this thread; without that it does nothing. Callback-safe. */
CUCORE_API void cucore_callback_leave(void);

/* cucore_deferred_drain waits until all that had been left to the library's thread was tried: afterwards it is destroyed, but for
 * memory that still waits for the end of a capture. Without such work it returns at once.
 * Fails with CUCORE_INVALID_STATE inside a sink, a drop or a callback, where it could wait for itself. */
CUCORE_API int32_t cucore_deferred_drain(cucore_status **status);

CUCORE_END

#endif
