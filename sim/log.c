/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "log.h"

#include "error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define CALLBACKS_MAX 16

struct CUlogsCallbackEntry_st {
    CUlogsCallback callback; /* NULL: free */
    void *data;
};

static struct lines calls;
static struct lines violations;
static struct CUlogsCallbackEntry_st callbacks[CALLBACKS_MAX];
static uint64_t words_count;

static void write_argument(struct writer *line, const struct argument *argument) {
    if (argument->kind == ARGUMENT_NUMBER)
        writer_add(line, "%" PRId64, (int64_t)argument->value);
    else if (argument->kind == ARGUMENT_TEXT && argument->value)
        writer_add(line, "\"%s\"", (const char *)(uintptr_t)argument->value);
    else
        writer_add(line, "0x%" PRIx64, argument->value);
}

void log_call(const struct call *call, const struct argument *arguments, size_t count) {
    char text[512];
    struct writer line = writer_on(text, sizeof(text));
    writer_add(&line, "%s(", call->function->name);
    for (size_t i = 0; i < count; i++) {
        writer_add(&line, "%s", i ? ", " : "");
        write_argument(&line, &arguments[i]);
    }
    writer_add(&line, ") = %d", (int)call->result);
    lines_add(&calls, text);
}

void log_violation(const char *function, const char *sentence) {
    char text[SENTENCE_SIZE + 64];
    snprintf(text, sizeof(text), "%s: %s", function, sentence);
    lines_add(&violations, text);
}

static void say(const struct CUlogsCallbackEntry_st *to, char *line) {
    to->callback(to->data, CU_LOG_LEVEL_ERROR, line, strlen(line));
}

void log_put_into_words(const struct call *call) {
    struct CUlogsCallbackEntry_st listeners[CALLBACKS_MAX];
    size_t count = 0;
    simulator_lock();
    for (size_t i = 0; i < CALLBACKS_MAX; i++) {
        if (callbacks[i].callback)
            listeners[count++] = callbacks[i];
    }
    words_count += count * (call->sentence[0] ? 2 : 1);
    simulator_unlock();

    char sentence[SENTENCE_SIZE];
    char returning[128];
    for (size_t i = 0; i < count; i++) {
        snprintf(sentence, sizeof(sentence), "%s", call->sentence);
        snprintf(returning, sizeof(returning), "Returning %d (%s) from %s", (int)call->result, error_name(call->result),
                 call->function->symbol);
        if (sentence[0]) /* of some failures the real driver says nothing either */
            say(&listeners[i], sentence);
        say(&listeners[i], returning);
    }
}

CUresult sim_cuLogsRegisterCallback(CUlogsCallback callback, void *data, CUlogsCallbackHandle *handle) {
    if (!callback || !handle)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < CALLBACKS_MAX; i++) {
        if (!callbacks[i].callback) {
            callbacks[i] = (struct CUlogsCallbackEntry_st){callback, data};
            *handle = &callbacks[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult sim_cuLogsUnregisterCallback(CUlogsCallbackHandle handle) {
    for (size_t i = 0; i < CALLBACKS_MAX; i++) {
        if (handle == &callbacks[i] && handle->callback) {
            handle->callback = NULL;
            return CUDA_SUCCESS;
        }
    }
    return violation(CUDA_ERROR_INVALID_VALUE, "Log callback handle 0x%" PRIxPTR " is not registered", (uintptr_t)handle);
}

const struct lines *log_calls(void) {
    return &calls;
}

const struct lines *log_violations(void) {
    return &violations;
}

uint64_t log_words_count(void) {
    return words_count;
}

void log_clear_calls(void) {
    lines_clear(&calls);
    for (size_t i = 0; i < functions_count; i++)
        functions[i].calls = 0;
}

void log_reset(void) {
    log_clear_calls();
    lines_clear(&violations);
    memset(callbacks, 0, sizeof(callbacks));
    words_count = 0;
}
