/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_MEMORY_H
#define CUSIM_MEMORY_H

/* Device memory is host memory: a device address is where the bytes are. */

#include "context.h"

struct pool {
    struct object object;
    struct device *device;
};

/* memory_bytes gives the bytes at a device address, NULL if they are not all in one live allocation; memory_check says so. */
void *memory_bytes(CUdeviceptr address, size_t size);
CUresult memory_check(CUdeviceptr address, size_t size);

/* A memory_map is what was live on a device when it was made: a kernel reads and writes by it without the lock. */
struct memory_map *memory_map_create(const struct device *device);
void *memory_map_resolve(void *map, uint64_t address, size_t size, int writes);

/* memory_context_ended frees what cuMemAlloc allocated in a context; memory of pools stays. */
void memory_context_ended(const struct context *context);

size_t memory_count(void);
void memory_list(struct writer *list);
void memory_reset(void);

#endif
