/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/destroy.h"

#include "driver/capture.h"

#include <inttypes.h>

/* A failure of one of the two exchanges of the mode: if the first fails, there is no second. */
static cucore_status *mode_failure(CUresult result) {
    return result == CUDA_SUCCESS || result == CUDA_ERROR_DEINITIALIZED ? NULL : cucore_capture_failure(result);
}

cucore_destroyed cucore_destroy_judge(const cucore_destroy *destroy, int64_t result, CUresult exchanged, bool may_wait) {
    bool of_driver = destroy->domain == CUCORE_DOMAIN_DRIVER;
    bool refused = of_driver && result == CUDA_ERROR_NOT_PERMITTED && may_wait;
    bool is_failure = !refused && !(of_driver && result == CUDA_ERROR_DEINITIALIZED);
    return (cucore_destroyed){is_failure ? result : 0, mode_failure(exchanged), refused};
}

/* Where the driver must not be called on this thread there is no sense in going on. */
cucore_destroyed cucore_destroy_unrelaxed(const cucore_destroy *destroy, const void *object, CUresult relaxed, bool may_wait) {
    if (relaxed == CUDA_ERROR_NOT_PERMITTED && may_wait)
        return (cucore_destroyed){0, NULL, true};
    return cucore_destroy_judge(destroy, destroy->run(object), relaxed, may_wait);
}

cucore_status *cucore_destroy_failure(const cucore_destroy *destroy, uint64_t resource, int64_t result) {
    const cucore_native native = {destroy->domain, result, destroy->operation, resource, NULL, 0};
    cucore_status *failure = cucore_native_status(&native);
    cucore_status_note_text(failure, CUCORE_NOTE_CONSEQUENCE, "0x%" PRIx64 " may be leaked", resource);
    return failure;
}

bool cucore_destroy_tell(const cucore_destroy *destroy, uint64_t resource, const cucore_destroyed *destroyed,
                         cucore_channel *channel) {
    if (destroyed->result)
        cucore_channel_report(channel, cucore_destroy_failure(destroy, resource, destroyed->result));
    if (destroyed->mode_failure)
        cucore_channel_report(channel, destroyed->mode_failure);
    return !destroyed->refused;
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
