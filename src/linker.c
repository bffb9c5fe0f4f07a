/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "linker.h"

#include "base/argument.h"
#include "driver/compilers.h"

#include <stdlib.h>

static const cucore_class cucore_linker_class;

/* The caller's own options come last, so that they can override the fields. */
#define FIELD(kind, field, spelling) CUCORE_OPTION_FIELD(cucore_linker_options, kind, field, spelling)
const cucore_option_field cucore_linker_fields[] = {
    FIELD(FLAG, debug, "-g"),
    FIELD(FLAG, lineinfo, "-lineinfo"),
    FIELD(LEVEL, has_optimization_level, "-O"),
    FIELD(COUNT, max_registers, "-maxrregcount="),
    FIELD(BIT, ftz, "-ftz="),
    FIELD(BIT, prec_sqrt, "-prec-sqrt="),
    FIELD(BIT, prec_div, "-prec-div="),
    FIELD(BIT, fma, "-fma="),
    FIELD(FLAG, verbose, "-verbose"),
    FIELD(FLAG, time, "-time"),
    FIELD(TEXTS, options, ""),
};
#undef FIELD
const size_t cucore_linker_field_count = sizeof cucore_linker_fields / sizeof cucore_linker_fields[0];

static void free_fields(cucore_linker *linker) {
    free(linker->inputs);
    cucore_text_list_free(&linker->options);
    cucore_name_map_free(&linker->names);
    free(linker->error_log.bytes);
    free(linker->info_log.bytes);
}

static bool teardown(void *object, cucore_channel *channel) {
    cucore_linker *linker = object;
    for (size_t i = 0; i < linker->count; i++)
        cucore_object_drop(linker->inputs[i], channel);
    cucore_object_drop(linker->device, channel);
    free_fields(linker);
    return true;
}

static const cucore_class cucore_linker_class = {"linker", teardown, false};

CUCORE_HANDLE(linker)

static bool has_lto(const cucore_linker_request *request) {
    for (size_t i = 0; i < request->count; i++)
        if (request->inputs[i]->kind == CUCORE_OBJECT_CODE_LTO_IR)
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

static int32_t expect_output_kind(const cucore_call *call, cucore_linker_request *request) {
    int32_t *kind = &request->options.kind;
    if (!*kind)
        *kind = CUCORE_OBJECT_CODE_CUBIN;
    if (*kind != CUCORE_OBJECT_CODE_CUBIN && *kind != CUCORE_OBJECT_CODE_PTX)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": options->kind is %d, not CUCORE_OBJECT_CODE_CUBIN or CUCORE_OBJECT_CODE_PTX", (int)*kind);
    if (*kind == CUCORE_OBJECT_CODE_PTX && !has_lto(request))
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": PTX is made from LTO-IR, and no input is of that kind");
    return CUCORE_OK;
}

/* nvJitLink's options, whichever linker it will be: making them checks them. Two follow from the inputs and from what is to be
 * made. */
static int32_t make_options(const cucore_call *call, cucore_text_list *texts, const cucore_linker_request *request) {
    const cucore_linker_options *options = &request->options;
    int32_t code = cucore_compile_options_add_arch(call, texts, "-arch=", options->arch, request->device);
    if (!code)
        code = cucore_compile_options_add(call, texts, cucore_linker_fields, cucore_linker_field_count, options);
    if (!code && has_lto(request))
        code = cucore_text_list_add(call, texts, "-lto", cucore_text_of(""));
    if (!code && options->kind == CUCORE_OBJECT_CODE_PTX)
        code = cucore_text_list_add(call, texts, "-ptx", cucore_text_of(""));
    return code;
}

static int32_t load_nvjitlink(const cucore_call *call) {
    int32_t code = cucore_compiler_load(call, CUCORE_COMPILER_NVJITLINK);
    return code ? code : cucore_compiler_expect_driver_major(call, CUCORE_COMPILER_NVJITLINK);
}

/* nvJitLink, or the driver's linker where there is no nvJitLink that makes what the driver takes. */
static int32_t choose_backend(const cucore_call *call, const cucore_linker_request *request,
                              const cucore_linker_backend **backend) {
    cucore_status *why = NULL;
    const cucore_call attempt = {call->function, &why};
    int32_t code = load_nvjitlink(&attempt);
    *backend = code ? &cucore_linker_driver : &cucore_linker_nvjitlink;
    if (!code)
        return CUCORE_OK;
    if (code != CUCORE_NOT_FOUND && code != CUCORE_NOT_SUPPORTED)
        return cucore_fail_with(call, why);
    code = cucore_linker_driver_suits(call, request);
    if (code)
        cucore_note_failure(call, CUCORE_NOTE_CAUSE, why);
    else
        cucore_status_release(why);
    return code;
}

int32_t cucore_linker_fail(const cucore_call *call, cucore_linker *linker, int64_t result, const char *function) {
    const cucore_linker_backend *backend = linker->backend;
    cucore_status *no_log = backend->fetch_logs(linker);
    const cucore_native native = {backend->destroy.domain, result, function, cucore_raw(linker->raw), linker->error_log.bytes,
                                  linker->error_log.size};
    int32_t code = cucore_native_fail(call, &native);
    backend->note(call);
    cucore_compile_options_note(call, &linker->options, linker->options.count);
    cucore_compile_output_no_log(call, true, no_log);
    return code;
}

