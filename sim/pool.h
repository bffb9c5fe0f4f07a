/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_POOL_H
#define CUSIM_POOL_H

/* Memory pools. Their memory is allocated as all memory is; what they hold in reserve is only counted. */

#include "context.h"

struct amount {
    uint64_t current;
    uint64_t high;
};

struct pool {
    struct object object;
    struct device *device; /* NULL: of the host */
    int is_default;
    size_t max_size;          /* 0: none */
    unsigned accessible_from; /* the other devices whose kernels may use the memory, a bit each */
    int reuse[3];             /* the CU_MEMPOOL_ATTR_REUSE_ attributes, in order */
    uint64_t release_threshold;
    struct amount reserved;
    struct amount used;
};

/* pool_of_device gives what cuMemAllocAsync takes from: the default pool, or what cuDeviceSetMemPool put in its place. */
CUresult pool_of_device(struct device *device, struct pool **pool);

CUresult pool_check_room(const struct pool *pool, size_t size);
void pool_take(struct pool *pool, size_t size);
void pool_give_back(struct pool *pool, size_t size);
int pool_is_accessible(const struct pool *pool, const struct device *from);

/* pools_release_unused gives back what each pool holds beyond its release threshold, as a synchronisation does. */
void pools_release_unused(void);

#endif
