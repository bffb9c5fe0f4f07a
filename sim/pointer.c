/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* What the driver tells of an address. */

#include "allocation.h"
#include "call.h"
#include "pool.h"

#include <string.h>

/* An attribute's value is a number of one of these sizes, or an address. */
struct answer {
    size_t size;
    uint64_t value;
};

enum pointer_attribute {
    ATTRIBUTE_CONTEXT = 1,
    ATTRIBUTE_MEMORY_TYPE,
    ATTRIBUTE_DEVICE_POINTER,
    ATTRIBUTE_HOST_POINTER,
    ATTRIBUTE_BUFFER_ID = 7,
    ATTRIBUTE_IS_MANAGED,
    ATTRIBUTE_DEVICE_ORDINAL,
    ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
    ATTRIBUTE_RANGE_START_ADDR,
    ATTRIBUTE_RANGE_SIZE,
    ATTRIBUTE_MAPPED,
    ATTRIBUTE_ALLOWED_HANDLE_TYPES,
    ATTRIBUTE_ACCESS_FLAGS = 16,
    ATTRIBUTE_MEMPOOL_HANDLE,
};

static int is_on_device(const struct allocation *allocation) {
    return (allocation->kind == ALLOCATION_DEVICE || allocation->kind == ALLOCATION_VARIABLE) && allocation->device;
}

static struct answer number(uint64_t value) {
    return (struct answer){sizeof(int), value};
}

static struct answer wide(uint64_t value) {
    return (struct answer){sizeof(uint64_t), value};
}

static struct answer flag(int value) {
    return (struct answer){sizeof(char), value != 0};
}

static struct answer pointer_answer(const struct allocation *allocation, int attribute, CUdeviceptr address) {
    switch ((enum pointer_attribute)attribute) {
    case ATTRIBUTE_CONTEXT:
        return wide((uintptr_t)allocation->context);
    case ATTRIBUTE_MEMORY_TYPE:
        return number(is_on_device(allocation) ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
    case ATTRIBUTE_DEVICE_POINTER:
        return wide(address);
    case ATTRIBUTE_HOST_POINTER:
        return is_on_device(allocation) ? (struct answer){0, 0} : wide(address);
    case ATTRIBUTE_BUFFER_ID:
        return wide(allocation->id);
    case ATTRIBUTE_IS_MANAGED:
        return flag(0);
    case ATTRIBUTE_DEVICE_ORDINAL:
        return number(allocation->device ? (uint64_t)allocation->device->ordinal : (uint64_t)-2); /* -2: no device, the host */
    case ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
        return flag(0);
    case ATTRIBUTE_RANGE_START_ADDR:
        return wide(allocation->address);
    case ATTRIBUTE_RANGE_SIZE:
        return wide(allocation->size);
    case ATTRIBUTE_MAPPED:
        return flag(1);
    case ATTRIBUTE_ALLOWED_HANDLE_TYPES:
        return wide(0);
    case ATTRIBUTE_ACCESS_FLAGS:
        return number(CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    case ATTRIBUTE_MEMPOOL_HANDLE:
        return wide((uintptr_t)allocation->pool);
    }
    return (struct answer){0, 0};
}

static CUresult get_attribute(void *data, int attribute, const struct allocation *allocation, CUdeviceptr address) {
    struct answer answer = pointer_answer(allocation, attribute, address);
    if (answer.size == 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "0x%llx has no attribute %d", address, attribute);
    memcpy(data, &answer.value, answer.size); /* the low bytes: the machine is little-endian */
    return CUDA_SUCCESS;
}

CUresult sim_cuPointerGetAttribute(void *data, int attribute, CUdeviceptr address) {
    const struct allocation *allocation = allocation_at(address);
    if (!data)
        return CUDA_ERROR_INVALID_VALUE;
    if (!allocation)
        return refuse(CUDA_ERROR_INVALID_VALUE, "0x%llx is not known to the driver", address);
    return get_attribute(data, attribute, allocation, address);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuPointerGetAttributes(unsigned int count, int *attributes, void **data, CUdeviceptr address) {
    static const struct allocation unknown = {.kind = ALLOCATION_VARIABLE};
    const struct allocation *allocation = allocation_at(address);
    if (!attributes || !data || count == 0)
        return CUDA_ERROR_INVALID_VALUE;
    for (unsigned int i = 0; i < count; i++) {
        struct answer answer = pointer_answer(allocation ? allocation : &unknown, attributes[i], address);
        if (!allocation)
            answer.value = attributes[i] == ATTRIBUTE_DEVICE_ORDINAL ? (uint64_t)-2 : 0; /* what is unknown is told by zeros */
        memcpy(data[i], &answer.value, answer.size);
    }
    return CUDA_SUCCESS;
}

CUresult sim_cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size, CUdeviceptr address) {
    const struct allocation *allocation = allocation_at(address);
    if (!allocation)
        return refuse(CUDA_ERROR_NOT_FOUND, "0x%llx is not known to the driver", address);
    if (base)
        *base = allocation->address;
    if (size)
        *size = allocation->size;
    return CUDA_SUCCESS;
}
