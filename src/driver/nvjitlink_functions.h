/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_NVJITLINK_FUNCTIONS_H
#define CUCORE_DRIVER_NVJITLINK_FUNCTIONS_H

/* The nvJitLink functions we use: X(name, (parameters)). CORE ones must be there. */

#define CUCORE_NVJITLINK_CORE(X) \
    X(nvJitLinkCreate, (nvJitLinkHandle * handle, uint32_t numOptions, const char **options)) \
    X(nvJitLinkDestroy, (nvJitLinkHandle * handle)) \
    X(nvJitLinkAddData, (nvJitLinkHandle handle, nvJitLinkInputType type, const void *data, size_t size, const char *name)) \
    X(nvJitLinkComplete, (nvJitLinkHandle handle)) \
    X(nvJitLinkGetLinkedCubinSize, (nvJitLinkHandle handle, size_t * size)) \
    X(nvJitLinkGetLinkedCubin, (nvJitLinkHandle handle, void *cubin)) \
    X(nvJitLinkGetLinkedPtxSize, (nvJitLinkHandle handle, size_t * size)) \
    X(nvJitLinkGetLinkedPtx, (nvJitLinkHandle handle, char *ptx)) \
    X(nvJitLinkGetErrorLogSize, (nvJitLinkHandle handle, size_t * size)) \
    X(nvJitLinkGetErrorLog, (nvJitLinkHandle handle, char *log)) \
    X(nvJitLinkGetInfoLogSize, (nvJitLinkHandle handle, size_t * size)) \
    X(nvJitLinkGetInfoLog, (nvJitLinkHandle handle, char *log))

/* nvJitLinkVersion came with CUDA 12.3. */
#define CUCORE_NVJITLINK_OPTIONAL(X) X(nvJitLinkVersion, (unsigned int *major, unsigned int *minor))

#define CUCORE_NVJITLINK_ALL(X) CUCORE_NVJITLINK_CORE(X) CUCORE_NVJITLINK_OPTIONAL(X)

#endif
