/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "memory_resource.h"

#include "base/argument.h"
#include "driver/capture.h"
#include "driver/destroy.h"
#include "driver/words.h"

static int64_t destroy(const void *object) {
    return cucore_cuda.cuMemPoolDestroy(((const cucore_memory_resource *)object)->pool);
}

static const cucore_destroy pool_destroy = {CUCORE_DOMAIN_DRIVER, "cuMemPoolDestroy", destroy, true, false};

static bool teardown(void *object, cucore_channel *channel) {
    cucore_memory_resource *resource = object;
    if (resource->owned && !cucore_destroy_in_teardown(&pool_destroy, resource, cucore_raw(resource->pool), channel))
        return false;
    cucore_object_drop(resource->device, channel);
    return true;
}

const cucore_class cucore_memory_resource_class = {"memory resource", teardown, false};

CUCORE_HANDLE(memory_resource)

/* Drivers do not know the attributes that are newer than they. */
static int32_t ask_support(const cucore_call *call, const cucore_device *device, CUdevice_attribute attribute, int *supported) {
    CUresult result = cucore_cuda.cuDeviceGetAttribute(supported, attribute, device->raw);
    if (result != CUDA_ERROR_INVALID_VALUE)
        return cucore_cuda_result(call, result, "cuDeviceGetAttribute", 0);
    cucore_words_forget();
    return CUCORE_OK;
}

static int32_t expect_functions(const cucore_call *call) {
    int32_t code = CUCORE_CUDA_NEEDS(call, cuMemAllocFromPoolAsync);
    return code ? code : CUCORE_CUDA_NEEDS(call, cuMemFreeAsync);
}

static int32_t expect_pools(const cucore_call *call, const cucore_device *device) {
    int supported = 0;
    int32_t code = expect_functions(call);
    if (!code)
        code = CUCORE_CUDA(call, 0, cuDeviceGetAttribute, (&supported, CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, device->raw));
    if (!code && !supported)
        code = cucore_fail(call, CUCORE_NOT_SUPPORTED, ": device %d (%s) has no memory pools", (int)device->ordinal, device->name);
    return code;
}

/* Host memory in general from CUDA 13.0 on; before, only that of a given NUMA node. */
static int32_t choose_host_location(const cucore_call *call, const cucore_device *device, CUmemLocationType *location) {
    int host = 0;
    int numa = 0;
    int32_t code = expect_functions(call);
    if (!code)
        code = ask_support(call, device, CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED, &host);
    if (!code && !host)
        code = ask_support(call, device, CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED, &numa);
    if (!code && !host && !numa)
        code = cucore_fail(call, CUCORE_NOT_SUPPORTED,
                           ": this driver (CUDA %d.%d) has no pools of host memory for device %d (%s); CUDA 13.0 brought them",
                           cucore_cuda_version() / 1000, cucore_cuda_version() % 1000 / 10, (int)device->ordinal, device->name);
    *location = host ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_HOST_NUMA;
    return code;
}

/* Gives a handle for memory of a device, which is borrowed from the caller until it has its pool. */
static cucore_memory_resource *allocate(const cucore_call *call, cucore_device *device, bool host_accessible) {
    cucore_memory_resource *resource = cucore_object_allocate(call, &cucore_memory_resource_class, sizeof *resource);
    if (!resource)
        return NULL;
    resource->device = device;
    resource->host_accessible = host_accessible;
    return resource;
}

/* The end of what makes a resource: the handle if that worked, else NULL. */
static cucore_memory_resource *finish(cucore_memory_resource *resource, int32_t code) {
    if (!code) {
        cucore_device_retain(resource->device);
        return resource;
    }
    cucore_object_discard(resource);
    return NULL;
}

cucore_memory_resource *cucore_memory_resource_device_pool(cucore_device *device, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, device, &cucore_device_class, "device") || CUCORE_CUDA_NEEDS(&call, cuDeviceGetDefaultMemPool) ||
        expect_pools(&call, device))
        return NULL;
    cucore_memory_resource *resource = allocate(&call, device, false);
    return resource ? finish(resource, CUCORE_CUDA(&call, 0, cuDeviceGetDefaultMemPool, (&resource->pool, device->raw))) : NULL;
}

