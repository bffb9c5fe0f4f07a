/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/status.h"

#include "base/references.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cucore_status {
    _Atomic uint32_t references; /* 0: static, never freed */
    int32_t note_kind;           /* what it is to the status that it is a note of */
    cucore_failure failure;
    size_t message_size;
    const char *message;
    size_t note_count;
    cucore_status *notes; /* the first */
    cucore_status *next;  /* the next note of the same status */
};                        /* behind it: the message, then the log, each followed by a NUL */

#define CODES(X) \
    X(OK) \
    X(INVALID_ARGUMENT) \
    X(INVALID_HANDLE) \
    X(INVALID_STATE) \
    X(NOT_SUPPORTED) \
    X(NOT_FOUND) \
    X(NOT_READY) \
    X(OUT_OF_MEMORY) \
    X(DEVICE_LOST) \
    X(COMPILE) \
    X(LINK) \
    X(CANCELLED) \
    X(OS) \
    X(DRIVER) \
    X(INTERNAL)

#define NAME(code) [CUCORE_##code] = #code,
static const char *const code_names[] = {CODES(NAME)};

static const char no_memory[] = "details lost: no memory";

#define STAND_IN(name) \
    [CUCORE_##name] = {.failure = {.code = CUCORE_##name, .domain = CUCORE_DOMAIN_CUCORE, .operation = "", .log = ""}, \
                       .message = no_memory, \
                       .message_size = sizeof no_memory - 1},
static cucore_status stand_ins[] = {CODES(STAND_IN)};

#define CODE_COUNT ((int32_t)(sizeof code_names / sizeof code_names[0]))

static bool is_code(int32_t code) {
    return code >= 0 && code < CODE_COUNT;
}

static cucore_status *stand_in(int32_t code) {
    return &stand_ins[is_code(code) ? code : CUCORE_DRIVER];
}

static cucore_status *allocate(const cucore_failure *failure, size_t message_size) {
    cucore_status *status = malloc(sizeof *status + message_size + 1 + failure->log_size + 1);
    if (!status)
        return NULL;
    char *message = (char *)(status + 1);
    char *log = message + message_size + 1;
    *status = (cucore_status){.references = 1, .failure = *failure, .message_size = message_size, .message = message};
    if (!failure->operation)
        status->failure.operation = "";
    if (failure->log_size)
        memcpy(log, failure->log, failure->log_size);
    log[failure->log_size] = '\0';
    status->failure.log = log;
    return status;
}

/* "cuStreamDestroy(0x5581)": what the message begins with. Returns its size, which is less than `room`. */
static size_t name_call(char *prefix, size_t room, const cucore_failure *failure) {
    const char *operation = failure->operation ? failure->operation : "";
    int size = failure->resource ? snprintf(prefix, room, "%s(0x%" PRIx64 ")", operation, failure->resource)
                                 : snprintf(prefix, room, "%s", operation);
    if (size < 0)
        return 0;
    return (size_t)size < room ? (size_t)size : room - 1;
}

static cucore_status *make(const cucore_failure *failure, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    char prefix[160];
    size_t prefix_size = name_call(prefix, sizeof prefix, failure);
    int size = vsnprintf(NULL, 0, format, arguments);
    cucore_status *status = size < 0 ? NULL : allocate(failure, prefix_size + (size_t)size);
    if (status) {
        char *message = (char *)(status + 1);
        memcpy(message, prefix, prefix_size);
        vsnprintf(message + prefix_size, (size_t)size + 1, format, again);
    }
    va_end(again);
    return status ? status : stand_in(failure->code);
}

cucore_status *cucore_status_make(const cucore_failure *failure, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cucore_status *status = make(failure, format, arguments);
    va_end(arguments);
    return status;
}

bool cucore_status_is_static(const cucore_status *status) {
    return atomic_load_explicit(&status->references, memory_order_relaxed) == 0;
}

void cucore_status_add_note(cucore_status *status, int32_t kind, cucore_status *note) {
    if (cucore_status_is_static(status) || cucore_status_is_static(note)) {
        cucore_status_release(note); /* no memory: details are lost, as the stand-in says */
        return;
    }
    cucore_status **last = &status->notes;
    while (*last)
        last = &(*last)->next;
    *last = note;
    note->note_kind = kind;
    status->note_count++;
}

int32_t cucore_fail(const cucore_call *call, int32_t code, const char *format, ...) {
    if (!call->status)
        return code;
    const cucore_failure failure = {.code = code, .domain = CUCORE_DOMAIN_CUCORE, .operation = call->function};
    va_list arguments;
    va_start(arguments, format);
    *call->status = make(&failure, format, arguments);
    va_end(arguments);
    return code;
}

