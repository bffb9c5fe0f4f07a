/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_DEFERRED_H
#define CUCORE_BASE_DEFERRED_H

/* Objects whose end cannot be now, and the library's one thread, which ends them: those released inside a CUDA callback, where the
 * driver must not be called, and memory whose streams are being captured. Nothing here allocates: an object carries its link. */

#include "base/status.h"

#include <stdatomic.h>

typedef struct cucore_object cucore_object;

/* cucore_deferred_in_callback tells whether this thread is between cucore_callback_enter and _leave. */
bool cucore_deferred_in_callback(void);

/* These two bracket what the library itself runs in a callback of CUDA's. */
void cucore_deferred_enter_callback(void);
void cucore_deferred_leave_callback(void);

/* cucore_deferred_start starts the thread if it is not running. */
int32_t cucore_deferred_start(const cucore_call *call);

/* cucore_deferred_add leaves an object without references to the thread, which is started if need be; where that fails, the
 * object waits for the next call into the library. */
void cucore_deferred_add(cucore_object *object) CUCORE_RARE;

/* cucore_deferred_revive tries again to start a thread that could not be started. Called by whatever is called by users. */
void cucore_deferred_revive_now(void) CUCORE_RARE;
extern _Atomic bool cucore_deferred_stranded;
static inline void cucore_deferred_revive(void) {
    if (atomic_load_explicit(&cucore_deferred_stranded, memory_order_relaxed))
        cucore_deferred_revive_now();
}

#endif
