/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "allocation.h"
#include "memory.h"
#include "pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct memory_map {
    size_t count;
    ptx_range ranges[];
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
            map->ranges[map->count++] = (ptx_range){.start = allocation->address, .size = allocation->size};
    }
    return map;
}

int memory_map_find(void *data, uint64_t address, ptx_range *range) {
    const struct memory_map *map = data;
    size_t low = 0;
    size_t high = map->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (map->ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address - map->ranges[low - 1].start >= map->ranges[low - 1].size)
        return 0;
    *range = map->ranges[low - 1];
    return 1;
}

/* The live memory nearest to an address: before it or after it. */
static const ptx_range *nearest(const struct memory_map *map, uint64_t address) {
    const ptx_range *found = NULL;
    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < map->count; i++) {
        const ptx_range *range = &map->ranges[i];
        uint64_t distance = address < range->start ? range->start - address : address - (range->start + range->size);
        if (address - range->start < range->size)
            distance = 0;
        if (distance < least) {
            least = distance;
            found = range;
        }
    }
    return found;
}

static void describe_live(const ptx_range *range, uint64_t address, char *text, size_t size) {
    const char *where = address < range->start ? "before" : address - range->start < range->size ? "into" : "after the end of";
    uint64_t distance = address < range->start ? range->start - address : address - range->start;
    if (address - range->start >= range->size && address > range->start)
        distance -= range->size;
    snprintf(text, size, ", %" PRIu64 " bytes %s the nearest allocation, of %" PRIu64 " bytes at 0x%" PRIx64, distance, where,
             range->size, range->start);
}

void memory_map_describe(void *data, uint64_t address, char *text, size_t size) {
    const ptx_range *range = nearest(data, address);
    if (range)
        describe_live(range, address, text, size);
    else
        snprintf(text, size, ", and no memory is allocated");
}
