/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_KERNEL_H
#define CUCORE_V1_KERNEL_H

/* A kernel: a function of a library that runs on a device. To run one, see launch.h. */

#include "types.h"

CUCORE_BEGIN

/* cucore_kernel_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_kernel *cucore_kernel_retain(cucore_kernel *kernel);

/* cucore_kernel_release gives a reference up. A kernel keeps its library loaded. NULL is fine. */
CUCORE_API void cucore_kernel_release(cucore_kernel *kernel);

/* cucore_kernel_close does the same; if that unloads the library, it returns a failure of that. `destroyed` (may be NULL) is
 * set to 1 if it was the last reference, else to 0. */
CUCORE_API int32_t cucore_kernel_close(cucore_kernel *kernel, int32_t *destroyed, cucore_status **status);

/* cucore_kernel_raw gives the CUkernel, NULL for a bad handle. */
CUCORE_API struct CUkern_st *cucore_kernel_raw(const cucore_kernel *kernel);

/* cucore_kernel_name gives the name it was found by, NULL for a bad handle. */
CUCORE_API const char *cucore_kernel_name(const cucore_kernel *kernel, size_t *size);

/* cucore_kernel_library gives a new reference to its library; NULL for a bad handle. */
CUCORE_API cucore_library *cucore_kernel_library(const cucore_kernel *kernel);

/* cucore_kernel_parameter_count stores how many parameters the kernel takes.
 * Fails with CUCORE_NOT_SUPPORTED before CUDA 12.4, where drivers do not say. */
CUCORE_API int32_t cucore_kernel_parameter_count(const cucore_kernel *kernel, size_t *count, cucore_status **status);

/* cucore_kernel_parameter_size stores the size in bytes of parameter `index`.
 * Fails with CUCORE_INVALID_ARGUMENT if there is no such parameter, CUCORE_NOT_SUPPORTED before CUDA 12.4. */
CUCORE_API int32_t cucore_kernel_parameter_size(const cucore_kernel *kernel, size_t index, size_t *size, cucore_status **status);

/* cucore_kernel_parameter_offset stores where in the block of parameters parameter `index` begins, in bytes. Fails as
 * cucore_kernel_parameter_size. */
CUCORE_API int32_t cucore_kernel_parameter_offset(const cucore_kernel *kernel, size_t index, size_t *offset,
                                                  cucore_status **status);

/* Attributes of kernels, numbered as CUfunction_attribute (CUDA documentation, Driver API, Data types); sizes are in bytes. */
#define CUCORE_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK 0
#define CUCORE_KERNEL_ATTRIBUTE_SHARED_SIZE 1
#define CUCORE_KERNEL_ATTRIBUTE_CONST_SIZE 2
#define CUCORE_KERNEL_ATTRIBUTE_LOCAL_SIZE 3
#define CUCORE_KERNEL_ATTRIBUTE_REGISTERS 4
#define CUCORE_KERNEL_ATTRIBUTE_PTX_VERSION 5
#define CUCORE_KERNEL_ATTRIBUTE_BINARY_VERSION 6
#define CUCORE_KERNEL_ATTRIBUTE_CACHE_MODE_CA 7
#define CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE 8   /* can be set */
#define CUCORE_KERNEL_ATTRIBUTE_PREFERRED_SHARED_CARVEOUT 9 /* can be set: in percent, -1 the default */
#define CUCORE_KERNEL_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET 10
#define CUCORE_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH 11               /* can be set */
#define CUCORE_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT 12              /* can be set */
#define CUCORE_KERNEL_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH 13               /* can be set */
#define CUCORE_KERNEL_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED 14    /* can be set */
#define CUCORE_KERNEL_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE 15 /* can be set */

/* cucore_kernel_attribute stores an attribute of the kernel on `device`, or on its library's device if that is NULL
 * (cuKernelGetAttribute).
 * Fails with CUCORE_INVALID_ARGUMENT if the driver does not know the number. */
CUCORE_API int32_t cucore_kernel_attribute(cucore_kernel *kernel, int32_t attribute, cucore_device *device, int32_t *value,
                                           cucore_status **status);

/* cucore_kernel_set_attribute sets one (cuKernelSetAttribute), for all who use the kernel.
 * Fails with CUCORE_INVALID_ARGUMENT if it cannot be set, or not to that value. */
CUCORE_API int32_t cucore_kernel_set_attribute(cucore_kernel *kernel, int32_t attribute, cucore_device *device, int32_t value,
                                               cucore_status **status);

CUCORE_END

#endif
