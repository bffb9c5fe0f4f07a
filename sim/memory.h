/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_MEMORY_H
#define CUSIM_MEMORY_H

/* What work finds at device addresses, and the allocating and freeing of device memory. */

#include "context.h"
#include "ptx/ptx.h"

struct graph;
struct image;

/* memory_bytes gives the bytes at a device address, NULL if they are not all in one live allocation; memory_check says so.
 * memory_is_known says whether an address is the driver's: else it is the program's own host memory. */
void *memory_bytes(CUdeviceptr address, size_t size);
CUresult memory_check(CUdeviceptr address, size_t size);
int memory_is_known(CUdeviceptr address);

/* A memory_map is what a context could reach when it was made: a kernel reads and writes by it without the lock. */
struct memory_map *memory_map_create(const struct context *context);
int memory_map_find(void *map, uint64_t address, ptx_range *range);
void memory_map_describe(void *map, uint64_t address, char *text, size_t size);

/* These free what was allocated in a context (memory of pools stays), what was captured into a graph, and the variables of code
 * that was unloaded. */
void memory_context_ended(const struct context *context);
void memory_graph_ended(const struct graph *graph);
void memory_image_ended(const struct image *image);

#endif
