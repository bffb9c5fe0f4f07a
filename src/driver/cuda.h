/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_CUDA_H
#define CUCORE_DRIVER_CUDA_H

/* The CUDA driver: finding and loading it, and calling it. */

#include "base/argument.h"
#include "driver/cuda_abi.h"
#include "driver/cuda_functions.h"
#include "driver/native.h"

/* The function table. It is filled once, before the first call that cucore_cuda_load lets through. */
typedef struct cucore_cuda_table {
#define X(name, version, parameters) CUresult(*name) parameters;
    CUCORE_CUDA_ALL(X)
#undef X
} cucore_cuda_table;

extern cucore_cuda_table cucore_cuda;

/* The CUDA version that brought the form we use of each function. */
enum {
#define X(name, version, parameters) cucore_version_of_##name = (version),
    CUCORE_CUDA_ALL(X)
#undef X
};

/* cucore_cuda_load loads the driver if that was not done. What made it fail is remembered, but for a lack of memory. */
int32_t cucore_cuda_load(const cucore_call *call);

/* cucore_cuda_start loads and initialises it (cuInit). Everything that makes a handle comes through here or from a handle. */
int32_t cucore_cuda_start(const cucore_call *call);

/* cucore_cuda_version gives the driver's CUDA version, 1000 * major + 10 * minor; 0 while it is not loaded. */
int32_t cucore_cuda_version(void);

/* cucore_cuda_path gives the file it was loaded from, or NULL. */
const char *cucore_cuda_path(void);

/* cuGetProcAddress in its form of CUDA 12.0, the one function that is looked up by name. */
typedef CUresult (*cucore_cuda_entry)(const char *symbol, void **function, int version, cuuint64_t flags,
                                      CUdriverProcAddressQueryResult *result);

/* How to find it instead of the search; INVALID_STATE once it is loaded. */
int32_t cucore_cuda_use_library(const cucore_call *call, const char *path, size_t size);
int32_t cucore_cuda_use_entry(const cucore_call *call, cucore_cuda_entry entry);

/* cucore_cuda_lacks fails a call with NOT_SUPPORTED because the driver has no such function. */
int32_t cucore_cuda_lacks(const cucore_call *call, const char *function, int32_t version);

/* The same for what came without a function of its own. */
enum { cucore_version_of_pool_max_size = 12020 };
int32_t cucore_cuda_expect_version(const cucore_call *call, const char *what, int32_t version);

/* CUCORE_CUDA_NEEDS fails the call if the driver lacks an optional function. */
#define CUCORE_CUDA_NEEDS(call, function) \
    (cucore_cuda.function ? CUCORE_OK : cucore_cuda_lacks((call), #function, cucore_version_of_##function))

int32_t cucore_cuda_fail(const cucore_call *call, CUresult result, const char *function, uint64_t resource) CUCORE_RARE;
static inline int32_t cucore_cuda_result(const cucore_call *call, CUresult result, const char *function, uint64_t resource) {
    return result == CUDA_SUCCESS ? CUCORE_OK : cucore_cuda_fail(call, result, function, resource);
}

/* CUCORE_CUDA calls a driver function with a parenthesised list of arguments, about a resource (0: none), and fails the call if
 * that fails. */
#define CUCORE_CUDA(call, resource, function, arguments) \
    cucore_cuda_result((call), cucore_cuda.function arguments, #function, (resource))

#endif
