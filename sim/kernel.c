/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "library.h"

#include "call.h"

#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 1024
#define REGISTERS 32

enum {
    ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    ATTRIBUTE_CONST_SIZE_BYTES,
    ATTRIBUTE_LOCAL_SIZE_BYTES,
    ATTRIBUTE_NUM_REGS,
    ATTRIBUTE_PTX_VERSION,
    ATTRIBUTE_BINARY_VERSION,
    ATTRIBUTE_CACHE_MODE_CA,
    ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT = 9,
    ATTRIBUTES_END = 16,
};

static void ended(struct object *object) {
    struct kernel *kernel = (struct kernel *)object;
    free(kernel->name);
    kernel->name = NULL;
}

struct kernel *kernel_of(struct library *library, struct context *context, const ptx_kernel *entry) {
    struct kernel *kernel;
    for (size_t position = 0; (kernel = object_next(OBJECT_KERNEL, &position));) {
        const struct object *object = &kernel->object;
        if (object->state == OBJECT_LIVE && object->library == library && object->context == context && kernel->entry == entry)
            return kernel;
    }
    kernel = object_create(OBJECT_KERNEL, context);
    if (!kernel)
        return NULL;
    kernel->object.listed = 0;
    kernel->object.library = library;
    kernel->object.ended = ended;
    kernel->entry = entry;
    kernel->carveout = -1;
    return kernel;
}

static uint32_t shared_bytes_left(const struct kernel *kernel) {
    uint32_t used = ptx_shared_size(kernel->entry);
    return used < MAX_SHARED_BYTES_PER_BLOCK ? MAX_SHARED_BYTES_PER_BLOCK - used : 0;
}

uint32_t kernel_shared_bytes_limit(const struct kernel *kernel) {
    uint32_t asked = (uint32_t)kernel->max_dynamic_shared_bytes;
    uint32_t left = shared_bytes_left(kernel);
    return asked > left ? asked : left;
}

static CUresult parameter_info(const struct kernel *kernel, size_t index, size_t *offset, size_t *size) {
    size_t count = ptx_parameter_count(kernel->entry);
    if (index >= count)
        return refuse(CUDA_ERROR_INVALID_VALUE, "paramIndex %zu outside of kernel parameter count %zu", index, count);
    *offset = ptx_parameter_offset(kernel->entry, index);
    if (size)
        *size = ptx_parameter_size(kernel->entry, index);
    return CUDA_SUCCESS;
}

static CUresult find_parameter(const void *raw, size_t index, size_t *offset, size_t *size) {
    struct context *context = NULL;
    struct kernel *found = NULL;
    CUresult result = offset ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_KERNEL, raw, &found);
    return result == CUDA_SUCCESS ? parameter_info(found, index, offset, size) : result;
}

CUresult sim_cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
    return find_parameter(kernel, index, offset, size);
}

CUresult sim_cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
    return find_parameter(function, index, offset, size);
}

static CUresult get_attribute(const struct kernel *kernel, int attribute, int *value) {
    const int architecture = (int)devices_architecture()->number;
    const int values[ATTRIBUTES_END] = {
        [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = MAX_THREADS_PER_BLOCK,
        [ATTRIBUTE_SHARED_SIZE_BYTES] = (int)ptx_shared_size(kernel->entry),
        [ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)ptx_local_size(kernel->entry),
        [ATTRIBUTE_NUM_REGS] = REGISTERS,
        [ATTRIBUTE_PTX_VERSION] = architecture,
        [ATTRIBUTE_BINARY_VERSION] = architecture,
        [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] =
            kernel->max_dynamic_shared_bytes ? (int)kernel->max_dynamic_shared_bytes : (int)kernel_shared_bytes_limit(kernel),
        [ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = kernel->carveout,
    };
    if (attribute < 0 || attribute >= ATTRIBUTES_END)
        return refuse(CUDA_ERROR_INVALID_VALUE, "There is no function attribute %d", attribute);
    *value = values[attribute];
    return CUDA_SUCCESS;
}

static CUresult set_attribute(struct kernel *kernel, int attribute, int value) {
    int64_t left = (int64_t)devices_architecture()->shared_bytes_optin - ptx_shared_size(kernel->entry);
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 && value <= left)
        kernel->max_dynamic_shared_bytes = value;
    else if (attribute == ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT && value >= -1 && value <= 100)
        kernel->carveout = value;
    else
        return refuse(CUDA_ERROR_INVALID_VALUE, "Function attribute %d cannot be %d", attribute, value);
    return CUDA_SUCCESS;
}

/* A kernel is found with no context current, if the device is named. */
static CUresult find_for_device(const void *raw, CUdevice ordinal, struct kernel **kernel) {
    struct device *device = NULL;
    CUresult result = device_find(ordinal, &device);
    return result == CUDA_SUCCESS ? object_find(OBJECT_KERNEL, raw, kernel) : result;
}

CUresult sim_cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
    struct kernel *found = NULL;
    CUresult result = value ? find_for_device(kernel, device, &found) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? get_attribute(found, (int)attribute, value) : result;
}

