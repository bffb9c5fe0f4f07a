/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_MEMORY_MAP_H
#define CUSIM_MEMORY_MAP_H

/* A memory_map is what a context could reach when it was made: a kernel reads and writes by it without the lock. Its functions
 * take it as `map`, and are those of a ptx_device. */

#include "context.h"
#include "ptx/ptx.h"

struct memory_map *memory_map_create(struct context *context);
void memory_map_free(struct memory_map *map);

int memory_map_find(void *map, uint64_t address, ptx_range *range);
void memory_map_describe(void *map, uint64_t address, char *text, size_t size);

/* malloc and free in a kernel. The memory is the context's until it is destroyed. */
uint64_t memory_map_allocate(void *map, uint64_t size);
int memory_map_release(void *map, uint64_t address);

#endif
