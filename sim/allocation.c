/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "allocation.h"

#include "call.h"
#include "pool.h"
#include "stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT ((size_t)256)
#define FREED_BYTES_KEPT ((size_t)64 << 20)
#define FREED_COUNT_KEPT ((size_t)4096)

/* By address, freed ones too while they are kept. */
static struct allocation **allocations;
static size_t allocation_count;
static size_t allocation_capacity;
static size_t host_allocated; /* as much as a device has can be pinned */

/* The freed ones, oldest first: kept so that late uses are recognised, and kernels that run cannot touch what malloc gave away. */
static struct allocation *oldest_freed;
static struct allocation **freed_end = &oldest_freed;
static size_t freed_count;
static size_t freed_bytes;

static const char *const kind_names[] = {
    [ALLOCATION_DEVICE] = "memory",     [ALLOCATION_HOST] = "host memory", [ALLOCATION_REGISTERED] = "registered memory",
    [ALLOCATION_VARIABLE] = "variable", [ALLOCATION_HEAP] = "heap memory",
};

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

struct allocation *allocation_before(CUdeviceptr address) {
    size_t beyond = index_beyond(address);
    return beyond ? allocations[beyond - 1] : NULL;
}

struct allocation *allocation_at(CUdeviceptr address) {
    struct allocation *allocation = allocation_before(address);
    if (!allocation || allocation->state == ALLOCATION_FREED || address - allocation->address >= allocation->size)
        return NULL;
    return allocation;
}

