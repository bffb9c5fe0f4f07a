/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_DRIVER_H
#define CUCORE_V1_DRIVER_H

/* The library's own version, and the CUDA driver it found. The driver (libcuda.so.1) is opened at the first call that needs it,
 * initialised at the first that needs a device, and never closed. Where it is looked for, first match wins: what
 * cucore_driver_use_library or cucore_driver_use_entry named; the file that the environment variable CUCORE_DRIVER_LIBRARY
 * names (an absolute path; ignored in privileged processes); the dynamic loader's search for libcuda.so.1. */

#include "types.h"

CUCORE_BEGIN

/* The version of these headers: major * 10000 + minor * 100 + patch, and as text. */
#define CUCORE_VERSION 10000
#define CUCORE_VERSION_TEXT "1.0.0-dev"

/* cucore_version gives the version of the library in use, counted as CUCORE_VERSION. Callback-safe; works in a forked child. */
CUCORE_API uint32_t cucore_version(void);

/* cucore_version_text gives that version as text, e.g. "1.0.0-dev". Callback-safe; works in a forked child. */
CUCORE_API const char *cucore_version_text(void);

/* cucore_driver_is_available gives 1 if a usable driver library was found, 0 if not. It opens the library but never
 * initialises it (no cuInit), so a parent process may ask before it forks. It says nothing about devices: see
 * cucore_device_count. */
CUCORE_API int32_t cucore_driver_is_available(void);

/* cucore_driver_version stores the newest CUDA version that the driver supports, counted as CUDA does: 1000 * major +
 * 10 * minor (CUDA documentation, Driver API, Version Management).
 * Fails with CUCORE_NOT_FOUND if there is no driver (the notes list every path tried and why), CUCORE_NOT_SUPPORTED if it is
 * older than CUDA 12.0. */
CUCORE_API int32_t cucore_driver_version(int32_t *version, cucore_status **status);

/* cucore_driver_path gives the file that the driver was loaded from, without loading it; NULL while it is not loaded, or
 * if it came from cucore_driver_use_entry. It lives until the process ends. */
CUCORE_API const char *cucore_driver_path(size_t *size);

/* cucore_driver_use_library names the driver library to open, an absolute path, instead of the search. It must come before the
 * first call that needs the driver.
 * Fails with CUCORE_INVALID_STATE if the driver is already loaded, CUCORE_INVALID_ARGUMENT if the path is empty or relative. */
CUCORE_API int32_t cucore_driver_use_library(const char *path, size_t size, cucore_status **status);

/* cucore_driver_entry is the driver's cuGetProcAddress in its form of CUDA 12.0 (cuGetProcAddress_v2). */
typedef int32_t (*cucore_driver_entry)(const char *symbol, void **function, int version, uint64_t flags, int32_t *result);

/* cucore_driver_use_entry hands over the driver's entry point instead of a library, for processes that have already loaded one
 * in their own way. It must stay valid until the process ends, and must not call this library, which calls it while it is
 * loading. Fails as cucore_driver_use_library. */
CUCORE_API int32_t cucore_driver_use_entry(cucore_driver_entry entry, cucore_status **status);

CUCORE_END

#endif
