/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_CONTEXT_H
#define CUCORE_CONTEXT_H

#include "base/registry.h"
#include "cucore_v1/context.h"
#include "driver/cuda_abi.h"

extern const cucore_class cucore_context_class;

struct cucore_context {
    cucore_registered registered; /* a primary context is registered but not destroyed with the handle */
    CUcontext raw;
    CUdevice device;
    cucore_context *next; /* among the primary contexts that are held */
};

/* cucore_context_primary stores a new reference to the primary context of a device, which is retained at its first use. */
int32_t cucore_context_primary(const cucore_call *call, CUdevice device, cucore_context **primary);

/* cucore_context_make_current makes a context current, or none for NULL, and gives the one before where that is wanted. */
int32_t cucore_context_make_current(const cucore_call *call, const cucore_context *context, cucore_context **previous);

/* cucore_context_get_current stores a handle of the context that is current, or NULL. */
int32_t cucore_context_get_current(const cucore_call *call, cucore_context **current);

/* cucore_context_wait waits for all work in a context. */
int32_t cucore_context_wait(const cucore_call *call, const cucore_context *context);

#endif
