/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_DRIVER_TYPES_H
#define CUSIM_DRIVER_TYPES_H

/* The driver API's types and constants that the simulated driver needs beyond those the library uses. The constants are macros,
 * and parameters of enumerations that the library does not use are numbers: so that nothing here is in the way when the library
 * comes to use them, and cuda_abi.h to declare them. */

#include "../src/driver/cuda_abi.h"

#define CUDA_ERROR_UNSUPPORTED_LIMIT ((CUresult)215)
#define CUDA_ERROR_INVALID_SOURCE ((CUresult)300)
#define CUDA_ERROR_FILE_NOT_FOUND ((CUresult)301)
#define CUDA_ERROR_ILLEGAL_STATE ((CUresult)401)
#define CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES ((CUresult)701)
#define CUDA_ERROR_LAUNCH_TIMEOUT ((CUresult)702)
#define CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED ((CUresult)704)
#define CUDA_ERROR_PEER_ACCESS_NOT_ENABLED ((CUresult)705)
#define CUDA_ERROR_ASSERT ((CUresult)710)
#define CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED ((CUresult)712)
#define CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED ((CUresult)713)
#define CUDA_ERROR_ILLEGAL_INSTRUCTION ((CUresult)715)
#define CUDA_ERROR_MISALIGNED_ADDRESS ((CUresult)716)
#define CUDA_ERROR_INVALID_PC ((CUresult)718)
#define CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE ((CUresult)720)
#define CUDA_ERROR_NOT_PERMITTED ((CUresult)800)
#define CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED ((CUresult)900)
#define CUDA_ERROR_STREAM_CAPTURE_INVALIDATED ((CUresult)901)
#define CUDA_ERROR_STREAM_CAPTURE_MERGE ((CUresult)902)
#define CUDA_ERROR_STREAM_CAPTURE_UNMATCHED ((CUresult)903)
#define CUDA_ERROR_STREAM_CAPTURE_UNJOINED ((CUresult)904)
#define CUDA_ERROR_STREAM_CAPTURE_ISOLATION ((CUresult)905)
#define CUDA_ERROR_STREAM_CAPTURE_IMPLICIT ((CUresult)906)
#define CUDA_ERROR_CAPTURED_EVENT ((CUresult)907)
#define CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD ((CUresult)908)

/* What the driver API takes for a stream without being one: the default streams of the current context. */
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)

#define CU_EVENT_INTERPROCESS 4u
#define CU_EVENT_WAIT_EXTERNAL 1u
#define CU_EVENT_RECORD_EXTERNAL 1u

#define CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT ((CUmemLocationType)4)
#define CU_MEM_ACCESS_FLAGS_PROT_NONE ((CUmemAccess_flags)0)

#define CU_MEMORYTYPE_HOST 1u
#define CU_MEMORYTYPE_DEVICE 2u

#define CU_JIT_INPUT_LIBRARY ((CUjitInputType)4)
#define CU_JIT_INPUT_NVVM ((CUjitInputType)5)

#define CU_MODULE_LAZY_LOADING 2
#define CU_FUNCTION_LOADING_STATE_LOADED 1

/* What `extra` of a launch is a list of, each but the end with a value behind it. */
#define CU_LAUNCH_PARAM_END ((void *)0x0)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x1)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x2)

#define CU_LAUNCH_ATTRIBUTE_COOPERATIVE ((CUlaunchAttributeID)2)

#define CU_GRAPH_NODE_TYPE_KERNEL 0
#define CU_GRAPH_NODE_TYPE_MEMCPY 1
#define CU_GRAPH_NODE_TYPE_MEMSET 2
#define CU_GRAPH_NODE_TYPE_HOST 3
#define CU_GRAPH_NODE_TYPE_WAIT_EVENT 6
#define CU_GRAPH_NODE_TYPE_MEM_ALLOC 10
#define CU_GRAPH_NODE_TYPE_MEM_FREE 11

typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphEdgeData_st CUgraphEdgeData;
typedef struct CUgreenCtx_st *CUgreenCtx;
typedef struct CUexecAffinityParam_st CUexecAffinityParam;
typedef struct CUctxCigParam_st CUctxCigParam;

typedef struct CUctxCreateParams_st {
    CUexecAffinityParam *execAffinityParams;
    int numExecAffinityParams;
    CUctxCigParam *cigParams;
} CUctxCreateParams;

typedef void (*CUhostFn)(void *userData);
typedef size_t (*CUoccupancyB2DSize)(int blockSize);
typedef void (*CUstreamCallback)(CUstream hStream, CUresult status, void *userData);

#endif
