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

/* cucore_library_kernel gives the kernel of this name (cuLibraryGetKernel): the name in the object code, which is the source's
 * only for extern "C" functions.
 * Fails with CUCORE_NOT_FOUND if there is none. */
CUCORE_API cucore_kernel *cucore_library_kernel(cucore_library *library, const char *name, size_t size, cucore_status **status);

CUCORE_END

#endif
