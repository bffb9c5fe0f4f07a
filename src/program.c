/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/program.h"

#include "base/argument.h"
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
    cucore_text_list options; /* the last, for LTO-IR, is given to NVRTC only when that is made */
    cucore_text_list name_expressions;
};

/* The fields that are NVRTC's options; the caller's own come last, so that they can override the fields. */
#define FIELD(kind, field, spelling) CUCORE_OPTION_FIELD(cucore_program_options, kind, field, spelling)
static const cucore_option_field fields[] = {
    FIELD(TEXT, std, "--std="),
    FIELD(TEXTS, defines, "--define-macro="),
    FIELD(TEXTS, undefines, "--undefine-macro="),
    FIELD(TEXTS, include_paths, "--include-path="),
    FIELD(TEXTS, pre_includes, "--pre-include="),
    FIELD(FLAG, debug, "--device-debug"),
    FIELD(FLAG, lineinfo, "--generate-line-info"),
    FIELD(CHOICE, relocatable_device_code, "--relocatable-device-code="),
    FIELD(FLAG, fast_math, "--use_fast_math"),
    FIELD(CHOICE, ftz, "--ftz="),
    FIELD(CHOICE, prec_sqrt, "--prec-sqrt="),
    FIELD(CHOICE, prec_div, "--prec-div="),
    FIELD(CHOICE, fma, "--fmad="),
    FIELD(FLAG, restrict_pointers, "--restrict"),
    FIELD(COUNT, max_registers, "--maxrregcount="),
    FIELD(TEXTS, options, ""),
};
#undef FIELD

static int64_t destroy(const void *object) {
    nvrtcProgram raw = ((const cucore_program *)object)->raw;
    return cucore_nvrtc.nvrtcDestroyProgram(&raw);
}

static const cucore_destroy program_destroy = {CUCORE_DOMAIN_NVRTC, "nvrtcDestroyProgram", destroy, false, false};

static void free_fields(cucore_program *program) {
    free(program->name);
    cucore_text_list_free(&program->options);
    cucore_text_list_free(&program->name_expressions);
}

static bool teardown(void *object, cucore_channel *channel) {
    cucore_program *program = object;
    cucore_destroy_in_teardown(&program_destroy, program, cucore_raw(program->raw), channel); /* NVRTC refuses on no thread */
    free_fields(program);
    return true;
}

static const cucore_class cucore_program_class = {"program", teardown, false};

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

static int32_t copy_options(const cucore_call *call, cucore_text_list *texts, const cucore_device *device,
                            const cucore_program_options *options) {
    int32_t code = cucore_compile_options_add_arch(call, texts, "--gpu-architecture=", options->arch, device);
    if (!code)
        code = cucore_compile_options_add(call, texts, fields, sizeof fields / sizeof fields[0], options);
    return code ? code : cucore_text_list_add(call, texts, "-dlto", cucore_text_of(""));
}

static int32_t copy_names(const cucore_call *call, cucore_program *program, const cucore_program_options *options) {
    const cucore_text name = options->name.size ? options->name : cucore_text_of("program.cu");
    int32_t code = cucore_text_list_add_all(call, &program->name_expressions, "", options->name_expressions,
                                            options->name_expression_count, "options->name_expressions");
    if (code)
        return code;
    program->name = cucore_copy_text(call, name.data, name.size);
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

/* NVRTC takes name expressions before the first compilation only; they hold for all. */
static int32_t add_name_expressions(const cucore_call *call, const cucore_program *program) {
    const uint64_t resource = cucore_raw(program->raw);
    int32_t code = CUCORE_OK;
    for (size_t i = 0; i < program->name_expressions.count && !code; i++) {
        const char *expression = program->name_expressions.texts[i];
        code = CUCORE_NVRTC(call, resource, nvrtcAddNameExpression, (program->raw, expression));
        if (code)
            cucore_note(call, CUCORE_NOTE_CAUSE, "the name expression is \"%s\"", expression);
    }
    if (code)
        cucore_destroy_as_undo(&program_destroy, program, resource, call);
    return code;
}

/* What is wrong with the arguments shows before NVRTC is looked for. */
static int32_t create(const cucore_call *call, cucore_program *program, const cucore_device *device, const char *source,
                      size_t size, const cucore_program_options *options) {
    int32_t code = copy_options(call, &program->options, device, options);
    if (!code)
        code = copy_names(call, program, options);
    if (!code)
        code = cucore_compiler_load(call, CUCORE_COMPILER_NVRTC);
    if (!code)
        code = create_raw(call, program, source, size);
    return code ? code : add_name_expressions(call, program);
}

cucore_program *cucore_program_create(cucore_device *device, const char *source, size_t size, const cucore_program_options *options,
                                      cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_program_options known;
    if (read_arguments(&call, device, source, size, options, &known))
        return NULL;
    cucore_program *program = cucore_object_allocate(&call, &cucore_program_class, sizeof *program);
    if (!program)
        return NULL;
    if (create(&call, program, device, source, size, &known)) {
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

static void compile_failed(const cucore_call *call, const cucore_program *program, nvrtcResult result, size_t option_count,
                           const cucore_compile_log *log) {
    const cucore_native native = {CUCORE_DOMAIN_NVRTC,      result,     "nvrtcCompileProgram",
                                  cucore_raw(program->raw), log->bytes, log->size};
    cucore_native_fail(call, &native);
    cucore_compiler_note(call, CUCORE_COMPILER_NVRTC);
    cucore_compile_options_note(call, &program->options, option_count);
}

static int32_t read_lowered_names(const cucore_call *call, const cucore_program *program, cucore_name_map *names) {
    int32_t code = CUCORE_OK;
    for (size_t i = 0; i < program->name_expressions.count && !code; i++) {
        const char *expression = program->name_expressions.texts[i];
        const char *lowered = NULL;
        code = CUCORE_NVRTC(call, cucore_raw(program->raw), nvrtcGetLoweredName, (program->raw, expression, &lowered));
        if (code)
            cucore_note(call, CUCORE_NOTE_CAUSE, "the name expression is \"%s\"", expression);
        else
            code = cucore_name_map_add(call, names, expression, lowered);
    }
    return code;
}

static cucore_object_code *fetch(const cucore_call *call, const cucore_program *program, int32_t kind,
                                 const cucore_compile_log *log) {
    cucore_object_code *code =
        cucore_compile_output_code(call, outputs[kind], program, cucore_raw(program->raw), kind, program->name, log);
    if (code && read_lowered_names(call, program, &code->names)) {
        cucore_object_code_release(code);
        return NULL;
    }
    return code;
}

static cucore_object_code *compile(const cucore_call *call, const cucore_program *program, int32_t kind) {
    size_t option_count = program->options.count - (kind == CUCORE_OBJECT_CODE_LTO_IR ? 0 : 1);
    const char *const *options = (const char *const *)program->options.texts;
    nvrtcResult result = cucore_nvrtc.nvrtcCompileProgram(program->raw, (int)option_count, options);
    cucore_compile_log log;
    cucore_status *no_log = cucore_compile_output_log(&compile_log, program, cucore_raw(program->raw), &log);
    cucore_object_code *code = NULL;
    if (result == NVRTC_SUCCESS)
        code = fetch(call, program, kind, &log);
    else
        compile_failed(call, program, result, option_count, &log);
    cucore_compile_output_no_log(call, !code, no_log);
    free(log.bytes);
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
