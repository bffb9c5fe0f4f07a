/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_NVJITLINK_ABI_H
#define CUCORE_DRIVER_NVJITLINK_ABI_H

/* What we use of nvJitLink, in our own words: see cuda_abi.h. All that it returns are rows of abi/nvjitlink-errors.def. */

#include <stddef.h>
#include <stdint.h>

typedef struct nvJitLink *nvJitLinkHandle;

typedef enum { NVJITLINK_SUCCESS = 0 } nvJitLinkResult;

typedef enum { NVJITLINK_INPUT_CUBIN = 1, NVJITLINK_INPUT_PTX = 2, NVJITLINK_INPUT_LTOIR = 3 } nvJitLinkInputType;

#endif