struct allocation *allocation_next(size_t *position) {
    while (*position < allocation_count) {
        struct allocation *allocation = allocations[(*position)++];
        if (allocation->state != ALLOCATION_FREED)
            return allocation;
    }
    return NULL;
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

static void forget(struct allocation *allocation) {
    size_t index = index_beyond(allocation->address) - 1;
    memmove(&allocations[index], &allocations[index + 1], (allocation_count - index - 1) * sizeof(*allocations));
    allocation_count--;
    free(allocation);
}

static int has_own_bytes(const struct allocation *allocation) {
    return allocation->kind == ALLOCATION_DEVICE || allocation->kind == ALLOCATION_HOST || allocation->kind == ALLOCATION_HEAP;
}

/* What is counted against the limit of such memory; NULL if nothing is. */
static size_t *counter_of(const struct allocation *allocation) {
    if (!has_own_bytes(allocation))
        return NULL;
    return allocation->kind == ALLOCATION_HOST || !allocation->device ? &host_allocated : &allocation->device->allocated;
}

static CUresult check_room(const struct allocation *wanted) {
    size_t left = DEVICE_MEMORY - *counter_of(wanted);
    if (wanted->size > left)
        return refuse(CUDA_ERROR_OUT_OF_MEMORY, "%zu bytes are more than the %zu that are left", wanted->size, left);
    return wanted->pool ? pool_check_room(wanted->pool, wanted->size) : CUDA_SUCCESS;
}

static int is_watched(const struct allocation *allocation) {
    return simulator.finds_unwritten && (allocation->kind == ALLOCATION_DEVICE || allocation->kind == ALLOCATION_HEAP);
}

static int get_bytes(struct allocation *allocation) {
    void *bytes = aligned_alloc(ALIGNMENT, (allocation->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    allocation->written = bytes && is_watched(allocation) ? calloc(1, allocation->size / 8 + 1) : NULL;
    if (!bytes || (is_watched(allocation) && !allocation->written)) {
        free(bytes);
        return 0;
    }
    allocation->address = (uintptr_t)bytes;
    return 1;
}

static void free_bytes(const struct allocation *allocation) {
    if (has_own_bytes(allocation))
        free((void *)(uintptr_t)allocation->address);
    free(allocation->written);
}

static CUresult fill_in(struct allocation *allocation) {
    allocation->id = simulator_next_id();
    if (!has_own_bytes(allocation))
        return CUDA_SUCCESS;
    CUresult result = check_room(allocation);
    if (result != CUDA_SUCCESS)
        return result;
    if (!get_bytes(allocation))
        return CUDA_ERROR_OUT_OF_MEMORY;
    *counter_of(allocation) += allocation->size;
    if (allocation->pool)
        pool_take(allocation->pool, allocation->size);
    return CUDA_SUCCESS;
}

CUresult allocation_create(const struct allocation *wanted, struct allocation **created) {
    if (wanted->size == 0)
        return CUDA_ERROR_INVALID_VALUE;
    struct allocation *allocation = reserve_allocation() ? malloc(sizeof(*allocation)) : NULL;
    if (!allocation)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *allocation = *wanted;
    CUresult result = fill_in(allocation);
    if (result != CUDA_SUCCESS) {
        free(allocation);
        return result;
    }
    insert(allocation);
    *created = allocation;
    return CUDA_SUCCESS;
}

static void forget_oldest_freed(void) {
    struct allocation *allocation = oldest_freed;
    oldest_freed = allocation->next_freed;
    if (!oldest_freed)
        freed_end = &oldest_freed;
    freed_count--;
    freed_bytes -= allocation->size;
    free_bytes(allocation);
    forget(allocation);
}

static void keep_freed(struct allocation *allocation) {
    allocation->state = ALLOCATION_FREED;
    *freed_end = allocation;
    freed_end = &allocation->next_freed;
    freed_count++;
    freed_bytes += allocation->size;
    while (!streams_are_running() && (freed_bytes > FREED_BYTES_KEPT || freed_count > FREED_COUNT_KEPT))
        forget_oldest_freed();
}

static void check_unused(const struct allocation *allocation, const struct stream *stream) {
    const struct stream *user = stream_using(allocation->address, allocation->size, stream);
    if (user)
        call_violate("%s 0x%llx was freed while stream 0x%" PRIxPTR " has unfinished work that uses it",
                     kind_names[allocation->kind], allocation->address, (uintptr_t)user);
}

void allocation_end(struct allocation *allocation, const struct stream *stream) {
    check_unused(allocation, stream);
    size_t *counter = counter_of(allocation);
    if (counter)
        *counter -= allocation->size;
    if (allocation->pool)
        pool_give_back(allocation->pool, allocation->size);
    if (has_own_bytes(allocation))
        keep_freed(allocation);
    else
        forget(allocation);
}

static int is_written(const struct allocation *allocation, size_t offset) {
    return !allocation || !allocation->written || (allocation->written[offset / 8] >> offset % 8 & 1);
}

static void set_written(const struct allocation *allocation, size_t offset, int written) {
    unsigned bit = 1u << offset % 8;
    unsigned bits = allocation->written[offset / 8];
    allocation->written[offset / 8] = (unsigned char)(written ? bits | bit : bits & ~bit);
}

void allocation_note_written(CUdeviceptr address, CUdeviceptr source, size_t size) {
    const struct allocation *to = allocation_at(address);
    const struct allocation *from = source ? allocation_at(source) : NULL;
    for (size_t i = 0; to && to->written && i < size; i++)
        set_written(to, address - to->address + i, is_written(from, from ? source - from->address + i : 0));
}

static int is_counted(const struct allocation *allocation) {
    return allocation->kind != ALLOCATION_VARIABLE && !allocation->graph;
}

size_t allocations_count(const char *kind) {
    size_t count = 0;
    const struct allocation *allocation;
    for (size_t position = 0; (allocation = allocation_next(&position));)
        count += is_counted(allocation) && (!kind || strcmp(kind, kind_names[allocation->kind]) == 0);
    return count;
}

static void list_one(const struct allocation *allocation, struct writer *list) {
    writer_add(list, "%s 0x%llx of %zu bytes", kind_names[allocation->kind], allocation->address, allocation->size);
    if (allocation->context)
        writer_add(list, " of context 0x%" PRIxPTR "\n", (uintptr_t)allocation->context);
    else if (allocation->device)
        writer_add(list, " of device %d\n", allocation->device->ordinal);
    else
        writer_add(list, " of the host\n");
}

void allocations_list(struct writer *list) {
    const struct allocation *allocation;
    for (size_t position = 0; (allocation = allocation_next(&position));) {
        if (is_counted(allocation))
            list_one(allocation, list);
    }
}

void allocations_reset(void) {
    for (size_t i = 0; i < allocation_count; i++) {
        free_bytes(allocations[i]);
        free(allocations[i]);
    }
    free(allocations);
    allocations = NULL;
    allocation_count = allocation_capacity = host_allocated = 0;
    oldest_freed = NULL;
    freed_end = &oldest_freed;
    freed_count = freed_bytes = 0;
}
