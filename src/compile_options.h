/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_COMPILE_OPTIONS_H
#define CUCORE_COMPILE_OPTIONS_H

/* The options of a compiler or linker, as the NUL-terminated texts it takes. */

#include "base/status.h"
#include "device.h"

typedef struct cucore_compile_options {
    size_t count;
    size_t room;
    char **texts;
} cucore_compile_options;

/* cucore_compile_options_begin starts a list that begins with `arch_option` ("-arch=") and the architecture: `arch` if given,
 * else the device's. Fails with INVALID_ARGUMENT if there is neither. On failure, here and below, the list is to be freed all the
 * same. */
int32_t cucore_compile_options_begin(const cucore_call *call, cucore_compile_options *options, const char *arch_option,
                                     const cucore_text *arch, const cucore_device *device);

/* cucore_compile_options_add adds one option. */
int32_t cucore_compile_options_add(const cucore_call *call, cucore_compile_options *options, const char *data, size_t size);

/* cucore_compile_options_add_all adds the caller's own options, as they are. */
int32_t cucore_compile_options_add_all(const cucore_call *call, cucore_compile_options *options, const cucore_text *texts,
                                       size_t count);

void cucore_compile_options_free(cucore_compile_options *options);

#endif
