/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_MEMORY_RESOURCE_H
#define CUCORE_MEMORY_RESOURCE_H

#include "cucore_v1/memory.h"
#include "device.h"

extern const cucore_class cucore_memory_resource_class;

struct cucore_memory_resource {
    cucore_object object;
    CUmemoryPool pool; /* NULL: each buffer is an allocation of cuMemAllocHost */
    bool owned;        /* the pool is ours */
    bool host_accessible;
    cucore_device *device;
};

#endif
