/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_LINKER_H
#define CUCORE_V1_LINKER_H

/* A linker: joins several object codes with nvJitLink (see compiler.h). A linker's calls need the caller's own ordering. */

#include "types.h"

CUCORE_BEGIN

typedef struct cucore_linker_options {
    size_t struct_size;
    cucore_text arch;           /* "sm_90". Default: the device's. */
    const cucore_text *options; /* any other nvJitLink option, as its documentation spells it, e.g. "-O2" */
    size_t option_count;
    int32_t kind;     /* what to make: CUCORE_OBJECT_CODE_CUBIN (the default) or _PTX (from LTO-IR only) */
    int32_t reserved; /* 0 */
} cucore_linker_options;

/* cucore_linker_create makes a linker over `count` inputs of any kind (nvJitLinkCreate, nvJitLinkAddData). Link-time
 * optimisation is on if an input is LTO-IR. `device` gives the architecture, and may be NULL if the options do. The inputs are
 * read during this call only.
 * Fails with CUCORE_INVALID_ARGUMENT if there are no inputs, or PTX is asked for without an LTO-IR input; CUCORE_NOT_FOUND or
 * CUCORE_NOT_SUPPORTED if there is no usable nvJitLink; CUCORE_INVALID_ARGUMENT for an option or, by some versions, an input that
 * nvJitLink does not take, CUCORE_LINK if it refuses an input (the status has the log). */
CUCORE_API cucore_linker *cucore_linker_create(cucore_device *device, cucore_object_code *const *inputs, size_t count,
                                               const cucore_linker_options *options, cucore_status **status);

/* cucore_linker_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_linker *cucore_linker_retain(cucore_linker *linker);

/* cucore_linker_release gives a reference up; the last one destroys the linker, and a failure of that is a warning. NULL is
 * fine. */
CUCORE_API void cucore_linker_release(cucore_linker *linker);

/* cucore_linker_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL)
 * is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_linker_close(cucore_linker *linker, int32_t *destroyed, cucore_status **status);

/* cucore_linker_raw gives the nvJitLinkHandle, NULL for a bad handle. */
CUCORE_API void *cucore_linker_raw(const cucore_linker *linker);

/* cucore_linker_link links and gives the result, with nvJitLink's log in it (nvJitLinkComplete). A linker links once.
 * Fails with CUCORE_LINK (the status has the log; its notes name the linker and the options), CUCORE_INVALID_STATE if it was
 * called before. nvJitLink 12.9 and 13.0 were seen to call the link of two PTX or cubin inputs that define the same name a
 * success, which the library cannot tell from one. */
CUCORE_API cucore_object_code *cucore_linker_link(cucore_linker *linker, cucore_status **status);

CUCORE_END

#endif
