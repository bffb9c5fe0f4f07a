/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "text_list.h"

#include "base/argument.h"

#include <stdlib.h>
#include <string.h>

cucore_text cucore_text_of(const char *text) {
    return (cucore_text){text, strlen(text)};
}

static int32_t make_room(const cucore_call *call, cucore_text_list *list) {
    if (list->count < list->room)
        return CUCORE_OK;
    size_t room = list->room ? 2 * list->room : 8;
    char **texts = realloc(list->texts, room * sizeof *texts);
    if (!texts) {
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for a list of %zu texts", room);
        return CUCORE_OUT_OF_MEMORY;
    }
    list->texts = texts;
    list->room = room;
    return CUCORE_OK;
}

int32_t cucore_text_list_add(const cucore_call *call, cucore_text_list *list, const char *prefix, cucore_text text) {
    int32_t code = make_room(call, list);
    if (code)
        return code;
    size_t prefix_size = strlen(prefix);
    char *copy = malloc(prefix_size + text.size + 1);
    if (!copy)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for %zu bytes of text", text.size);
    memcpy(copy, prefix, prefix_size);
    memcpy(copy + prefix_size, text.data, text.size);
    copy[prefix_size + text.size] = '\0';
    list->texts[list->count++] = copy;
    return CUCORE_OK;
}

int32_t cucore_text_list_add_given(const cucore_call *call, cucore_text_list *list, const char *prefix, cucore_text text,
                                   const char *parameter) {
    int32_t code = cucore_expect_given_text(call, text.data, text.size, parameter);
    return code ? code : cucore_text_list_add(call, list, prefix, text);
}

int32_t cucore_text_list_add_all(const cucore_call *call, cucore_text_list *list, const char *prefix, const cucore_text *texts,
                                 size_t count, const char *parameter) {
    int32_t code = count ? cucore_expect_pointer(call, texts, parameter) : CUCORE_OK;
    for (size_t i = 0; i < count && !code; i++) {
        char name[CUCORE_ELEMENT_NAME];
        code = cucore_text_list_add_given(call, list, prefix, texts[i], cucore_name_element(name, parameter, i));
    }
    return code;
}

void cucore_text_list_free(cucore_text_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->texts[i]);
    free(list->texts);
}
