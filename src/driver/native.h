/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_NATIVE_H
#define CUCORE_DRIVER_NATIVE_H

/* Failures of calls to the driver and the compilers, from their own codes. */

#include "base/status.h"

/* A call that failed: which, on what, and how. */
typedef struct cucore_native {
    int32_t domain;
    int64_t code;
    const char *operation; /* static: "cuStreamDestroy" */
    uint64_t resource;     /* the raw handle or address, 0 if none */
    const char *log;       /* NULL if none */
    size_t log_size;
} cucore_native;

/* cucore_native_status makes the status of a call that failed, with the driver's own sentence and what follows from the code as
 * notes. */
cucore_status *cucore_native_status(const cucore_native *native) CUCORE_RARE;

/* cucore_native_fail fails a call with that status and returns its code. */
int32_t cucore_native_fail(const cucore_call *call, const cucore_native *native) CUCORE_RARE;

/* cucore_raw gives a raw handle as the number that messages name it by. */
static inline uint64_t cucore_raw(const void *handle) {
    return (uint64_t)(uintptr_t)handle;
}

#endif
