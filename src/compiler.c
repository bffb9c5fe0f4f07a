/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/compiler.h"

#include "driver/compilers.h"

static int32_t expect_compiler(const cucore_call *call, int32_t compiler) {
    if (compiler == CUCORE_COMPILER_NVRTC || compiler == CUCORE_COMPILER_NVJITLINK)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": compiler is %d, no CUCORE_COMPILER_... number", (int)compiler);
}

int32_t cucore_compiler_version(int32_t compiler, int32_t *major, int32_t *minor, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_compiler(&call, compiler);
    if (!code)
        code = cucore_expect_pointer(&call, major, "major");
    if (!code)
        code = cucore_expect_pointer(&call, minor, "minor");
    if (!code)
        code = cucore_compiler_load(&call, compiler);
    if (!code)
        cucore_compiler_numbers(compiler, major, minor);
    return code;
}

const char *cucore_compiler_path(int32_t compiler, size_t *size) {
    const cucore_call call = {__func__, NULL};
    return cucore_text_out(expect_compiler(&call, compiler) ? NULL : cucore_compiler_file(compiler), size);
}

int32_t cucore_compiler_use_library(int32_t compiler, const char *path, size_t size, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_compiler(&call, compiler);
    if (!code)
        code = cucore_expect_path(&call, path, size, "path");
    return code ? code : cucore_compiler_choose(&call, compiler, path, size);
}

int32_t cucore_compiler_use_wheels(const char *root, size_t size, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect_path(&call, root, size, "root");
    return code ? code : cucore_compiler_choose_wheels(&call, root, size);
}
