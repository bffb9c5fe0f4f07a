/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_LIBRARY_H
#define CUCORE_LIBRARY_H

#include "cucore_v1/library.h"
#include "device.h"
#include "driver/scope.h"
#include "object_code.h"

extern const cucore_class cucore_library_class;

struct cucore_library {
    cucore_object object;
    CUlibrary raw;
    cucore_device *device;
    cucore_object_code *code;
    /* The JIT's log and the options that say where it goes: a driver may write to either until the library is unloaded. */
    CUjit_option jit_options[2];
    void *jit_values[2];
    char log[8192];
};

/* cucore_library_enter makes the context that a library is for current. If it fails, the work must not be done. */
int32_t cucore_library_enter(const cucore_call *call, const cucore_library *library, cucore_scope *scope);

/* cucore_library_count_kernels stores how many kernels a library has. */
int32_t cucore_library_count_kernels(const cucore_call *call, const cucore_library *library, unsigned int *count);

#endif
