/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_COMPILERS_H
#define CUCORE_DRIVER_COMPILERS_H

/* NVRTC and nvJitLink: finding and loading them, and calling them. */

#include "base/argument.h"
#include "cucore_v1/compiler.h"
#include "driver/native.h"
#include "driver/nvjitlink_abi.h"
#include "driver/nvjitlink_functions.h"
#include "driver/nvrtc_abi.h"
#include "driver/nvrtc_functions.h"

#define X(name, parameters) nvrtcResult(*name) parameters;
typedef struct cucore_nvrtc_table {
    CUCORE_NVRTC_ALL(X)
} cucore_nvrtc_table;
#undef X

#define X(name, parameters) nvJitLinkResult(*name) parameters;
typedef struct cucore_nvjitlink_table {
    CUCORE_NVJITLINK_ALL(X)
} cucore_nvjitlink_table;
#undef X

/* The function tables, filled by cucore_compiler_load. */
extern cucore_nvrtc_table cucore_nvrtc;
extern cucore_nvjitlink_table cucore_nvjitlink;

/* cucore_compiler_load loads a compiler (CUCORE_COMPILER_...) if that was not done. What made it fail is remembered, but for a
 * lack of memory. */
int32_t cucore_compiler_load(const cucore_call *call, int32_t compiler);

/* The file and the version of a compiler; NULL and 0.0 while it is not loaded. */
const char *cucore_compiler_file(int32_t compiler);
void cucore_compiler_numbers(int32_t compiler, int32_t *major, int32_t *minor);

/* How to find a compiler instead of the search; INVALID_STATE once it is loaded. And where to search last. */
int32_t cucore_compiler_choose(const cucore_call *call, int32_t compiler, const char *path, size_t size);
int32_t cucore_compiler_choose_wheels(const cucore_call *call, const char *root, size_t size);

/* cucore_compiler_lacks fails a call with NOT_SUPPORTED because the compiler has no such function. */
int32_t cucore_compiler_lacks(const cucore_call *call, int32_t compiler, const char *function);

/* cucore_compiler_expect_driver_major fails a call with NOT_SUPPORTED if the compiler is of an older major version than the
 * driver. */
int32_t cucore_compiler_expect_driver_major(const cucore_call *call, int32_t compiler);

/* cucore_compiler_note names the compiler that a call failed with, its version and its path. */
void cucore_compiler_note(const cucore_call *call, int32_t compiler);

static inline int32_t cucore_compiler_result(const cucore_call *call, int32_t domain, int64_t result, const char *function,
                                             uint64_t resource) {
    if (result == 0)
        return CUCORE_OK;
    const cucore_native native = {domain, result, function, resource, NULL, 0};
    return cucore_native_fail(call, &native);
}

/* As CUCORE_CUDA, for the compilers. */
#define CUCORE_NVRTC(call, resource, function, arguments) \
    cucore_compiler_result((call), CUCORE_DOMAIN_NVRTC, cucore_nvrtc.function arguments, #function, (resource))
#define CUCORE_NVJITLINK(call, resource, function, arguments) \
    cucore_compiler_result((call), CUCORE_DOMAIN_NVJITLINK, cucore_nvjitlink.function arguments, #function, (resource))

#endif
