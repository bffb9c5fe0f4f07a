/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_NVJITLINK_FUNCTIONS_H
#define CUSIM_NVJITLINK_FUNCTIONS_H

/* The functions that the simulated nvJitLink has: X(name, (parameters), (arguments)). The exported function of each row is made
 * from it; the row's work is done by sim_<name>. */

/* clang-format off: it takes the parameters for products */

/* Those that settle themselves what goes on to the real library. */
#define NVJITLINK_FREE(X) \
    X(nvJitLinkCreate, (struct linker * *linker, uint32_t count, const char **options), (linker, count, options)) \
    X(nvJitLinkDestroy, (struct linker * *linker), (linker))

/* Those about a linker: a call with one that the real library made goes on to that. */
#define NVJITLINK_ON_LINKER(X) \
    X(nvJitLinkAddData, (struct linker * linker, int type, const void *data, size_t size, const char *name), \
      (linker, type, data, size, name)) \
    X(nvJitLinkAddFile, (struct linker * linker, int type, const char *path), (linker, type, path)) \
    X(nvJitLinkComplete, (struct linker * linker), (linker)) \
    X(nvJitLinkGetLinkedCubinSize, (struct linker * linker, size_t * size), (linker, size)) \
    X(nvJitLinkGetLinkedCubin, (struct linker * linker, void *out), (linker, out)) \
    X(nvJitLinkGetLinkedPtxSize, (struct linker * linker, size_t * size), (linker, size)) \
    X(nvJitLinkGetLinkedPtx, (struct linker * linker, char *out), (linker, out)) \
    X(nvJitLinkGetErrorLogSize, (struct linker * linker, size_t * size), (linker, size)) \
    X(nvJitLinkGetErrorLog, (struct linker * linker, char *out), (linker, out)) \
    X(nvJitLinkGetInfoLogSize, (struct linker * linker, size_t * size), (linker, size)) \
    X(nvJitLinkGetInfoLog, (struct linker * linker, char *out), (linker, out))

/* These also have a name for each version of CUDA 12: __nvJitLinkCreate_12_0. */
#define NVJITLINK_VERSIONED(X) NVJITLINK_FREE(X) NVJITLINK_ON_LINKER(X)

#define NVJITLINK_ALL(X) \
    NVJITLINK_VERSIONED(X) \
    X(nvJitLinkVersion, (unsigned int *major, unsigned int *minor), (major, minor))

/* clang-format on */

#endif
