/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_DESTROY_H
#define CUCORE_DRIVER_DESTROY_H

/* Destroying what a handle owns: in its teardown, and when its creation is undone. */

#include "base/channel.h"

/* One destroy that the library makes. None of these calls needs a current context. */
typedef struct cucore_destroy {
    int32_t domain;
    const char *operation;
    int64_t (*run)(const void *object); /* calls the driver for the resource that `object` owns */
    bool relaxed; /* it would invalidate a capture of this thread, so the thread's capture mode is relaxed meanwhile */
} cucore_destroy;

/* cucore_destroy_run destroys, and gives the failure, or NULL. Success and a driver that is shutting down are no failures. A
 * failure to relax the capture mode, or to set it back, is told too: the destroy runs all the same. */
cucore_status *cucore_destroy_run(const cucore_destroy *destroy, const void *object, uint64_t resource);

/* cucore_destroy_in_teardown destroys, and reports a failure. */
void cucore_destroy_in_teardown(const cucore_destroy *destroy, const void *object, uint64_t resource, cucore_channel *channel);

/* cucore_destroy_as_undo destroys what a call made before it failed; its own failure is a note. */
void cucore_destroy_as_undo(const cucore_destroy *destroy, const void *object, uint64_t resource, const cucore_call *call);

#endif
