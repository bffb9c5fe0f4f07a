/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_COMPILE_OUTPUT_H
#define CUCORE_COMPILE_OUTPUT_H

/* What compilers and linkers give back: object code and logs, each asked for by a call that tells the size and one that fills the
 * bytes. */

#include "object_code.h"

typedef struct cucore_compile_output {
    int32_t domain;
    const char *size_call; /* "nvrtcGetPTXSize" */
    const char *bytes_call;
    int64_t (*size)(const void *object, size_t *size);
    int64_t (*bytes)(const void *object, char *bytes);
} cucore_compile_output;

/* CUCORE_COMPILE_OUTPUT defines one that asks `table` for the `raw` of a cucore_<noun>. */
#define CUCORE_COMPILE_OUTPUT(output, output_domain, noun, table, size_function, bytes_function) \
    static int64_t output##_size(const void *object, size_t *size) { \
        return table.size_function(((const cucore_##noun *)object)->raw, size); \
    } \
    static int64_t output##_bytes(const void *object, char *bytes) { \
        return table.bytes_function(((const cucore_##noun *)object)->raw, bytes); \
    } \
    static const cucore_compile_output output = {output_domain, #size_function, #bytes_function, output##_size, output##_bytes};

/* A log, from malloc; NULL if it is empty. */
typedef struct cucore_compile_log {
    char *bytes;
    size_t size;
} cucore_compile_log;

/* cucore_compile_output_code gives object code of `kind` from the compiler's `object`; NULL, and the call failed, if it could not
 * be had. */
cucore_object_code *cucore_compile_output_code(const cucore_call *call, const cucore_compile_output *output, const void *object,
                                               uint64_t resource, int32_t kind, const char *name, const cucore_compile_log *log);

/* cucore_compile_output_log stores a log. A log that could not be had does not turn one outcome of a compilation into another: the
 * failure is returned, for cucore_compile_output_no_log. */
cucore_status *cucore_compile_output_log(const cucore_compile_output *output, const void *object, uint64_t resource,
                                         cucore_compile_log *log);

/* cucore_compile_log_copy stores a copy of a log that is somebody else's, and does the same where there is no memory. */
cucore_status *cucore_compile_log_copy(const char *function, const char *bytes, size_t size, cucore_compile_log *log);

/* cucore_compile_output_no_log tells such a failure, if there is one: a note on the failed call's status, or a warning beside a
 * success. */
void cucore_compile_output_no_log(const cucore_call *call, bool failed, cucore_status *no_log);

#endif
