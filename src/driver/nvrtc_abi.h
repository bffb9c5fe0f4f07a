/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_NVRTC_ABI_H
#define CUCORE_DRIVER_NVRTC_ABI_H

/* What we use of NVRTC, in our own words: see cuda_abi.h. All that NVRTC returns are rows of abi/nvrtc-errors.def. */

#include <stddef.h>

typedef struct _nvrtcProgram *nvrtcProgram;

typedef enum { NVRTC_SUCCESS = 0 } nvrtcResult;

#endif
