/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "kernel.h"

#include "base/argument.h"
#include "driver/scope.h"
#include "driver/words.h"

#include <stdlib.h>
#include <string.h>

static void teardown(void *object, cucore_channel *channel) {
    cucore_object_drop(((cucore_kernel *)object)->library, channel);
}

const cucore_class cucore_kernel_class = {"kernel", teardown};

CUCORE_HANDLE(kernel)

/* Drivers tell parameters one by one, and say INVALID_VALUE behind the last. */
static int32_t count_parameters(const cucore_call *call, CUkernel raw, size_t *count) {
    size_t offset = 0;
    size_t size = 0;
    CUresult result = CUDA_SUCCESS;
    for (*count = 0; result == CUDA_SUCCESS; (*count)++)
        result = cucore_cuda.cuKernelGetParamInfo(raw, *count, &offset, &size);
    (*count)--;
    if (result != CUDA_ERROR_INVALID_VALUE)
        return cucore_cuda_result(call, result, "cuKernelGetParamInfo", cucore_raw(raw));
    cucore_words_forget();
    return CUCORE_OK;
}

static int32_t read_parameters(const cucore_call *call, const cucore_kernel *kernel) {
    int32_t code = CUCORE_OK;
    for (size_t i = 0; i < kernel->parameter_count && !code; i++) {
        size_t offset = 0;
        code = CUCORE_CUDA(call, cucore_raw(kernel->raw), cuKernelGetParamInfo,
                           (kernel->raw, i, &offset, &kernel->parameter_sizes[i]));
    }
    return code;
}

/* One allocation: the handle, the sizes, the name. */
static cucore_kernel *allocate(const cucore_call *call, size_t parameter_count, const char *name) {
    size_t sizes = parameter_count * sizeof(size_t);
    size_t name_room = strlen(name) + 1;
    cucore_kernel *kernel = cucore_object_allocate(call, &cucore_kernel_class, sizeof *kernel + sizes + name_room);
    if (!kernel)
        return NULL;
    kernel->parameter_count = parameter_count;
    kernel->parameter_sizes = (size_t *)(kernel + 1);
    kernel->name = (char *)(kernel->parameter_sizes + parameter_count);
    memcpy(kernel->name, name, name_room);
    return kernel;
}

static cucore_kernel *make_kernel(const cucore_call *call, CUkernel raw, const char *name) {
    size_t count = 0;
    bool knows_parameters = cucore_cuda.cuKernelGetParamInfo != NULL;
    if (knows_parameters && count_parameters(call, raw, &count))
        return NULL;
    cucore_kernel *kernel = allocate(call, count, name);
    if (!kernel)
        return NULL;
    kernel->raw = raw;
    kernel->knows_parameters = knows_parameters;
    if (read_parameters(call, kernel)) {
        cucore_object_discard(kernel);
        return NULL;
    }
    return kernel;
}

/* A kernel is its library's and needs no destroying, so there is nothing to undo but the handle. */
static cucore_kernel *find_in_context(const cucore_call *call, cucore_library *library, const char *name) {
    cucore_context *context = NULL;
    cucore_scope scope;
    if (cucore_device_bind(call, library->device, &context) || cucore_scope_enter(&scope, call, context->raw))
        return NULL;
    CUkernel raw = NULL;
    cucore_kernel *kernel = NULL;
    int32_t code = CUCORE_CUDA(call, cucore_raw(library->raw), cuLibraryGetKernel, (&raw, library->raw, name));
    if (code)
        cucore_note(call, CUCORE_NOTE_CAUSE, "the kernel's name is \"%s\"", name);
    else
        kernel = make_kernel(call, raw, name);
    code = cucore_scope_leave(&scope, call, kernel ? CUCORE_OK : CUCORE_DRIVER);
    if (code && kernel) {
        cucore_object_discard(kernel);
        return NULL;
    }
    return kernel;
}

cucore_kernel *cucore_library_kernel(cucore_library *library, const char *name, size_t size, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, library, &cucore_library_class, "library") || cucore_expect_given_text(&call, name, size, "name"))
        return NULL;
    char *copy = cucore_copy_text(&call, name, size);
    if (!copy)
        return NULL;
    cucore_kernel *kernel = find_in_context(&call, library, copy);
    if (kernel)
        kernel->library = cucore_library_retain(library);
    free(copy);
    return kernel;
}

CUkernel cucore_kernel_raw(const cucore_kernel *kernel) {
    return cucore_object_is(kernel, &cucore_kernel_class) ? kernel->raw : NULL;
}

const char *cucore_kernel_name(const cucore_kernel *kernel, size_t *size) {
    return cucore_text_out(cucore_object_is(kernel, &cucore_kernel_class) ? kernel->name : NULL, size);
}

CUCORE_PARENT(kernel, library, library)

static int32_t expect_known_parameters(const cucore_call *call, const cucore_kernel *kernel) {
    int32_t code = cucore_expect(call, kernel, &cucore_kernel_class, "kernel");
    return code ? code : CUCORE_CUDA_NEEDS(call, cuKernelGetParamInfo);
}

int32_t cucore_kernel_parameter_count(const cucore_kernel *kernel, size_t *count, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_known_parameters(&call, kernel);
    if (!code)
        code = cucore_expect_pointer(&call, count, "count");
    if (!code)
        *count = kernel->parameter_count;
    return code;
}

int32_t cucore_kernel_parameter_size(const cucore_kernel *kernel, size_t index, size_t *size, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_known_parameters(&call, kernel);
    if (!code)
        code = cucore_expect_pointer(&call, size, "size");
    if (!code && index >= kernel->parameter_count)
        code = cucore_fail(&call, CUCORE_INVALID_ARGUMENT, ": index is %zu; kernel %s has %zu parameters", index, kernel->name,
                           kernel->parameter_count);
    if (!code)
        *size = kernel->parameter_sizes[index];
    return code;
}
