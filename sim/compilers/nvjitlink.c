/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* The simulated nvJitLink. */

#include "code.h"
#include "link.h"
#include "nvjitlink_functions.h"
#include "nvjitlink_options.h"
#include "recorder.h"
#include "scan.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum result {
    NVJITLINK_SUCCESS = 0,
#define X(name, result, code, earlier, description) name = (result),
#include "../../abi/nvjitlink-errors.def"
#undef X
};

enum input_type { INPUT_CUBIN = 1, INPUT_PTX = 2, INPUT_LTOIR = 3, INPUT_ANY = 10 };

struct linker {
    struct handle handle;
    pthread_t maker;
    int arch;
    int lto;
    int makes_ptx;
    int verbose;
    int time;
    int completed; /* with or without success */
    int succeeded;
    struct input *inputs;
    struct code ptx; /* texts: without their NUL */
    struct code cubin;
    struct code errors;
    struct code infos;
};

#define DECLARE(name, parameters, arguments) static int sim_##name parameters;
NVJITLINK_ALL(DECLARE)
#undef DECLARE

/* Each function's place in functions[]. */
enum {
#define PLACE(name, parameters, arguments) PLACE_##name,
    NVJITLINK_ALL(PLACE)
#undef PLACE
};

#define NAME(name, parameters, arguments) {#name, 0},
struct function functions[] = {NVJITLINK_ALL(NAME)};
#undef NAME
const size_t function_count = sizeof(functions) / sizeof(functions[0]);

/* The real library's functions. */
static struct {
#define MEMBER(name, parameters, arguments) int(*name) parameters;
    NVJITLINK_ALL(MEMBER)
#undef MEMBER
} real;

/* Before CUDA 13 there are fewer codes. */
static int known(int result) {
    int major, minor;
    get_version(&major, &minor);
    if (major >= 13)
        return result;
    switch (result) {
    case NVJITLINK_ERROR_NULL_INPUT:
    case NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS:
    case NVJITLINK_ERROR_INCORRECT_INPUT_TYPE:
        return NVJITLINK_ERROR_INVALID_INPUT;
    case NVJITLINK_ERROR_LTO_NOT_ENABLED:
        return NVJITLINK_ERROR_INTERNAL;
    default:
        return result;
    }
}

static int check_linker(const struct linker *linker) {
    return handle_is_live(linker, "linker") ? NVJITLINK_SUCCESS : known(NVJITLINK_ERROR_NULL_INPUT);
}

