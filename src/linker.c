/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/linker.h"

#include "base/argument.h"
#include "base/warning.h"
#include "compile_options.h"
#include "driver/compilers.h"
#include "object_code.h"

#include <stdlib.h>
#include <string.h>

static const cucore_class cucore_linker_class;

struct cucore_linker {
    cucore_object object;
    nvJitLinkHandle raw;
    int32_t kind; /* what it makes */
    bool used;
    cucore_compile_options options;
};

static int64_t destroy(const void *object) {
    nvJitLinkHandle raw = ((const cucore_linker *)object)->raw;
    return cucore_nvjitlink.nvJitLinkDestroy(&raw);
}

static const cucore_destroy linker_destroy = {CUCORE_DOMAIN_NVJITLINK, "nvJitLinkDestroy", destroy};

static void teardown(void *object, cucore_channel *channel) {
    cucore_linker *linker = object;
    cucore_destroy_in_teardown(&linker_destroy, linker, cucore_raw(linker->raw), channel);
    cucore_compile_options_free(&linker->options);
}

static const cucore_class cucore_linker_class = {"linker", teardown};

CUCORE_HANDLE(linker)

static bool has_lto(cucore_object_code *const *inputs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (inputs[i]->kind == CUCORE_OBJECT_CODE_LTO_IR)
            return true;
    return false;
}

static int32_t expect_inputs(const cucore_call *call, cucore_object_code *const *inputs, size_t count) {
    int32_t code = cucore_expect_pointer(call, inputs, "inputs");
    if (!code && !count)
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": count is 0; there is nothing to link");
    for (size_t i = 0; i < count && !code; i++)
        code = cucore_expect(call, inputs[i], &cucore_object_code_class, "an input");
    return code;
}

static int32_t read_options(const cucore_call *call, const cucore_linker_options *options, cucore_linker_options *known) {
    int32_t code = cucore_read_options(call, options, known, sizeof *known, sizeof *known);
    if (!code)
        code = cucore_expect_zero(call, (uint64_t)known->reserved, "options->reserved");
    if (!code && !known->kind)
        known->kind = CUCORE_OBJECT_CODE_CUBIN;
    if (!code && known->kind != CUCORE_OBJECT_CODE_CUBIN && known->kind != CUCORE_OBJECT_CODE_PTX)
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": options->kind is %d, not CUCORE_OBJECT_CODE_CUBIN or CUCORE_OBJECT_CODE_PTX", (int)known->kind);
    return code;
}

/* nvJitLink's own options follow from the inputs and from what is to be made. */
static int32_t make_options(const cucore_call *call, cucore_linker *linker, const cucore_device *device, bool lto,
                            const cucore_linker_options *options) {
    int32_t code = cucore_compile_options_begin(call, &linker->options, "-arch=", &options->arch, device);
    if (!code && lto)
        code = cucore_compile_options_add(call, &linker->options, "-lto", 4);
    if (!code && linker->kind == CUCORE_OBJECT_CODE_PTX)
        code = cucore_compile_options_add(call, &linker->options, "-ptx", 4);
    return code ? code : cucore_compile_options_add_all(call, &linker->options, options->options, options->option_count);
}

typedef nvJitLinkResult (*get_size)(nvJitLinkHandle handle, size_t *size);
typedef nvJitLinkResult (*get_log)(nvJitLinkHandle handle, char *log);

/* One of nvJitLink's two logs, from malloc; NULL if it is empty or cannot be had. */
static char *fetch_log(nvJitLinkHandle raw, get_size size_of, get_log get, size_t *size) {
    size_t room = 0;
    *size = 0;
    if (size_of(raw, &room) != NVJITLINK_SUCCESS || room <= 1)
        return NULL;
    char *log = calloc(1, room + 1);
    if (!log || get(raw, log) != NVJITLINK_SUCCESS) {
        free(log);
        return NULL;
    }
    *size = strlen(log);
    return log;
}

/* Fails the call with nvJitLink's result, its error log, and what it was asked to do. */
static int32_t link_failed(const cucore_call *call, const cucore_linker *linker, nvJitLinkResult result, const char *function) {
    size_t log_size = 0;
    char *log = linker->raw ? fetch_log(linker->raw, cucore_nvjitlink.nvJitLinkGetErrorLogSize,
                                        cucore_nvjitlink.nvJitLinkGetErrorLog, &log_size)
                            : NULL;
    const cucore_native native = {CUCORE_DOMAIN_NVJITLINK, result, function, cucore_raw(linker->raw), log, log_size};
    int32_t code = cucore_native_fail(call, &native);
    free(log);
    cucore_compiler_note(call, CUCORE_COMPILER_NVJITLINK, linker->options.texts, linker->options.count);
    return code;
}

static nvJitLinkInputType input_type(int32_t kind) {
    switch (kind) {
    case CUCORE_OBJECT_CODE_PTX:
        return NVJITLINK_INPUT_PTX;
    case CUCORE_OBJECT_CODE_LTO_IR:
        return NVJITLINK_INPUT_LTOIR;
    default:
        return NVJITLINK_INPUT_CUBIN;
    }
}

