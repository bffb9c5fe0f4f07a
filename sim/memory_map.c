/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "memory_map.h"

#include "allocation.h"
#include "pool.h"
#include "state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct memory_map {
    struct context *context;
    size_t count;
    ptx_range ranges[]; /* by address */
};

static int can_reach(const struct context *context, const struct allocation *allocation) {
    if (allocation->kind == ALLOCATION_HOST || allocation->kind == ALLOCATION_REGISTERED)
        return 1;
    if (allocation->pool)
        return pool_is_accessible(allocation->pool, context->device);
    return allocation->device == context->device || (allocation->context && context_reaches_peer(context, allocation->context));
}

static size_t count_allocations(void) {
    size_t count = 0;
    for (size_t position = 0; allocation_next(&position);)
        count++;
    return count;
}

static ptx_range range_of(const struct allocation *allocation) {
    return (ptx_range){.start = allocation->address,
                       .size = allocation->size,
                       .written = allocation->written,
                       .is_fleeting = allocation->kind == ALLOCATION_HEAP};
}

struct memory_map *memory_map_create(struct context *context) {
    struct memory_map *map = calloc(1, sizeof(*map) + count_allocations() * sizeof(map->ranges[0]));
    const struct allocation *allocation;
    if (!map)
        return NULL;
    map->context = context;
    for (size_t position = 0; (allocation = allocation_next(&position));) {
        if (allocation->kind != ALLOCATION_HEAP && can_reach(context, allocation))
            map->ranges[map->count++] = range_of(allocation);
    }
    return map;
}

void memory_map_free(struct memory_map *map) {
    free(map);
}

static const ptx_range *range_before(const struct memory_map *map, uint64_t address) {
    size_t low = 0;
    size_t high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &map->ranges[low - 1] : NULL;
}

static int is_in(const ptx_range *range, uint64_t address) {
    return address - range->start < range->size;
}

/* What kernels allocate comes and goes while they run. */
static int find_in_heap(const struct memory_map *map, uint64_t address, ptx_range *range) {
    simulator_lock();
    const struct allocation *allocation = allocation_at(address);
    int found = allocation && allocation->kind == ALLOCATION_HEAP && can_reach(map->context, allocation);
    if (found)
        *range = range_of(allocation);
    simulator_unlock();
    return found;
}

int memory_map_find(void *data, uint64_t address, ptx_range *range) {
    const struct memory_map *map = data;
    const ptx_range *before = range_before(map, address);
    if (!before || !is_in(before, address))
        return find_in_heap(map, address, range);
    *range = *before;
    return 1;
}

static uint64_t distance_to(const ptx_range *range, uint64_t address) {
    if (address < range->start)
        return range->start - address;
    return is_in(range, address) ? 0 : address - (range->start + range->size);
}

static const ptx_range *nearest(const struct memory_map *map, uint64_t address) {
    const ptx_range *before = range_before(map, address);
    const ptx_range *after = before ? before + 1 : map->ranges;
    if (after == map->ranges + map->count)
        return before;
    return before && distance_to(before, address) <= distance_to(after, address) ? before : after;
}

/* Not the map, which has what was live when the launch began: what was freed is told as such. */
static int describe_freed(uint64_t address, char *text, size_t size) {
    simulator_lock();
    const struct allocation *allocation = allocation_before(address);
    int was = allocation && allocation->state == ALLOCATION_FREED && address - allocation->address < allocation->size;
    if (was)
        snprintf(text, size, ", %llu bytes into the %zu bytes at 0x%llx that were freed",
                 (unsigned long long)address - allocation->address, allocation->size, allocation->address);
    simulator_unlock();
    return was;
}

void memory_map_describe(void *data, uint64_t address, char *text, size_t size) {
    const struct memory_map *map = data;
    const ptx_range *range = nearest(map, address);
    if (describe_freed(address, text, size))
        return;
    if (!range) {
        snprintf(text, size, ", and no memory is allocated");
        return;
    }
    int is_inside = is_in(range, address);
    snprintf(text, size, ", %" PRIu64 " bytes %s the nearest allocation, of %" PRIu64 " bytes at 0x%" PRIx64,
             is_inside ? address - range->start : distance_to(range, address),
             is_inside                ? "into"
             : address < range->start ? "before"
                                      : "beyond",
             range->size, range->start);
}

static int heap_has_room(const struct context *context, uint64_t size) {
    size_t limit = context->limits.values[LIMIT_MALLOC_HEAP_SIZE];
    size_t used = 0;
    const struct allocation *allocation;
    for (size_t position = 0; (allocation = allocation_next(&position));)
        used += allocation->kind == ALLOCATION_HEAP && allocation->context == context ? allocation->size : 0;
    return size <= limit && used <= limit - size;
}

uint64_t memory_map_allocate(void *data, uint64_t size) {
    const struct memory_map *map = data;
    struct allocation *allocation = NULL;
    const struct allocation wanted = {
        .size = size ? size : 1, .kind = ALLOCATION_HEAP, .device = map->context->device, .context = map->context};
    simulator_lock();
    CUresult result = heap_has_room(map->context, wanted.size) ? allocation_create(&wanted, &allocation) : CUDA_ERROR_OUT_OF_MEMORY;
    uint64_t address = result == CUDA_SUCCESS ? allocation->address : 0;
    simulator_unlock();
    return address;
}

int memory_map_release(void *data, uint64_t address) {
    const struct memory_map *map = data;
    simulator_lock();
    struct allocation *allocation = allocation_at(address);
    int is_one =
        allocation && allocation->kind == ALLOCATION_HEAP && allocation->address == address && allocation->context == map->context;
    if (is_one)
        allocation_end(allocation, NULL);
    simulator_unlock();
    return is_one;
}
