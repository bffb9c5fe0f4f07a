/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "driver/scope.h"
#include "linker.h"

#include <string.h>

enum {
    LOG_SIZE = 8192,
    OPTION_COUNT = 10 /* four for the logs, the target, and a row of `rows` each */
};

/* The driver may write to the logs, and to the values of the options that say where they are, until the linker is destroyed. */
typedef struct driver_linker {
    cucore_linker linker;
    unsigned int option_count;
    CUjit_option options[OPTION_COUNT];
    void *values[OPTION_COUNT];
    char error_log[LOG_SIZE];
    char info_log[LOG_SIZE];
    void *cubin; /* the driver's, until the linker is destroyed */
    size_t cubin_size;
} driver_linker;

/* The fields that the driver's linker has an option for. */
static const struct row {
    size_t offset;
    CUjit_option option;
} rows[] = {
    {offsetof(cucore_linker_options, debug), CU_JIT_GENERATE_DEBUG_INFO},
    {offsetof(cucore_linker_options, lineinfo), CU_JIT_GENERATE_LINE_INFO},
    {offsetof(cucore_linker_options, has_optimization_level), CU_JIT_OPTIMIZATION_LEVEL},
    {offsetof(cucore_linker_options, max_registers), CU_JIT_MAX_REGISTERS},
    {offsetof(cucore_linker_options, verbose), CU_JIT_LOG_VERBOSE},
};

static const struct row *row_of(const cucore_option_field *field) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].offset == field->offset)
            return &rows[i];
    return NULL;
}

/* The number of "sm_90"; 0 for an architecture that the driver has no number for, or only in newer versions. */
static unsigned int target_of(cucore_text arch) {
    static const char prefix[] = "sm_";
    const size_t prefix_size = sizeof prefix - 1;
    unsigned int target = 0;
    if (arch.size <= prefix_size || arch.size > prefix_size + 3 || memcmp(arch.data, prefix, prefix_size) != 0)
        return 0;
    for (size_t i = prefix_size; i < arch.size; i++) {
        if (arch.data[i] < '0' || arch.data[i] > '9')
            return 0;
        target = 10 * target + (unsigned int)(arch.data[i] - '0');
    }
    return target;
}

static int32_t needs_nvjitlink(const cucore_call *call, const char *what, const char *more) {
    return cucore_fail(call, CUCORE_NOT_SUPPORTED, ": %s%s needs nvJitLink, and there is none that can be used", what, more);
}

static int32_t expect_linkable(const cucore_call *call, const cucore_linker_request *request) {
    char name[CUCORE_ELEMENT_NAME];
    for (size_t i = 0; i < request->count; i++)
        if (request->inputs[i]->kind == CUCORE_OBJECT_CODE_LTO_IR)
            return needs_nvjitlink(call, cucore_name_element(name, "inputs", i), ", which is LTO-IR,");
    return CUCORE_OK;
}

static int32_t expect_known_fields(const cucore_call *call, const cucore_linker_options *options) {
    for (size_t i = 0; i < cucore_linker_field_count; i++) {
        const cucore_option_field *field = &cucore_linker_fields[i];
        if (cucore_option_is_given(field, options) && !row_of(field))
            return needs_nvjitlink(call, field->name, "");
    }
    return CUCORE_OK;
}

static int32_t expect_functions(const cucore_call *call) {
    int32_t code = CUCORE_CUDA_NEEDS(call, cuLinkCreate);
    if (!code)
        code = CUCORE_CUDA_NEEDS(call, cuLinkAddData);
    if (!code)
        code = CUCORE_CUDA_NEEDS(call, cuLinkComplete);
    return code ? code : CUCORE_CUDA_NEEDS(call, cuLinkDestroy);
}

int32_t cucore_linker_driver_suits(const cucore_call *call, const cucore_linker_request *request) {
    int32_t code = expect_linkable(call, request);
    if (!code)
        code = expect_known_fields(call, &request->options);
    if (!code && request->options.arch.size && !target_of(request->options.arch))
        code = needs_nvjitlink(call, "this options->arch", "");
    if (!code && !request->device)
        code = needs_nvjitlink(call, "linking without a device", "");
    return code ? code : expect_functions(call);
}

static int64_t destroy(const void *object) {
    return cucore_cuda.cuLinkDestroy(((const cucore_linker *)object)->raw);
}

static void add_option(driver_linker *driver, CUjit_option option, const void *value) {
    driver->options[driver->option_count] = option;
    driver->values[driver->option_count++] = (void *)(uintptr_t)value;
}