static int32_t add_input(const cucore_call *call, const cucore_linker *linker, const cucore_object_code *input) {
    const char *name = input->name[0] ? input->name : "input";
    nvJitLinkResult result =
        cucore_nvjitlink.nvJitLinkAddData(linker->raw, input_type(input->kind), input->data, input->size, name);
    if (result == NVJITLINK_SUCCESS)
        return CUCORE_OK;
    int32_t code = link_failed(call, linker, result, "nvJitLinkAddData");
    cucore_note(call, CUCORE_NOTE_CAUSE, "the input is %s", name);
    return code;
}

/* A failed nvJitLinkCreate may leave a handle, for its log. */
static int32_t create_raw(const cucore_call *call, cucore_linker *linker) {
    const char **options = (const char **)linker->options.texts;
    nvJitLinkResult result = cucore_nvjitlink.nvJitLinkCreate(&linker->raw, (uint32_t)linker->options.count, options);
    return result == NVJITLINK_SUCCESS ? CUCORE_OK : link_failed(call, linker, result, "nvJitLinkCreate");
}

static int32_t create(const cucore_call *call, cucore_linker *linker, cucore_object_code *const *inputs, size_t count) {
    int32_t code = create_raw(call, linker);
    for (size_t i = 0; i < count && !code; i++)
        code = add_input(call, linker, inputs[i]);
    if (code && linker->raw)
        cucore_destroy_as_undo(&linker_destroy, linker, cucore_raw(linker->raw), call);
    return code;
}

static cucore_linker *make_linker(const cucore_call *call, const cucore_device *device, cucore_object_code *const *inputs,
                                  size_t count, const cucore_linker_options *options) {
    cucore_linker *linker = cucore_object_allocate(call, &cucore_linker_class, sizeof *linker);
    if (!linker)
        return NULL;
    linker->kind = options->kind;
    if (make_options(call, linker, device, has_lto(inputs, count), options) || create(call, linker, inputs, count)) {
        cucore_compile_options_free(&linker->options);
        cucore_object_discard(linker);
        return NULL;
    }
    return linker;
}

cucore_linker *cucore_linker_create(cucore_device *device, cucore_object_code *const *inputs, size_t count,
                                    const cucore_linker_options *options, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_linker_options known;
    if ((device && cucore_expect(&call, device, &cucore_device_class, "device")) || expect_inputs(&call, inputs, count) ||
        read_options(&call, options, &known))
        return NULL;
    if (known.kind == CUCORE_OBJECT_CODE_PTX && !has_lto(inputs, count)) {
        cucore_fail(&call, CUCORE_INVALID_ARGUMENT, ": PTX is made from LTO-IR, and no input is of that kind");
        return NULL;
    }
    if (cucore_compiler_load(&call, CUCORE_COMPILER_NVJITLINK))
        return NULL;
    return make_linker(&call, device, inputs, count, &known);
}

void *cucore_linker_raw(const cucore_linker *linker) {
    return cucore_object_is(linker, &cucore_linker_class) ? linker->raw : NULL;
}

/* The size of PTX counts its NUL. */
static cucore_object_code *fetch_ptx(const cucore_call *call, const cucore_linker *linker) {
    const uint64_t resource = cucore_raw(linker->raw);
    size_t size = 0;
    if (CUCORE_NVJITLINK(call, resource, nvJitLinkGetLinkedPtxSize, (linker->raw, &size)))
        return NULL;
    cucore_object_code *code = cucore_object_code_allocate(call, CUCORE_OBJECT_CODE_PTX, size ? size - 1 : 0, "linked.ptx", 10);
    if (code && CUCORE_NVJITLINK(call, resource, nvJitLinkGetLinkedPtx, (linker->raw, code->data))) {
        cucore_object_code_release(code);
        return NULL;
    }
    return code;
}

static cucore_object_code *fetch_cubin(const cucore_call *call, const cucore_linker *linker) {
    const uint64_t resource = cucore_raw(linker->raw);
    size_t size = 0;
    if (CUCORE_NVJITLINK(call, resource, nvJitLinkGetLinkedCubinSize, (linker->raw, &size)))
        return NULL;
    cucore_object_code *code = cucore_object_code_allocate(call, CUCORE_OBJECT_CODE_CUBIN, size, "linked.cubin", 12);
    if (code && CUCORE_NVJITLINK(call, resource, nvJitLinkGetLinkedCubin, (linker->raw, code->data))) {
        cucore_object_code_release(code);
        return NULL;
    }
    return code;
}

cucore_object_code *cucore_linker_link(cucore_linker *linker, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, linker, &cucore_linker_class, "linker"))
        return NULL;
    if (linker->used) {
        cucore_fail(&call, CUCORE_INVALID_STATE, ": the linker has linked before; make another");
        return NULL;
    }
    linker->used = true;
    nvJitLinkResult result = cucore_nvjitlink.nvJitLinkComplete(linker->raw);
    if (result != NVJITLINK_SUCCESS) {
        link_failed(&call, linker, result, "nvJitLinkComplete");
        return NULL;
    }
    cucore_object_code *code = linker->kind == CUCORE_OBJECT_CODE_PTX ? fetch_ptx(&call, linker) : fetch_cubin(&call, linker);
    if (code)
        code->log =
            fetch_log(linker->raw, cucore_nvjitlink.nvJitLinkGetInfoLogSize, cucore_nvjitlink.nvJitLinkGetInfoLog, &code->log_size);
    return code;
}
