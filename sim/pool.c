/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "pool.h"

#include "call.h"

#include <string.h>

#define BLOCK ((uint64_t)2 << 20) /* pools reserve memory in blocks of this size */

static uint64_t whole_blocks(uint64_t size) {
    return (size + BLOCK - 1) / BLOCK * BLOCK;
}

static void set_amount(struct amount *amount, uint64_t value) {
    amount->current = value;
    if (amount->high < value)
        amount->high = value;
}

CUresult pool_check_room(const struct pool *pool, size_t size) {
    if (pool->max_size && size > whole_blocks(pool->max_size) - pool->used.current)
        return refuse(CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes are more than is left of the pool's %zu", size, pool->max_size);
    return CUDA_SUCCESS;
}

/* A pool that was destroyed lives on until the last of its memory is freed. */
static void keep_busy_while_used(struct pool *pool) {
    pool->object.busy = pool->used.current > 0;
}

void pool_take(struct pool *pool, size_t size) {
    set_amount(&pool->used, pool->used.current + size);
    if (pool->reserved.current < pool->used.current)
        set_amount(&pool->reserved, whole_blocks(pool->used.current));
    keep_busy_while_used(pool);
}

void pool_give_back(struct pool *pool, size_t size) {
    pool->used.current -= size;
    keep_busy_while_used(pool);
}

static void shrink(struct pool *pool, uint64_t to) {
    uint64_t least = whole_blocks(pool->used.current);
    uint64_t wanted = to > UINT64_MAX - BLOCK ? to : whole_blocks(to);
    uint64_t kept = wanted > least ? wanted : least;
    if (pool->reserved.current > kept)
        pool->reserved.current = kept;
}

void pools_release_unused(void) {
    struct pool *pool;
    for (size_t position = 0; (pool = object_next(OBJECT_POOL, &position));)
        shrink(pool, pool->release_threshold);
}

int pool_is_accessible(const struct pool *pool, const struct device *from) {
    return !pool->device || pool->device == from || (pool->accessible_from >> from->ordinal & 1u);
}

static struct pool *create(struct device *device, size_t max_size) {
    struct pool *pool = object_create(OBJECT_POOL, NULL);
    if (!pool)
        return NULL;
    pool->device = device;
    pool->max_size = max_size;
    for (size_t i = 0; i < sizeof(pool->reuse) / sizeof(pool->reuse[0]); i++)
        pool->reuse[i] = 1;
    return pool;
}

static CUresult default_pool(struct device *device, struct pool **pool) {
    if (!device->default_pool) {
        device->default_pool = create(device, 0);
        if (!device->default_pool)
            return CUDA_ERROR_OUT_OF_MEMORY;
        device->default_pool->object.listed = 0;
        device->default_pool->is_default = 1;
    }
    *pool = device->default_pool;
    return CUDA_SUCCESS;
}

CUresult pool_of_device(struct device *device, struct pool **pool) {
    if (device->pool && device->pool->object.state != OBJECT_LIVE)
        device->pool = NULL;
    *pool = device->pool;
    return *pool ? CUDA_SUCCESS : default_pool(device, pool);
}

CUresult sim_cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    struct device *owner = NULL;
    struct pool *found = NULL;
    CUresult result = pool ? device_find(device, &owner) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = default_pool(owner, &found);
    if (result == CUDA_SUCCESS)
        *pool = (CUmemoryPool)found;
    return result;
}

CUresult sim_cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
    struct device *owner = NULL;
    struct pool *found = NULL;
    CUresult result = pool ? device_find(device, &owner) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = pool_of_device(owner, &found);
    if (result == CUDA_SUCCESS)
        *pool = (CUmemoryPool)found;
    return result;
}

CUresult sim_cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
    struct device *owner = NULL;
    struct pool *found = NULL;
    CUresult result = device_find(device, &owner);
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_POOL, pool, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (found->device != owner)
        return refuse(CUDA_ERROR_INVALID_VALUE, "The pool is not of device %d", device);
    owner->pool = found;
    return CUDA_SUCCESS;
}

/* The device that a pool is asked for, NULL for the host. */
static CUresult find_location(const CUmemLocation *location, struct device **device) {
    *device = NULL;
    switch ((int)location->type) {
    case CU_MEM_LOCATION_TYPE_DEVICE:
        return device_find(location->id, device);
    case CU_MEM_LOCATION_TYPE_HOST:
        if (device_has_attribute(CU_DEVICE_ATTRIBUTE_HOST_MEMORY_POOLS_SUPPORTED))
            return CUDA_SUCCESS;
        break;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
        if (device_has_attribute(CU_DEVICE_ATTRIBUTE_HOST_NUMA_MEMORY_POOLS_SUPPORTED) && location->id == 0)
            return CUDA_SUCCESS;
        break;
    default:
        break;
    }
    return refuse(CUDA_ERROR_INVALID_VALUE, "No pools are made at location %d of type %d", location->id, (int)location->type);
}

