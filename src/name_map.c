/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "name_map.h"

#include <string.h>

int32_t cucore_name_map_add(const cucore_call *call, cucore_name_map *map, const char *expression, const char *lowered) {
    int32_t code = cucore_text_list_add(call, &map->expressions, "", cucore_text_of(expression));
    return code ? code : cucore_text_list_add(call, &map->lowered, "", cucore_text_of(lowered));
}

int32_t cucore_name_map_add_all(const cucore_call *call, cucore_name_map *map, const cucore_name_map *more) {
    int32_t code = CUCORE_OK;
    for (size_t i = 0; i < more->lowered.count && !code; i++)
        code = cucore_name_map_add(call, map, more->expressions.texts[i], more->lowered.texts[i]);
    return code;
}

const char *cucore_name_map_find(const cucore_name_map *map, const char *expression, size_t size) {
    for (size_t i = 0; i < map->lowered.count; i++) {
        const char *known = map->expressions.texts[i];
        if (strlen(known) == size && memcmp(known, expression, size) == 0)
            return map->lowered.texts[i];
    }
    return NULL;
}

void cucore_name_map_free(cucore_name_map *map) {
    cucore_text_list_free(&map->expressions);
    cucore_text_list_free(&map->lowered);
}
