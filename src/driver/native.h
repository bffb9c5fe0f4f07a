/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_NATIVE_H
#define CUCORE_DRIVER_NATIVE_H

/* Failures of calls to the driver and the compilers, from their own codes. */

#include "base/channel.h"

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
cucore_status *cucore_native_status(const cucore_native *native);

/* cucore_native_fail fails a call with that status and returns its code. */
int32_t cucore_native_fail(const cucore_call *call, const cucore_native *native);

/* cucore_raw gives a raw handle as the number that messages name it by. */
static inline uint64_t cucore_raw(const void *handle) {
    return (uint64_t)(uintptr_t)handle;
}

/* A driver resource that a handle owns: how it is destroyed, in a creation that is undone as in a teardown. None of these calls
 * needs a current context. A row of a table, one for each destroy that the library makes. */
typedef struct cucore_destroy {
    int32_t domain;
    const char *operation;
    int64_t (*run)(const void *object); /* calls the driver for the resource that `object` owns */
} cucore_destroy;

/* cucore_destroy_run destroys, and gives the failure, or NULL. Success and a driver that is shutting down are no failures. */
cucore_status *cucore_destroy_run(const cucore_destroy *destroy, const void *object, uint64_t resource);

/* cucore_destroy_in_teardown destroys, and reports a failure. */
void cucore_destroy_in_teardown(const cucore_destroy *destroy, const void *object, uint64_t resource, cucore_channel *channel);

/* cucore_destroy_as_undo destroys what a call made before it failed; its own failure is a note. */
void cucore_destroy_as_undo(const cucore_destroy *destroy, const void *object, uint64_t resource, const cucore_call *call);

#endif
