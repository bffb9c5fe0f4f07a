/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "linker.h"

#include "call.h"
#include "context.h"
#include "file.h"
#include "library.h"
#include "machine_code.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void free_inputs(struct link *link) {
    while (link->first) {
        struct link_input *input = link->first;
        link->first = input->next;
        free(input->ptx);
        free(input);
    }
    link->end = &link->first;
}

static void ended(struct object *object) {
    struct link *link = (struct link *)object;
    free_inputs(link);
    free(link->cubin);
    free(link->logs);
    link->cubin = NULL;
    link->logs = NULL;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuLinkCreate_v2(unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *state) {
    struct context *context = NULL;
    CUresult result =
        state && (numOptions == 0 || (options && optionValues)) ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    struct jit_logs *logs = calloc(1, sizeof(*logs));
    struct link *link = logs ? object_create(OBJECT_LINK, context) : NULL;
    if (!link) {
        free(logs);
        return CUDA_ERROR_OUT_OF_MEMORY;
    }
    link->object.ended = ended;
    link->maker = pthread_self();
    link->logs = logs;
    link->end = &link->first;
    jit_read_options(logs, options, optionValues, numOptions);
    *state = (CUlinkState)link;
    return CUDA_SUCCESS;
}

static CUresult find_to_work(CUlinkState raw, struct link **link) {
    CUresult result = object_find(OBJECT_LINK, raw, link);
    if (result == CUDA_SUCCESS && (*link)->cubin)
        return refuse(CUDA_ERROR_INVALID_VALUE, "The link is complete already");
    return result;
}

static CUresult fail(const struct link *link, CUresult result, const char *name, const char *why) {
    jit_log_add(&link->logs->error, "error   : %s: %s\n", name, why);
    jit_write_logs(link->logs);
    return refuse(result, "%s: %s", name, why);
}

/* A copy of an input's PTX, NUL-terminated; NULL if it is none. */
static char *copy_ptx(CUjitInputType type, const char *data, size_t size) {
    if (type == CU_JIT_INPUT_PTX)
        return strndup(data, size);
    return type == CU_JIT_INPUT_CUBIN ? machine_code_ptx(data, size) : NULL;
}

static CUresult try_to_load(const char *ptx, char log[JIT_LOG_SIZE]) {
    ptx_module *module = NULL;
    ptx_result result = ptx_load(&module, ptx, strlen(ptx), devices_architecture()->number, log, JIT_LOG_SIZE);
    ptx_unload(module);
    return library_result_of(result);
}

static CUresult check_ptx(const struct link *link, const struct link_input *input) {
    char log[JIT_LOG_SIZE];
    if (!library_looks_like_ptx(input->ptx))
        return fail(link, CUDA_ERROR_INVALID_PTX, input->name, "This is no PTX");
    if (strstr(input->ptx, ".extern"))
        return CUDA_SUCCESS; /* what it needs of other inputs is there when the link is completed */
    CUresult result = try_to_load(input->ptx, log);
    return result == CUDA_SUCCESS ? CUDA_SUCCESS : fail(link, result, input->name, log);
}

static struct link_input *create_input(CUjitInputType type, const void *data, size_t size, const char *name) {
    struct link_input *input = calloc(1, sizeof(*input));
    if (!input)
        return NULL;
    snprintf(input->name, sizeof(input->name), "%s", name ? name : "<unnamed>");
    input->ptx = copy_ptx(type, data, size);
    return input;
}

static void free_input(struct link_input *input) {
    free(input->ptx);
    free(input);
}

static CUresult add(struct link *link, CUjitInputType type, const void *data, size_t size, const char *name) {
    struct link_input *input = create_input(type, data, size, name);
    if (!input)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult result = input->ptx ? check_ptx(link, input)
                                 : fail(link, CUDA_ERROR_INVALID_IMAGE, input->name,
                                        "The simulated device links PTX, and what it made "
                                        "of PTX, only");
    if (result != CUDA_SUCCESS) {
        free_input(input);
        return result;
    }
    *link->end = input;
    link->end = &input->next;
    link->input_count++;
    return CUDA_SUCCESS;
}

/* NOLINTBEGIN(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuLinkAddData_v2(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                              unsigned int numOptions, CUjit_option *options, void **optionValues) {
    /* NOLINTEND(readability-non-const-parameter) */
    struct link *link = NULL;
    (void)numOptions;
    (void)options;
    (void)optionValues;
    CUresult result = data && size ? find_to_work(state, &link) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? add(link, type, data, size, name) : result;
}

