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
#define MULTIPROCESSORS 4
#define WARP_SIZE 32

struct context;
struct pool;

struct device {
    CUdevice ordinal;
    struct context *primary; /* kept once made: releasing and retaining it again gives the same handle */
    int primary_retained;
    unsigned int primary_flags;
    struct pool *default_pool;
    struct pool *pool; /* of cuDeviceSetMemPool, or NULL */
    size_t allocated;
};

/* What differs between the compute capabilities that the devices can have. */
struct architecture {
    unsigned number; /* 90: compute capability 9.0 */
    int threads_per_multiprocessor;
    int blocks_per_multiprocessor;
    int shared_bytes_per_multiprocessor;
    int shared_bytes_optin;    /* of a block whose kernel asked for more than the usual */
    int shared_bytes_reserved; /* of each block, for the system */
};

CUresult device_find(CUdevice ordinal, struct device **device);
void devices_reset(void);

/* devices_architecture is that of all devices. devices_set_architecture returns 0 if there is no such. */
const struct architecture *devices_architecture(void);
int devices_set_architecture(int major, int minor);

/* device_has_attribute: whether the driver that is simulated knows an attribute, and devices have it. */
int device_has_attribute(CUdevice_attribute attribute);

#endif
