/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "call.h"

#include "callback.h"
#include "capture.h"
#include "fault.h"
#include "hook.h"
#include "log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local struct call *current_call;

static int is_one_of(const char *name, const char *const *names) {
    while (*names && strcmp(name, *names) != 0)
        names++;
    return *names != NULL;
}

int call_is_fallible(const struct function *function) {
    static const char *const infallible[] = {"cuGetErrorName", "cuGetErrorString", "cuGetExportTable", NULL};
    return !is_one_of(function->name, infallible);
}

static int works_before_init(const struct function *function) {
    static const char *const early[] = {"cuInit",           "cuDriverGetVersion",     "cuGetProcAddress",         "cuGetErrorName",
                                        "cuGetErrorString", "cuLogsRegisterCallback", "cuLogsUnregisterCallback", NULL};
    return is_one_of(function->name, early);
}

static CUresult driver_is_ready(const struct function *function) {
    if (simulator.deinitialised && call_is_fallible(function))
        return refuse(CUDA_ERROR_DEINITIALIZED, "The driver is shutting down");
    if (!simulator.initialised && !works_before_init(function))
        return refuse(CUDA_ERROR_NOT_INITIALIZED, "cuInit was not called");
    return capture_allows(function);
}

static CUresult check(const struct function *function) {
    if (call_is_fallible(function) && callback_thread_calls())
        return refuse(CUDA_ERROR_NOT_PERMITTED, "Driver calls are not permitted on a CUDA callback thread");
    CUresult result = fault_before(function);
    return result == CUDA_SUCCESS ? driver_is_ready(function) : result;
}

int call_begin(struct call *call, struct function *function) {
    simulator_lock();
    hooks_run(function);
    call->function = function;
    call->sentence[0] = '\0';
    call->outer = current_call;
    current_call = call;
    function->calls++;
    call->result = check(function);
    return call->result == CUDA_SUCCESS;
}

CUresult call_end(struct call *call, const struct argument *arguments, size_t count) {
    call->result = fault_after(call->function, call->result);
    log_call(call, arguments, count);
    current_call = call->outer;
    int is_worth_words = call->result != CUDA_SUCCESS && call_is_fallible(call->function) && !simulator.deinitialised;
    simulator_unlock();
    if (is_worth_words)
        log_put_into_words(call);
    return call->result;
}

static void keep_sentence(const char *format, va_list arguments) {
    if (current_call)
        vsnprintf(current_call->sentence, sizeof(current_call->sentence), format, arguments);
}

void call_explain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    keep_sentence(format, arguments);
    va_end(arguments);
}

void call_violate(const char *format, ...) {
    char sentence[SENTENCE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    log_violation(current_call ? current_call->function->name : "cusim_release", sentence);
    call_explain("%s", sentence);
}
