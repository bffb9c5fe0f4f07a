/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_STATUS_H
#define CUCORE_BASE_STATUS_H

/* How a failure is made, told to the caller, and added to. The one place that formats messages. */

#include "cucore_v1/status.h"

#include <stdarg.h>
#include <stdbool.h>

#define CUCORE_FORMAT(string, first) __attribute__((format(printf, string, first)))

/* CUCORE_RARE is for what a call that succeeds does not come to: compilers keep it, and the way to it, out of that call's way. */
#define CUCORE_RARE __attribute__((cold))

/* A call of a public function: its name, and where its caller wants the status (NULL: nowhere). */
typedef struct cucore_call {
    const char *function;
    cucore_status **status;
} cucore_call;

/* cucore_call_begin is the first statement of every public function that has a `status` parameter. */
static inline cucore_call cucore_call_begin(const char *function, cucore_status **status) {
    if (status)
        *status = NULL;
    return (cucore_call){function, status};
}

/* What a status says besides its message. `operation` has static lifetime; zeros and NULL where there is nothing to say. */
typedef struct cucore_failure {
    int32_t code;
    int32_t domain;
    int64_t native_code;
    const char *operation;
    uint64_t resource;
    const char *log;
    size_t log_size;
} cucore_failure;

/* cucore_status_make makes a status. Its message begins with the operation and, in parentheses, the resource, where there are
 * such; `format` gives the rest. Never NULL: with no memory it is the static status of the same code. */
cucore_status *cucore_status_make(const cucore_failure *failure, const char *format, ...) CUCORE_FORMAT(2, 3);

/* cucore_status_add_note puts `note` last among the notes of `status`; it takes the caller's reference to it. Only for a status
 * that nobody else has seen yet. */
void cucore_status_add_note(cucore_status *status, int32_t kind, cucore_status *note);

/* cucore_status_note_text adds a note of the library's own, under the same rule. */
void cucore_status_note_text(cucore_status *status, int32_t kind, const char *format, ...) CUCORE_FORMAT(3, 4);

void cucore_status_note_list(cucore_status *status, int32_t kind, const char *format, va_list arguments);

/* cucore_status_is_static tells whether this is a stand-in for a status that there was no memory for. */
bool cucore_status_is_static(const cucore_status *status);

/* cucore_fail fails a call with a status of the library's own, whose operation is the function called, and returns its code. The
 * format goes on behind the name: ": stream is NULL". */
int32_t cucore_fail(const cucore_call *call, int32_t code, const char *format, ...) CUCORE_FORMAT(3, 4) CUCORE_RARE;

/* cucore_fail_with fails a call with `status`, whose reference it takes, and returns its code. */
int32_t cucore_fail_with(const cucore_call *call, cucore_status *status) CUCORE_RARE;

/* cucore_note adds a note of the library's own to the status that a call failed with. */
void cucore_note(const cucore_call *call, int32_t kind, const char *format, ...) CUCORE_FORMAT(3, 4) CUCORE_RARE;

/* cucore_note_failure adds `failure`, whose reference it takes, as a note to the status that a call failed with. */
void cucore_note_failure(const cucore_call *call, int32_t kind, cucore_status *failure) CUCORE_RARE;

/* cucore_text_out returns text, or NULL, and stores its size where that is wanted: the end of every accessor of text. */
const char *cucore_text_out(const char *text, size_t *size);
const char *cucore_bytes_out(const char *bytes, size_t byte_count, size_t *size);

#endif
