/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "jit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void read_option(struct jit_logs *logs, CUjit_option option, void **value) {
    switch ((int)option) {
    case CU_JIT_INFO_LOG_BUFFER:
        logs->info.buffer = *value;
        break;
    case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
        logs->info.size = (unsigned int)(uintptr_t)*value;
        logs->info.length = value;
        break;
    case CU_JIT_ERROR_LOG_BUFFER:
        logs->error.buffer = *value;
        break;
    case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
        logs->error.size = (unsigned int)(uintptr_t)*value;
        logs->error.length = value;
        break;
    case CU_JIT_LOG_VERBOSE:
        logs->verbose = *value != NULL;
        break;
    default:
        break;
    }
}

void jit_read_options(struct jit_logs *logs, const CUjit_option *options, void **values, unsigned int count) {
    for (unsigned int i = 0; options && values && i < count; i++)
        read_option(logs, options[i], &values[i]);
}

void jit_log_add(struct jit_log *log, const char *format, ...) {
    size_t used = strlen(log->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(log->text + used, sizeof(log->text) - used, format, arguments);
    va_end(arguments);
}

static void write_log(const struct jit_log *log) {
    if (!log->buffer || !log->size)
        return;
    snprintf(log->buffer, log->size, "%s", log->text);
    if (log->length)
        *log->length = (void *)(uintptr_t)strlen(log->buffer);
}

void jit_write_logs(const struct jit_logs *logs) {
    write_log(&logs->info);
    write_log(&logs->error);
}