CUresult sim_cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    struct kernel *found = NULL;
    CUresult result = find_for_device(kernel, device, &found);
    return result == CUDA_SUCCESS ? set_attribute(found, (int)attribute, value) : result;
}

CUresult sim_cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    struct kernel *found = NULL;
    CUresult result = value ? object_find(OBJECT_KERNEL, function, &found) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? get_attribute(found, (int)attribute, value) : result;
}

CUresult sim_cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    struct kernel *found = NULL;
    CUresult result = object_find(OBJECT_KERNEL, function, &found);
    return result == CUDA_SUCCESS ? set_attribute(found, (int)attribute, value) : result;
}

static CUresult get_name(const char **name, const void *raw) {
    struct kernel *found = NULL;
    CUresult result = name ? object_find(OBJECT_KERNEL, raw, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    if (!found->name)
        found->name = calloc(1, NAME_SIZE);
    if (!found->name)
        return CUDA_ERROR_OUT_OF_MEMORY;
    ptx_copy_name(found->entry, found->name, NAME_SIZE);
    *name = found->name;
    return CUDA_SUCCESS;
}

CUresult sim_cuKernelGetName(const char **name, CUkernel kernel) {
    return get_name(name, kernel);
}

CUresult sim_cuFuncGetName(const char **name, CUfunction function) {
    return get_name(name, function);
}

CUresult sim_cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    struct context *context = NULL;
    struct kernel *from = NULL;
    CUresult result = function ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_KERNEL, kernel, &from);
    if (result != CUDA_SUCCESS)
        return result;
    struct kernel *found = kernel_of(from->object.library, context, from->entry);
    if (!found)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *function = (CUfunction)found;
    return CUDA_SUCCESS;
}

CUresult sim_cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
    struct kernel *found = NULL;
    CUresult result = library ? object_find(OBJECT_KERNEL, kernel, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *library = (CUlibrary)found->object.library;
    return result;
}

CUresult sim_cuLibraryGetKernelCount(unsigned int *count, CUlibrary library) {
    struct library *found = NULL;
    CUresult result = count ? object_find(OBJECT_LIBRARY, library, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *count = library_load(found) == CUDA_SUCCESS ? (unsigned int)ptx_kernel_count(found->image->module) : 0;
    return CUDA_SUCCESS; /* also for code that turns out to be none: as of the real driver, it fails when a kernel is asked for */
}

CUresult kernels_list(struct library *library, struct context *context, unsigned int count, void **kernels) {
    CUresult result = library_load(library);
    for (unsigned int i = 0; result == CUDA_SUCCESS && i < count; i++) {
        const ptx_kernel *entry = ptx_kernel_at(library->image->module, i);
        struct kernel *kernel = entry ? kernel_of(library, context, entry) : NULL;
        if (entry && !kernel)
            return CUDA_ERROR_OUT_OF_MEMORY;
        if (entry)
            kernels[i] = kernel;
    }
    return result;
}

CUresult sim_cuLibraryEnumerateKernels(CUkernel *kernels, unsigned int count, CUlibrary library) {
    struct library *from = NULL;
    CUresult result = kernels ? object_find(OBJECT_LIBRARY, library, &from) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? kernels_list(from, NULL, count, (void **)kernels) : result;
}

/* Only kept in mind: the simulated device has no such cache. */
static CUresult set_cache_config(struct kernel *kernel, int config) {
    if (!cache_config_exists(config))
        return refuse(CUDA_ERROR_INVALID_VALUE, "There is no cache configuration %d", config);
    kernel->cache_config = config;
    return CUDA_SUCCESS;
}

CUresult sim_cuKernelSetCacheConfig(CUkernel kernel, int config, CUdevice device) {
    struct kernel *found = NULL;
    CUresult result = find_for_device(kernel, device, &found);
    return result == CUDA_SUCCESS ? set_cache_config(found, config) : result;
}

CUresult sim_cuFuncSetCacheConfig(CUfunction function, int config) {
    struct kernel *found = NULL;
    CUresult result = object_find(OBJECT_KERNEL, function, &found);
    return result == CUDA_SUCCESS ? set_cache_config(found, config) : result;
}
