/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_LIBRARY_H
#define CUCORE_V1_LIBRARY_H

/* A library: object code loaded for a device, and where its kernels are found. */

#include "types.h"

CUCORE_BEGIN

/* cucore_library_load loads PTX or a cubin and makes sure that it works in the device's context (cuLibraryLoadData,
 * cuLibraryGetModule). PTX is compiled by the driver here.
 * Fails with CUCORE_COMPILE if the code is bad, CUCORE_NOT_SUPPORTED if it is for another device or newer than the driver (the
 * status has the driver's JIT log, if it gave one), CUCORE_INVALID_ARGUMENT for LTO-IR: link it first. */
CUCORE_API cucore_library *cucore_library_load(cucore_device *device, cucore_object_code *code, cucore_status **status);

/* cucore_library_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_library *cucore_library_retain(cucore_library *library);

/* cucore_library_release gives a reference up; the last one unloads the library, and a failure of that is a warning. Kernels keep
 * their library alive. NULL is fine. */
CUCORE_API void cucore_library_release(cucore_library *library);

/* cucore_library_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL)
 * is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_library_close(cucore_library *library, int32_t *destroyed, cucore_status **status);

/* cucore_library_raw gives the CUlibrary, NULL for a bad handle. */
CUCORE_API struct CUlib_st *cucore_library_raw(const cucore_library *library);

/* cucore_library_device gives a new reference to the device it was loaded for; NULL for a bad handle. */
CUCORE_API cucore_device *cucore_library_device(const cucore_library *library);

/* cucore_library_code gives a new reference to the object code it was loaded from; NULL for a bad handle. */
CUCORE_API cucore_object_code *cucore_library_code(const cucore_library *library);

/* cucore_library_kernel_count stores how many kernels the library has.
 * Fails with CUCORE_NOT_SUPPORTED before CUDA 12.4. */
CUCORE_API int32_t cucore_library_kernel_count(cucore_library *library, size_t *count, cucore_status **status);

/* cucore_library_kernels stores up to `capacity` of the library's kernels in `kernels` (NULL if capacity is 0), each the caller's
 * to release, and how many there are in `total`. On failure there are none.
 * Fails with CUCORE_NOT_SUPPORTED before CUDA 12.4. */
CUCORE_API int32_t cucore_library_kernels(cucore_library *library, cucore_kernel **kernels, size_t capacity, size_t *total,
                                          cucore_status **status);

/* cucore_library_global stores the device address and the size in bytes of a variable (cuLibraryGetGlobal), named as for
 * cucore_library_kernel; it is there as long as the library.
 * Fails with CUCORE_NOT_FOUND if there is none of that name. */
CUCORE_API int32_t cucore_library_global(cucore_library *library, const char *name, size_t name_size, uint64_t *address,
                                         size_t *size, cucore_status **status);

/* cucore_library_kernel gives the kernel of this name (cuLibraryGetKernel): a name expression that the object code's program was
 * compiled with, or the name in the object code, which is the source's only for extern "C" functions.
 * Fails with CUCORE_NOT_FOUND if there is none. */
CUCORE_API cucore_kernel *cucore_library_kernel(cucore_library *library, const char *name, size_t size, cucore_status **status);

CUCORE_END

#endif
