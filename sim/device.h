/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_DEVICE_H
#define CUSIM_DEVICE_H

#include "driver_types.h"

#define DEVICES_MAX 8
#define DEVICE_MEMORY ((size_t)8 << 30)

#define MAX_THREADS_PER_BLOCK 1024
#define MAX_BLOCK_XY 1024
#define MAX_BLOCK_Z 64
#define MAX_GRID_X 2147483647
#define MAX_GRID_YZ 65535
#define MAX_SHARED_BYTES_PER_BLOCK 49152
#define MAX_SHARED_BYTES_OPTIN 232448
#define SHARED_BYTES_PER_MULTIPROCESSOR 233472
#define MAX_THREADS_PER_MULTIPROCESSOR 2048
#define MAX_BLOCKS_PER_MULTIPROCESSOR 32
#define WARP_SIZE 32

struct context;
struct pool;

struct device {
    CUdevice ordinal;
    struct context *primary; /* kept once made: releasing and retaining it again gives the same handle */
    int primary_retained;
    struct pool *default_pool;
    struct pool *pool; /* of cuDeviceSetMemPool, or NULL */
    size_t allocated;
};

CUresult device_find(CUdevice ordinal, struct device **device);
void devices_reset(void);

/* device_has_attribute: whether the driver that is simulated knows an attribute, and devices have it. */
int device_has_attribute(CUdevice_attribute attribute);

#endif
