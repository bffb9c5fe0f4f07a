/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_NAME_MAP_H
#define CUCORE_NAME_MAP_H

/* Name expressions ("kernel<int>"), and the name that each has in the object code. */

#include "text_list.h"

typedef struct cucore_name_map {
    cucore_text_list expressions;
    cucore_text_list lowered; /* of each, in the same order */
} cucore_name_map;

/* cucore_name_map_add adds one. On failure, here and below, the map is to be freed all the same. */
int32_t cucore_name_map_add(const cucore_call *call, cucore_name_map *map, const char *expression, const char *lowered);

int32_t cucore_name_map_add_all(const cucore_call *call, cucore_name_map *map, const cucore_name_map *more);

/* cucore_name_map_find gives the name in the object code, which lives as long as the map; NULL if there is no such expression. */
const char *cucore_name_map_find(const cucore_name_map *map, const char *expression, size_t size);

void cucore_name_map_free(cucore_name_map *map);

#endif
