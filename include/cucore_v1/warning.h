/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_WARNING_H
#define CUCORE_V1_WARNING_H

/* Warnings are the failures that no call can return: those of a resource's destruction by the release of its last reference.
 * Each is delivered once to every sink alive; where there is no sink, or none that delivered it, it is one line on stderr. */

#include "types.h"

CUCORE_BEGIN

/* cucore_warning_function receives a warning. `warning` is borrowed for the length of the call (cucore_status_retain keeps it).
 * Returns 0 if it delivered the warning, anything else if it could not. It runs on the thread that met the failure, possibly on
 * several at once, in that thread's own current context and with no lock of the library held; it may call any function of the
 * library, the release of its own sink included. A warning raised while this thread is inside a sink goes to stderr. It must
 * return: no exception, no longjmp. */
typedef int32_t (*cucore_warning_function)(const cucore_status *warning, void *user_data);

/* cucore_warning_sink_register adds a sink that receives every warning from now on. `function` is called with `user_data`;
 * `drop` (may be NULL) disposes of `user_data` once, also if this call fails. Callback-safe.
 * Fails with CUCORE_INVALID_ARGUMENT (no function) and CUCORE_OUT_OF_MEMORY. */
CUCORE_API cucore_warning_sink *cucore_warning_sink_register(cucore_warning_function function, void *user_data,
                                                             cucore_drop_function drop, cucore_status **status);

/* cucore_warning_sink_release removes a sink: it waits for calls of it that are under way on other threads, then drops its
 * `user_data`. Called inside any sink it does not wait, and the drop follows when the last call returns. NULL is fine. */
CUCORE_API void cucore_warning_sink_release(cucore_warning_sink *sink);

CUCORE_END

#endif
