/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_DEVICE_H
#define CUCORE_V1_DEVICE_H

/* A device is a CUDA ordinal bound to a context: its primary context, which is retained at first need and kept until the
 * process ends or cucore_context_release_primary. Everything made from a device is made in that context. */

#include "types.h"

CUCORE_BEGIN

/* cucore_device_count stores how many devices the driver shows. A machine with a driver and no device gives 0.
 * Fails with CUCORE_NOT_FOUND if there is no driver. */
CUCORE_API int32_t cucore_device_count(int32_t *count, cucore_status **status);

/* cucore_device_open opens the device of this ordinal, from 0; no context is made, and the current one stays.
 * Fails with CUCORE_NOT_FOUND if there is no driver, no device, or none of that ordinal (the message names the count). */
CUCORE_API cucore_device *cucore_device_open(int32_t ordinal, cucore_status **status);

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

/* cucore_device_attribute stores an attribute, numbered as CUdevice_attribute (CUDA documentation, Driver API, Data types).
 * Fails with CUCORE_INVALID_ARGUMENT if the driver does not know the number. */
CUCORE_API int32_t cucore_device_attribute(const cucore_device *device, int32_t attribute, int32_t *value, cucore_status **status);

/* cucore_device_context gives the context that the device is bound to, which is made if this is its first use. */
CUCORE_API cucore_context *cucore_device_context(cucore_device *device, cucore_status **status);

CUCORE_END

#endif
