/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_DEVICE_H
#define CUCORE_V1_DEVICE_H

/* A device is a CUDA ordinal bound to a context: its primary context, which is retained at first need and kept until the
 * process ends or cucore_context_release_primary; or another one, given to cucore_device_with_context. Everything made from a
 * device is made in that context. */

#include "types.h"

CUCORE_BEGIN

/* The commonest attributes (cucore_device_attribute); any other CUdevice_attribute works too. */
#define CUCORE_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK 1
#define CUCORE_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X 2
#define CUCORE_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y 3
#define CUCORE_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z 4
#define CUCORE_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X 5
#define CUCORE_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y 6
#define CUCORE_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z 7
#define CUCORE_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK 8
#define CUCORE_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY 9
#define CUCORE_DEVICE_ATTRIBUTE_WARP_SIZE 10
#define CUCORE_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK 12
#define CUCORE_DEVICE_ATTRIBUTE_CLOCK_RATE 13 /* in kHz */
#define CUCORE_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT 16
#define CUCORE_DEVICE_ATTRIBUTE_INTEGRATED 18
#define CUCORE_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY 19
#define CUCORE_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS 31
#define CUCORE_DEVICE_ATTRIBUTE_PCI_BUS_ID 33
#define CUCORE_DEVICE_ATTRIBUTE_PCI_DEVICE_ID 34
#define CUCORE_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE 36       /* in kHz */
#define CUCORE_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH 37 /* in bits */
#define CUCORE_DEVICE_ATTRIBUTE_L2_CACHE_SIZE 38           /* in bytes */
#define CUCORE_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR 39
#define CUCORE_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING 41
#define CUCORE_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR 75
#define CUCORE_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR 76
#define CUCORE_DEVICE_ATTRIBUTE_MANAGED_MEMORY 83
#define CUCORE_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH 95
#define CUCORE_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN 97
#define CUCORE_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED 115
#define CUCORE_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH 120

/* cucore_device_count stores how many devices the driver shows. A machine with a driver and no device gives 0.
 * Fails with CUCORE_NOT_FOUND if there is no driver. */
CUCORE_API int32_t cucore_device_count(int32_t *count, cucore_status **status);

/* cucore_device_open opens the device of this ordinal, from 0; no context is made, and the current one stays.
 * Fails with CUCORE_NOT_FOUND if there is no driver, no device, or none of that ordinal (the message names the count). */
CUCORE_API cucore_device *cucore_device_open(int32_t ordinal, cucore_status **status);

/* cucore_device_open_all opens every device, in the order of their ordinals, and stores up to `capacity` handles in `devices`
 * (NULL if capacity is 0), each the caller's to release, and the number of devices in `total`. A machine with a driver and no
 * device gives 0. On failure there are no handles. */
CUCORE_API int32_t cucore_device_open_all(cucore_device **devices, size_t capacity, size_t *total, cucore_status **status);

/* cucore_device_with_context makes a device handle that is bound to `context` instead of its primary context. */
CUCORE_API cucore_device *cucore_device_with_context(cucore_context *context, cucore_status **status);

/* cucore_device_current stores a device handle that is bound to the calling thread's current context, NULL if there is none. */
CUCORE_API int32_t cucore_device_current(cucore_device **current, cucore_status **status);

/* cucore_device_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_device *cucore_device_retain(cucore_device *device);

/* cucore_device_release gives a reference up. NULL is fine. */
CUCORE_API void cucore_device_release(cucore_device *device);

/* cucore_device_close gives a reference up and reports, where it was the last, what failed. `destroyed` (may be NULL) is set to
 * 1 if it was the last, else to 0. */
CUCORE_API int32_t cucore_device_close(cucore_device *device, int32_t *destroyed, cucore_status **status);

/* cucore_device_ordinal gives the ordinal, -1 for a bad handle. */
CUCORE_API int32_t cucore_device_ordinal(const cucore_device *device);

/* cucore_device_raw gives the CUdevice, -1 for a bad handle. */
CUCORE_API int32_t cucore_device_raw(const cucore_device *device);

/* cucore_device_name gives the device's name, e.g. "NVIDIA H200"; NULL for a bad handle. */
CUCORE_API const char *cucore_device_name(const cucore_device *device, size_t *size);

/* cucore_device_arch gives the architecture as compilers name it, e.g. "sm_90"; NULL for a bad handle. */
CUCORE_API const char *cucore_device_arch(const cucore_device *device, size_t *size);

/* cucore_device_uuid gives the device's 16 bytes of UUID (cuDeviceGetUuid), NULL for a bad handle. */
CUCORE_API const uint8_t *cucore_device_uuid(const cucore_device *device);

/* cucore_device_pci_bus_id gives the PCI address as text, e.g. "0000:3b:00.0" (cuDeviceGetPCIBusId); NULL for a bad handle. */
CUCORE_API const char *cucore_device_pci_bus_id(const cucore_device *device, size_t *size);

/* cucore_device_compute_capability gives the compute capability as 10 * major + minor, e.g. 90; 0 for a bad handle. */
CUCORE_API int32_t cucore_device_compute_capability(const cucore_device *device);

/* cucore_device_attribute stores an attribute, numbered as CUdevice_attribute (CUDA documentation, Driver API, Data types).
 * Fails with CUCORE_INVALID_ARGUMENT if the driver does not know the number. */
CUCORE_API int32_t cucore_device_attribute(const cucore_device *device, int32_t attribute, int32_t *value, cucore_status **status);

/* cucore_device_can_access_peer stores 1 if kernels on the device can use memory on `peer`, else 0 (cuDeviceCanAccessPeer). */
CUCORE_API int32_t cucore_device_can_access_peer(const cucore_device *device, const cucore_device *peer, int32_t *can,
                                                 cucore_status **status);

/* cucore_device_memory_info stores how many bytes of the device's memory are available and how many there are, as the bound
 * context sees it (cuMemGetInfo). */
CUCORE_API int32_t cucore_device_memory_info(cucore_device *device, uint64_t *available, uint64_t *total, cucore_status **status);

/* cucore_device_stream_priority_range stores the lowest and the highest priority of streams; lower numbers are more urgent
 * (cuCtxGetStreamPriorityRange). */
CUCORE_API int32_t cucore_device_stream_priority_range(cucore_device *device, int32_t *lowest, int32_t *highest,
                                                       cucore_status **status);

/* cucore_device_synchronize waits until all work in the bound context is done (cuCtxSynchronize).
 * Fails with CUCORE_DEVICE_LOST, and whatever else earlier asynchronous work failed with; CUCORE_INVALID_STATE in a CUDA
 * callback. */
CUCORE_API int32_t cucore_device_synchronize(cucore_device *device, cucore_status **status);

/* cucore_device_set_current makes the bound context the calling thread's current one, as cucore_context_set_current does. */
CUCORE_API int32_t cucore_device_set_current(cucore_device *device, cucore_context **previous, cucore_status **status);

/* cucore_device_context gives the context that the device is bound to, which is made if this is its first use. */
CUCORE_API cucore_context *cucore_device_context(cucore_device *device, cucore_status **status);

CUCORE_END

#endif
