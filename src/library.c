/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "library.h"

#include "base/argument.h"
#include "driver/scope.h"
#include "object_code.h"

#include <string.h>

static int64_t unload(const void *object) {
    return cucore_cuda.cuLibraryUnload(((const cucore_library *)object)->raw);
}

static const cucore_destroy library_unload = {CUCORE_DOMAIN_DRIVER, "cuLibraryUnload", unload, true};

static void teardown(void *object, cucore_channel *channel) {
    cucore_library *library = object;
    cucore_destroy_in_teardown(&library_unload, library, cucore_raw(library->raw), channel);
    cucore_object_drop(library->device, channel);
}

const cucore_class cucore_library_class = {"library", teardown};

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

/* Drivers load lazily: what is wrong with the code shows when its module is asked for, and so does the JIT's log. */
static int32_t check_module(const cucore_call *call, const cucore_library *library, const cucore_object_code *code) {
    cucore_context *context = NULL;
    cucore_scope scope;
    int32_t failed = cucore_device_bind(call, library->device, &context);
    if (!failed)
        failed = cucore_scope_enter(&scope, call, context->raw);
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
    return library;
}

CUlibrary cucore_library_raw(const cucore_library *library) {
    return cucore_object_is(library, &cucore_library_class) ? library->raw : NULL;
}

CUCORE_PARENT(library, device, device)
