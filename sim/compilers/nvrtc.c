/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* The simulated NVRTC. */

#include "code.h"
#include "nvrtc_functions.h"
#include "nvrtc_options.h"
#include "recorder.h"
#include "source.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum result {
    NVRTC_SUCCESS = 0,
#define X(name, result, code, earlier, description) name = (result),
#include "../../abi/nvrtc-errors.def"
#undef X
};

struct program {
    struct handle handle;
    char *source;
    char *name;
    struct expression *expressions;
    int compiled; /* with or without success, but for its options */
    int succeeded;
    struct code ptx; /* of all of these `size` is what NVRTC says: it counts a text's NUL */
    struct code cubin;
    struct code lto;
    struct code log;
    int (*callback)(void *data, void *reserved);
    void *callback_data;
};

#define DECLARE(name, parameters, arguments) static int sim_##name parameters;
NVRTC_ALL(DECLARE)
#undef DECLARE

/* Each function's place in functions[]. */
enum {
#define PLACE(name, parameters, arguments) PLACE_##name,
    NVRTC_ALL(PLACE)
#undef PLACE
};

#define NAME(name, parameters, arguments) {#name, 0},
struct function functions[] = {NVRTC_ALL(NAME)};
#undef NAME
const size_t function_count = sizeof(functions) / sizeof(functions[0]);

/* The real library's functions. */
static struct {
#define MEMBER(name, parameters, arguments) int(*name) parameters;
    NVRTC_ALL(MEMBER)
#undef MEMBER
} real;

