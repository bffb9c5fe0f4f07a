/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_SCOPE_H
#define CUCORE_DRIVER_SCOPE_H

/* Work in a context that may not be the caller's, which is current again afterwards. The one place that switches contexts. It
 * pushes and pops, since setting a stale context current was seen to crash the process (docs/driver-behaviour.md). */

#include "driver/cuda.h"
#include "driver/destroy.h"

typedef struct cucore_scope {
    CUcontext target; /* where it was pushed */
    bool pushed;
} cucore_scope;

/* cucore_scope_enter_anew makes `target`, a context that is alive, current, and pushes in any case: for work that may itself make
 * another context current. If it fails, the work must not be done. */
int32_t cucore_scope_enter_anew(cucore_scope *scope, const cucore_call *call, CUcontext target);

/* cucore_scope_enter does the same, but nothing where the target is current already. */
static inline int32_t cucore_scope_enter(cucore_scope *scope, const cucore_call *call, CUcontext target) {
    CUcontext current = NULL;
    scope->pushed = false;
    int32_t code = CUCORE_CUDA(call, 0, cuCtxGetCurrent, (&current));
    return code || current == target ? code : cucore_scope_enter_anew(scope, call, target);
}

/* cucore_scope_enter_cleanup does the same for a cleanup; a failure is told as one. */
int32_t cucore_scope_enter_cleanup(cucore_scope *scope, const cucore_call *call, CUcontext target);

/* cucore_scope_leave makes the caller's context current again after work that gave `code`. A failed leave fails the call; if the
 * work had failed, that stays the failure and the leave's is a note. Mostly there is nothing to do. */
int32_t cucore_scope_pop(const cucore_call *call, int32_t code);
static inline int32_t cucore_scope_leave(const cucore_scope *scope, const cucore_call *call, int32_t code) {
    return scope->pushed ? cucore_scope_pop(call, code) : code;
}

/* cucore_scope_return_to makes `before` current if after the leave it is not: to make no context current takes one off the driver's
 * stack, and then what the leave took off was the caller's. */
int32_t cucore_scope_return_to(const cucore_call *call, CUcontext before);

/* cucore_scope_leave_created does the same after a creation: if only the leave failed, what was created is destroyed again. If that
 * needs the target to be current and it no longer is, what was created is leaked, and a note says so. */
int32_t cucore_scope_pop_created(const cucore_scope *scope, const cucore_call *call, int32_t code, const cucore_destroy *destroy,
                                 const void *object, uint64_t resource);
static inline int32_t cucore_scope_leave_created(const cucore_scope *scope, const cucore_call *call, int32_t code,
                                                 const cucore_destroy *destroy, const void *object, uint64_t resource) {
    return scope->pushed ? cucore_scope_pop_created(scope, call, code, destroy, object, resource) : code;
}

/* cucore_scope_leave_cleanup does it for work that nothing is to be undone of. A failure is kept in *failure, the first with the
 * later ones as notes, to be reported when the cleanup has ended. */
void cucore_scope_leave_cleanup(const cucore_scope *scope, cucore_status **failure);

#endif
