/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_TEXT_H
#define CUSIM_TEXT_H

#include <stddef.h>

/* A caller's buffer being written to: what does not fit is counted in `length` and left out. */
struct writer {
    char *text;
    size_t size;
    size_t length;
};

struct writer writer_on(char *text, size_t size);
__attribute__((format(printf, 2, 3))) void writer_add(struct writer *writer, const char *format, ...);

/* Lines kept in order. At most LINES_MAX: a program that makes calls for hours must not fill the memory with their log. */
#define LINES_MAX ((size_t)1 << 20)

struct lines {
    char **texts;
    size_t count;
    size_t capacity;
};

void lines_add(struct lines *lines, const char *text);
void lines_clear(struct lines *lines);

#endif