cucore_memory_resource *cucore_memory_resource_pinned(cucore_device *device, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, device, &cucore_device_class, "device") || CUCORE_CUDA_NEEDS(&call, cuMemAllocHost) ||
        CUCORE_CUDA_NEEDS(&call, cuMemFreeHost))
        return NULL;
    cucore_memory_resource *resource = allocate(&call, device, true);
    return resource ? finish(resource, CUCORE_OK) : NULL;
}

static int32_t read_options(const cucore_call *call, const cucore_memory_pool_options *options, cucore_memory_pool_options *known) {
    int32_t code = cucore_read_options(call, options, known, sizeof *known, sizeof *known);
    if (!code)
        code = cucore_expect_flag(call, known->has_release_threshold, "options->has_release_threshold");
    if (!code)
        code = cucore_expect_unset(call, known->has_release_threshold, known->release_threshold, "release_threshold");
    if (!code)
        code = cucore_expect_zero(call, (uint64_t)known->reserved, "options->reserved");
    if (!code && known->max_size)
        code = cucore_cuda_expect_version(call, "options->max_size", cucore_version_of_pool_max_size);
    if (!known->has_release_threshold)
        known->release_threshold = UINT64_MAX; /* CUDA's own default, 0, gives all memory back at every synchronisation */
    return code;
}

static int32_t set_threshold(const cucore_call *call, const cucore_memory_resource *resource, uint64_t threshold) {
    return CUCORE_CUDA(call, cucore_raw(resource->pool), cuMemPoolSetAttribute,
                       (resource->pool, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &threshold));
}

static int32_t let_device_use(const cucore_call *call, const cucore_memory_resource *resource) {
    const CUmemAccessDesc access = {{CU_MEM_LOCATION_TYPE_DEVICE, resource->device->raw}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
    int32_t code = CUCORE_CUDA(call, cucore_raw(resource->pool), cuMemPoolSetAccess, (resource->pool, &access, 1));
    cucore_words_forget(); /* the driver says something of the host's access even if it works */
    return code;
}

static int32_t set_up(const cucore_call *call, cucore_memory_resource *resource, const CUmemPoolProps *properties,
                      uint64_t threshold) {
    int32_t code = CUCORE_CUDA(call, 0, cuMemPoolCreate, (&resource->pool, properties));
    if (!code)
        code = set_threshold(call, resource, threshold);
    if (!code && resource->host_accessible)
        code = let_device_use(call, resource);
    return code;
}

/* A new pool has nothing to do with a capture of this thread, but would invalidate it. */
static int32_t create_raw(const cucore_call *call, cucore_memory_resource *resource, const CUmemPoolProps *properties,
                          uint64_t threshold) {
    CUstreamCaptureMode mode;
    int32_t code = cucore_capture_relax(call, &mode);
    if (code)
        return code;
    code = cucore_capture_restore(call, mode, set_up(call, resource, properties, threshold));
    resource->owned = code == CUCORE_OK;
    if (code && resource->pool)
        cucore_destroy_as_undo(&pool_destroy, resource, cucore_raw(resource->pool), call);
    return code;
}

static int32_t expect_pool_functions(const cucore_call *call) {
    int32_t code = CUCORE_CUDA_NEEDS(call, cuMemPoolCreate);
    if (!code)
        code = CUCORE_CUDA_NEEDS(call, cuMemPoolDestroy);
    if (!code)
        code = CUCORE_CUDA_NEEDS(call, cuMemPoolSetAttribute);
    return code ? code : CUCORE_CUDA_NEEDS(call, cuMemPoolSetAccess);
}

static cucore_memory_resource *create_pool(const cucore_call *call, cucore_device *device, CUmemLocation location,
                                           const cucore_memory_pool_options *options) {
    cucore_memory_pool_options known;
    if (expect_pool_functions(call) || read_options(call, options, &known))
        return NULL;
    cucore_memory_resource *resource = allocate(call, device, location.type != CU_MEM_LOCATION_TYPE_DEVICE);
    const CUmemPoolProps properties = {
        .allocType = CU_MEM_ALLOCATION_TYPE_PINNED, .location = location, .maxSize = (size_t)known.max_size};
    return resource ? finish(resource, create_raw(call, resource, &properties, known.release_threshold)) : NULL;
}

cucore_memory_resource *cucore_memory_resource_create_pool(cucore_device *device, const cucore_memory_pool_options *options,
                                                           cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, device, &cucore_device_class, "device") || expect_pools(&call, device))
        return NULL;
    return create_pool(&call, device, (CUmemLocation){CU_MEM_LOCATION_TYPE_DEVICE, device->raw}, options);
}

