/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "compile_output.h"

#include "driver/compilers.h"

#include <stdlib.h>
#include <string.h>

/* The sizes of texts count their NUL. */
static size_t bytes_of(int32_t kind, size_t size) {
    return kind == CUCORE_OBJECT_CODE_PTX && size ? size - 1 : size;
}

cucore_object_code *cucore_compile_output_code(const cucore_call *call, const cucore_compile_output *output, const void *object,
                                               uint64_t resource, int32_t kind, const char *name) {
    size_t size = 0;
    if (cucore_compiler_result(call, output->domain, output->size(object, &size), output->size_call, resource))
        return NULL;
    if (!size) {
        cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                    ": nothing of this kind was made; for a cubin, options->arch must be an \"sm_...\" one");
        return NULL;
    }
    cucore_object_code *code = cucore_object_code_allocate(call, kind, bytes_of(kind, size), name, strlen(name));
    if (code && cucore_compiler_result(call, output->domain, output->bytes(object, code->data), output->bytes_call, resource)) {
        cucore_object_code_release(code);
        return NULL;
    }
    return code;
}

static int32_t fetch_log(const cucore_call *call, const cucore_compile_output *output, const void *object, uint64_t resource,
                         char **log) {
    size_t room = 0;
    int32_t code = cucore_compiler_result(call, output->domain, output->size(object, &room), output->size_call, resource);
    if (code || room <= 1)
        return code;
    char *bytes = calloc(1, room + 1); /* some count the NUL, some do not */
    if (!bytes)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for a log of %zu bytes", room);
    code = cucore_compiler_result(call, output->domain, output->bytes(object, bytes), output->bytes_call, resource);
    if (code)
        free(bytes);
    else
        *log = bytes;
    return code;
}

cucore_status *cucore_compile_output_log(const cucore_compile_output *output, const void *object, uint64_t resource, char **log,
                                         size_t *size) {
    cucore_status *failure = NULL;
    const cucore_call fetch = {output->bytes_call, &failure};
    *log = NULL;
    fetch_log(&fetch, output, object, resource, log);
    *size = *log ? strlen(*log) : 0;
    if (failure)
        cucore_note(&fetch, CUCORE_NOTE_CONSEQUENCE, "the log could not be had");
    return failure;
}
