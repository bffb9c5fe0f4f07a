/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_DESTROY_H
#define CUCORE_DRIVER_DESTROY_H

/* Destroying what a handle owns: in its teardown, and when its creation is undone. */

#include "base/channel.h"

/* One destroy that the library makes. */
typedef struct cucore_destroy {
    int32_t domain;
    const char *operation;
    int64_t (*run)(const void *object); /* calls the driver for the resource that `object` owns */
    bool relaxed;       /* it would invalidate a capture of this thread, so the thread's capture mode is relaxed meanwhile */
    bool needs_context; /* of a context that must be current; most need none */
} cucore_destroy;

/* How a destroy went. */
typedef struct cucore_destroyed {
    int64_t result;              /* 0 if it worked, the driver is shutting down, or it was refused */
    cucore_status *mode_failure; /* to relax the capture mode, or to set it back: the destroy ran all the same */
    bool refused;                /* the driver must not be called on this thread, a CUDA callback's: nothing was destroyed */
} cucore_destroyed;

/* cucore_destroy_run destroys. If it cannot be tried again on another thread (`may_wait` false), a refusal is a failure. */
cucore_destroyed cucore_destroy_run(const cucore_destroy *destroy, const void *object, bool may_wait);

/* cucore_destroy_failure makes the status of a destroy that did not work. */
cucore_status *cucore_destroy_failure(const cucore_destroy *destroy, uint64_t resource, int64_t result);

/* cucore_destroy_in_teardown destroys, and reports a failure. False if the driver refused, so that the teardown has to wait. */
bool cucore_destroy_in_teardown(const cucore_destroy *destroy, const void *object, uint64_t resource, cucore_channel *channel);

/* cucore_destroy_is_refusal tells whether a failure means that the driver must not be called on this thread. */
bool cucore_destroy_is_refusal(const cucore_status *failure);

/* cucore_destroy_report reports a failure of a call that a cleanup made, unless the driver is shutting down. */
void cucore_destroy_report(cucore_channel *channel, cucore_status *failure);

/* cucore_destroy_as_undo destroys what a call made before it failed; its own failure is a note. */
void cucore_destroy_as_undo(const cucore_destroy *destroy, const void *object, uint64_t resource, const cucore_call *call);

#endif
