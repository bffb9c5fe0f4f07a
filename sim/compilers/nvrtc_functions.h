/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_NVRTC_FUNCTIONS_H
#define CUSIM_NVRTC_FUNCTIONS_H

/* The functions that the simulated NVRTC has, nvrtcGetErrorString apart: X(name, (parameters), (arguments)). The exported function
 * of each row is made from it; the row's work is done by sim_<name>. */

/* clang-format off: it takes the parameters for products */

/* Those that settle themselves what goes on to the real library. */
#define NVRTC_FREE(X) \
    X(nvrtcVersion, (int *major, int *minor), (major, minor)) \
    X(nvrtcGetNumSupportedArchs, (int *count), (count)) \
    X(nvrtcGetSupportedArchs, (int *archs), (archs)) \
    X(nvrtcCreateProgram, \
      (struct program * *program, const char *source, const char *name, int count, const char *const *headers, \
       const char *const *names), \
      (program, source, name, count, headers, names)) \
    X(nvrtcDestroyProgram, (struct program * *program), (program)) \
    X(nvrtcCompileProgram, (struct program * program, int count, const char *const *options), (program, count, options))

/* Those about a program: a call with one that the real library made goes on to that. */
#define NVRTC_ON_PROGRAM(X) \
    X(nvrtcGetPTXSize, (struct program * program, size_t * size), (program, size)) \
    X(nvrtcGetPTX, (struct program * program, char *out), (program, out)) \
    X(nvrtcGetCUBINSize, (struct program * program, size_t * size), (program, size)) \
    X(nvrtcGetCUBIN, (struct program * program, char *out), (program, out)) \
    X(nvrtcGetLTOIRSize, (struct program * program, size_t * size), (program, size)) \
    X(nvrtcGetLTOIR, (struct program * program, char *out), (program, out)) \
    X(nvrtcGetProgramLogSize, (struct program * program, size_t * size), (program, size)) \
    X(nvrtcGetProgramLog, (struct program * program, char *out), (program, out)) \
    X(nvrtcAddNameExpression, (struct program * program, const char *expression), (program, expression)) \
    X(nvrtcGetLoweredName, (struct program * program, const char *expression, const char **name), (program, expression, name)) \
    X(nvrtcSetFlowCallback, (struct program * program, int (*callback)(void *, void *), void *data), (program, callback, data))

#define NVRTC_ALL(X) NVRTC_FREE(X) NVRTC_ON_PROGRAM(X)

/* clang-format on */

#endif
