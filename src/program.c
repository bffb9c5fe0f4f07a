/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/program.h"

#include "base/argument.h"
#include "base/warning.h"
#include "compile_options.h"
#include "driver/compilers.h"
#include "object_code.h"

#include <stdlib.h>
#include <string.h>

static const cucore_class cucore_program_class;

struct cucore_program {
    cucore_object object;
    nvrtcProgram raw;
    char *name;
    cucore_compile_options options; /* the last, for LTO-IR, is given to NVRTC only when that is made */
};

static const char lto_option[] = "-dlto";

static int64_t destroy(const void *object) {
    nvrtcProgram raw = ((const cucore_program *)object)->raw;
    return cucore_nvrtc.nvrtcDestroyProgram(&raw);
}

static const cucore_destroy program_destroy = {CUCORE_DOMAIN_NVRTC, "nvrtcDestroyProgram", destroy};

static void free_fields(cucore_program *program) {
    free(program->name);
    cucore_compile_options_free(&program->options);
}

static void teardown(void *object, cucore_channel *channel) {
    cucore_program *program = object;
    cucore_destroy_in_teardown(&program_destroy, program, cucore_raw(program->raw), channel);
    free_fields(program);
}

static const cucore_class cucore_program_class = {"program", teardown};

CUCORE_HANDLE(program)

static int32_t read_arguments(const cucore_call *call, cucore_device *device, const char *source, size_t size,
                              const cucore_program_options *options, cucore_program_options *known) {
    int32_t code = device ? cucore_expect(call, device, &cucore_device_class, "device") : cucore_expect_process(call);
    if (!code)
        code = cucore_expect_given_text(call, source, size, "source");
    if (!code)
        code = cucore_read_options(call, options, known, sizeof *known, sizeof *known);
    if (!code)
        code = cucore_expect_text(call, known->name.data, known->name.size, "options->name");
    return code;
}

static int32_t copy_options(const cucore_call *call, cucore_program *program, const cucore_device *device,
                            const cucore_program_options *options) {
    static const char unnamed[] = "program.cu";
    int32_t code = cucore_compile_options_begin(call, &program->options, "--gpu-architecture=", &options->arch, device);
    if (!code)
        code = cucore_compile_options_add_all(call, &program->options, options->options, options->option_count);
    if (!code)
        code = cucore_compile_options_add(call, &program->options, lto_option, sizeof lto_option - 1);
    if (code)
        return code;
    program->name = options->name.size ? cucore_copy_text(call, options->name.data, options->name.size)
                                       : cucore_copy_text(call, unnamed, sizeof unnamed - 1);
    return program->name ? CUCORE_OK : CUCORE_OUT_OF_MEMORY;
}

/* NVRTC wants the source NUL-terminated, and keeps a copy. */
static int32_t create_raw(const cucore_call *call, cucore_program *program, const char *source, size_t size) {
    char *copy = cucore_copy_text(call, source, size);
    if (!copy)
        return CUCORE_OUT_OF_MEMORY;
    int32_t code = CUCORE_NVRTC(call, 0, nvrtcCreateProgram, (&program->raw, copy, program->name, 0, NULL, NULL));
    free(copy);
    return code;
}

cucore_program *cucore_program_create(cucore_device *device, const char *source, size_t size, const cucore_program_options *options,
                                      cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_program_options known;
    if (read_arguments(&call, device, source, size, options, &known) || cucore_compiler_load(&call, CUCORE_COMPILER_NVRTC))
        return NULL;
    cucore_program *program = cucore_object_allocate(&call, &cucore_program_class, sizeof *program);
    if (!program)
        return NULL;
    if (copy_options(&call, program, device, &known) || create_raw(&call, program, source, size)) {
        free_fields(program);
        cucore_object_discard(program);
        return NULL;
    }
    return program;
}

void *cucore_program_raw(const cucore_program *program) {
    return cucore_object_is(program, &cucore_program_class) ? program->raw : NULL;
}

/* NVRTC's log of the latest compilation, from malloc; NULL if it is empty. */
static int32_t get_log(const cucore_call *call, const cucore_program *program, char **log, size_t *size) {
    *log = NULL;
    *size = 0;
    size_t room = 0;
    int32_t code = CUCORE_NVRTC(call, cucore_raw(program->raw), nvrtcGetProgramLogSize, (program->raw, &room));
    if (code || room <= 1)
        return code;
    char *bytes = malloc(room);
    if (!bytes)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for a log of %zu bytes", room);
    code = CUCORE_NVRTC(call, cucore_raw(program->raw), nvrtcGetProgramLog, (program->raw, bytes));
    if (code) {
        free(bytes);
        return code;
    }
    *log = bytes;
    *size = room - 1;
    return CUCORE_OK;
}

