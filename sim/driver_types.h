/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_DRIVER_TYPES_H
#define CUSIM_DRIVER_TYPES_H

/* The driver API's types and constants that the simulated driver needs beyond those the library uses. What the library comes to
 * use moves from here to cuda_abi.h. */

#include "../src/driver/cuda_abi.h"

#define CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ((CUresult)701)
#define CUDA_ERROR_MISALIGNED_ADDRESS ((CUresult)716)
#define CUDA_ERROR_NOT_PERMITTED ((CUresult)800)

/* What the driver API takes for a stream without being one: the default streams of the current context. */
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

#define CU_EVENT_INTERPROCESS 4u

typedef struct CUuuid_st {
    char bytes[16];
} CUuuid;

typedef struct CUexecAffinityParam_st CUexecAffinityParam;
typedef struct CUctxCreateParams_st CUctxCreateParams;

#endif
