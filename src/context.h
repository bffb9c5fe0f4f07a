/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_CONTEXT_H
#define CUCORE_CONTEXT_H

#include "base/object.h"
#include "cucore_v1/context.h"
#include "driver/cuda_abi.h"

extern const cucore_class cucore_context_class;

struct cucore_context {
    cucore_object object;
    CUcontext raw;
    CUdevice device;
    cucore_context *next; /* among the primary contexts that are held */
};

/* cucore_context_primary stores a new reference to the primary context of a device, which is retained at its first use. */
int32_t cucore_context_primary(const cucore_call *call, CUdevice device, cucore_context **primary);

#endif
