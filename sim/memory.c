/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "memory.h"

#include "allocation.h"
#include "call.h"
#include "capture.h"
#include "graph.h"
#include "pool.h"

#include <stdlib.h>

void *memory_bytes(CUdeviceptr address, size_t size) {
    const struct allocation *allocation = allocation_before(address);
    if (!allocation || allocation->state == ALLOCATION_FREED)
        return NULL;
    size_t offset = address - allocation->address;
    return offset <= allocation->size && size <= allocation->size - offset ? (void *)(uintptr_t)address : NULL;
}

int memory_is_known(CUdeviceptr address) {
    const struct allocation *allocation = allocation_before(address);
    return allocation && address - allocation->address < allocation->size;
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

/* Finds what is to be freed: it must be the address of a live allocation of device memory. */
static CUresult find_to_free(CUdeviceptr address, struct allocation **found) {
    struct allocation *allocation = allocation_before(address);
    if (address == 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "Allocation not found");
    if (!allocation || allocation->address != address)
        return violation(CUDA_ERROR_INVALID_VALUE, "Allocation not found: 0x%llx", address);
    if (allocation->state != ALLOCATION_LIVE)
        return violation(CUDA_ERROR_INVALID_VALUE, "Allocation not found: 0x%llx was freed already", address);
    if (allocation->kind != ALLOCATION_DEVICE)
        return violation(CUDA_ERROR_INVALID_VALUE, "Allocation not found: 0x%llx is no device memory", address);
    *found = allocation;
    return CUDA_SUCCESS;
}

static CUresult allocate(const struct allocation *wanted, CUdeviceptr *address) {
    struct allocation *allocation = NULL;
    CUresult result = allocation_create(wanted, &allocation);
    if (result == CUDA_SUCCESS)
        *address = allocation->address;
    return result;
}

CUresult sim_cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
    struct context *context = NULL;
    CUresult result = address ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    const struct allocation wanted = {.size = size, .kind = ALLOCATION_DEVICE, .device = context->device, .context = context};
    return allocate(&wanted, address);
}

static CUresult allocate_from_pool(CUdeviceptr *address, size_t size, struct pool *pool, struct stream *stream) {
    struct allocation wanted = {.size = size, .kind = ALLOCATION_DEVICE, .device = pool->device, .pool = pool};
    wanted.graph = stream->capture ? capture_graph(stream) : NULL;
    CUresult result = allocate(&wanted, address);
    if (result == CUDA_SUCCESS && stream->capture)
        capture_add_node(stream, CU_GRAPH_NODE_TYPE_MEM_ALLOC);
    return result;
}

CUresult sim_cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
    struct stream *on = NULL;
    struct pool *pool = NULL;
    CUresult result = address ? stream_find_to_use(stream, &on) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = pool_of_device(on->object.context->device, &pool);
    return result == CUDA_SUCCESS ? allocate_from_pool(address, size, pool, on) : result;
}

CUresult sim_cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size, CUmemoryPool pool, CUstream stream) {
    struct stream *on = NULL;
    struct pool *from = NULL;
    CUresult result = address ? stream_find_to_use(stream, &on) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_POOL, pool, &from);
    return result == CUDA_SUCCESS ? allocate_from_pool(address, size, from, on) : result;
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
    streams_leave_memory(allocation->address, allocation->size);
    allocation_end(allocation, NULL);
    return result;
}

struct free_work {
    struct work work;
    struct allocation *allocation;
    const struct stream *stream;
};

/* The free is in the drop: it also happens when a fault overtook it. */
static void finish_free(struct work *work) {
    struct free_work *mine = (struct free_work *)work;
    allocation_end(mine->allocation, mine->stream);
    free(mine);
}

static CUresult put_free(struct allocation *allocation, struct stream *stream) {
    struct free_work *work = calloc(1, sizeof(*work));
    if (!work)
        return CUDA_ERROR_OUT_OF_MEMORY;
    work->work.drop = finish_free;
    work->allocation = allocation;
    work->stream = stream;
    allocation->state = ALLOCATION_FREE_QUEUED;
    stream_put(stream, &work->work);
    return CUDA_SUCCESS;
}

/* Memory that was captured is freed by the graph, in its capture. */
static CUresult free_in_graph(const struct allocation *allocation, struct stream *stream) {
    if (!stream->capture || capture_graph(stream) != allocation->graph)
        return refuse(CUDA_ERROR_INVALID_VALUE, "The memory belongs to a graph");
    capture_add_node(stream, CU_GRAPH_NODE_TYPE_MEM_FREE);
    return CUDA_SUCCESS;
}

CUresult sim_cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    struct allocation *allocation = NULL;
    struct stream *on = NULL;
    CUresult found = find_to_free(address, &allocation);
    if (found != CUDA_SUCCESS)
        return found;
    CUresult result = stream_find_to_use(stream, &on);
    if (result == CUDA_SUCCESS && allocation->graph)
        return free_in_graph(allocation, on);
    if (result == CUDA_SUCCESS)
        result = capture_allows_free(on);
    if (result == CUDA_SUCCESS)
        return put_free(allocation, on);
    if (on && result == on->object.context->fault)
        allocation_end(allocation, on);
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

/* Whether an allocation ends with one of these, of which two are NULL. */
static int ends_with(const struct allocation *allocation, const void *context, const void *graph, const void *image) {
    return (context && allocation->context == context) || (graph && allocation->graph == graph) ||
           (image && allocation->image == image);
}

static void end_all_of(const void *context, const void *graph, const void *image) {
    struct allocation *allocation;
    for (size_t position = 0; (allocation = allocation_next(&position));) {
        if (ends_with(allocation, context, graph, image)) {
            allocation_end(allocation, NULL);
            position = 0; /* the table changed */
        }
    }
}

void memory_context_ended(const struct context *context) {
    end_all_of(context, NULL, NULL);
}

void memory_graph_ended(const struct graph *graph) {
    end_all_of(NULL, graph, NULL);
}

void memory_image_ended(const struct image *image) {
    end_all_of(NULL, NULL, image);
}
