/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_NVRTC_FUNCTIONS_H
#define CUCORE_DRIVER_NVRTC_FUNCTIONS_H

/* The NVRTC functions we use: X(name, (parameters)). CORE ones must be there. */

#define CUCORE_NVRTC_CORE(X) \
    X(nvrtcVersion, (int *major, int *minor)) \
    X(nvrtcCreateProgram, (nvrtcProgram * program, const char *source, const char *name, int headerCount, \
                           const char *const *headers, const char *const *includeNames)) \
    X(nvrtcDestroyProgram, (nvrtcProgram * program)) \
    X(nvrtcAddNameExpression, (nvrtcProgram program, const char *expression)) \
    X(nvrtcGetLoweredName, (nvrtcProgram program, const char *expression, const char **lowered)) \
    X(nvrtcCompileProgram, (nvrtcProgram program, int optionCount, const char *const *options)) \
    X(nvrtcGetPTXSize, (nvrtcProgram program, size_t * size)) \
    X(nvrtcGetPTX, (nvrtcProgram program, char *ptx)) \
    X(nvrtcGetCUBINSize, (nvrtcProgram program, size_t * size)) \
    X(nvrtcGetCUBIN, (nvrtcProgram program, char *cubin)) \
    X(nvrtcGetProgramLogSize, (nvrtcProgram program, size_t * size)) \
    X(nvrtcGetProgramLog, (nvrtcProgram program, char *log))

#define CUCORE_NVRTC_OPTIONAL(X) \
    X(nvrtcGetLTOIRSize, (nvrtcProgram program, size_t * size)) \
    X(nvrtcGetLTOIR, (nvrtcProgram program, char *ltoir))

#define CUCORE_NVRTC_ALL(X) CUCORE_NVRTC_CORE(X) CUCORE_NVRTC_OPTIONAL(X)

#endif