cucore_memory_resource *cucore_memory_resource_create_pinned_pool(cucore_device *device, const cucore_memory_pool_options *options,
                                                                  cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    CUmemLocation location = {CU_MEM_LOCATION_TYPE_HOST, 0};
    if (cucore_expect(&call, device, &cucore_device_class, "device") || choose_host_location(&call, device, &location.type))
        return NULL;
    return create_pool(&call, device, location, options);
}

CUmemoryPool cucore_memory_resource_raw(const cucore_memory_resource *resource) {
    return cucore_object_is(resource, &cucore_memory_resource_class) ? resource->pool : NULL;
}

CUCORE_PARENT(memory_resource, device, device)

int32_t cucore_memory_resource_is_host_accessible(const cucore_memory_resource *resource) {
    return cucore_object_is(resource, &cucore_memory_resource_class) && resource->host_accessible;
}

static int32_t expect_pool(const cucore_call *call, const cucore_memory_resource *resource) {
    int32_t code = cucore_expect(call, resource, &cucore_memory_resource_class, "resource");
    if (!code && !resource->pool)
        code = cucore_fail(call, CUCORE_INVALID_STATE, ": the resource has no pool: it allocates with cuMemAllocHost");
    return code;
}

/* The first three are choices, which the driver keeps as int; the rest are sizes of 64 bits. */
static bool is_choice(int32_t attribute) {
    return attribute <= CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
}

static int32_t expect_attribute(const cucore_call *call, const cucore_memory_resource *resource, int32_t attribute) {
    int32_t code = expect_pool(call, resource);
    if (!code && (attribute < CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES || attribute > CU_MEMPOOL_ATTR_USED_MEM_HIGH))
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": attribute is %d, no CUCORE_POOL_ATTRIBUTE_... number", (int)attribute);
    return code;
}

int32_t cucore_memory_resource_attribute(cucore_memory_resource *resource, int32_t attribute, uint64_t *value,
                                         cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int choice = 0;
    cuuint64_t size = 0;
    void *found = is_choice(attribute) ? (void *)&choice : &size;
    int32_t code = expect_attribute(&call, resource, attribute);
    if (!code)
        code = cucore_expect_pointer(&call, value, "value");
    if (!code)
        code = CUCORE_CUDA_NEEDS(&call, cuMemPoolGetAttribute);
    if (!code)
        code = CUCORE_CUDA(&call, cucore_raw(resource->pool), cuMemPoolGetAttribute,
                           (resource->pool, (CUmemPool_attribute)attribute, found));
    if (!code)
        *value = is_choice(attribute) ? (uint64_t)choice : size;
    return code;
}

static int32_t expect_settable(const cucore_call *call, int32_t attribute, uint64_t value) {
    if (is_choice(attribute))
        return value <= 1 ? CUCORE_OK
                          : cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": value is %llu; attribute %d is a choice, 0 or 1",
                                        (unsigned long long)value, (int)attribute);
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        return CUCORE_OK;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return value ? cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": a high-water mark can only be set to 0") : CUCORE_OK;
    default:
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": attribute %d cannot be set", (int)attribute);
    }
}

int32_t cucore_memory_resource_set_attribute(cucore_memory_resource *resource, int32_t attribute, uint64_t value,
                                             cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int choice = value != 0;
    cuuint64_t size = value;
    void *wanted = is_choice(attribute) ? (void *)&choice : &size;
    int32_t code = expect_attribute(&call, resource, attribute);
    if (!code)
        code = expect_settable(&call, attribute, value);
    if (!code)
        code = CUCORE_CUDA_NEEDS(&call, cuMemPoolSetAttribute);
    return code ? code
                : CUCORE_CUDA(&call, cucore_raw(resource->pool), cuMemPoolSetAttribute,
                              (resource->pool, (CUmemPool_attribute)attribute, wanted));
}

int32_t cucore_memory_resource_trim(cucore_memory_resource *resource, size_t keep, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_pool(&call, resource);
    if (!code)
        code = CUCORE_CUDA_NEEDS(&call, cuMemPoolTrimTo);
    return code ? code : CUCORE_CUDA(&call, cucore_raw(resource->pool), cuMemPoolTrimTo, (resource->pool, keep));
}
