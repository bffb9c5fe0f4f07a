/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_TEXT_LIST_H
#define CUCORE_TEXT_LIST_H

/* A growing list of NUL-terminated texts of its own. */

#include "base/status.h"
#include "cucore_v1/types.h"

typedef struct cucore_text_list {
    size_t count;
    size_t room;
    char **texts;
} cucore_text_list;

/* cucore_text_list_add adds `prefix` followed by `text`. On failure, here and below, the list is to be freed all the same. */
int32_t cucore_text_list_add(const cucore_call *call, cucore_text_list *list, const char *prefix, cucore_text text);

/* cucore_text_list_add_given does so with a text of the caller's, called `parameter` in messages, which must not be empty. */
int32_t cucore_text_list_add_given(const cucore_call *call, cucore_text_list *list, const char *prefix, cucore_text text,
                                   const char *parameter);

/* cucore_text_list_add_all does so with `count` of them. */
int32_t cucore_text_list_add_all(const cucore_call *call, cucore_text_list *list, const char *prefix, const cucore_text *texts,
                                 size_t count, const char *parameter);

void cucore_text_list_free(cucore_text_list *list);

/* cucore_text_of gives a NUL-terminated text with its size. */
cucore_text cucore_text_of(const char *text);

#endif
