/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_JIT_H
#define CUSIM_JIT_H

/* The options of cuLibraryLoadData, cuModuleLoadDataEx and cuLinkCreate. */

#include "driver_types.h"
#include "text.h"

#define JIT_LOG_SIZE 2048

/* One log, and where the program wants it: its own buffer, and its own option value, which is to receive the log's length. */
struct jit_log {
    char *buffer;
    size_t size;
    void **length;
    char text[JIT_LOG_SIZE];
};

struct jit_logs {
    struct jit_log info;
    struct jit_log error;
    int verbose;
};

void jit_read_options(struct jit_logs *logs, const CUjit_option *options, void **values, unsigned int count);
__attribute__((format(printf, 2, 3))) void jit_log_add(struct jit_log *log, const char *format, ...);

/* jit_write_logs writes into the program's buffers and option values: also when the object ends, as the real driver may, so that
 * they must live that long. */
void jit_write_logs(const struct jit_logs *logs);

#endif