/* A log that could not be had does not turn one outcome of a compilation into another: it is a note on a failure, a warning
 * beside a success. */
static cucore_status *fetch_log(const cucore_call *call, const cucore_program *program, char **log, size_t *size) {
    cucore_status *failure = NULL;
    const cucore_call fetch = {call->function, &failure};
    get_log(&fetch, program, log, size);
    if (failure)
        cucore_note(&fetch, CUCORE_NOTE_CONSEQUENCE, "NVRTC's log could not be had");
    return failure;
}

static int32_t compile_failed(const cucore_call *call, const cucore_program *program, nvrtcResult result, size_t option_count) {
    char *log;
    size_t log_size;
    cucore_status *no_log = fetch_log(call, program, &log, &log_size);
    const cucore_native native = {CUCORE_DOMAIN_NVRTC, result, "nvrtcCompileProgram", cucore_raw(program->raw), log, log_size};
    int32_t code = cucore_native_fail(call, &native);
    free(log);
    cucore_compiler_note(call, CUCORE_COMPILER_NVRTC, program->options.texts, option_count);
    if (no_log)
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, no_log);
    return code;
}

typedef nvrtcResult (*get_size)(nvrtcProgram program, size_t *size);
typedef nvrtcResult (*get_bytes)(nvrtcProgram program, char *bytes);

/* How each kind of result is fetched. */
typedef struct fetcher {
    const char *size_name;
    const char *bytes_name;
    get_size size;
    get_bytes bytes; /* NULL: this NVRTC is too old */
} fetcher;

static fetcher fetcher_of(int32_t kind) {
    switch (kind) {
    case CUCORE_OBJECT_CODE_CUBIN:
        return (fetcher){"nvrtcGetCUBINSize", "nvrtcGetCUBIN", cucore_nvrtc.nvrtcGetCUBINSize, cucore_nvrtc.nvrtcGetCUBIN};
    case CUCORE_OBJECT_CODE_LTO_IR:
        return (fetcher){"nvrtcGetLTOIRSize", "nvrtcGetLTOIR", cucore_nvrtc.nvrtcGetLTOIRSize, cucore_nvrtc.nvrtcGetLTOIR};
    default:
        return (fetcher){"nvrtcGetPTXSize", "nvrtcGetPTX", cucore_nvrtc.nvrtcGetPTXSize, cucore_nvrtc.nvrtcGetPTX};
    }
}

/* The sizes of texts count their NUL. */
static size_t bytes_of(int32_t kind, size_t size) {
    return kind == CUCORE_OBJECT_CODE_PTX && size ? size - 1 : size;
}

static cucore_object_code *fetch(const cucore_call *call, const cucore_program *program, int32_t kind, const fetcher *get) {
    const uint64_t resource = cucore_raw(program->raw);
    size_t size = 0;
    if (cucore_compiler_result(call, CUCORE_DOMAIN_NVRTC, get->size(program->raw, &size), get->size_name, resource))
        return NULL;
    if (!size) {
        cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                    ": NVRTC made nothing of this kind; for a cubin, options->arch must be an \"sm_...\" one");
        return NULL;
    }
    cucore_object_code *code = cucore_object_code_allocate(call, kind, bytes_of(kind, size), program->name, strlen(program->name));
    if (code &&
        cucore_compiler_result(call, CUCORE_DOMAIN_NVRTC, get->bytes(program->raw, code->data), get->bytes_name, resource)) {
        cucore_object_code_release(code);
        return NULL;
    }
    return code;
}

static cucore_object_code *compile(const cucore_call *call, const cucore_program *program, int32_t kind, const fetcher *get) {
    size_t option_count = program->options.count - (kind == CUCORE_OBJECT_CODE_LTO_IR ? 0 : 1);
    const char *const *options = (const char *const *)program->options.texts;
    nvrtcResult result = cucore_nvrtc.nvrtcCompileProgram(program->raw, (int)option_count, options);
    if (result != NVRTC_SUCCESS) {
        compile_failed(call, program, result, option_count);
        return NULL;
    }
    cucore_object_code *code = fetch(call, program, kind, get);
    if (!code)
        return NULL;
    cucore_status *no_log = fetch_log(call, program, &code->log, &code->log_size);
    if (no_log)
        cucore_warning_emit(no_log);
    return code;
}

cucore_object_code *cucore_program_compile(cucore_program *program, int32_t kind, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, program, &cucore_program_class, "program") || cucore_expect_object_code_kind(&call, kind, "kind"))
        return NULL;
    const fetcher get = fetcher_of(kind);
    if (!get.size || !get.bytes) {
        cucore_compiler_lacks(&call, CUCORE_COMPILER_NVRTC, get.bytes_name);
        return NULL;
    }
    return compile(&call, program, kind, &get);
}
