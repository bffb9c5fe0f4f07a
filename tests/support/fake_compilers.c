/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fake_compilers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALL __attribute__((visibility("default")))
#define REFUSED 6 /* NVRTC_ERROR_COMPILATION, and nvJitLink's NVJITLINK_ERROR_INTERNAL */

static const char ptx[] = ".version 7.0\n.target sm_52\n.address_size 64\n"
                          ".visible .entry nothing()\n{\n    ret;\n}\n";
static const char warning[] = "fake.cu(1): warning #177-D: variable \"unused\" was declared but never referenced\n";
static const char error[] = "fake.cu(1): error: #error directive\n";

/* A program or a linker. */
struct job {
    int refused;
    int compiled;
};

static struct {
    char function[64];
    uint64_t nth, calls, failures;
    int any, result, sticky;
    const char *failed[64];
} armed;

static uint64_t live;
static char options_text[1024];

CALL void fake_fail(const char *function, uint64_t nth, int result, int sticky) {
    memset(&armed, 0, sizeof armed);
    armed.any = function == NULL;
    snprintf(armed.function, sizeof armed.function, "%s", function != NULL ? function : "");
    armed.nth = nth;
    armed.result = result;
    armed.sticky = sticky;
}

CALL uint64_t fake_calls(void) {
    return armed.calls;
}

CALL uint64_t fake_failures(void) {
    return armed.failures;
}

CALL const char *fake_failed(uint64_t index) {
    return index < armed.failures && index < 64 ? armed.failed[index] : NULL;
}

CALL uint64_t fake_live(void) {
    return live;
}

CALL const char *fake_options(void) {
    return options_text;
}

/* The result that the call of this name must give: 0, or an armed failure. */
static int injected(const char *function) {
    if (!armed.any && strcmp(armed.function, function) != 0) {
        return 0;
    }
    armed.calls++;
    if (armed.nth == 0 || armed.calls < armed.nth || (armed.calls > armed.nth && !armed.sticky)) {
        return 0;
    }
    if (armed.failures < 64) {
        armed.failed[armed.failures] = function;
    }
    armed.failures++;
    return armed.result;
}

#define FAIL_IF_ARMED \
    do { \
        const int result = injected(__func__); \
        if (result != 0) { \
            return result; \
        } \
    } while (0)

static int create(struct job **job, int refused) {
    *job = calloc(1, sizeof **job);
    if (*job == NULL) {
        return 1;
    }
    (*job)->refused = refused;
    live++;
    return 0;
}

/* Destroys whatever it says, so that a leak checker finds nothing. */
static int destroy(struct job **job, int result) {
    free(*job);
    *job = NULL;
    live--;
    return result;
}

static void keep_options(uint32_t count, const char *const *options) {
    options_text[0] = '\0';
    for (uint32_t index = 0; index < count; index++) {
        const size_t used = strlen(options_text);
        snprintf(options_text + used, sizeof options_text - used, "%s\n", options[index]);
    }
}

static int give_size(size_t *size, const char *text) {
    *size = strlen(text) + 1;
    return 0;
}

static int give(char *out, const char *text) {
    memcpy(out, text, strlen(text) + 1);
    return 0;
}

static const char *log_of(const struct job *job) {
    return job->refused ? error : warning;
}

CALL int nvrtcVersion(int *major, int *minor) {
    FAIL_IF_ARMED;
    *major = 12;
    *minor = 9;
    return 0;
}

CALL int nvrtcCreateProgram(struct job **program, const char *source, const char *name, int header_count,
                            const char *const *headers, const char *const *include_names) {
    (void)name, (void)header_count, (void)headers, (void)include_names;
    FAIL_IF_ARMED;
    return create(program, strstr(source, "#error") != NULL);
}

CALL int nvrtcDestroyProgram(struct job **program) {
    return destroy(program, injected(__func__));
}

CALL int nvrtcCompileProgram(struct job *program, int count, const char *const *options) {
    FAIL_IF_ARMED;
    keep_options((uint32_t)count, options);
    program->compiled = 1;
    return program->refused ? REFUSED : 0;
}

#define GETTERS(name, job_type, text) \
    CALL int name##Size(job_type *job, size_t *size) { \
        FAIL_IF_ARMED; \
        return give_size(size, text); \
    } \
    CALL int name(job_type *job, char *out) { \
        FAIL_IF_ARMED; \
        return give(out, text); \
    }

GETTERS(nvrtcGetPTX, struct job, (job->compiled ? ptx : ""))
GETTERS(nvrtcGetCUBIN, struct job, (job->compiled ? "\177ELF" : ""))
GETTERS(nvrtcGetLTOIR, struct job, (job->compiled ? "LTO-IR" : ""))
GETTERS(nvrtcGetProgramLog, struct job, log_of(job))

CALL int nvJitLinkVersion(unsigned int *major, unsigned int *minor) {
    FAIL_IF_ARMED;
    *major = 12;
    *minor = 9;
    return 0;
}

CALL int nvJitLinkCreate(struct job **linker, uint32_t count, const char **options) {
    FAIL_IF_ARMED;
    keep_options(count, options);
    return create(linker, 0);
}

CALL int nvJitLinkDestroy(struct job **linker) {
    return destroy(linker, injected(__func__));
}

CALL int nvJitLinkAddData(struct job *linker, int type, const void *data, size_t size, const char *name) {
    (void)type, (void)name;
    FAIL_IF_ARMED;
    linker->refused = linker->refused || (size >= 6 && memcmp(data, "#error", 6) == 0);
    return 0;
}

CALL int nvJitLinkComplete(struct job *linker) {
    FAIL_IF_ARMED;
    return linker->refused ? REFUSED : 0;
}

GETTERS(nvJitLinkGetLinkedCubin, struct job, ((void)job, ptx))
GETTERS(nvJitLinkGetLinkedPtx, struct job, ((void)job, ptx))
GETTERS(nvJitLinkGetErrorLog, struct job, (job->refused ? error : ""))
GETTERS(nvJitLinkGetInfoLog, struct job, (job->refused ? "" : warning))
