/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/driver.h"

#include "driver/cuda.h"

uint32_t cucore_version(void) {
    return CUCORE_VERSION;
}

const char *cucore_version_text(void) {
    return CUCORE_VERSION_TEXT;
}

int32_t cucore_driver_is_available(void) {
    const cucore_call call = {__func__, NULL};
    return cucore_cuda_load(&call) == CUCORE_OK;
}

int32_t cucore_driver_version(int32_t *version, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect_pointer(&call, version, "version");
    if (!code)
        code = cucore_cuda_load(&call);
    if (!code)
        *version = cucore_cuda_version();
    return code;
}

const char *cucore_driver_path(size_t *size) {
    return cucore_text_out(cucore_cuda_path(), size);
}

int32_t cucore_driver_use_library(const char *path, size_t size, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect_path(&call, path, size, "path");
    return code ? code : cucore_cuda_use_library(&call, path, size);
}

int32_t cucore_driver_use_entry(cucore_driver_entry entry, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (!entry)
        return cucore_fail(&call, CUCORE_INVALID_ARGUMENT, ": entry is NULL");
    return cucore_cuda_use_entry(&call, (cucore_cuda_entry)entry);
}
