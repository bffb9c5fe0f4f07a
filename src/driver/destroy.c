/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/destroy.h"

#include "driver/capture.h"

#include <inttypes.h>

static cucore_status *destroy_plainly(const cucore_destroy *destroy, const void *object, uint64_t resource, bool *refused) {
    int64_t result = destroy->run(object);
    if (result == 0 || (destroy->domain == CUCORE_DOMAIN_DRIVER && result == CUDA_ERROR_DEINITIALIZED))
        return NULL;
    if (refused && destroy->domain == CUCORE_DOMAIN_DRIVER && result == CUDA_ERROR_NOT_PERMITTED) {
        *refused = true;
        return NULL;
    }
    const cucore_native native = {destroy->domain, result, destroy->operation, resource, NULL, 0};
    cucore_status *status = cucore_native_status(&native);
    cucore_status_note_text(status, CUCORE_NOTE_CONSEQUENCE, "0x%" PRIx64 " may be leaked", resource);
    return status;
}

static bool exchange_mode(CUstreamCaptureMode *mode, cucore_channel *failures) {
    cucore_status *failure = cucore_capture_exchange(mode);
    if (failure)
        cucore_destroy_report(failures, failure);
    return !failure;
}

static cucore_status *destroy_relaxed(const cucore_destroy *destroy, const void *object, uint64_t resource, bool *refused) {
    cucore_channel failures = {.returns = true};
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    bool relaxed = exchange_mode(&mode, &failures);
    cucore_status *failure = destroy_plainly(destroy, object, resource, refused);
    if (failure)
        cucore_channel_report(&failures, failure);
    if (relaxed)
        exchange_mode(&mode, &failures);
    return failures.status;
}

cucore_status *cucore_destroy_run(const cucore_destroy *destroy, const void *object, uint64_t resource, bool *refused) {
    return destroy->relaxed ? destroy_relaxed(destroy, object, resource, refused)
                            : destroy_plainly(destroy, object, resource, refused);
}

bool cucore_destroy_in_teardown(const cucore_destroy *destroy, const void *object, uint64_t resource, cucore_channel *channel) {
    bool refused = false;
    cucore_status *failure = cucore_destroy_run(destroy, object, resource, channel->final ? NULL : &refused);
    if (failure)
        cucore_channel_report(channel, failure);
    return !refused;
}

void cucore_destroy_as_undo(const cucore_destroy *destroy, const void *object, uint64_t resource, const cucore_call *call) {
    cucore_status *failure = cucore_destroy_run(destroy, object, resource, NULL);
    if (failure)
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, failure);
}

void cucore_destroy_report(cucore_channel *channel, cucore_status *failure) {
    bool driver_is_gone =
        cucore_status_domain(failure) == CUCORE_DOMAIN_DRIVER && cucore_status_native_code(failure) == CUDA_ERROR_DEINITIALIZED;
    if (driver_is_gone)
        cucore_status_release(failure);
    else
        cucore_channel_report(channel, failure);
}
