/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "library.h"

#include "base/argument.h"

#include <stdlib.h>
#include <string.h>

static int64_t unload(const void *object) {
    return cucore_cuda.cuLibraryUnload(((const cucore_library *)object)->raw);
}

static const cucore_destroy library_unload = {CUCORE_DOMAIN_DRIVER, "cuLibraryUnload", unload, true, false};

static bool teardown(void *object, cucore_channel *channel) {
    cucore_library *library = object;
    if (!cucore_destroy_in_teardown(&library_unload, library, cucore_raw(library->raw), channel))
        return false;
    cucore_object_drop(library->device, channel);
    cucore_object_drop(library->code, channel);
    return true;
}

const cucore_class cucore_library_class = {"library", teardown, false};

CUCORE_HANDLE(library)

static int32_t expect_loadable(const cucore_call *call, const cucore_object_code *code) {
    int32_t bad = cucore_expect(call, code, &cucore_object_code_class, "code");
    if (!bad && code->kind == CUCORE_OBJECT_CODE_LTO_IR)
        bad = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": code is LTO-IR, which no device can load; link it with a linker first");
    return bad;
}

/* Fails the call with the driver's result and what its JIT said, and says what was being loaded. */
static int32_t load_failed(const cucore_call *call, const cucore_library *library, const cucore_object_code *code, CUresult result,
                           const char *function) {
    const cucore_native native = {CUCORE_DOMAIN_DRIVER,     result,       function,
                                  cucore_raw(library->raw), library->log, strnlen(library->log, sizeof library->log)};
    int32_t failed = cucore_native_fail(call, &native);
    cucore_note(call, CUCORE_NOTE_CAUSE, "loading %s \"%s\" for device %d (%s)",
                code->kind == CUCORE_OBJECT_CODE_PTX ? "PTX" : "the cubin", code->name, (int)library->device->ordinal,
                library->device->arch);
    return failed;
}

int32_t cucore_library_enter(const cucore_call *call, const cucore_library *library, cucore_scope *scope) {
    cucore_context *context = NULL;
    int32_t code = cucore_device_bind(call, library->device, &context);
    return code ? code : cucore_scope_enter(scope, call, context->raw);
}

/* Drivers load lazily: what is wrong with the code shows when its module is asked for, and so does the JIT's log. */
static int32_t check_module(const cucore_call *call, const cucore_library *library, const cucore_object_code *code) {
    cucore_scope scope;
    int32_t failed = cucore_library_enter(call, library, &scope);
    if (failed)
        return failed;
    CUmodule module = NULL;
    CUresult result = cucore_cuda.cuLibraryGetModule(&module, library->raw);
    if (result != CUDA_SUCCESS)
        failed = load_failed(call, library, code, result, "cuLibraryGetModule");
    return cucore_scope_leave(&scope, call, failed);
}

static CUresult load_raw(cucore_library *library, const cucore_object_code *code) {
    library->jit_options[0] = CU_JIT_ERROR_LOG_BUFFER;
    library->jit_values[0] = library->log;
    library->jit_options[1] = CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES;
    library->jit_values[1] = (void *)(uintptr_t)sizeof library->log;
    return cucore_cuda.cuLibraryLoadData(&library->raw, code->data, library->jit_options, library->jit_values, 2, NULL, NULL, 0);
}

static int32_t load(const cucore_call *call, cucore_library *library, const cucore_object_code *code) {
    CUresult result = load_raw(library, code);
    if (result != CUDA_SUCCESS)
        return load_failed(call, library, code, result, "cuLibraryLoadData");
    int32_t failed = check_module(call, library, code);
    if (failed)
        cucore_destroy_as_undo(&library_unload, library, cucore_raw(library->raw), call);
    return failed;
}

cucore_library *cucore_library_load(cucore_device *device, cucore_object_code *code, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, device, &cucore_device_class, "device") || expect_loadable(&call, code))
        return NULL;
    cucore_library *library = cucore_object_allocate(&call, &cucore_library_class, sizeof *library);
    if (!library)
        return NULL;
    library->device = device;
    if (load(&call, library, code)) {
        cucore_object_discard(library);
        return NULL;
    }
    cucore_device_retain(device);
    library->code = cucore_object_code_retain(code);
    return library;
}

CUlibrary cucore_library_raw(const cucore_library *library) {
    return cucore_object_is(library, &cucore_library_class) ? library->raw : NULL;
}

CUCORE_PARENT(library, device, device)
CUCORE_PARENT(library, code, object_code)

int32_t cucore_library_count_kernels(const cucore_call *call, const cucore_library *library, unsigned int *count) {
    int32_t code = CUCORE_CUDA_NEEDS(call, cuLibraryGetKernelCount);
    return code ? code : CUCORE_CUDA(call, cucore_raw(library->raw), cuLibraryGetKernelCount, (count, library->raw));
}

int32_t cucore_library_kernel_count(cucore_library *library, size_t *count, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    unsigned int found = 0;
    int32_t code = cucore_expect(&call, library, &cucore_library_class, "library");
    if (!code)
        code = cucore_expect_pointer(&call, count, "count");
    if (!code)
        code = cucore_library_count_kernels(&call, library, &found);
    if (!code)
        *count = found;
    return code;
}

typedef struct global {
    CUdeviceptr address;
    size_t size;
} global;

static int32_t get_global(const cucore_call *call, const cucore_library *library, const char *symbol, global *found) {
    cucore_scope scope;
    int32_t code = cucore_library_enter(call, library, &scope);
    if (code)
        return code;
    code = CUCORE_CUDA(call, cucore_raw(library->raw), cuLibraryGetGlobal, (&found->address, &found->size, library->raw, symbol));
    if (code)
        cucore_note(call, CUCORE_NOTE_CAUSE, "the variable's name is \"%s\"", symbol);
    return cucore_scope_leave(&scope, call, code);
}

/* The driver wants names NUL-terminated; those of usual length need no memory for that. */
static int32_t find_global(const cucore_call *call, const cucore_library *library, const char *name, size_t size, global *found) {
    char room[256];
    const char *lowered = cucore_name_map_find(&library->code->names, name, size);
    if (lowered)
        return get_global(call, library, lowered, found);
    if (size < sizeof room) {
        memcpy(room, name, size);
        room[size] = '\0';
        return get_global(call, library, room, found);
    }
    char *copy = cucore_copy_text(call, name, size);
    int32_t code = copy ? get_global(call, library, copy, found) : CUCORE_OUT_OF_MEMORY;
    free(copy);
    return code;
}

int32_t cucore_library_global(cucore_library *library, const char *name, size_t name_size, uint64_t *address, size_t *size,
                              cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    global found = {0, 0};
    int32_t code = cucore_expect(&call, library, &cucore_library_class, "library");
    if (!code)
        code = cucore_expect_given_text(&call, name, name_size, "name");
    if (!code)
        code = cucore_expect_pointer(&call, address, "address");
    if (!code)
        code = cucore_expect_pointer(&call, size, "size");
    if (!code)
        code = find_global(&call, library, name, name_size, &found);
    if (code)
        return code;
    *address = found.address;
    *size = found.size;
    return CUCORE_OK;
}
