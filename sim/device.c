/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "device.h"

#include "call.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct device devices[DEVICES_MAX];

/* Attributes by their numbers in CUdevice_attribute; those below ATTRIBUTES_END that are not here are 0. */
static const int attributes[] = {
    [1] = MAX_THREADS_PER_BLOCK,
    [2] = MAX_BLOCK_XY, /* a block's x, y, z */
    [3] = MAX_BLOCK_XY,
    [4] = MAX_BLOCK_Z,
    [5] = MAX_GRID_X, /* a grid's x, y, z */
    [6] = MAX_GRID_YZ,
    [7] = MAX_GRID_YZ,
    [8] = MAX_SHARED_BYTES_PER_BLOCK,
    [9] = 65536,                       /* constant memory */
    [10] = 32,                         /* threads of a warp */
    [11] = INT_MAX,                    /* pitch of a copy */
    [12] = 65536,                      /* registers of a block */
    [13] = 1000000,                    /* clock rate in kHz */
    [14] = 512,                        /* alignment of textures */
    [16] = 4,                          /* multiprocessors */
    [36] = 1000000,                    /* clock rate of memory in kHz */
    [37] = 64,                         /* width of its bus in bits */
    [38] = 1048576,                    /* L2 cache */
    [39] = 2048,                       /* threads of a multiprocessor */
    [41] = 1,                          /* unified addressing */
    [75] = 9,                          /* compute capability, major */
    [76] = 0,                          /* and minor */
    [78] = 1,                          /* stream priorities */
    [81] = 65536,                      /* shared memory of a multiprocessor */
    [82] = 65536,                      /* registers of a multiprocessor */
    [97] = MAX_SHARED_BYTES_PER_BLOCK, /* if the kernel opts in to more */
    [106] = 32,                        /* blocks of a multiprocessor */
    [115] = 1,                         /* memory pools */
};

enum { ATTRIBUTE_PCI_BUS_ID = 33, ATTRIBUTES_END = 148 };

static void leave_at_exit(void) {
    simulator_lock();
    simulator.deinitialised = 1;
    simulator_unlock();
}

CUresult sim_cuInit(unsigned int flags) {
    static int exit_handler_registered;
    if (flags != 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (simulator.device_count == 0)
        return CUDA_ERROR_NO_DEVICE;
    if (!exit_handler_registered)
        exit_handler_registered = atexit(leave_at_exit) == 0;
    simulator.initialised = 1;
    return CUDA_SUCCESS;
}

CUresult sim_cuDriverGetVersion(int *version) {
    if (!version)
        return CUDA_ERROR_INVALID_VALUE;
    *version = simulator.driver_version;
    return CUDA_SUCCESS;
}

CUresult device_find(CUdevice ordinal, struct device **device) {
    if (ordinal < 0 || ordinal >= simulator.device_count)
        return refuse(CUDA_ERROR_INVALID_DEVICE, "Device %d is not one of %d", ordinal, simulator.device_count);
    *device = &devices[ordinal];
    (*device)->ordinal = ordinal;
    return CUDA_SUCCESS;
}

void devices_reset(void) {
    memset(devices, 0, sizeof(devices));
}

CUresult sim_cuDeviceGetCount(int *count) {
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = simulator.device_count;
    return CUDA_SUCCESS;
}

CUresult sim_cuDeviceGet(CUdevice *device, int ordinal) {
    struct device *found = NULL;
    CUresult result = device ? device_find(ordinal, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *device = found->ordinal;
    return result;
}

CUresult sim_cuDeviceGetName(char *name, int size, CUdevice device) {
    struct device *found = NULL;
    if (!name || size <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = device_find(device, &found);
    if (result == CUDA_SUCCESS)
        snprintf(name, (size_t)size, "Simulated CUDA device");
    return result;
}

CUresult sim_cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
    struct device *found = NULL;
    CUresult result = uuid ? device_find(device, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS) {
        memcpy(uuid->bytes, "simulated device", sizeof(uuid->bytes));
        uuid->bytes[9] = (char)('0' + device);
    }
    return result;
}

CUresult sim_cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
    struct device *found = NULL;
    CUresult result = bytes ? device_find(device, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *bytes = DEVICE_MEMORY;
    return result;
}

CUresult sim_cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    struct device *found = NULL;
    int number = (int)attribute;
    if (!value || number <= 0 || number >= ATTRIBUTES_END)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = device_find(device, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (number == ATTRIBUTE_PCI_BUS_ID)
        *value = device + 1;
    else
        *value = (size_t)number < sizeof(attributes) / sizeof(attributes[0]) ? attributes[number] : 0;
    return CUDA_SUCCESS;
}