/* NOLINTBEGIN(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuLinkAddFile_v2(CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions,
                              CUjit_option *options, void **optionValues) {
    /* NOLINTEND(readability-non-const-parameter) */
    struct link *link = NULL;
    size_t size = 0;
    (void)numOptions;
    (void)options;
    (void)optionValues;
    CUresult result = path ? find_to_work(state, &link) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    char *bytes = file_read(path, &size);
    result = bytes ? add(link, type, bytes, size, path) : refuse(CUDA_ERROR_FILE_NOT_FOUND, "%s cannot be read", path);
    free(bytes);
    return result;
}

/* Blanks out the directives that only the first text may begin with: each is a line. */
static void blank_directive(char *ptx, const char *directive) {
    char *at = strstr(ptx, directive);
    while (at && *at && *at != '\n')
        *at++ = ' ';
}

/* Writes an input's text, and gives the end of what is written so far. */
static char *append_input(const char *joined, char *end, const struct link_input *input) {
    static const char *const directives[] = {".version", ".target", ".address_size"};
    size_t size = strlen(input->ptx);
    memcpy(end, input->ptx, size);
    end[size] = '\n';
    for (size_t i = 0; end > joined && i < sizeof(directives) / sizeof(directives[0]); i++)
        blank_directive(end, directives[i]);
    return end + size + 1;
}

static int needs_variables(const struct link_input *input) {
    return strstr(input->ptx, ".extern .global") != NULL;
}

/* One text of all the inputs: those that define variables for others come before those that need some. */
static char *join_inputs(const struct link *link) {
    size_t size = 1;
    for (const struct link_input *input = link->first; input; input = input->next)
        size += strlen(input->ptx) + 1;
    char *joined = calloc(1, size);
    char *end = joined;
    for (int needing = 0; joined && needing < 2; needing++) {
        for (const struct link_input *input = link->first; input; input = input->next) {
            if (needs_variables(input) == needing)
                end = append_input(joined, end, input);
        }
    }
    return joined;
}

static CUresult make_cubin(struct link *link, const char *ptx, size_t *size) {
    char log[JIT_LOG_SIZE];
    CUresult result = try_to_load(ptx, log);
    if (result != CUDA_SUCCESS)
        return fail(link, result, "link", log);
    link->cubin = machine_code_wrap(ptx, devices_architecture()->number, size);
    return link->cubin ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult sim_cuLinkComplete(CUlinkState state, void **cubin, size_t *size) {
    struct link *link = NULL;
    CUresult result = cubin ? find_to_work(state, &link) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    if (!link->first)
        return fail(link, CUDA_ERROR_INVALID_VALUE, "link", "There is no input");
    size_t made = 0;
    char *joined = join_inputs(link);
    result = joined ? make_cubin(link, joined, &made) : CUDA_ERROR_OUT_OF_MEMORY;
    free(joined);
    if (result != CUDA_SUCCESS)
        return result;
    if (link->logs->verbose)
        jit_log_add(&link->logs->info, "info    : %zu inputs linked for sm_%u\n", link->input_count,
                    devices_architecture()->number);
    jit_write_logs(link->logs);
    *cubin = link->cubin;
    if (size)
        *size = made;
    return CUDA_SUCCESS;
}

CUresult sim_cuLinkDestroy(CUlinkState state) {
    struct link *link = NULL;
    CUresult result = object_find(OBJECT_LINK, state, &link);
    if (result != CUDA_SUCCESS)
        return result;
    if (link->first && !link->cubin && !pthread_equal(link->maker, pthread_self()))
        return violation(CUDA_ERROR_INVALID_VALUE,
                         "A link with inputs, not completed, is destroyed on another thread than made it");
    jit_write_logs(link->logs);
    object_end(&link->object, OBJECT_DESTROYED);
    return CUDA_SUCCESS;
}
