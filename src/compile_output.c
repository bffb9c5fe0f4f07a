/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "compile_output.h"

#include "base/argument.h"
#include "base/warning.h"
#include "driver/compilers.h"

#include <stdlib.h>
#include <string.h>

/* The sizes of texts count their NUL. */
static size_t bytes_of(int32_t kind, size_t size) {
    return kind == CUCORE_OBJECT_CODE_PTX ? size - 1 : size;
}

cucore_object_code *cucore_compile_output_code(const cucore_call *call, const cucore_compile_output *output, const void *object,
                                               uint64_t resource, int32_t kind, const char *name, const cucore_compile_log *log) {
    size_t size = 0;
    if (cucore_compiler_result(call, output->domain, output->size(object, &size), output->size_call, resource))
        return NULL;
    if (!size) {
        cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                    ": nothing of this kind was made; for a cubin, options->arch must be an \"sm_...\" one");
        return NULL;
    }
    const cucore_text text = {log->bytes, log->size};
    cucore_object_code *code = cucore_object_code_allocate(call, kind, bytes_of(kind, size), cucore_text_of(name), text);
    if (code && cucore_compiler_result(call, output->domain, output->bytes(object, code->data), output->bytes_call, resource)) {
        cucore_object_code_release(code);
        return NULL;
    }
    return code;
}

static char *allocate_log(const cucore_call *call, size_t room) {
    char *bytes = calloc(1, room);
    if (!bytes)
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for a log of %zu bytes", room);
    return bytes;
}

static int32_t fetch(const cucore_call *call, const cucore_compile_output *output, const void *object, uint64_t resource,
                     cucore_compile_log *log) {
    size_t room = 0;
    int32_t code = cucore_compiler_result(call, output->domain, output->size(object, &room), output->size_call, resource);
    if (code || room <= 1)
        return code;
    char *bytes = allocate_log(call, room + 1); /* some count the NUL, some do not */
    if (!bytes)
        return CUCORE_OUT_OF_MEMORY;
    code = cucore_compiler_result(call, output->domain, output->bytes(object, bytes), output->bytes_call, resource);
    if (code)
        free(bytes);
    else
        *log = (cucore_compile_log){bytes, strlen(bytes)};
    return code;
}

static cucore_status *could_not_be_had(const cucore_call *call) {
    if (*call->status)
        cucore_note(call, CUCORE_NOTE_CONSEQUENCE, "the log could not be had");
    return *call->status;
}

cucore_status *cucore_compile_output_log(const cucore_compile_output *output, const void *object, uint64_t resource,
                                         cucore_compile_log *log) {
    cucore_status *failure = NULL;
    const cucore_call call = {output->bytes_call, &failure};
    *log = (cucore_compile_log){NULL, 0};
    fetch(&call, output, object, resource, log);
    return could_not_be_had(&call);
}

cucore_status *cucore_compile_log_copy(const char *function, const char *bytes, size_t size, cucore_compile_log *log) {
    cucore_status *failure = NULL;
    const cucore_call call = {function, &failure};
    *log = (cucore_compile_log){size ? allocate_log(&call, size + 1) : NULL, size};
    if (log->bytes)
        memcpy(log->bytes, bytes, size);
    else
        log->size = 0;
    return could_not_be_had(&call);
}

void cucore_compile_output_no_log(const cucore_call *call, bool failed, cucore_status *no_log) {
    if (no_log && failed)
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, no_log);
    else if (no_log)
        cucore_warning_emit(no_log);
}
