/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "memory.h"

#include "call.h"
#include "stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ((size_t)256)
#define FREED_BYTES_KEPT ((size_t)64 << 20)
#define FREED_COUNT_KEPT ((size_t)4096)

enum allocation_state { ALLOCATION_LIVE, ALLOCATION_FREE_QUEUED, ALLOCATION_FREED };

struct allocation {
    CUdeviceptr address;
    size_t size;
    struct device *device;
    struct context *context; /* of cuMemAlloc; NULL for memory of a pool */
    enum allocation_state state;
    struct allocation *next_freed;
};

/* By address, freed ones too while they are kept. */
static struct allocation **allocations;
static size_t allocation_count;
static size_t allocation_capacity;

/* The freed ones, oldest first: kept so that late uses are recognised, and kernels that run cannot touch what malloc gave away. */
static struct allocation *oldest_freed;
static struct allocation **freed_end = &oldest_freed;
static size_t freed_count;
static size_t freed_bytes;

/* The index of the first allocation beyond an address. */
static size_t index_beyond(CUdeviceptr address) {
    size_t low = 0;
    size_t high = allocation_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (allocations[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct allocation *allocation_before(CUdeviceptr address) {
    size_t beyond = index_beyond(address);
    return beyond ? allocations[beyond - 1] : NULL;
}

static int reserve_allocation(void) {
    if (allocation_count < allocation_capacity)
        return 1;
    size_t capacity = allocation_capacity ? 2 * allocation_capacity : 64;
    struct allocation **grown = realloc(allocations, capacity * sizeof(*grown));
    if (!grown)
        return 0;
    allocations = grown;
    allocation_capacity = capacity;
    return 1;
}

static void insert(struct allocation *allocation) {
    size_t index = index_beyond(allocation->address);
    memmove(&allocations[index + 1], &allocations[index], (allocation_count - index) * sizeof(*allocations));
    allocations[index] = allocation;
    allocation_count++;
}

static CUresult allocate(struct device *device, struct context *context, size_t size, CUdeviceptr *address) {
    if (size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (size > DEVICE_MEMORY - device->allocated || !reserve_allocation())
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct allocation *allocation = calloc(1, sizeof(*allocation));
    void *bytes = aligned_alloc(ALIGNMENT, (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (!allocation || !bytes) {
        free(allocation);
        free(bytes);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    *allocation = (struct allocation){(uintptr_t)bytes, size, device, context, ALLOCATION_LIVE, NULL};
    insert(allocation);
    device->allocated += size;
    *address = allocation->address;
    return CUDA_SUCCESS;
}

static void forget_oldest_freed(void) {
    struct allocation *allocation = oldest_freed;
    oldest_freed = allocation->next_freed;
    if (!oldest_freed)
        freed_end = &oldest_freed;
    freed_count--;
    freed_bytes -= allocation->size;
    size_t index = index_beyond(allocation->address) - 1;
    memmove(&allocations[index], &allocations[index + 1], (allocation_count - index - 1) * sizeof(*allocations));
    allocation_count--;
    free((void *)(uintptr_t)allocation->address);
    free(allocation);
}

static void free_allocation(struct allocation *allocation) {
    allocation->state = ALLOCATION_FREED;
    allocation->device->allocated -= allocation->size;
    *freed_end = allocation;
    freed_end = &allocation->next_freed;
    freed_count++;
    freed_bytes += allocation->size;
    while (!streams_are_running() && (freed_bytes > FREED_BYTES_KEPT || freed_count > FREED_COUNT_KEPT))
        forget_oldest_freed();
}

void *memory_bytes(CUdeviceptr address, size_t size) {
    const struct allocation *allocation = allocation_before(address);
    if (!allocation || allocation->state == ALLOCATION_FREED)
        return NULL;
    size_t offset = address - allocation->address;
    return offset <= allocation->size && size <= allocation->size - offset ? (void *)(uintptr_t)address : NULL;
}

CUresult memory_check(CUdeviceptr address, size_t size) {
    const struct allocation *allocation = allocation_before(address);
    if (!memory_bytes(address, size))
        return violation(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%llx are not in live device memory", size, address);
    if (allocation->state == ALLOCATION_FREE_QUEUED)
        return violation(CUDA_ERROR_INVALID_VALUE, "%zu bytes at 0x%llx are of memory already given to cuMemFreeAsync", size,
                         address);
    return CUDA_SUCCESS;
}

/* Finds what is to be freed: it must be the address of a live allocation. */
static CUresult find_to_free(CUdeviceptr address, struct allocation **found) {
    struct allocation *allocation = allocation_before(address);
    if (address == 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "Allocation not found");
    if (!allocation || allocation->address != address)
        return violation(CUDA_ERROR_INVALID_VALUE, "Allocation not found: 0x%llx", address);
    if (allocation->state != ALLOCATION_LIVE)
        return violation(CUDA_ERROR_INVALID_VALUE, "Allocation not found: 0x%llx was freed already", address);
    *found = allocation;
    return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
    struct device *owner = NULL;
    CUresult result = pool ? device_find(device, &owner) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    if (!owner->default_pool)
        owner->default_pool = object_create(OBJECT_POOL, NULL);
    if (!owner->default_pool)
        return CUDA_ERROR_OUT_OF_MEMORY;
    owner->default_pool->object.listed = 0;
    owner->default_pool->device = owner;
    *pool = (CUmemoryPool)owner->default_pool;
    return CUDA_SUCCESS;
}

CUresult sim_cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
    struct context *context = NULL;
    CUresult result = address ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? allocate(context->device, context, size, address) : result;
}

CUresult sim_cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
    struct stream *on = NULL;
    CUresult result = address ? stream_find(stream, &on) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? allocate(on->object.context->device, NULL, size, address) : result;
}

CUresult sim_cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream stream) {
    struct stream *on = NULL;
    struct pool *from = NULL;
    CUresult result = address ? stream_find(stream, &on) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_POOL, pool, &from);
    return result == CUDA_SUCCESS ? allocate(from->device, NULL, size, address) : result;
}

CUresult sim_cuMemFree_v2(CUdeviceptr address) {
    struct allocation *allocation = NULL;
    if (address == 0)
        return CUDA_SUCCESS;
    CUresult result = find_to_free(address, &allocation);
    if (result != CUDA_SUCCESS)
        return result;
    if (allocation->context)
        result = context_check(allocation->context);
    free_allocation(allocation);
    return result;
}

struct free_work {
    struct work work;
    struct allocation *allocation;
};

/* The free is in the drop: it also happens when a fault overtook it. */
static void finish_free(struct work *work) {
    struct free_work *mine = (struct free_work *)work;
    free_allocation(mine->allocation);
    free(mine);
}

static CUresult put_free(struct allocation *allocation, struct stream *stream) {
    struct free_work *work = calloc(1, sizeof(*work));
    if (!work)
        return CUDA_ERROR_OUT_OF_MEMORY;
    work->work.drop = finish_free;
    work->allocation = allocation;
    allocation->state = ALLOCATION_FREE_QUEUED;
    stream_put(stream, &work->work);
    return CUDA_SUCCESS;
}

CUresult sim_cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    struct allocation *allocation = NULL;
    struct stream *on = NULL;
    CUresult found = find_to_free(address, &allocation);
    if (found != CUDA_SUCCESS)
        return found;
    CUresult result = stream_find(stream, &on);
    if (result == CUDA_SUCCESS)
        return put_free(allocation, on);
    if (on && result == on->object.context->fault)
        free_allocation(allocation);
    return result;
}

CUresult sim_cuMemGetInfo_v2(size_t *available, size_t *total) {
    struct context *context = NULL;
    CUresult result = available && total ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *available = DEVICE_MEMORY - context->device->allocated;
    *total = DEVICE_MEMORY;
    return CUDA_SUCCESS;
}

struct memory_map {
    size_t count;
    size_t last; /* the range last found */
    struct range {
        uint64_t start;
        uint64_t size;
    } ranges[];
};

struct memory_map *memory_map_create(const struct device *device) {
    struct memory_map *map = calloc(1, sizeof(*map) + allocation_count * sizeof(map->ranges[0]));
    if (!map)
        return NULL;
    for (size_t i = 0; i < allocation_count; i++) {
        const struct allocation *allocation = allocations[i];
        if (allocation->device == device && allocation->state != ALLOCATION_FREED)
            map->ranges[map->count++] = (struct range){allocation->address, allocation->size};
    }
    return map;
}

static int range_has(const struct range *range, uint64_t address, size_t size) {
    uint64_t offset = address - range->start;
    return address >= range->start && offset <= range->size && size <= range->size - offset;
}

void *memory_map_resolve(void *data, uint64_t address, size_t size, int writes) {
    (void)writes;
    struct memory_map *map = data;
    size_t low = 0;
    size_t high = map->count;
    if (high && range_has(&map->ranges[map->last], address, size))
        return (void *)(uintptr_t)address;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || !range_has(&map->ranges[low - 1], address, size))
        return NULL;
    map->last = low - 1;
    return (void *)(uintptr_t)address;
}

static struct allocation *find_of_context(const struct context *context) {
    for (size_t i = 0; i < allocation_count; i++) {
        if (allocations[i]->context == context && allocations[i]->state == ALLOCATION_LIVE)
            return allocations[i];
    }
    return NULL;
}

void memory_context_ended(const struct context *context) {
    struct allocation *allocation;
    while ((allocation = find_of_context(context)))
        free_allocation(allocation);
}

size_t memory_count(void) {
    size_t count = 0;
    for (size_t i = 0; i < allocation_count; i++)
        count += allocations[i]->state != ALLOCATION_FREED;
    return count;
}

void memory_list(struct writer *list) {
    for (size_t i = 0; i < allocation_count; i++) {
        const struct allocation *allocation = allocations[i];
        if (allocation->state == ALLOCATION_FREED)
            continue;
        writer_add(list, "memory 0x%llx of %zu bytes", allocation->address, allocation->size);
        if (allocation->context)
            writer_add(list, " of context 0x%" PRIxPTR "\n", (uintptr_t)allocation->context);
        else
            writer_add(list, " of device %d\n", allocation->device->ordinal);
    }
}

void memory_reset(void) {
    for (size_t i = 0; i < allocation_count; i++) {
        free((void *)(uintptr_t)allocations[i]->address);
        free(allocations[i]);
    }
    free(allocations);
    allocations = NULL;
    allocation_count = allocation_capacity = 0;
    oldest_freed = NULL;
    freed_end = &oldest_freed;
    freed_count = freed_bytes = 0;
}
