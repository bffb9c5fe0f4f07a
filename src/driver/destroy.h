/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_DESTROY_H
#define CUCORE_DRIVER_DESTROY_H

/* Destroying what a handle owns: in its teardown, and when its creation is undone. */

#include "base/channel.h"
#include "driver/cuda.h"

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

/* cucore_destroy_run destroys. If it cannot be tried again on another thread (`may_wait` false), a refusal is a failure. Inline as
 * far as it goes well: cucore_destroy_unrelaxed destroys although the capture mode could not be relaxed, cucore_destroy_judge says
 * what the results mean. */
cucore_destroyed cucore_destroy_unrelaxed(const cucore_destroy *destroy, const void *object, CUresult relaxed,
                                          bool may_wait) CUCORE_RARE;
cucore_destroyed cucore_destroy_judge(const cucore_destroy *destroy, int64_t result, CUresult exchanged, bool may_wait) CUCORE_RARE;
static inline CUresult cucore_destroy_exchange(const cucore_destroy *destroy, CUstreamCaptureMode *mode) {
    return destroy->relaxed ? cucore_cuda.cuThreadExchangeStreamCaptureMode(mode) : CUDA_SUCCESS;
}
static inline cucore_destroyed cucore_destroy_run(const cucore_destroy *destroy, const void *object, bool may_wait) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUresult relaxed = cucore_destroy_exchange(destroy, &mode);
    if (relaxed != CUDA_SUCCESS)
        return cucore_destroy_unrelaxed(destroy, object, relaxed, may_wait);
    int64_t result = destroy->run(object);
    CUresult restored = cucore_destroy_exchange(destroy, &mode);
    return result || restored != CUDA_SUCCESS ? cucore_destroy_judge(destroy, result, restored, may_wait)
                                              : (cucore_destroyed){0, NULL, false};
}

/* cucore_destroy_worked tells whether there is nothing more to be said of it. */
static inline bool cucore_destroy_worked(const cucore_destroyed *destroyed) {
    return !destroyed->result && !destroyed->mode_failure && !destroyed->refused;
}

/* cucore_destroy_failure makes the status of a destroy that did not work. */
cucore_status *cucore_destroy_failure(const cucore_destroy *destroy, uint64_t resource, int64_t result);

/* cucore_destroy_in_teardown destroys, and reports a failure. False if the driver refused, so that the teardown has to wait. */
bool cucore_destroy_tell(const cucore_destroy *destroy, uint64_t resource, const cucore_destroyed *destroyed,
                         cucore_channel *channel) CUCORE_RARE;
static inline bool cucore_destroy_in_teardown(const cucore_destroy *destroy, const void *object, uint64_t resource,
                                              cucore_channel *channel) {
    const cucore_destroyed destroyed = cucore_destroy_run(destroy, object, !channel->final);
    return cucore_destroy_worked(&destroyed) || cucore_destroy_tell(destroy, resource, &destroyed, channel);
}

/* cucore_destroy_is_refusal tells whether a failure means that the driver must not be called on this thread. */
bool cucore_destroy_is_refusal(const cucore_status *failure);

/* cucore_destroy_report reports a failure of a call that a cleanup made, unless the driver is shutting down. */
void cucore_destroy_report(cucore_channel *channel, cucore_status *failure);

/* cucore_destroy_as_undo destroys what a call made before it failed; its own failure is a note. */
void cucore_destroy_as_undo(const cucore_destroy *destroy, const void *object, uint64_t resource,
                            const cucore_call *call) CUCORE_RARE;

#endif
