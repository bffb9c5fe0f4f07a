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

/* A queue of warnings, for languages whose code cannot be called from foreign threads. It is a sink that keeps what it gets, in
 * order, until it is polled. */

/* cucore_warning_queue_create adds a queue that holds up to `capacity` (1 to 65536) warnings. A warning that finds it full is lost
 * to it: it is counted, and counts as not delivered (so that stderr gets it if no other sink did).
 * Fails with CUCORE_INVALID_ARGUMENT and CUCORE_OUT_OF_MEMORY. */
CUCORE_API cucore_warning_queue *cucore_warning_queue_create(size_t capacity, cucore_status **status);

/* cucore_warning_queue_poll gives the oldest warning, a new reference; NULL if there is none. Any thread may poll.
 * Callback-safe. */
CUCORE_API cucore_status *cucore_warning_queue_poll(cucore_warning_queue *queue);

/* cucore_warning_queue_lost gives how many warnings found the queue full since it was made; 0 for NULL. Callback-safe. */
CUCORE_API uint64_t cucore_warning_queue_lost(cucore_warning_queue *queue);

/* cucore_warning_queue_release removes a queue with what is in it; warnings may be on their way to it from other threads. No other
 * call may use it any more. NULL is fine. */
CUCORE_API void cucore_warning_queue_release(cucore_warning_queue *queue);

CUCORE_END

#endif