/* Gives the real library's linker for ours, if it has one. */
static int is_real(struct linker **linker) {
    if (!(*linker)->handle.real)
        return 0;
    *linker = (*linker)->handle.real;
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
NVJITLINK_FREE(EXPORT)
EXPORT(nvJitLinkVersion, (unsigned int *major, unsigned int *minor), (major, minor))
#undef EXPORT

#define EXPORT(name, parameters, arguments) \
    CUSIM_API int name parameters; \
    int name parameters { \
        int result = call_begin(&functions[PLACE_##name]); \
        if (!result) \
            result = check_linker(linker); \
        if (!result) \
            result = is_real(&linker) ? real.name arguments : sim_##name arguments; \
        return call_end(&functions[PLACE_##name], result); \
    }
NVJITLINK_ON_LINKER(EXPORT)
#undef EXPORT

/* Programs built with NVIDIA's header call these names, and nvJitLink before 12.3 has no others. */
#define ALIAS(name, version, parameters) CUSIM_API int __##name##_##version parameters __attribute__((alias(#name)));
#define ALIASES(name, parameters, arguments) \
    ALIAS(name, 12_0, parameters) \
    ALIAS(name, 12_1, parameters) \
    ALIAS(name, 12_2, parameters) \
    ALIAS(name, 12_3, parameters) \
    ALIAS(name, 12_4, parameters) \
    ALIAS(name, 12_5, parameters) \
    ALIAS(name, 12_6, parameters) \
    ALIAS(name, 12_7, parameters) \
    ALIAS(name, 12_8, parameters) \
    ALIAS(name, 12_9, parameters)
NVJITLINK_VERSIONED(ALIASES)
#undef ALIASES
#undef ALIAS

static void *find(void *library, const char *name) {
    char versioned[64];
    void *function = dlsym(library, name);
    if (function)
        return function;
    snprintf(versioned, sizeof versioned, "__%s_12_0", name);
    return dlsym(library, versioned);
}

int take_real(void *library, const char *path) {
    (void)path;
    int missing = 0;
#define TAKE(name, parameters, arguments) \
    *(void **)(void *)&real.name = find(library, #name); \
    missing += !real.name;
    NVJITLINK_VERSIONED(TAKE)
#undef TAKE
    *(void **)(void *)&real.nvJitLinkVersion = find(library, "nvJitLinkVersion"); /* since 12.3 */
    return !missing;
}

static int sim_nvJitLinkVersion(unsigned int *major, unsigned int *minor) {
    int numbers[2];
    if (!major || !minor)
        return known(NVJITLINK_ERROR_NULL_INPUT);
    if (is_forwarding())
        return real.nvJitLinkVersion ? real.nvJitLinkVersion(major, minor) : NVJITLINK_ERROR_INTERNAL;
    get_version(&numbers[0], &numbers[1]);
    *major = (unsigned int)numbers[0];
    *minor = (unsigned int)numbers[1];
    return NVJITLINK_SUCCESS;
}

/* Adds to a log what was written to a stream, which is closed. */
static int add_log(struct code *log, FILE *file, const struct code *added) {
    if (fclose(file) != 0)
        return NVJITLINK_ERROR_INTERNAL;
    char *longer = realloc(log->data, log->size + added->size + 1);
    if (!longer)
        return NVJITLINK_ERROR_INTERNAL;
    memcpy(longer + log->size, added->data, added->size + 1);
    log->data = longer;
    log->size += added->size;
    free(added->data);
    return NVJITLINK_SUCCESS;
}

/* Puts a sentence into the log of errors, and gives the result that goes with it. */
__attribute__((format(printf, 3, 4))) static int refuse(struct linker *linker, int result, const char *format, ...) {
    va_list arguments;
    struct code added = {NULL, 0};
    FILE *file = open_memstream(&added.data, &added.size);
    if (!file)
        return known(result);
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    add_log(&linker->errors, file, &added);
    return known(result);
}

static void free_linker(struct linker *linker) {
    while (linker->inputs) {
        struct input *next = linker->inputs->next;
        free(linker->inputs->name);
        free(linker->inputs->ptx);
        free(linker->inputs);
        linker->inputs = next;
    }
    code_free(&linker->ptx);
    code_free(&linker->cubin);
    code_free(&linker->errors);
    code_free(&linker->infos);
    free(linker);
}

static int read_arch(struct linker *linker, const char *option, const char *value) {
    int is_sm;
    int major, minor;
    get_version(&major, &minor);
    linker->arch = option_arch(value, &is_sm);
    if (!linker->arch)
        return refuse(linker, NVJITLINK_ERROR_UNRECOGNIZED_OPTION,
                      "ERROR NVJITLINK_ERROR_UNRECOGNIZED_OPTION: missing option value (%s)\n", option);
    if (major >= 13 && linker->arch < 75)
        return refuse(linker, NVJITLINK_ERROR_UNSUPPORTED_ARCH,
                      "ERROR NVJITLINK_ERROR_UNSUPPORTED_ARCH: unsupported architecture (compute_%d)\n", linker->arch);
    return NVJITLINK_SUCCESS;
}

/* The member that an option without a value sets, or NULL. */
static int *switch_of(struct linker *linker, const char *text) {
    const char *value;
    if (option_is(&nvjitlink_lto, text, &value))
        return &linker->lto;
    if (option_is(&nvjitlink_ptx, text, &value))
        return &linker->makes_ptx;
    if (option_is(&nvjitlink_verbose, text, &value))
        return &linker->verbose;
    return option_is(&nvjitlink_time, text, &value) ? &linker->time : NULL;
}

static int is_known_option(const char *text) {
    const char *value;
    for (size_t i = 0; i < sizeof(nvjitlink_options) / sizeof(nvjitlink_options[0]); i++)
        if (option_is(&nvjitlink_options[i], text, &value))
            return option_takes(&nvjitlink_options[i], value);
    return 0;
}

static int read_option(struct linker *linker, const char *text) {
    const char *value = NULL;
    int *member = switch_of(linker, text);
    if (option_is(&nvjitlink_arch, text, &value))
        return read_arch(linker, text, value);
    if (member)
        *member = 1;
    else if (!is_known_option(text))
        return refuse(linker, NVJITLINK_ERROR_UNRECOGNIZED_OPTION, "unrecognized option: %s\n", text);
    return NVJITLINK_SUCCESS;
}

static int read_options(struct linker *linker, uint32_t count, const char *const *options) {
    int result = NVJITLINK_SUCCESS;
    for (uint32_t i = 0; i < count && !result; i++)
        result = read_option(linker, options[i]);
    if (!result && !linker->arch)
        result = NVJITLINK_ERROR_MISSING_ARCH;
    if (!result && linker->makes_ptx && !linker->lto)
        result = refuse(linker, NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS, "ERROR: -ptx requires -lto\n");
    return result;
}

/* A failed create leaves a linker for its log, as the real one does; it must be destroyed. */
static int sim_nvJitLinkCreate(struct linker **linker, uint32_t count, const char **options) {
    if (!linker || (count && !options))
        return known(NVJITLINK_ERROR_NULL_INPUT);
    struct linker *made = calloc(1, sizeof(*made));
    if (!made)
        return NVJITLINK_ERROR_INTERNAL;
    record_options(count, options);
    struct linker *other = NULL;
    const int result = is_forwarding() ? real.nvJitLinkCreate(&other, count, options) : read_options(made, count, options);
    if (is_forwarding() && !other) {
        free_linker(made);
        return result;
    }
    made->maker = pthread_self();
    made->handle.real = other;
    handle_add(&made->handle);
    *linker = made;
    return result;
}

static int sim_nvJitLinkDestroy(struct linker **linker) {
    int result = linker ? check_linker(*linker) : known(NVJITLINK_ERROR_NULL_INPUT);
    if (result)
        return result;
    struct linker *made = *linker;
    struct linker *other = made->handle.real;
    if (!pthread_equal(made->maker, pthread_self())) { /* the real one then crashes when that thread uses it again */
        violate("link %p is destroyed on another thread than made it", (void *)made);
        return known(NVJITLINK_ERROR_INTERNAL);
    }
    result = other ? real.nvJitLinkDestroy(&other) : NVJITLINK_SUCCESS;
    if (result)
        return result;
    handle_remove(&made->handle);
    free_linker(made);
    *linker = NULL;
    return NVJITLINK_SUCCESS;
}

/* The PTX in an input, and of which kind it is if that was left open. */
static struct code read_input(int *type, const void *data, size_t size) {
    struct code code = {NULL, 0};
    if (*type == INPUT_CUBIN || *type == INPUT_ANY)
        code = code_of_cubin(data, size);
    if (!code.data && (*type == INPUT_LTOIR || *type == INPUT_ANY)) {
        code = code_of_lto(data, size);
        *type = code.data ? INPUT_LTOIR : *type;
    }
    if (!code.data && (*type == INPUT_PTX || *type == INPUT_ANY))
        code = code_of_ptx(data, size);
    return code;
}

static int refuse_input(struct linker *linker, int type, const char *name) {
    static const char *const names[] = {
        [INPUT_CUBIN] = "NVJITLINK_INPUT_CUBIN", [INPUT_PTX] = "NVJITLINK_INPUT_PTX", [INPUT_LTOIR] = "NVJITLINK_INPUT_LTOIR"};
    if (type == INPUT_ANY)
        return refuse(linker, NVJITLINK_ERROR_UNRECOGNIZED_INPUT, "unrecognized input type: %s\n", name);
    if (type < INPUT_CUBIN || type > INPUT_LTOIR)
        return refuse(linker, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "unsupported input type: %s\n", name);
    return refuse(linker, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "ERROR 1: bad input: does not match type %s: %s\n", names[type],
                  name);
}

static int keep_input(struct linker *linker, const char *ptx, const char *name, int is_lto) {
    struct input *input = calloc(1, sizeof(*input));
    if (!input)
        return NVJITLINK_ERROR_INTERNAL;
    struct input **end = &linker->inputs;
    while (*end)
        end = &(*end)->next;
    *end = input; /* with the linker it is freed */
    input->name = strdup(name);
    input->ptx = scan_without_comments(ptx);
    input->is_lto = is_lto;
    return input->name && input->ptx ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

static int add_data(struct linker *linker, int type, const void *data, size_t size, const char *name) {
    int found = type;
    if (!data || !size)
        return refuse(linker, NVJITLINK_ERROR_NULL_INPUT, "empty input: %s\n", name);
    struct code code = read_input(&found, data, size);
    if (!code.data)
        return refuse_input(linker, type, name);
    int result;
    if (found == INPUT_LTOIR && !linker->lto)
        result =
            refuse(linker, NVJITLINK_ERROR_LTO_NOT_ENABLED, "ERROR 1: LTO-IR input cannot be used without LTO enabled (-lto)\n");
    else
        result = keep_input(linker, code.data, name, found == INPUT_LTOIR);
    code_free(&code);
    return result;
}

static int sim_nvJitLinkAddData(struct linker *linker, int type, const void *data, size_t size, const char *name) {
    return add_data(linker, type, data, size, name ? name : "input");
}

static struct code read_file(const char *path) {
    struct code code = {NULL, 0};
    FILE *file = path ? fopen(path, "rb") : NULL;
    FILE *memory = file ? open_memstream(&code.data, &code.size) : NULL;
    char part[4096];
    for (size_t size = 0; memory && (size = fread(part, 1, sizeof part, file)) > 0;)
        fwrite(part, 1, size, memory);
    if (memory)
        fclose(memory);
    if (file)
        fclose(file);
    return code;
}

static int sim_nvJitLinkAddFile(struct linker *linker, int type, const char *path) {
    struct code code = read_file(path);
    if (!code.data)
        return refuse(linker, NVJITLINK_ERROR_INVALID_INPUT, "cannot open input file: %s\n", path ? path : "NULL");
    const int result = add_data(linker, type, code.data, code.size, path);
    code_free(&code);
    return result;
}

/* -lto is for LTO-IR, and PTX is made from nothing else. */
static int check_kinds(struct linker *linker) {
    int lto = 0;
    int others = 0;
    for (const struct input *input = linker->inputs; input; input = input->next) {
        lto += input->is_lto;
        others += !input->is_lto;
    }
    if (linker->makes_ptx && others)
        return refuse(linker, NVJITLINK_ERROR_INCORRECT_INPUT_TYPE, "ERROR: -ptx requires that all inputs have LTOIR\n");
    if (linker->lto && !lto)
        return refuse(linker, NVJITLINK_ERROR_NVVM_COMPILE, "ERROR in nvvmCompileProgram: NVVM_ERROR_NO_MODULE_IN_PROGRAM\n");
    return NVJITLINK_SUCCESS;
}

static int write_infos(struct linker *linker) {
    struct code added = {NULL, 0};
    FILE *file = open_memstream(&added.data, &added.size);
    if (!file)
        return NVJITLINK_ERROR_INTERNAL;
    if (linker->verbose)
        link_describe(linker->ptx.data, file);
    if (linker->time)
        fprintf(file, "nvJitLinkComplete time to finish: 0.000000\n");
    return add_log(&linker->infos, file, &added);
}

static int join(struct linker *linker) {
    struct code log = {NULL, 0};
    FILE *errors = open_memstream(&log.data, &log.size);
    FILE *ptx = errors ? open_memstream(&linker->ptx.data, &linker->ptx.size) : NULL;
    int failed = !ptx || link_inputs(linker->inputs, linker->arch, ptx, errors);
    failed |= ptx && fclose(ptx) != 0;
    failed |= errors && add_log(&linker->errors, errors, &log);
    return failed ? refuse(linker, NVJITLINK_ERROR_INTERNAL, "ERROR 9: finish\n") : NVJITLINK_SUCCESS;
}

static int sim_nvJitLinkComplete(struct linker *linker) {
    if (linker->completed)
        return NVJITLINK_ERROR_INTERNAL;
    linker->completed = 1;
    int result = check_kinds(linker);
    if (!result)
        result = join(linker);
    if (!result)
        result = write_infos(linker);
    if (result)
        return result;
    if (!linker->makes_ptx)
        linker->cubin = code_cubin(linker->ptx.data);
    linker->succeeded = linker->makes_ptx || linker->cubin.data;
    return linker->succeeded ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

static int check_output(const struct linker *linker, int is_ptx, const void *out) {
    if (!out)
        return known(NVJITLINK_ERROR_NULL_INPUT);
    if (is_ptx && !linker->makes_ptx)
        return NVJITLINK_ERROR_INVALID_INPUT;
    return linker->succeeded && is_ptx == linker->makes_ptx ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_INTERNAL;
}

static int sim_nvJitLinkGetLinkedCubinSize(struct linker *linker, size_t *size) {
    const int result = check_output(linker, 0, size);
    if (!result)
        *size = linker->cubin.size;
    return result;
}

static int sim_nvJitLinkGetLinkedCubin(struct linker *linker, void *out) {
    const int result = check_output(linker, 0, out);
    if (!result)
        memcpy(out, linker->cubin.data, linker->cubin.size);
    return result;
}

static int sim_nvJitLinkGetLinkedPtxSize(struct linker *linker, size_t *size) {
    const int result = check_output(linker, 1, size);
    if (!result)
        *size = linker->ptx.size + 1;
    return result;
}

static int sim_nvJitLinkGetLinkedPtx(struct linker *linker, char *out) {
    const int result = check_output(linker, 1, out);
    if (!result)
        memcpy(out, linker->ptx.data, linker->ptx.size + 1);
    return result;
}

/* The size of an empty log does not count its NUL; that of another does. */
static int give_log_size(const struct code *log, size_t *size) {
    if (!size)
        return known(NVJITLINK_ERROR_NULL_INPUT);
    *size = log->size ? log->size + 1 : 0;
    return NVJITLINK_SUCCESS;
}

static int give_log(const struct code *log, char *out) {
    if (!out)
        return known(NVJITLINK_ERROR_NULL_INPUT);
    memcpy(out, log->size ? log->data : "", log->size + 1);
    return NVJITLINK_SUCCESS;
}

static int sim_nvJitLinkGetErrorLogSize(struct linker *linker, size_t *size) {
    return give_log_size(&linker->errors, size);
}

static int sim_nvJitLinkGetErrorLog(struct linker *linker, char *out) {
    return give_log(&linker->errors, out);
}

static int sim_nvJitLinkGetInfoLogSize(struct linker *linker, size_t *size) {
    return give_log_size(&linker->infos, size);
}

static int sim_nvJitLinkGetInfoLog(struct linker *linker, char *out) {
    return give_log(&linker->infos, out);
}