static int32_t keep_inputs(const cucore_call *call, cucore_linker *linker, const cucore_linker_request *request) {
    cucore_object_code **inputs = malloc(request->count * sizeof *inputs);
    if (!inputs)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for %zu inputs", request->count);
    for (size_t i = 0; i < request->count; i++)
        inputs[i] = cucore_object_code_retain(request->inputs[i]);
    linker->inputs = inputs;
    linker->count = request->count;
    return CUCORE_OK;
}

/* Takes the options' texts. */
static cucore_linker *make_linker(const cucore_call *call, const cucore_linker_request *request,
                                  const cucore_linker_backend *backend, cucore_text_list *texts) {
    cucore_linker *linker = cucore_object_allocate(call, &cucore_linker_class, backend->size);
    if (!linker)
        return NULL;
    if (keep_inputs(call, linker, request)) {
        cucore_object_discard(linker);
        return NULL;
    }
    linker->backend = backend;
    linker->output_kind = request->options.kind;
    linker->options = *texts;
    *texts = (cucore_text_list){0};
    if (backend->prepare)
        backend->prepare(linker, request);
    linker->device = cucore_device_retain(request->device);
    return linker;
}

static cucore_linker *make_checked(const cucore_call *call, cucore_linker_request *request) {
    const cucore_linker_backend *backend = NULL;
    cucore_text_list texts = {0};
    cucore_linker *linker = NULL;
    int32_t code = expect_output_kind(call, request);
    if (!code)
        code = make_options(call, &texts, request);
    if (!code)
        code = choose_backend(call, request, &backend);
    if (!code)
        linker = make_linker(call, request, backend, &texts);
    cucore_text_list_free(&texts);
    return linker;
}

cucore_linker *cucore_linker_create(cucore_device *device, cucore_object_code *const *inputs, size_t count,
                                    const cucore_linker_options *options, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_linker_request request = {device, inputs, count, {0}};
    if ((device && cucore_expect(&call, device, &cucore_device_class, "device")) || expect_inputs(&call, inputs, count) ||
        cucore_read_options(&call, options, &request.options, sizeof request.options, sizeof request.options))
        return NULL;
    return make_checked(&call, &request);
}

int32_t cucore_linker_kind(const cucore_linker *linker) {
    return cucore_object_is(linker, &cucore_linker_class) ? linker->backend->kind : 0;
}

static const char *log_out(const cucore_compile_log *log, size_t *size) {
    return log && log->bytes ? cucore_bytes_out(log->bytes, log->size, size) : cucore_bytes_out("", 0, size);
}

const char *cucore_linker_error_log(const cucore_linker *linker, size_t *size) {
    return log_out(cucore_object_is(linker, &cucore_linker_class) ? &linker->error_log : NULL, size);
}

const char *cucore_linker_info_log(const cucore_linker *linker, size_t *size) {
    return log_out(cucore_object_is(linker, &cucore_linker_class) ? &linker->info_log : NULL, size);
}

static int32_t add_input(const cucore_call *call, cucore_linker *linker, const cucore_object_code *input) {
    const char *name = input->name[0] ? input->name : "input";
    int64_t result = linker->backend->add(linker, input, name);
    if (result == 0)
        return cucore_name_map_add_all(call, &linker->names, &input->names);
    int32_t code = cucore_linker_fail(call, linker, result, linker->backend->add_call);
    cucore_note(call, CUCORE_NOTE_CAUSE, "the input is %s", name);
    return code;
}

static int32_t complete(const cucore_call *call, cucore_linker *linker) {
    int32_t code = linker->backend->create(call, linker);
    for (size_t i = 0; i < linker->count && !code; i++)
        code = add_input(call, linker, linker->inputs[i]);
    if (code)
        return code;
    int64_t result = linker->backend->complete(linker);
    return result == 0 ? CUCORE_OK : cucore_linker_fail(call, linker, result, linker->backend->complete_call);
}

/* A linker links once, so the names can go along. */
static cucore_object_code *fetch(const cucore_call *call, cucore_linker *linker) {
    cucore_status *no_log = linker->backend->fetch_logs(linker);
    cucore_object_code *code = linker->backend->fetch(call, linker);
    if (code) {
        code->names = linker->names;
        linker->names = (cucore_name_map){0};
    }
    cucore_compile_output_no_log(call, !code, no_log);
    return code;
}

/* What was linked stands, whether or not the link can be destroyed. */
static void end(const cucore_call *call, cucore_linker *linker, bool linked) {
    const cucore_destroy *destroy = &linker->backend->destroy;
    cucore_channel warnings = {.returns = false, .final = true};
    if (linked)
        cucore_destroy_in_teardown(destroy, linker, cucore_raw(linker->raw), &warnings);
    else
        cucore_destroy_as_undo(destroy, linker, cucore_raw(linker->raw), call);
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
    cucore_object_code *linked = complete(&call, linker) ? NULL : fetch(&call, linker);
    if (linker->raw)
        end(&call, linker, linked);
    return linked;
}
