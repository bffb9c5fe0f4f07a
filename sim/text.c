/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer writer_on(char *text, size_t size) {
    struct writer writer = {NULL, size, 0};
    writer.text = text;
    if (size)
        text[0] = '\0';
    return writer;
}

void writer_add(struct writer *writer, const char *format, ...) {
    size_t used = writer->length < writer->size ? writer->length : writer->size;
    va_list arguments;
    va_start(arguments, format);
    char *end = writer->text ? writer->text + used : NULL;
    int added = vsnprintf(end, writer->size - used, format, arguments);
    va_end(arguments);
    writer->length += added > 0 ? (size_t)added : 0;
}

static int lines_grow(struct lines *lines) {
    size_t capacity = lines->capacity ? 2 * lines->capacity : 64;
    char **texts = realloc(lines->texts, capacity * sizeof(*texts));
    if (!texts)
        return 0;
    lines->texts = texts;
    lines->capacity = capacity;
    return 1;
}

void lines_add(struct lines *lines, const char *text) {
    if (lines->count == LINES_MAX || (lines->count == lines->capacity && !lines_grow(lines)))
        return;
    char *copy = strdup(text);
    if (copy)
        lines->texts[lines->count++] = copy;
}

void lines_clear(struct lines *lines) {
    for (size_t i = 0; i < lines->count; i++)
        free(lines->texts[i]);
    free(lines->texts);
    *lines = (struct lines){0};
}
