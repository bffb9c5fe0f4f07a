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

CUCORE_END

#endif