CUresult sim_cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
    struct device *device = NULL;
    if (!pool || !properties || properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED)
        return CUDA_ERROR_INVALID_VALUE;
    if (properties->handleTypes != CU_MEM_HANDLE_TYPE_NONE)
        return refuse(CUDA_ERROR_NOT_SUPPORTED, "The simulated driver shares no memory between processes");
    CUresult result = find_location(&properties->location, &device);
    if (result != CUDA_SUCCESS)
        return result;
    struct pool *created = create(device, properties->maxSize);
    if (!created)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *pool = (CUmemoryPool)created;
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolDestroy(CUmemoryPool pool) {
    struct pool *found = NULL;
    CUresult result = object_find(OBJECT_POOL, pool, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (found->is_default)
        return refuse(CUDA_ERROR_INVALID_VALUE, "Cannot destroy a default mempool");
    object_end(&found->object, OBJECT_DESTROYED);
    return CUDA_SUCCESS;
}

static int *reuse_attribute(struct pool *pool, CUmemPool_attribute attribute) {
    if (attribute < CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES ||
        attribute > CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES)
        return NULL;
    return &pool->reuse[attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES];
}

static CUresult reset_high(struct amount *amount, uint64_t value) {
    if (value != 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "A high watermark can only be reset to 0");
    amount->high = amount->current;
    return CUDA_SUCCESS;
}

static CUresult set_number(struct pool *pool, CUmemPool_attribute attribute, uint64_t value) {
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        pool->release_threshold = value;
        return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        return reset_high(&pool->reserved, value);
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return reset_high(&pool->used, value);
    default:
        return refuse(CUDA_ERROR_INVALID_VALUE, "Pool attribute %d cannot be set", (int)attribute);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
    struct pool *found = NULL;
    CUresult result = value ? object_find(OBJECT_POOL, pool, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    int *reuse = reuse_attribute(found, attribute);
    uint64_t number = 0;
    if (reuse)
        memcpy(reuse, value, sizeof(*reuse));
    else
        memcpy(&number, value, sizeof(number));
    return reuse ? CUDA_SUCCESS : set_number(found, attribute, number);
}

static const uint64_t *number_attribute(const struct pool *pool, CUmemPool_attribute attribute) {
    switch (attribute) {
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
        return &pool->release_threshold;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
        return &pool->reserved.current;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
        return &pool->reserved.high;
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
        return &pool->used.current;
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
        return &pool->used.high;
    default:
        return NULL;
    }
}

CUresult sim_cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute, void *value) {
    struct pool *found = NULL;
    CUresult result = value ? object_find(OBJECT_POOL, pool, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    const int *reuse = reuse_attribute(found, attribute);
    const uint64_t *number = number_attribute(found, attribute);
    if (reuse)
        memcpy(value, reuse, sizeof(*reuse));
    else if (number)
        memcpy(value, number, sizeof(*number));
    else
        return refuse(CUDA_ERROR_INVALID_VALUE, "There is no pool attribute %d", (int)attribute);
    return CUDA_SUCCESS;
}

CUresult sim_cuMemPoolTrimTo(CUmemoryPool pool, size_t keep) {
    struct pool *found = NULL;
    CUresult result = object_find(OBJECT_POOL, pool, &found);
    if (result == CUDA_SUCCESS)
        shrink(found, keep);
    return result;
}

static CUresult check_access(const struct pool *pool, const CUmemAccessDesc *access) {
    struct device *device = NULL;
    int grants = access->flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    if (access->location.type != CU_MEM_LOCATION_TYPE_DEVICE || (!grants && access->flags != CU_MEM_ACCESS_FLAGS_PROT_NONE))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = device_find(access->location.id, &device);
    if (result == CUDA_SUCCESS && device == pool->device && !grants)
        return refuse(CUDA_ERROR_INVALID_VALUE, "A pool's own device keeps its access");
    return result;
}

CUresult sim_cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access, size_t count) {
    struct pool *found = NULL;
    CUresult result = access || count == 0 ? object_find(OBJECT_POOL, pool, &found) : CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++)
        result = check_access(found, &access[i]);
    for (size_t i = 0; result == CUDA_SUCCESS && i < count; i++) {
        unsigned bit = 1u << access[i].location.id;
        found->accessible_from &= ~bit;
        found->accessible_from |= access[i].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ? bit : 0;
    }
    return result;
}

CUresult sim_cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool, CUmemLocation *location) {
    struct pool *found = NULL;
    struct device *device = NULL;
    CUresult result = flags && location ? object_find(OBJECT_POOL, pool, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = find_location(location, &device);
    if (result != CUDA_SUCCESS)
        return result;
    int accessible = device ? pool_is_accessible(found, device) : !found->device;
    *flags = accessible ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
}
