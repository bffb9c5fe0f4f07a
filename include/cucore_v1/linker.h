/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_LINKER_H
#define CUCORE_V1_LINKER_H

/* A linker: joins several object codes. It is nvJitLink's (see compiler.h); where nvJitLink is not there or older than the driver's
 * CUDA major version it is the driver's own (cuLink), which takes no LTO-IR, makes cubins only and knows fewer options. A linker's
 * calls need the caller's own ordering. */

#include "types.h"

CUCORE_BEGIN

typedef struct cucore_linker_options {
    size_t struct_size;
    cucore_text arch;           /* -arch: "sm_90". Default: the device's. */
    const cucore_text *options; /* any other nvJitLink option, as its documentation spells it, e.g. "-split-compile=2" */
    size_t option_count;
    int32_t kind;                   /* what to make: CUCORE_OBJECT_CODE_CUBIN (the default) or _PTX (from LTO-IR only) */
    int32_t debug;                  /* -g; on only */
    int32_t lineinfo;               /* -lineinfo; on only */
    int32_t has_optimization_level; /* 1: `optimization_level` is given */
    int32_t optimization_level;     /* -O: 0 to 3 */
    int32_t max_registers;          /* -maxrregcount; 0: no limit of the caller's */
    int32_t ftz;                    /* -ftz */
    int32_t prec_sqrt;              /* -prec-sqrt */
    int32_t prec_div;               /* -prec-div */
    int32_t fma;                    /* -fma */
    int32_t verbose;                /* -verbose; on only */
    int32_t time;                   /* -time; on only */
} cucore_linker_options;

/* What a linker is. */
#define CUCORE_LINKER_NVJITLINK 1
#define CUCORE_LINKER_DRIVER 2

/* cucore_linker_create makes a linker over `count` inputs of any kind, and checks what it is asked for; nothing is given to
 * nvJitLink or the driver before cucore_linker_link. Link-time optimisation is on if an input is LTO-IR. `device` gives the
 * architecture, and may be NULL if the options do; the driver's linker needs it, and takes no architecture but "sm_<number>".
 * The linker keeps a reference to each input and to the device; the array and the options are read during this call only.
 * Fails with CUCORE_INVALID_ARGUMENT if there are no inputs, or PTX is asked for without an LTO-IR input; CUCORE_NOT_SUPPORTED
 * if what is asked needs an nvJitLink that is not there (the message names it, the notes say where it was looked for). */
CUCORE_API cucore_linker *cucore_linker_create(cucore_device *device, cucore_object_code *const *inputs, size_t count,
                                               const cucore_linker_options *options, cucore_status **status);

/* cucore_linker_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_linker *cucore_linker_retain(cucore_linker *linker);

/* cucore_linker_release gives a reference up; the last one destroys the linker, which asks nothing of nvJitLink or the driver. NULL
 * is fine. */
CUCORE_API void cucore_linker_release(cucore_linker *linker);

/* cucore_linker_close does the same, and returns a failure of what ended with it: the linker's own end cannot fail. `destroyed`
 * (may be NULL) is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_linker_close(cucore_linker *linker, int32_t *destroyed, cucore_status **status);

/* cucore_linker_kind gives what the linker is, CUCORE_LINKER_...; 0 for a bad handle. */
CUCORE_API int32_t cucore_linker_kind(const cucore_linker *linker);

/* cucore_linker_error_log gives the errors, and cucore_linker_info_log what else the linker said, in the bytes they came in; ""
 * before the link or if there is nothing. They may be read any number of times. */
CUCORE_API const char *cucore_linker_error_log(const cucore_linker *linker, size_t *size);
CUCORE_API const char *cucore_linker_info_log(const cucore_linker *linker, size_t *size);

/* cucore_linker_link links and gives the result, with the log in it, and with the lowered names of its inputs' name expressions
 * (nvJitLinkCreate, nvJitLinkAddData, nvJitLinkComplete, nvJitLinkDestroy; or cuLinkCreate, cuLinkAddData, cuLinkComplete,
 * cuLinkDestroy). The driver's and nvJitLink's links have to end on the thread that made them, so all of that is done in this
 * call. If only the destruction fails, that is a warning. A linker links once.
 * Fails with CUCORE_INVALID_ARGUMENT for an option or, by some versions, an input that nvJitLink does not take; CUCORE_LINK if
 * nvJitLink refuses an input or cannot link. What the driver's linker refuses is CUCORE_COMPILE (PTX, a symbol),
 * CUCORE_NOT_SUPPORTED or CUCORE_INVALID_ARGUMENT (a cubin). The status has the log; its notes name the linker and the options.
 * Fails with CUCORE_INVALID_STATE if it was called before. nvJitLink 12.9 and 13.0 were seen to call the link of two PTX or
 * cubin inputs that define the same name a success, which the library cannot tell from one. */
CUCORE_API cucore_object_code *cucore_linker_link(cucore_linker *linker, cucore_status **status);

CUCORE_END

#endif