int32_t cucore_fail_with(const cucore_call *call, cucore_status *status) {
    int32_t code = cucore_status_code(status);
    if (call->status)
        *call->status = status;
    else
        cucore_status_release(status);
    return code;
}

void cucore_status_note_list(cucore_status *status, int32_t kind, const char *format, va_list arguments) {
    const cucore_failure failure = {.code = cucore_status_code(status), .domain = CUCORE_DOMAIN_CUCORE};
    cucore_status_add_note(status, kind, make(&failure, format, arguments));
}

void cucore_status_note_text(cucore_status *status, int32_t kind, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    cucore_status_note_list(status, kind, format, arguments);
    va_end(arguments);
}

void cucore_note(const cucore_call *call, int32_t kind, const char *format, ...) {
    if (!call->status || !*call->status)
        return;
    va_list arguments;
    va_start(arguments, format);
    cucore_status_note_list(*call->status, kind, format, arguments);
    va_end(arguments);
}

void cucore_note_failure(const cucore_call *call, int32_t kind, cucore_status *failure) {
    if (call->status && *call->status)
        cucore_status_add_note(*call->status, kind, failure);
    else
        cucore_status_release(failure);
}

cucore_status *cucore_status_create(int32_t code, const char *message, size_t size) {
    const cucore_failure bad = {.code = CUCORE_INVALID_ARGUMENT, .domain = CUCORE_DOMAIN_CUCORE, .operation = __func__};
    if (!is_code(code) || code == CUCORE_OK)
        return cucore_status_make(&bad, ": %d is not the code of a failure", (int)code);
    if ((!message && size) || size > INT_MAX || (size && memchr(message, '\0', size)))
        return cucore_status_make(&bad, ": the message is NULL, too long, or has a NUL in it");
    cucore_failure failure = {.code = code, .domain = CUCORE_DOMAIN_CUCORE};
    return cucore_status_make(&failure, "%.*s", (int)size, message ? message : "");
}

cucore_status *cucore_status_retain(const cucore_status *status) {
    cucore_status *kept = (cucore_status *)(uintptr_t)status; /* the count is the one part of a status that changes */
    if (kept && !cucore_status_is_static(kept))
        cucore_references_add(&kept->references);
    return kept;
}

void cucore_status_release(cucore_status *status) {
    if (!status || cucore_status_is_static(status) || !cucore_references_drop(&status->references))
        return;
    for (cucore_status *note = status->notes, *next; note; note = next) {
        next = note->next;
        cucore_status_release(note);
    }
    free(status);
}

int32_t cucore_status_code(const cucore_status *status) {
    return status ? status->failure.code : CUCORE_OK;
}

int32_t cucore_status_domain(const cucore_status *status) {
    return status ? status->failure.domain : 0;
}

int64_t cucore_status_native_code(const cucore_status *status) {
    return status ? status->failure.native_code : 0;
}

uint64_t cucore_status_resource(const cucore_status *status) {
    return status ? status->failure.resource : 0;
}

const char *cucore_bytes_out(const char *bytes, size_t byte_count, size_t *size) {
    if (size)
        *size = byte_count;
    return bytes;
}

const char *cucore_text_out(const char *text, size_t *size) {
    return cucore_bytes_out(text, text ? strlen(text) : 0, size);
}

const char *cucore_status_operation(const cucore_status *status, size_t *size) {
    return cucore_text_out(status ? status->failure.operation : "", size);
}

const char *cucore_status_message(const cucore_status *status, size_t *size) {
    return status ? cucore_bytes_out(status->message, status->message_size, size) : cucore_text_out("", size);
}

const char *cucore_status_log(const cucore_status *status, size_t *size) {
    return status ? cucore_bytes_out(status->failure.log, status->failure.log_size, size) : cucore_text_out("", size);
}

size_t cucore_status_note_count(const cucore_status *status) {
    return status ? status->note_count : 0;
}

const cucore_status *cucore_status_note(const cucore_status *status, size_t index) {
    const cucore_status *note = status ? status->notes : NULL;
    while (note && index--)
        note = note->next;
    return note;
}

int32_t cucore_status_note_kind(const cucore_status *status, size_t index) {
    const cucore_status *note = cucore_status_note(status, index);
    return note ? note->note_kind : 0;
}

const char *cucore_status_code_name(int32_t code) {
    return is_code(code) ? code_names[code] : "";
}
