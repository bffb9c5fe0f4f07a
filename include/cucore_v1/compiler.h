/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_COMPILER_H
#define CUCORE_V1_COMPILER_H

/* The compilers that programs and linkers use: separate libraries of NVIDIA's, opened at first need and never closed. Each is
 * looked for, first match wins: the path given to cucore_compiler_use_library; the file that CUCORE_NVRTC_LIBRARY or
 * CUCORE_NVJITLINK_LIBRARY names; the search. The search looks for one CUDA major version everywhere, then for the next: the
 * driver's own (for which the driver is loaded, though not initialised), 13, 12. Everywhere is: the dynamic loader's folders;
 * lib64 under CUDA_HOME and CUDA_PATH; /usr/local/cuda; the folders of NVIDIA's wheels under the root that
 * cucore_compiler_use_wheels or CUCORE_WHEELS names. Environment variables hold absolute paths and are ignored in privileged
 * processes. */

#include "types.h"

CUCORE_BEGIN

#define CUCORE_COMPILER_NVRTC 1     /* CUDA C++ to PTX, cubin or LTO-IR */
#define CUCORE_COMPILER_NVJITLINK 2 /* LTO-IR, PTX and cubins to PTX or a cubin */

/* cucore_compiler_version stores the version of `compiler` (CUCORE_COMPILER_...), e.g. 12 and 9; it is loaded if it was not.
 * Fails with CUCORE_NOT_FOUND if the library is not there (the notes list every path tried and why), CUCORE_NOT_SUPPORTED if
 * it lacks a function that is needed. */
CUCORE_API int32_t cucore_compiler_version(int32_t compiler, int32_t *major, int32_t *minor, cucore_status **status);

/* cucore_compiler_path gives the file that `compiler` was loaded from, NULL while it is not loaded. It lives until the
 * process ends. */
CUCORE_API const char *cucore_compiler_path(int32_t compiler, size_t *size);

/* cucore_compiler_use_library names the library to open for `compiler`, an absolute path, instead of the search. It must come
 * before the first use of that compiler.
 * Fails with CUCORE_INVALID_STATE if that compiler is already loaded, CUCORE_INVALID_ARGUMENT if the path is empty or relative. */
CUCORE_API int32_t cucore_compiler_use_library(int32_t compiler, const char *path, size_t size, cucore_status **status);

/* cucore_compiler_use_wheels names a folder under which NVIDIA's Python wheels are installed (a site-packages folder, or pip's
 * --target), searched last by compilers that are not loaded yet. Later calls replace it.
 * Fails with CUCORE_INVALID_ARGUMENT if the path is empty or relative. */
CUCORE_API int32_t cucore_compiler_use_wheels(const char *root, size_t size, cucore_status **status);

CUCORE_END

#endif