static int check_program(const struct program *program) {
    return handle_is_live(program, "program") ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

/* Gives the real library's program for ours, if it has one. */
static int is_real(struct program **program) {
    if (!(*program)->handle.real)
        return 0;
    *program = (*program)->handle.real;
    return 1;
}

#define EXPORT(name, parameters, arguments) \
    CUSIM_API int name parameters; \
    int name parameters { \
        int result = call_begin(&functions[PLACE_##name]); \
        if (!result) \
            result = sim_##name arguments; \
        return call_end(&functions[PLACE_##name], result); \
    }
NVRTC_FREE(EXPORT)
#undef EXPORT

#define EXPORT(name, parameters, arguments) \
    CUSIM_API int name parameters; \
    int name parameters { \
        int result = call_begin(&functions[PLACE_##name]); \
        if (!result) \
            result = check_program(program); \
        if (!result) \
            result = !is_real(&program) ? sim_##name arguments : real.name ? real.name arguments : NVRTC_ERROR_INTERNAL_ERROR; \
        return call_end(&functions[PLACE_##name], result); \
    }
NVRTC_ON_PROGRAM(EXPORT)
#undef EXPORT

/* NVRTC opens its builtins by name, and finds them if they are open. */
static void open_builtins(const char *path) {
    int major = 0;
    int minor = 0;
    char builtins[PATH_MAX];
    const char *slash = strrchr(path, '/');
    if (!slash || real.nvrtcVersion(&major, &minor) != NVRTC_SUCCESS)
        return;
    int size = snprintf(builtins, sizeof builtins, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - path), path, major, minor);
    if (size > 0 && (size_t)size < sizeof builtins)
        dlopen(builtins, RTLD_NOW | RTLD_LOCAL);
}

int take_real(void *library, const char *path) {
#define TAKE(name, parameters, arguments) *(void **)(void *)&real.name = dlsym(library, #name);
    NVRTC_ALL(TAKE)
#undef TAKE
    if (!real.nvrtcVersion || !real.nvrtcCreateProgram || !real.nvrtcDestroyProgram || !real.nvrtcCompileProgram)
        return 0;
    open_builtins(path);
    return 1;
}

CUSIM_API const char *nvrtcGetErrorString(int result);
const char *nvrtcGetErrorString(int result) {
    switch (result) {
    case NVRTC_SUCCESS:
        return "NVRTC_SUCCESS";
#define X(name, number, code, earlier, description) \
    case name: \
        return #name;
#include "../../abi/nvrtc-errors.def"
#undef X
    default:
        return "NVRTC_ERROR unknown";
    }
}

static int sim_nvrtcVersion(int *major, int *minor) {
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    if (is_forwarding())
        return real.nvrtcVersion(major, minor);
    get_version(major, minor);
    return NVRTC_SUCCESS;
}

/* CUDA 13 left the oldest behind. */
static const int archs[] = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121};

static int oldest_arch(void) {
    int major, minor;
    get_version(&major, &minor);
    return major >= 13 ? 75 : 50;
}

static int sim_nvrtcGetNumSupportedArchs(int *count) {
    if (!count)
        return NVRTC_ERROR_INVALID_INPUT;
    if (is_forwarding())
        return real.nvrtcGetNumSupportedArchs(count);
    *count = 0;
    for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
        *count += archs[i] >= oldest_arch();
    return NVRTC_SUCCESS;
}

static int sim_nvrtcGetSupportedArchs(int *out) {
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    if (is_forwarding())
        return real.nvrtcGetSupportedArchs(out);
    for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
        if (archs[i] >= oldest_arch())
            *out++ = archs[i];
    return NVRTC_SUCCESS;
}

static void free_outputs(struct program *program) {
    code_free(&program->ptx);
    code_free(&program->cubin);
    code_free(&program->lto);
    code_free(&program->log);
}

static void free_program(struct program *program) {
    while (program->expressions) {
        struct expression *next = program->expressions->next;
        free(program->expressions->text);
        free(program->expressions->lowered);
        free(program->expressions);
        program->expressions = next;
    }
    free_outputs(program);
    free(program->source);
    free(program->name);
    free(program);
}

static int copy_source(struct program *program, const char *source, const char *name) {
    program->source = strdup(source);
    program->name = strdup(name ? name : "default_program");
    return program->source && program->name ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
}

/* Headers are for the real library only. */
static int sim_nvrtcCreateProgram(struct program **program, const char *source, const char *name, int count,
                                  const char *const *headers, const char *const *names) {
    if (!program)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!source || count < 0 || (count && (!headers || !names)))
        return NVRTC_ERROR_INVALID_INPUT;
    struct program *made = calloc(1, sizeof(*made));
    if (!made)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    struct program *other = NULL;
    int result;
    if (is_forwarding())
        result = real.nvrtcCreateProgram(&other, source, name, count, headers, names);
    else
        result = copy_source(made, source, name);
    if (result) {
        free_program(made);
        return result;
    }
    made->handle.real = other;
    handle_add(&made->handle);
    *program = made;
    return NVRTC_SUCCESS;
}

static int sim_nvrtcDestroyProgram(struct program **program) {
    int result = program ? check_program(*program) : NVRTC_ERROR_INVALID_PROGRAM;
    if (result)
        return result;
    struct program *made = *program;
    struct program *other = made->handle.real;
    result = other ? real.nvrtcDestroyProgram(&other) : NVRTC_SUCCESS;
    if (result)
        return result;
    handle_remove(&made->handle);
    free_program(made);
    *program = NULL;
    return NVRTC_SUCCESS;
}

/* What the options of a compilation ask for. */
struct request {
    int arch;
    int is_sm;
    int lto;
};

static const struct option *find_option(const char *text, const char **value) {
    if (option_is(&nvrtc_arch, text, value))
        return &nvrtc_arch;
    if (option_is(&nvrtc_lto, text, value))
        return &nvrtc_lto;
    for (size_t i = 0; i < sizeof(nvrtc_options) / sizeof(nvrtc_options[0]); i++)
        if (option_is(&nvrtc_options[i], text, value))
            return &nvrtc_options[i];
    return NULL;
}

static int refuse_value(FILE *log, const struct option *option) {
    static const char *const wants[] = {[OPTION_ALONE] = "does not accept any argument",
                                        [OPTION_BOOLEAN] = "expects true or false",
                                        [OPTION_NUMBER] = "expects an integer value",
                                        [OPTION_TEXT] = "expects a value"};
    fprintf(log, "nvrtc: error: %s (%s) %s\n", option->name, option->alias, wants[option->value]);
    return NVRTC_ERROR_INVALID_OPTION;
}

static int read_arch(FILE *log, struct request *request, const char *value) {
    request->arch = option_arch(value, &request->is_sm);
    if (request->arch >= oldest_arch())
        return NVRTC_SUCCESS;
    fprintf(log, "nvrtc: error: invalid value for --gpu-architecture (-arch)\n");
    return NVRTC_ERROR_INVALID_OPTION;
}

/* Reads the option at *at, and moves it onto its value if that is a text of its own. */
static int read_option(FILE *log, struct request *request, int count, const char *const *options, int *at) {
    const char *value = NULL;
    const struct option *option = find_option(options[*at], &value);
    if (!option) {
        fprintf(log, "nvrtc: error: unrecognized option %s found\n", options[*at]);
        return NVRTC_ERROR_INVALID_OPTION;
    }
    if (!value && option_may_be_split(option) && *at + 1 < count)
        value = options[++*at];
    if (option == &nvrtc_arch)
        return read_arch(log, request, value);
    request->lto |= option == &nvrtc_lto;
    return option_takes(option, value) ? NVRTC_SUCCESS : refuse_value(log, option);
}

static int read_options(FILE *log, struct request *request, int count, const char *const *options) {
    int result = NVRTC_SUCCESS;
    for (int i = 0; i < count && !result; i++)
        result = read_option(log, request, count, options, &i);
    return result;
}

/* The program's own callback may call us. */
static int is_cancelled(const struct program *program) {
    int (*callback)(void *, void *) = program->callback;
    void *data = program->callback_data;
    if (!callback)
        return 0;
    call_pause();
    const int cancelled = callback(data, NULL);
    call_resume();
    return cancelled != 0;
}

static int make_outputs(struct program *program, const struct request *request, struct code *ptx) {
    if (request->lto) {
        program->lto = code_lto(ptx->data);
        return program->lto.data ? NVRTC_SUCCESS : NVRTC_ERROR_OUT_OF_MEMORY;
    }
    if (request->is_sm)
        program->cubin = code_cubin(ptx->data);
    if (request->is_sm && !program->cubin.data)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    program->ptx = (struct code){ptx->data, ptx->size + 1};
    ptx->data = NULL;
    return NVRTC_SUCCESS;
}

static int compile_source(struct program *program, FILE *log, const struct request *request) {
    const struct source source = {program->name, program->source, request->arch, program->expressions};
    struct code ptx = {NULL, 0};
    FILE *file = open_memstream(&ptx.data, &ptx.size);
    if (!file)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    const int errors = source_compile(&source, file, log);
    int result = errors < 0 ? NVRTC_ERROR_OUT_OF_MEMORY : errors > 0 ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
    if (fclose(file) != 0)
        result = NVRTC_ERROR_OUT_OF_MEMORY;
    if (!result)
        result = make_outputs(program, request, &ptx);
    free(ptx.data);
    return result;
}

static int compile(struct program *program, FILE *log, int count, const char *const *options) {
    struct request request = {.arch = oldest_arch() == 50 ? 52 : 75};
    int result = read_options(log, &request, count, options);
    if (result)
        return result;
    program->compiled = 1;
    if (is_cancelled(program))
        return NVRTC_ERROR_CANCELLED;
    result = compile_source(program, log, &request);
    program->succeeded = !result;
    return result;
}

static int compile_with_log(struct program *program, int count, const char *const *options) {
    struct code log = {NULL, 0};
    FILE *file = open_memstream(&log.data, &log.size);
    if (!file)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    free_outputs(program);
    program->succeeded = 0;
    const int result = compile(program, file, count, options);
    if (fclose(file) != 0) {
        free(log.data);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    program->log = (struct code){log.data, log.size + 1};
    return result;
}

static int compile_real(struct program *program, int count, const char *const *options) {
    call_pause(); /* it takes long, and calls back */
    const int result = real.nvrtcCompileProgram(program, count, options);
    call_resume();
    return result;
}

static int sim_nvrtcCompileProgram(struct program *program, int count, const char *const *options) {
    const int result = check_program(program);
    if (result)
        return result;
    if (count < 0 || (count && !options))
        return NVRTC_ERROR_INVALID_INPUT;
    record_options((size_t)count, options);
    return is_real(&program) ? compile_real(program, count, options) : compile_with_log(program, count, options);
}

static int give_size(const struct code *code, size_t none, size_t *size) {
    if (!size)
        return NVRTC_ERROR_INVALID_INPUT;
    *size = code->data ? code->size : none;
    return NVRTC_SUCCESS;
}

static int give(const struct code *code, size_t none, char *out) {
    if (!out)
        return NVRTC_ERROR_INVALID_INPUT;
    memcpy(out, code->data ? code->data : "", code->data ? code->size : none);
    return NVRTC_SUCCESS;
}

/* Where nothing was made, a text has its NUL all the same. */
#define OUTPUT(function, field, none) \
    static int sim_##function##Size(struct program *program, size_t *size) { \
        return give_size(&program->field, none, size); \
    } \
    static int sim_##function(struct program *program, char *out) { \
        return give(&program->field, none, out); \
    }
OUTPUT(nvrtcGetPTX, ptx, 1)
OUTPUT(nvrtcGetCUBIN, cubin, 0)
OUTPUT(nvrtcGetLTOIR, lto, 0)
OUTPUT(nvrtcGetProgramLog, log, 1)

static int sim_nvrtcAddNameExpression(struct program *program, const char *text) {
    if (!text)
        return NVRTC_ERROR_INVALID_INPUT;
    if (program->compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    struct expression *expression = calloc(1, sizeof(*expression));
    char *copy = strdup(text);
    if (!expression || !copy) {
        free(expression);
        free(copy);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    expression->text = copy;
    expression->next = program->expressions;
    program->expressions = expression;
    return NVRTC_SUCCESS;
}

static int sim_nvrtcGetLoweredName(struct program *program, const char *text, const char **name) {
    if (!text || !name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!program->succeeded)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (const struct expression *expression = program->expressions; expression; expression = expression->next) {
        if (strcmp(expression->text, text) == 0) {
            *name = expression->lowered;
            return NVRTC_SUCCESS;
        }
    }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

static int sim_nvrtcSetFlowCallback(struct program *program, int (*callback)(void *, void *), void *data) {
    if (!callback)
        return NVRTC_ERROR_INVALID_INPUT;
    program->callback = callback;
    program->callback_data = data;
    return NVRTC_SUCCESS;
}
