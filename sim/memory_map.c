/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "allocation.h"
#include "memory.h"
#include "pool.h"

#include <stdlib.h>

struct memory_map {
    size_t count;
    size_t last; /* the range last found */
    struct range {
        uint64_t start;
        uint64_t size;
    } ranges[];
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

struct memory_map *memory_map_create(const struct context *context) {
    struct memory_map *map = calloc(1, sizeof(*map) + count_allocations() * sizeof(map->ranges[0]));
    const struct allocation *allocation;
    for (size_t position = 0; map && (allocation = allocation_next(&position));) {
        if (can_reach(context, allocation))
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
