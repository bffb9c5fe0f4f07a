/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/program.h"

#include "base/argument.h"
#include "base/warning.h"
#include "compile_options.h"
#include "compile_output.h"
#include "driver/compilers.h"
#include "driver/destroy.h"

#include <stdlib.h>

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

static const cucore_destroy program_destroy = {CUCORE_DOMAIN_NVRTC, "nvrtcDestroyProgram", destroy, false};

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

CUCORE_COMPILE_OUTPUT(ptx, CUCORE_DOMAIN_NVRTC, program, cucore_nvrtc, nvrtcGetPTXSize, nvrtcGetPTX)
CUCORE_COMPILE_OUTPUT(cubin, CUCORE_DOMAIN_NVRTC, program, cucore_nvrtc, nvrtcGetCUBINSize, nvrtcGetCUBIN)
CUCORE_COMPILE_OUTPUT(lto_ir, CUCORE_DOMAIN_NVRTC, program, cucore_nvrtc, nvrtcGetLTOIRSize, nvrtcGetLTOIR)
CUCORE_COMPILE_OUTPUT(compile_log, CUCORE_DOMAIN_NVRTC, program, cucore_nvrtc, nvrtcGetProgramLogSize, nvrtcGetProgramLog)

static const cucore_compile_output *const outputs[] = {
    [CUCORE_OBJECT_CODE_PTX] = &ptx,
    [CUCORE_OBJECT_CODE_CUBIN] = &cubin,
    [CUCORE_OBJECT_CODE_LTO_IR] = &lto_ir,
};

static int32_t compile_failed(const cucore_call *call, const cucore_program *program, nvrtcResult result, size_t option_count) {
    char *log;
    size_t log_size;
    cucore_status *no_log = cucore_compile_output_log(&compile_log, program, cucore_raw(program->raw), &log, &log_size);
    const cucore_native native = {CUCORE_DOMAIN_NVRTC, result, "nvrtcCompileProgram", cucore_raw(program->raw), log, log_size};
    int32_t code = cucore_native_fail(call, &native);
    free(log);
    cucore_compiler_note(call, CUCORE_COMPILER_NVRTC, program->options.texts, option_count);
    if (no_log)
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, no_log);
    return code;
}

static cucore_object_code *compile(const cucore_call *call, const cucore_program *program, int32_t kind) {
    size_t option_count = program->options.count - (kind == CUCORE_OBJECT_CODE_LTO_IR ? 0 : 1);
    const char *const *options = (const char *const *)program->options.texts;
    const uint64_t resource = cucore_raw(program->raw);
    nvrtcResult result = cucore_nvrtc.nvrtcCompileProgram(program->raw, (int)option_count, options);
    if (result != NVRTC_SUCCESS) {
        compile_failed(call, program, result, option_count);
        return NULL;
    }
    cucore_object_code *code = cucore_compile_output_code(call, outputs[kind], program, resource, kind, program->name);
    if (!code)
        return NULL;
    cucore_status *no_log = cucore_compile_output_log(&compile_log, program, resource, &code->log, &code->log_size);
    if (no_log)
        cucore_warning_emit(no_log);
    return code;
}

cucore_object_code *cucore_program_compile(cucore_program *program, int32_t kind, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, program, &cucore_program_class, "program") || cucore_expect_object_code_kind(&call, kind, "kind"))
        return NULL;
    if (kind == CUCORE_OBJECT_CODE_LTO_IR && !(cucore_nvrtc.nvrtcGetLTOIRSize && cucore_nvrtc.nvrtcGetLTOIR)) {
        cucore_compiler_lacks(&call, CUCORE_COMPILER_NVRTC, "nvrtcGetLTOIR");
        return NULL;
    }
    return compile(&call, program, kind);
}
