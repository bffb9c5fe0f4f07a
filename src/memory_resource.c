/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "memory_resource.h"

#include "base/argument.h"
#include "driver/cuda.h"

static void teardown(void *object, cucore_channel *channel) {
    cucore_object_drop(((cucore_memory_resource *)object)->device, channel);
}

const cucore_class cucore_memory_resource_class = {"memory resource", teardown};

CUCORE_HANDLE(memory_resource)

static int32_t expect_pools(const cucore_call *call, const cucore_device *device) {
    int supported = 0;
    int32_t code = CUCORE_CUDA_NEEDS(call, cuDeviceGetDefaultMemPool);
    if (!code)
        code = CUCORE_CUDA_NEEDS(call, cuMemAllocFromPoolAsync);
    if (!code)
        code = CUCORE_CUDA_NEEDS(call, cuMemFreeAsync);
    if (!code)
        code = CUCORE_CUDA(call, 0, cuDeviceGetAttribute, (&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, device->raw));
    if (!code && !supported)
        code = cucore_fail(call, CUCORE_NOT_SUPPORTED, ": device %d (%s) has no memory pools", (int)device->ordinal, device->name);
    return code;
}

cucore_memory_resource *cucore_memory_resource_device_pool(cucore_device *device, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, device, &cucore_device_class, "device") || expect_pools(&call, device))
        return NULL;
    cucore_memory_resource *resource = cucore_object_allocate(&call, &cucore_memory_resource_class, sizeof *resource);
    if (!resource)
        return NULL;
    if (CUCORE_CUDA(&call, 0, cuDeviceGetDefaultMemPool, (&resource->pool, device->raw))) {
        cucore_object_discard(resource);
        return NULL;
    }
    resource->device = cucore_device_retain(device);
    return resource;
}

CUmemoryPool cucore_memory_resource_raw(const cucore_memory_resource *resource) {
    return cucore_object_is(resource, &cucore_memory_resource_class) ? resource->pool : NULL;
}

CUCORE_PARENT(memory_resource, device, device)
