/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "scan.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct span span_of(const char *text) {
    return (struct span){text, strlen(text)};
}

struct span span_from(struct span span, const char *start) {
    return (struct span){start, span.size - (size_t)(start - span.start)};
}

const char *span_find(struct span span, const char *text) {
    const size_t size = strlen(text);
    for (size_t i = 0; i + size <= span.size; i++)
        if (memcmp(span.start + i, text, size) == 0)
            return span.start + i;
    return NULL;
}

struct span span_until(struct span span, const char *mark) {
    const char *end = span_find(span, mark);
    return end ? (struct span){span.start, (size_t)(end - span.start)} : span;
}

static int is_space(char letter) {
    return isspace((unsigned char)letter) != 0;
}

struct span span_trim(struct span span) {
    while (span.size && is_space(*span.start))
        span = span_from(span, span.start + 1);
    while (span.size && is_space(span.start[span.size - 1]))
        span.size--;
    return span;
}

int span_is(struct span span, const char *text) {
    return span_equal(span, span_of(text));
}

int span_equal(struct span one, struct span other) {
    return one.size == other.size && (one.size == 0 || memcmp(one.start, other.start, one.size) == 0);
}

int span_ends_with(struct span span, const char *text) {
    const size_t size = strlen(text);
    return span.size >= size && memcmp(span.start + span.size - size, text, size) == 0;
}

char *span_copy(struct span span) {
    return strndup(span.size ? span.start : "", span.size);
}

int scan_is_word_letter(char letter) {
    return isalnum((unsigned char)letter) || letter == '_' || letter == '$';
}

struct span scan_word(struct span span) {
    size_t size = 0;
    while (size < span.size && scan_is_word_letter(span.start[size]))
        size++;
    return (struct span){span.start, size};
}

/* Moves on to the next word of `rest` and takes it off. */
static int next_word(struct span *rest, struct span *word) {
    while (rest->size && !scan_is_word_letter(*rest->start))
        *rest = span_from(*rest, rest->start + 1);
    *word = scan_word(*rest);
    *rest = word->size ? span_from(*rest, word->start + word->size) : *rest;
    return word->size != 0;
}

struct span scan_last_word(struct span span) {
    struct span last = {span.start, 0};
    struct span word;
    while (next_word(&span, &word))
        last = word;
    return last;
}

int scan_has_word(struct span span, const char *word) {
    struct span found;
    while (next_word(&span, &found))
        if (span_is(found, word))
            return 1;
    return 0;
}

static int depth_of(char letter) {
    return (strchr("(<[{", letter) != NULL) - (strchr(")>]}", letter) != NULL);
}

struct span scan_group(struct span span) {
    int depth = 0;
    if (!span.size || depth_of(*span.start) != 1)
        return (struct span){span.start, 0};
    for (size_t i = 0; i < span.size; i++) {
        depth += depth_of(span.start[i]);
        if (depth == 0)
            return (struct span){span.start, i + 1};
    }
    return (struct span){span.start, 0};
}

struct span scan_inside(struct span group) {
    return group.size < 2 ? (struct span){group.start, 0} : (struct span){group.start + 1, group.size - 2};
}

int scan_item(struct span *rest, struct span *item) {
    int depth = 0;
    size_t end = 0;
    *rest = span_trim(*rest);
    if (!rest->size)
        return 0;
    while (end < rest->size && (depth || rest->start[end] != ','))
        depth += depth_of(rest->start[end++]);
    *item = span_trim((struct span){rest->start, end});
    *rest = span_from(*rest, rest->start + end + (end < rest->size));
    return 1;
}

/* Where the comment at `text` ends: behind a block, or at a line's end. NULL if there is none. */
static const char *comment_end(const char *text) {
    if (text[0] != '/' || (text[1] != '/' && text[1] != '*'))
        return NULL;
    const char *end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
    if (!end)
        return text + strlen(text);
    return text[1] == '/' ? end : end + 2;
}

char *scan_without_comments(const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return NULL;
    for (char *c = copy; *c;) {
        const char *end = comment_end(c);
        if (!end)
            c++;
        for (; end && c < end; c++)
            if (*c != '\n')
                *c = ' ';
    }
    return copy;
}
