/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/destroy.h"

#include "driver/capture.h"

#include <inttypes.h>

static void destroy_plainly(const cucore_destroy *destroy, const void *object, bool may_wait, cucore_destroyed *destroyed) {
    int64_t result = destroy->run(object);
    if (result == 0)
        return;
    bool of_driver = destroy->domain == CUCORE_DOMAIN_DRIVER;
    destroyed->refused = of_driver && result == CUDA_ERROR_NOT_PERMITTED && may_wait;
    if (!destroyed->refused && !(of_driver && result == CUDA_ERROR_DEINITIALIZED))
        destroyed->result = result;
}

/* Keeps the failure of one of the two exchanges of the mode: if the first fails, there is no second. */
static void note_mode(cucore_destroyed *destroyed, CUresult result) {
    if (result != CUDA_SUCCESS && result != CUDA_ERROR_DEINITIALIZED)
        destroyed->mode_failure = cucore_capture_failure(result);
}

/* Where the driver must not be called on this thread there is no sense in going on. */
static void destroy_relaxed(const cucore_destroy *destroy, const void *object, bool may_wait, cucore_destroyed *destroyed) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    CUresult result = cucore_cuda.cuThreadExchangeStreamCaptureMode(&mode);
    destroyed->refused = result == CUDA_ERROR_NOT_PERMITTED && may_wait;
    if (destroyed->refused)
        return;
    note_mode(destroyed, result);
    destroy_plainly(destroy, object, may_wait, destroyed);
    if (result == CUDA_SUCCESS)
        note_mode(destroyed, cucore_cuda.cuThreadExchangeStreamCaptureMode(&mode));
}

cucore_destroyed cucore_destroy_run(const cucore_destroy *destroy, const void *object, bool may_wait) {
    cucore_destroyed destroyed = {0, NULL, false};
    if (destroy->relaxed)
        destroy_relaxed(destroy, object, may_wait, &destroyed);
    else
        destroy_plainly(destroy, object, may_wait, &destroyed);
    return destroyed;
}

cucore_status *cucore_destroy_failure(const cucore_destroy *destroy, uint64_t resource, int64_t result) {
    const cucore_native native = {destroy->domain, result, destroy->operation, resource, NULL, 0};
    cucore_status *failure = cucore_native_status(&native);
    cucore_status_note_text(failure, CUCORE_NOTE_CONSEQUENCE, "0x%" PRIx64 " may be leaked", resource);
    return failure;
}

bool cucore_destroy_in_teardown(const cucore_destroy *destroy, const void *object, uint64_t resource, cucore_channel *channel) {
    cucore_destroyed destroyed = cucore_destroy_run(destroy, object, !channel->final);
    if (destroyed.result)
        cucore_channel_report(channel, cucore_destroy_failure(destroy, resource, destroyed.result));
    if (destroyed.mode_failure)
        cucore_channel_report(channel, destroyed.mode_failure);
    return !destroyed.refused;
}

void cucore_destroy_as_undo(const cucore_destroy *destroy, const void *object, uint64_t resource, const cucore_call *call) {
    cucore_destroyed destroyed = cucore_destroy_run(destroy, object, false);
    if (destroyed.result)
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, cucore_destroy_failure(destroy, resource, destroyed.result));
    if (destroyed.mode_failure)
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, destroyed.mode_failure);
}

bool cucore_destroy_is_refusal(const cucore_status *failure) {
    return cucore_status_domain(failure) == CUCORE_DOMAIN_DRIVER && cucore_status_native_code(failure) == CUDA_ERROR_NOT_PERMITTED;
}

void cucore_destroy_report(cucore_channel *channel, cucore_status *failure) {
    bool driver_is_gone =
        cucore_status_domain(failure) == CUCORE_DOMAIN_DRIVER && cucore_status_native_code(failure) == CUDA_ERROR_DEINITIALIZED;
    if (driver_is_gone)
        cucore_status_release(failure);
    else
        cucore_channel_report(channel, failure);
}
