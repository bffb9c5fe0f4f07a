/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/capture.h"

static bool exchange(CUstreamCaptureMode *mode, cucore_channel *failures) {
    CUresult result = cucore_cuda.cuThreadExchangeStreamCaptureMode(mode);
    if (result == CUDA_SUCCESS || result == CUDA_ERROR_DEINITIALIZED)
        return result == CUDA_SUCCESS;
    const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, "cuThreadExchangeStreamCaptureMode", 0, NULL, 0};
    cucore_channel_report(failures, cucore_native_status(&native));
    return false;
}

cucore_status *cucore_destroy_relaxed(const cucore_destroy *destroy, const void *object, uint64_t resource) {
    cucore_channel failures = {.returns = true};
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
    bool relaxed = exchange(&mode, &failures);
    cucore_status *failure = cucore_destroy_run(destroy, object, resource);
    if (failure)
        cucore_channel_report(&failures, failure);
    if (relaxed)
        exchange(&mode, &failures);
    return failures.status;
}
