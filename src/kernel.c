/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "kernel.h"

#include "base/argument.h"
#include "driver/words.h"

#include <stdlib.h>
#include <string.h>

static bool teardown(void *object, cucore_channel *channel) {
    cucore_kernel *kernel = object;
    cucore_object_drop(kernel->library, channel);
    free(kernel->from_malloc);
    return true;
}

const cucore_class cucore_kernel_class = {"kernel", teardown, false};

CUCORE_HANDLE(kernel)

/* A kernel is its library's and needs no destroying, so there is nothing to undo but the handle. */
static void discard(cucore_kernel *kernel) {
    if (!kernel)
        return;
    free(kernel->from_malloc);
    cucore_object_discard(kernel);
}

static void use_room(cucore_kernel *kernel, size_t *numbers, size_t room) {
    kernel->parameter_room = room;
    kernel->parameter_sizes = numbers;
    kernel->parameter_offsets = numbers + room;
}

/* One allocation: the handle, the name. The library is borrowed until all has worked. */
static cucore_kernel *allocate(const cucore_call *call, cucore_library *library, cucore_text name) {
    cucore_kernel *kernel = cucore_object_allocate(call, &cucore_kernel_class, sizeof *kernel + name.size + 1);
    if (!kernel)
        return NULL;
    kernel->library = library;
    kernel->name = (char *)(kernel + 1);
    memcpy(kernel->name, name.data, name.size);
    use_room(kernel, kernel->in_handle, CUCORE_KERNEL_PARAMETERS);
    return kernel;
}

static int32_t make_room(const cucore_call *call, cucore_kernel *kernel) {
    if (kernel->parameter_count < kernel->parameter_room)
        return CUCORE_OK;
    size_t room = 4 * kernel->parameter_room;
    size_t *numbers = malloc(2 * room * sizeof *numbers);
    if (!numbers)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for %zu parameters", room);
    memcpy(numbers, kernel->parameter_sizes, kernel->parameter_count * sizeof *numbers);
    memcpy(numbers + room, kernel->parameter_offsets, kernel->parameter_count * sizeof *numbers);
    free(kernel->from_malloc);
    kernel->from_malloc = numbers;
    use_room(kernel, numbers, room);
    return CUCORE_OK;
}

static int32_t add_parameter(const cucore_call *call, cucore_kernel *kernel, size_t offset, size_t size) {
    int32_t code = make_room(call, kernel);
    if (code)
        return code;
    kernel->parameter_offsets[kernel->parameter_count] = offset;
    kernel->parameter_sizes[kernel->parameter_count++] = size;
    return CUCORE_OK;
}

/* Drivers tell parameters one by one, and say INVALID_VALUE behind the last. */
static int32_t read_each(const cucore_call *call, cucore_kernel *kernel) {
    int32_t code = CUCORE_OK;
    while (!code) {
        size_t offset = 0;
        size_t size = 0;
        CUresult result = cucore_cuda.cuKernelGetParamInfo(kernel->raw, kernel->parameter_count, &offset, &size);
        if (result == CUDA_ERROR_INVALID_VALUE) {
            cucore_words_forget();
            break;
        }
        code = cucore_cuda_result(call, result, "cuKernelGetParamInfo", cucore_raw(kernel->raw));
        if (!code)
            code = add_parameter(call, kernel, offset, size);
    }
    return code;
}

/* Of all that is asked about a kernel only this needs a current context. */
static int32_t read_parameters(const cucore_call *call, cucore_kernel *kernel) {
    cucore_scope scope;
    kernel->knows_parameters = cucore_cuda.cuKernelGetParamInfo != NULL;
    if (!kernel->knows_parameters)
        return CUCORE_OK;
    int32_t code = cucore_library_enter(call, kernel->library, &scope);
    return code ? code : cucore_scope_leave(&scope, call, read_each(call, kernel));
}

static int32_t find(const cucore_call *call, cucore_kernel *kernel) {
    const cucore_library *library = kernel->library;
    const char *lowered = cucore_name_map_find(&library->code->names, kernel->name, strlen(kernel->name));
    const char *symbol = lowered ? lowered : kernel->name;
    int32_t code = CUCORE_CUDA(call, cucore_raw(library->raw), cuLibraryGetKernel, (&kernel->raw, library->raw, symbol));
    if (code)
        cucore_note(call, CUCORE_NOTE_CAUSE, "the kernel's name is \"%s\"", symbol);
    return code ? code : read_parameters(call, kernel);
}

cucore_kernel *cucore_library_kernel(cucore_library *library, const char *name, size_t size, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, library, &cucore_library_class, "library") || cucore_expect_given_text(&call, name, size, "name"))
        return NULL;
    cucore_kernel *kernel = allocate(&call, library, (cucore_text){name, size});
    if (!kernel)
        return NULL;
    if (find(&call, kernel)) {
        discard(kernel);
        return NULL;
    }
    cucore_library_retain(library);
    return kernel;
}

