/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "device.h"

#include "call.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct device devices[DEVICES_MAX];

static const struct architecture architectures[] = {
    {75, 1024, 16, 64 << 10, 64 << 10, 0},       {80, 2048, 32, 164 << 10, 163 << 10, 1024},
    {86, 1536, 16, 100 << 10, 99 << 10, 1024},   {87, 1536, 16, 164 << 10, 163 << 10, 1024},
    {89, 1536, 24, 100 << 10, 99 << 10, 1024},   {90, 2048, 32, 228 << 10, 227 << 10, 1024},
    {100, 2048, 32, 228 << 10, 227 << 10, 1024}, {103, 2048, 32, 228 << 10, 227 << 10, 1024},
    {110, 1536, 24, 228 << 10, 227 << 10, 1024}, {120, 1536, 24, 100 << 10, 99 << 10, 1024},
    {121, 1536, 24, 100 << 10, 99 << 10, 1024},
};

enum { DEFAULT_ARCHITECTURE = 5 };
static const struct architecture *architecture = &architectures[DEFAULT_ARCHITECTURE];

/* Attributes by their numbers in CUdevice_attribute, without those that attribute_value knows; those below the end that are in
 * neither place are 0. */
static const int attributes[] = {
    [1] = MAX_THREADS_PER_BLOCK,
    [2] = MAX_BLOCK_XY, /* a block's x, y, z */
    [3] = MAX_BLOCK_XY,
    [4] = MAX_BLOCK_Z,
    [5] = MAX_GRID_X, /* a grid's x, y, z */
    [6] = MAX_GRID_YZ,
    [7] = MAX_GRID_YZ,
    [8] = MAX_SHARED_BYTES_PER_BLOCK,
    [9] = 65536, /* constant memory */
    [10] = WARP_SIZE,
    [11] = INT_MAX, /* pitch of a copy */
    [12] = 65536,   /* registers of a block */
    [13] = 1000000, /* clock rate in kHz */
    [14] = 512,     /* alignment of textures */
    [15] = 1,       /* copies while kernels run */
    [16] = MULTIPROCESSORS,
    [19] = 1,       /* maps host memory */
    [30] = 512,     /* alignment of surfaces */
    [31] = 1,       /* concurrent kernels */
    [36] = 1000000, /* clock rate of memory in kHz */
    [37] = 64,      /* width of its bus in bits */
    [38] = 1048576, /* L2 cache */
    [40] = 1,       /* copy engines */
    [41] = 1,       /* unified addressing */
    [51] = 32,      /* alignment of a texture's pitch */
    [78] = 1,       /* stream priorities */
    [79] = 1,       /* L1 cache for global memory */
    [80] = 1,       /* and for local memory */
    [82] = 65536,   /* registers of a multiprocessor */
    [87] = 2,       /* single precision is so much faster than double */
    [91] = 1,       /* host pointers for registered memory */
    [95] = 1,       /* cooperative launches */
    [99] = 1,       /* registers host memory */
    [113] = 1,      /* registers read-only host memory */
    [115] = 1,      /* memory pools */
    [131] = -1,     /* no NUMA node of its own */
    [142] = 1,      /* pools on a NUMA node of the host */
    [144] = 1,      /* pools on the host */
};

enum {
    ATTRIBUTE_PCI_BUS_ID = 33,
    ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR = 39,
    ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81,
    ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
    ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR = 106,
    ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK = 111,
};

const struct architecture *devices_architecture(void) {
    return architecture;
}

int devices_set_architecture(int major, int minor) {
    for (size_t i = 0; i < sizeof(architectures) / sizeof(architectures[0]); i++) {
        if ((int)architectures[i].number / 10 == major && (int)architectures[i].number % 10 == minor) {
            architecture = &architectures[i];
            return 1;
        }
    }
    return 0;
}

/* The first attribute that is too new for a driver. */
static int attributes_end(void) {
    return simulator.driver_version >= 13000 ? 148 : simulator.driver_version >= 12090 ? 144 : 130;
}

int device_has_attribute(CUdevice_attribute attribute) {
    return (int)attribute < attributes_end() && attributes[attribute] != 0;
}

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
    architecture = &architectures[DEFAULT_ARCHITECTURE];
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

static int attribute_value(int number, CUdevice device) {
    switch (number) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        return (int)architecture->number / 10;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        return (int)architecture->number % 10;
    case ATTRIBUTE_PCI_BUS_ID:
        return device + 1;
    case ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        return architecture->threads_per_multiprocessor;
    case ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
        return architecture->shared_bytes_per_multiprocessor;
    case ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        return architecture->shared_bytes_optin;
    case ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
        return architecture->blocks_per_multiprocessor;
    case ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK:
        return architecture->shared_bytes_reserved;
    default:
        return (size_t)number < sizeof(attributes) / sizeof(attributes[0]) ? attributes[number] : 0;
    }
}

CUresult sim_cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    struct device *found = NULL;
    int number = (int)attribute;
    if (!value || number <= 0 || number >= attributes_end())
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = device_find(device, &found);
    if (result == CUDA_SUCCESS)
        *value = attribute_value(number, device);
    return result;
}

/* As lspci writes it: each device is device 0 of a bus of its own. */
CUresult sim_cuDeviceGetPCIBusId(char *text, int size, CUdevice device) {
    struct device *found = NULL;
    if (!text || size <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = device_find(device, &found);
    if (result == CUDA_SUCCESS)
        snprintf(text, (size_t)size, "0000:%02X:00.0", (unsigned)device + 1);
    return result;
}

/* domain:bus:slot.function, of which the domain and the function may be missing */
static int parse_bus_id(const char *text, unsigned *domain, unsigned *bus, unsigned *slot) {
    if (sscanf(text, "%x:%x:%x", domain, bus, slot) == 3) /* NOLINT(cert-err34-c) */
        return 1;
    *domain = 0;
    return sscanf(text, "%x:%x", bus, slot) == 2; /* NOLINT(cert-err34-c) */
}

CUresult sim_cuDeviceGetByPCIBusId(CUdevice *device, const char *text) {
    unsigned domain = 0;
    unsigned bus = 0;
    unsigned slot = 0;
    if (!device || !text || !parse_bus_id(text, &domain, &bus, &slot))
        return CUDA_ERROR_INVALID_VALUE;
    if (domain != 0 || slot != 0 || bus == 0 || bus > (unsigned)simulator.device_count)
        return refuse(CUDA_ERROR_INVALID_DEVICE, "There is no device at %s", text);
    *device = (CUdevice)bus - 1;
    return CUDA_SUCCESS;
}

CUresult sim_cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    struct device *found = NULL;
    CUresult result = can ? device_find(device, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = device_find(peer, &found);
    if (result == CUDA_SUCCESS)
        *can = device != peer;
    return result;
}

CUresult sim_cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    struct device *found = NULL;
    CUresult result = major && minor ? device_find(device, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *major = (int)architecture->number / 10;
    *minor = (int)architecture->number % 10;
    return CUDA_SUCCESS;
}
