/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* Pinned host memory: the driver's own, and the program's that is registered. Devices use it at the same addresses. */

#include "allocation.h"
#include "call.h"
#include "stream.h"

enum { HOST_ALLOC_FLAGS = 7, HOST_REGISTER_FLAGS = 15 };

static CUresult allocate_host(void **address, size_t size, unsigned int flags) {
    struct context *context = NULL;
    struct allocation *allocation = NULL;
    CUresult result = address ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    const struct allocation wanted = {
        .size = size, .kind = ALLOCATION_HOST, .device = context->device, .context = context, .flags = flags};
    result = allocation_create(&wanted, &allocation);
    if (result == CUDA_SUCCESS)
        *address = (void *)(uintptr_t)allocation->address;
    return result;
}

CUresult sim_cuMemAllocHost_v2(void **address, size_t size) {
    return allocate_host(address, size, 0);
}

CUresult sim_cuMemHostAlloc(void **address, size_t size, unsigned int flags) {
    return flags <= HOST_ALLOC_FLAGS ? allocate_host(address, size, flags) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult end_host(struct allocation *allocation) {
    CUresult result = context_check(allocation->context);
    streams_leave_memory(allocation->address, allocation->size);
    allocation_end(allocation, NULL);
    return result;
}

CUresult sim_cuMemFreeHost(void *address) {
    struct allocation *allocation = allocation_before((uintptr_t)address);
    if (!address)
        return CUDA_ERROR_INVALID_VALUE;
    if (!allocation || allocation->address != (uintptr_t)address || allocation->kind != ALLOCATION_HOST)
        return violation(CUDA_ERROR_INVALID_VALUE, "Allocation not found: %p is no memory of cuMemAllocHost", address);
    if (allocation->state == ALLOCATION_FREED)
        return violation(CUDA_ERROR_INVALID_VALUE, "Allocation not found: %p was freed already", address);
    return end_host(allocation);
}

/* The pinned memory that an address lies in, or NULL. */
static struct allocation *pinned_at(const void *address) {
    struct allocation *allocation = allocation_at((uintptr_t)address);
    return allocation && allocation->kind <= ALLOCATION_REGISTERED && allocation->kind != ALLOCATION_DEVICE ? allocation : NULL;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuMemHostGetDevicePointer_v2(CUdeviceptr *device, void *address, unsigned int flags) {
    if (!device || flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!pinned_at(address))
        return refuse(CUDA_ERROR_INVALID_VALUE, "%p is no pinned host memory", address);
    *device = (uintptr_t)address;
    return CUDA_SUCCESS;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuMemHostGetFlags(unsigned int *flags, void *address) {
    const struct allocation *allocation = pinned_at(address);
    if (!flags || !allocation || allocation->kind != ALLOCATION_HOST)
        return CUDA_ERROR_INVALID_VALUE;
    *flags = allocation->flags;
    return CUDA_SUCCESS;
}

static int overlaps_known(CUdeviceptr address, size_t size) {
    const struct allocation *last = allocation_before(address + size - 1);
    return last && last->state != ALLOCATION_FREED && last->address + last->size > address;
}

CUresult sim_cuMemHostRegister_v2(void *address, size_t size, unsigned int flags) {
    struct context *context = NULL;
    struct allocation *allocation = NULL;
    if (!address || size == 0 || size > UINTPTR_MAX - (uintptr_t)address || flags > HOST_REGISTER_FLAGS)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = context_current(&context);
    if (result != CUDA_SUCCESS)
        return result;
    if (overlaps_known((uintptr_t)address, size))
        return refuse(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "Some of the %zu bytes at %p are known to the driver already",
                      size, address);
    const struct allocation wanted = {.address = (uintptr_t)address,
                                      .size = size,
                                      .kind = ALLOCATION_REGISTERED,
                                      .device = context->device,
                                      .context = context,
                                      .flags = flags};
    return allocation_create(&wanted, &allocation);
}

CUresult sim_cuMemHostUnregister(void *address) {
    struct allocation *allocation = pinned_at(address);
    if (!allocation || allocation->kind != ALLOCATION_REGISTERED || allocation->address != (uintptr_t)address)
        return violation(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "No memory is registered at %p", address);
    return end_host(allocation);
}