static int32_t wrap(const cucore_call *call, cucore_library *library, CUkernel raw, cucore_kernel **wrapped) {
    const char *name = NULL;
    int32_t code = CUCORE_CUDA(call, cucore_raw(raw), cuKernelGetName, (&name, raw));
    if (code)
        return code;
    *wrapped = allocate(call, library, cucore_text_of(name));
    if (!*wrapped)
        return CUCORE_OUT_OF_MEMORY;
    (*wrapped)->raw = raw;
    return read_parameters(call, *wrapped);
}

static int32_t wrap_all(const cucore_call *call, cucore_library *library, CUkernel *raws, cucore_kernel **made, size_t count) {
    int32_t code =
        CUCORE_CUDA(call, cucore_raw(library->raw), cuLibraryEnumerateKernels, (raws, (unsigned int)count, library->raw));
    for (size_t i = 0; i < count && !code; i++)
        code = wrap(call, library, raws[i], &made[i]);
    return code;
}

/* Until there is a handle of each the caller's array stays as it is. */
static int32_t get_kernels(const cucore_call *call, cucore_library *library, cucore_kernel **kernels, size_t count) {
    CUkernel *raws = calloc(count, sizeof *raws);
    cucore_kernel **made = calloc(count, sizeof *made);
    int32_t code = raws && made ? wrap_all(call, library, raws, made, count)
                                : cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for a list of %zu kernels", count);
    for (size_t i = 0; i < count && made; i++) {
        if (code) {
            discard(made[i]);
            continue;
        }
        kernels[i] = made[i];
        cucore_library_retain(library);
    }
    free(made);
    free(raws);
    return code;
}

int32_t cucore_library_kernels(cucore_library *library, cucore_kernel **kernels, size_t capacity, size_t *total,
                               cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    unsigned int found = 0;
    int32_t code = cucore_expect(&call, library, &cucore_library_class, "library");
    if (!code)
        code = cucore_expect_list(&call, kernels, capacity, total, "kernels");
    if (!code)
        code = CUCORE_CUDA_NEEDS(&call, cuKernelGetName);
    if (!code)
        code = CUCORE_CUDA_NEEDS(&call, cuLibraryEnumerateKernels);
    if (!code)
        code = cucore_library_count_kernels(&call, library, &found);
    size_t count = found < capacity ? found : capacity;
    if (!code && count)
        code = get_kernels(&call, library, kernels, count);
    if (!code)
        *total = found;
    return code;
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

static int32_t expect_parameter(const cucore_call *call, const cucore_kernel *kernel, size_t index, const size_t *out,
                                const char *out_name) {
    int32_t code = expect_known_parameters(call, kernel);
    if (!code)
        code = cucore_expect_pointer(call, out, out_name);
    if (!code && index >= kernel->parameter_count)
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": index is %zu; kernel %s has %zu parameters", index, kernel->name,
                           kernel->parameter_count);
    return code;
}

int32_t cucore_kernel_parameter_size(const cucore_kernel *kernel, size_t index, size_t *size, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_parameter(&call, kernel, index, size, "size");
    if (!code)
        *size = kernel->parameter_sizes[index];
    return code;
}

int32_t cucore_kernel_parameter_offset(const cucore_kernel *kernel, size_t index, size_t *offset, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_parameter(&call, kernel, index, offset, "offset");
    if (!code)
        *offset = kernel->parameter_offsets[index];
    return code;
}

/* The device that an attribute is asked or set for: the library's if the caller names none. */
static int32_t read_device(const cucore_call *call, const cucore_kernel *kernel, const cucore_device **device) {
    int32_t code = cucore_expect(call, kernel, &cucore_kernel_class, "kernel");
    if (!code && *device)
        code = cucore_expect(call, *device, &cucore_device_class, "device");
    if (!code && !*device)
        *device = kernel->library->device;
    return code;
}

int32_t cucore_kernel_attribute(cucore_kernel *kernel, int32_t attribute, cucore_device *device, int32_t *value,
                                cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    const cucore_device *of = device;
    int found = 0;
    int32_t code = read_device(&call, kernel, &of);
    if (!code)
        code = cucore_expect_pointer(&call, value, "value");
    if (!code)
        code = CUCORE_CUDA(&call, cucore_raw(kernel->raw), cuKernelGetAttribute,
                           (&found, (CUfunction_attribute)attribute, kernel->raw, of->raw));
    if (!code)
        *value = found;
    return code;
}

int32_t cucore_kernel_set_attribute(cucore_kernel *kernel, int32_t attribute, cucore_device *device, int32_t value,
                                    cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    const cucore_device *of = device;
    int32_t code = read_device(&call, kernel, &of);
    if (!code)
        code = CUCORE_CUDA(&call, cucore_raw(kernel->raw), cuKernelSetAttribute,
                           ((CUfunction_attribute)attribute, value, kernel->raw, of->raw));
    return code;
}
