/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_OBJECT_CODE_H
#define CUCORE_OBJECT_CODE_H

#include "base/object.h"
#include "cucore_v1/object_code.h"
#include "name_map.h"

extern const cucore_class cucore_object_code_class;

struct cucore_object_code {
    cucore_object object;
    int32_t kind;
    size_t size;
    char *data; /* `size` bytes and a NUL */
    char *name; /* "" if none */
    char *log;  /* `log_size` bytes and a NUL */
    size_t log_size;
    cucore_name_map names;
};

/* cucore_object_code_allocate gives object code with room for `size` bytes, to be filled, and copies of its name and log. */
cucore_object_code *cucore_object_code_allocate(const cucore_call *call, int32_t kind, size_t size, cucore_text name,
                                                cucore_text log);

/* cucore_expect_object_code_kind fails a call if `kind` is no CUCORE_OBJECT_CODE_... number. */
int32_t cucore_expect_object_code_kind(const cucore_call *call, int32_t kind, const char *parameter);

#endif
