/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_SCAN_H
#define CUSIM_SCAN_H

/* Parts of texts, and the little that both compilers know of the grammar of C++ and PTX. */

#include <stddef.h>

/* A part of a text. The functions here give empty ones where there is nothing. */
struct span {
    const char *start;
    size_t size;
};

struct span span_of(const char *text);

/* What of a span begins at `start`, which is in it; what ends before the first `mark`, or all. */
struct span span_from(struct span span, const char *start);
struct span span_until(struct span span, const char *mark);

struct span span_trim(struct span span);
int span_is(struct span span, const char *text);
int span_equal(struct span one, struct span other);
int span_ends_with(struct span span, const char *text);
const char *span_find(struct span span, const char *text);

/* NULL if there is no memory. */
char *span_copy(struct span span);

/* A letter of words: of identifiers and keywords. PTX has '$' in them too. */
int scan_is_word_letter(char letter);

/* The word at the start; the last one; whether a word is there. */
struct span scan_word(struct span span);
struct span scan_last_word(struct span span);
int scan_has_word(struct span span, const char *word);

/* The group in (), <>, [] or {} at the start, with its brackets; and a group without them. */
struct span scan_group(struct span span);
struct span scan_inside(struct span group);

/* Takes the first item of a list with commas, trimmed, off `rest`; 0 if nothing is left. */
int scan_item(struct span *rest, struct span *item);

/* A copy with spaces for comments, line for line; NULL if there is no memory. */
char *scan_without_comments(const char *text);

#endif
