/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_MEMORY_H
#define CUSIM_MEMORY_H

/* What work finds at device addresses, and the allocating and freeing of device memory. */

#include "context.h"

struct graph;
struct image;

/* memory_bytes gives the bytes at a device address, NULL if they are not all in one live allocation; memory_check says so.
 * memory_is_known says whether an address is the driver's: else it is the program's own host memory. */
void *memory_bytes(CUdeviceptr address, size_t size);
CUresult memory_check(CUdeviceptr address, size_t size);
int memory_is_known(CUdeviceptr address);

/* These free what was allocated in a context (memory of pools stays), what was captured into a graph, and the variables of code
 * that was unloaded. */
void memory_context_ended(const struct context *context);
void memory_graph_ended(const struct graph *graph);
void memory_image_ended(const struct image *image);

#endif
