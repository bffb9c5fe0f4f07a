/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_OBJECT_CODE_H
#define CUCORE_V1_OBJECT_CODE_H

/* Object code: what a compiler or linker made, or bytes the caller has, and the log that came with it. Immutable. Nothing here
 * needs a driver or a compiler. */

#include "types.h"

CUCORE_BEGIN

/* Kinds of object code. */
#define CUCORE_OBJECT_CODE_PTX 1    /* text; the driver compiles it at load */
#define CUCORE_OBJECT_CODE_CUBIN 2  /* machine code for one architecture, an ELF file */
#define CUCORE_OBJECT_CODE_LTO_IR 3 /* for a linker only: NVIDIA's intermediate form, tied to the compiler's version */

/* cucore_object_code_create copies `size` bytes of object code of the given kind. `name` (may be NULL) is what messages and
 * linkers call it.
 * Fails with CUCORE_INVALID_ARGUMENT if there are no bytes, or a cubin is no ELF file or claims to be larger than `size`;
 * CUCORE_OUT_OF_MEMORY. */
CUCORE_API cucore_object_code *cucore_object_code_create(int32_t kind, const void *data, size_t size, const char *name,
                                                         size_t name_size, cucore_status **status);

/* cucore_object_code_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_object_code *cucore_object_code_retain(cucore_object_code *code);

/* cucore_object_code_release gives a reference up. NULL is fine. */
CUCORE_API void cucore_object_code_release(cucore_object_code *code);

/* cucore_object_code_close does the same. `destroyed` (may be NULL) is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_object_code_close(cucore_object_code *code, int32_t *destroyed, cucore_status **status);

/* cucore_object_code_kind gives the kind, 0 for a bad handle. */
CUCORE_API int32_t cucore_object_code_kind(const cucore_object_code *code);

/* cucore_object_code_raw gives the bytes, followed by a NUL that `size` does not count; NULL for a bad handle. */
CUCORE_API const char *cucore_object_code_raw(const cucore_object_code *code, size_t *size);

/* cucore_object_code_name gives the name, "" if it has none. */
CUCORE_API const char *cucore_object_code_name(const cucore_object_code *code, size_t *size);

/* cucore_object_code_lowered_name gives the name in the object code of a name expression that its program was compiled with
 * (program.h), e.g. "_Z6kernelIiEvPT_" for "kernel<int>"; NULL if there is no such expression. `name` is `size` bytes. */
CUCORE_API const char *cucore_object_code_lowered_name(const cucore_object_code *code, const char *name, size_t size,
                                                       size_t *lowered_size);

/* cucore_object_code_log gives what the compiler or linker said while it made this (warnings), in the bytes it came in; "" if
 * nothing. */
CUCORE_API const char *cucore_object_code_log(const cucore_object_code *code, size_t *size);

CUCORE_END

#endif