/* Numbers travel in the place of pointers. */
static void add_number(driver_linker *driver, CUjit_option option, uintptr_t number) {
    add_option(driver, option, (const void *)number);
}

static void prepare(cucore_linker *linker, const cucore_linker_request *request) {
    driver_linker *driver = (driver_linker *)linker;
    const cucore_linker_options *options = &request->options;
    add_option(driver, CU_JIT_ERROR_LOG_BUFFER, driver->error_log);
    add_number(driver, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, LOG_SIZE);
    add_option(driver, CU_JIT_INFO_LOG_BUFFER, driver->info_log);
    add_number(driver, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, LOG_SIZE);
    if (options->arch.size)
        add_number(driver, CU_JIT_TARGET, target_of(options->arch));
    for (size_t i = 0; i < cucore_linker_field_count; i++) {
        const cucore_option_field *field = &cucore_linker_fields[i];
        const struct row *row = row_of(field);
        if (row && cucore_option_is_given(field, options))
            add_number(driver, row->option, (uintptr_t)cucore_option_number(field, options));
    }
}

static int32_t create_raw(const cucore_call *call, driver_linker *driver) {
    CUlinkState raw = NULL;
    CUresult result = cucore_cuda.cuLinkCreate(driver->option_count, driver->options, driver->values, &raw);
    driver->linker.raw = raw;
    return result == CUDA_SUCCESS ? CUCORE_OK : cucore_linker_fail(call, &driver->linker, result, "cuLinkCreate");
}

/* The one call of the driver's linker that needs a current context. */
static int32_t create(const cucore_call *call, cucore_linker *linker) {
    cucore_context *context = NULL;
    cucore_scope scope;
    int32_t code = cucore_device_bind(call, linker->device, &context);
    if (!code)
        code = cucore_scope_enter(&scope, call, context->raw);
    if (code)
        return code;
    return cucore_scope_leave(&scope, call, create_raw(call, (driver_linker *)linker));
}

static int64_t add(cucore_linker *linker, const cucore_object_code *input, const char *name) {
    bool is_ptx = input->kind == CUCORE_OBJECT_CODE_PTX; /* which goes with its NUL */
    return cucore_cuda.cuLinkAddData(linker->raw, is_ptx ? CU_JIT_INPUT_PTX : CU_JIT_INPUT_CUBIN, input->data, input->size + is_ptx,
                                     name, 0, NULL, NULL);
}

static int64_t complete(cucore_linker *linker) {
    driver_linker *driver = (driver_linker *)linker;
    return cucore_cuda.cuLinkComplete(linker->raw, &driver->cubin, &driver->cubin_size);
}

static cucore_object_code *fetch(const cucore_call *call, const cucore_linker *linker) {
    const driver_linker *driver = (const driver_linker *)linker;
    const cucore_text log = {linker->info_log.bytes, linker->info_log.size};
    cucore_object_code *code =
        cucore_object_code_allocate(call, CUCORE_OBJECT_CODE_CUBIN, driver->cubin_size, cucore_text_of("linked.cubin"), log);
    if (code)
        memcpy(code->data, driver->cubin, driver->cubin_size);
    return code;
}

static void copy_log(const char log[LOG_SIZE], cucore_compile_log *copy, cucore_channel *failures) {
    cucore_status *no_log = cucore_compile_log_copy("cuLinkComplete", log, strnlen(log, LOG_SIZE), copy);
    if (no_log)
        cucore_channel_report(failures, no_log);
}

static cucore_status *fetch_logs(cucore_linker *linker) {
    driver_linker *driver = (driver_linker *)linker;
    cucore_channel failures = {.returns = true};
    copy_log(driver->error_log, &linker->error_log, &failures);
    copy_log(driver->info_log, &linker->info_log, &failures);
    return failures.status;
}

static void note(const cucore_call *call) {
    int32_t version = cucore_cuda_version();
    cucore_note(call, CUCORE_NOTE_CAUSE, "the driver's linker, CUDA %d.%d, from %s", version / 1000, version % 1000 / 10,
                cucore_cuda_path());
}

const cucore_linker_backend cucore_linker_driver = {
    .kind = CUCORE_LINKER_DRIVER,
    .size = sizeof(driver_linker),
    .destroy = {CUCORE_DOMAIN_DRIVER, "cuLinkDestroy", destroy, false, false},
    .add_call = "cuLinkAddData",
    .complete_call = "cuLinkComplete",
    .prepare = prepare,
    .create = create,
    .add = add,
    .complete = complete,
    .fetch = fetch,
    .fetch_logs = fetch_logs,
    .note = note,
};
