/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_PROGRAM_H
#define CUCORE_V1_PROGRAM_H

/* A program: one translation unit of CUDA C++, compiled with NVRTC (see compiler.h). A program's calls need the caller's own
 * ordering; different programs may be compiled on different threads. */

#include "types.h"

CUCORE_BEGIN

/* What a field asks of NVRTC is named beside it; a field that is zero asks for nothing, so that NVRTC's own default holds. */
typedef struct cucore_program_options {
    size_t struct_size;
    cucore_text name;           /* the file name in diagnostics. Default: "program.cu". */
    cucore_text arch;           /* --gpu-architecture: "sm_90", "compute_90". Default: the device's. */
    cucore_text std;            /* --std: "c++17" */
    const cucore_text *defines; /* --define-macro: "NAME" or "NAME=VALUE" */
    size_t define_count;
    const cucore_text *undefines; /* --undefine-macro: "NAME" */
    size_t undefine_count;
    const cucore_text *include_paths; /* --include-path: folders */
    size_t include_path_count;
    const cucore_text *pre_includes; /* --pre-include: headers */
    size_t pre_include_count;
    const cucore_text *name_expressions; /* kernels and variables whose names in the object code are wanted: "kernel<int>" */
    size_t name_expression_count;
    const cucore_text *options; /* any other NVRTC option, as its documentation spells it, e.g. "--minimal" */
    size_t option_count;
    int32_t debug;                   /* --device-debug; on only */
    int32_t lineinfo;                /* --generate-line-info; on only */
    int32_t relocatable_device_code; /* --relocatable-device-code */
    int32_t fast_math;               /* --use_fast_math; on only */
    int32_t ftz;                     /* --ftz */
    int32_t prec_sqrt;               /* --prec-sqrt */
    int32_t prec_div;                /* --prec-div */
    int32_t fma;                     /* --fmad */
    int32_t restrict_pointers;       /* --restrict; on only */
    int32_t max_registers;           /* --maxrregcount; 0: no limit of the caller's */
} cucore_program_options;

/* cucore_program_create makes a program from `size` bytes of CUDA C++ (nvrtcCreateProgram). `device` gives the architecture, and
 * may be NULL if the options do. Source and options are copied. A choice marked "on only" may be CUCORE_OFF, which asks for
 * nothing.
 * Fails with CUCORE_NOT_FOUND or CUCORE_NOT_SUPPORTED if there is no usable NVRTC. */
CUCORE_API cucore_program *cucore_program_create(cucore_device *device, const char *source, size_t size,
                                                 const cucore_program_options *options, cucore_status **status);

/* cucore_program_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_program *cucore_program_retain(cucore_program *program);

/* cucore_program_release gives a reference up; the last one destroys the program, and a failure of that is a warning. NULL is
 * fine. */
CUCORE_API void cucore_program_release(cucore_program *program);

/* cucore_program_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL)
 * is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_program_close(cucore_program *program, int32_t *destroyed, cucore_status **status);

/* cucore_program_raw gives the nvrtcProgram, NULL for a bad handle. */
CUCORE_API void *cucore_program_raw(const cucore_program *program);

/* cucore_program_compile compiles to `kind`: CUCORE_OBJECT_CODE_PTX, _CUBIN (the architecture must then be an "sm_..." one) or
 * _LTO_IR (nvrtcCompileProgram). NVRTC's log is in the object code it returns, or in the status.
 * Fails with CUCORE_COMPILE (the status has the log; its notes name the compiler and the options), CUCORE_INVALID_ARGUMENT for an
 * option that NVRTC does not know or a cubin of a "compute_..." architecture, CUCORE_NOT_SUPPORTED for LTO-IR where NVRTC is too
 * old. */
CUCORE_API cucore_object_code *cucore_program_compile(cucore_program *program, int32_t kind, cucore_status **status);

CUCORE_END

#endif
