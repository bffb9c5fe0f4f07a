/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/capture.h"

cucore_status *cucore_capture_failure(CUresult result) {
    const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, "cuThreadExchangeStreamCaptureMode", 0, NULL, 0};
    return cucore_native_status(&native);
}

cucore_status *cucore_capture_exchange(CUstreamCaptureMode *mode) {
    CUresult result = cucore_cuda.cuThreadExchangeStreamCaptureMode(mode);
    return result == CUDA_SUCCESS ? NULL : cucore_capture_failure(result);
}

int32_t cucore_capture_relax(const cucore_call *call, CUstreamCaptureMode *before) {
    *before = CU_STREAM_CAPTURE_MODE_RELAXED;
    cucore_status *failure = cucore_capture_exchange(before);
    return failure ? cucore_fail_with(call, failure) : CUCORE_OK;
}

int32_t cucore_capture_restore(const cucore_call *call, CUstreamCaptureMode before, int32_t code) {
    cucore_status *failure = cucore_capture_exchange(&before);
    if (!failure)
        return code;
    if (!code)
        return cucore_fail_with(call, failure);
    cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, failure);
    return code;
}

/* Of the legacy default stream the driver says IMPLICIT while any stream that orders with it is being captured. */
int32_t cucore_capture_is_active(const cucore_call *call, CUstream stream, bool *active) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    CUresult result = cucore_cuda.cuStreamIsCapturing(stream, &status);
    *active = status != CU_STREAM_CAPTURE_STATUS_NONE || result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    return *active ? CUCORE_OK : cucore_cuda_result(call, result, "cuStreamIsCapturing", cucore_raw(stream));
}

int32_t cucore_capture_refuse(const cucore_call *call, CUstream stream, const char *what) {
    bool active = false;
    int32_t code = cucore_capture_is_active(call, stream, &active);
    if (!code && active)
        code = cucore_fail(call, CUCORE_INVALID_STATE, ": the stream is being captured into a graph, of which %s cannot be a part",
                           what);
    return code;
}
