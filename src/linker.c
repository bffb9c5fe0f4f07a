/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/linker.h"

#include "base/argument.h"
#include "base/warning.h"
#include "compile_options.h"
#include "compile_output.h"
#include "driver/compilers.h"
#include "driver/destroy.h"

#include <stdlib.h>

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

static const cucore_destroy linker_destroy = {CUCORE_DOMAIN_NVJITLINK, "nvJitLinkDestroy", destroy, false};

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
        code = cucore_expect_element(call, inputs[i], &cucore_object_code_class, "inputs", i);
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

CUCORE_COMPILE_OUTPUT(ptx, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetLinkedPtxSize, nvJitLinkGetLinkedPtx)
CUCORE_COMPILE_OUTPUT(cubin, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetLinkedCubinSize,
                      nvJitLinkGetLinkedCubin)
CUCORE_COMPILE_OUTPUT(error_log, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetErrorLogSize, nvJitLinkGetErrorLog)
CUCORE_COMPILE_OUTPUT(info_log, CUCORE_DOMAIN_NVJITLINK, linker, cucore_nvjitlink, nvJitLinkGetInfoLogSize, nvJitLinkGetInfoLog)

/* Fails the call with nvJitLink's result, its error log, and what it was asked to do. */
static int32_t link_failed(const cucore_call *call, const cucore_linker *linker, nvJitLinkResult result, const char *function) {
    const uint64_t resource = cucore_raw(linker->raw);
    char *log = NULL;
    size_t log_size = 0;
    cucore_status *no_log = linker->raw ? cucore_compile_output_log(&error_log, linker, resource, &log, &log_size) : NULL;
    const cucore_native native = {CUCORE_DOMAIN_NVJITLINK, result, function, resource, log, log_size};
    int32_t code = cucore_native_fail(call, &native);
    free(log);
    cucore_compiler_note(call, CUCORE_COMPILER_NVJITLINK, linker->options.texts, linker->options.count);
    if (no_log)
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, no_log);
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

static cucore_object_code *fetch(const cucore_call *call, const cucore_linker *linker) {
    const uint64_t resource = cucore_raw(linker->raw);
    bool is_ptx = linker->kind == CUCORE_OBJECT_CODE_PTX;
    cucore_object_code *code = cucore_compile_output_code(call, is_ptx ? &ptx : &cubin, linker, resource, linker->kind,
                                                          is_ptx ? "linked.ptx" : "linked.cubin");
    if (!code)
        return NULL;
    cucore_status *no_log = cucore_compile_output_log(&info_log, linker, resource, &code->log, &code->log_size);
    if (no_log)
        cucore_warning_emit(no_log);
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
    return fetch(&call, linker);
}
