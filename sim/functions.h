/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_FUNCTIONS_H
#define CUSIM_FUNCTIONS_H

/* The driver functions that the simulated driver has, a row each:
 *
 *     X(name, symbol, version, (parameters), (arguments))    X0(name, symbol, version) for a function without parameters
 *
 * cuGetProcAddress finds a function by `name` from `version` on; dlsym by `symbol`. entry.c makes the exported function of each
 * row; the row's work is done by sim_<symbol>. To add a function, add a row and write that. */

/* clang-format off: it takes the parameters for products */
#define CUSIM_FUNCTIONS(X, X0) \
    X(cuInit, cuInit, 2000, (unsigned int flags), (flags)) \
    X(cuDriverGetVersion, cuDriverGetVersion, 2020, (int *version), (version)) \
    X(cuGetProcAddress, cuGetProcAddress, 11030, (const char *name, void **address, int version, cuuint64_t flags), \
      (name, address, version, flags)) \
    X(cuGetProcAddress, cuGetProcAddress_v2, 12000, \
      (const char *name, void **address, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *found), \
      (name, address, version, flags, found)) \
    X(cuGetErrorName, cuGetErrorName, 6000, (CUresult error, const char **text), (error, text)) \
    X(cuGetErrorString, cuGetErrorString, 6000, (CUresult error, const char **text), (error, text)) \
    X(cuGetExportTable, cuGetExportTable, 3000, (const void **table, const CUuuid *id), (table, id)) \
    X(cuLogsRegisterCallback, cuLogsRegisterCallback, 12090, (CUlogsCallback callback, void *data, CUlogsCallbackHandle *handle), \
      (callback, data, handle)) \
    X(cuLogsUnregisterCallback, cuLogsUnregisterCallback, 12090, (CUlogsCallbackHandle handle), (handle)) \
\
    X(cuDeviceGetCount, cuDeviceGetCount, 2000, (int *count), (count)) \
    X(cuDeviceGet, cuDeviceGet, 2000, (CUdevice * device, int ordinal), (device, ordinal)) \
    X(cuDeviceGetName, cuDeviceGetName, 2000, (char *name, int size, CUdevice device), (name, size, device)) \
    X(cuDeviceGetUuid, cuDeviceGetUuid_v2, 11040, (CUuuid * uuid, CUdevice device), (uuid, device)) \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute, 2000, (int *value, CUdevice_attribute attribute, CUdevice device), \
      (value, attribute, device)) \
    X(cuDeviceTotalMem, cuDeviceTotalMem_v2, 3020, (size_t * bytes, CUdevice device), (bytes, device)) \
    X(cuDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool, 11020, (CUmemoryPool * pool, CUdevice device), (pool, device)) \
    X(cuDeviceGetMemPool, cuDeviceGetMemPool, 11020, (CUmemoryPool * pool, CUdevice device), (pool, device)) \
    X(cuDeviceSetMemPool, cuDeviceSetMemPool, 11020, (CUdevice device, CUmemoryPool pool), (device, pool)) \
    X(cuDeviceComputeCapability, cuDeviceComputeCapability, 2000, (int *major, int *minor, CUdevice device), \
      (major, minor, device)) \
    X(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, 4010, (char *text, int size, CUdevice device), (text, size, device)) \
    X(cuDeviceGetByPCIBusId, cuDeviceGetByPCIBusId, 4010, (CUdevice * device, const char *text), (device, text)) \
    X(cuDeviceCanAccessPeer, cuDeviceCanAccessPeer, 4000, (int *can, CUdevice device, CUdevice peer), (can, device, peer)) \
\
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, (CUcontext * context, CUdevice device), (context, device)) \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000, (CUdevice device), (device)) \
    X(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 7000, (CUdevice device, unsigned int *flags, int *active), \
      (device, flags, active)) \
    X(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags_v2, 11000, (CUdevice device, unsigned int flags), (device, flags)) \
    X(cuCtxCreate, cuCtxCreate_v2, 3020, (CUcontext * context, unsigned int flags, CUdevice device), (context, flags, device)) \
    X(cuCtxCreate, cuCtxCreate_v3, 11040, \
      (CUcontext * context, CUexecAffinityParam * affinity, int affinities, unsigned int flags, CUdevice device), \
      (context, affinity, affinities, flags, device)) \
    X(cuCtxCreate, cuCtxCreate_v4, 12050, \
      (CUcontext * context, CUctxCreateParams * parameters, unsigned int flags, CUdevice device), \
      (context, parameters, flags, device)) \
    X(cuCtxDestroy, cuCtxDestroy_v2, 4000, (CUcontext context), (context)) \
    X(cuCtxGetCurrent, cuCtxGetCurrent, 4000, (CUcontext * context), (context)) \
    X(cuCtxSetCurrent, cuCtxSetCurrent, 4000, (CUcontext context), (context)) \
    X(cuCtxPushCurrent, cuCtxPushCurrent_v2, 4000, (CUcontext context), (context)) \
    X(cuCtxPopCurrent, cuCtxPopCurrent_v2, 4000, (CUcontext * context), (context)) \
    X(cuCtxGetDevice, cuCtxGetDevice, 2000, (CUdevice * device), (device)) \
    X(cuCtxGetStreamPriorityRange, cuCtxGetStreamPriorityRange, 5050, (int *least, int *greatest), (least, greatest)) \
    X(cuCtxGetDevice, cuCtxGetDevice_v2, 13000, (CUdevice * device, CUcontext context), (device, context)) \
    X(cuCtxGetApiVersion, cuCtxGetApiVersion, 3020, (CUcontext context, unsigned int *version), (context, version)) \
    X(cuCtxGetFlags, cuCtxGetFlags, 7000, (unsigned int *flags), (flags)) \
    X(cuCtxSetFlags, cuCtxSetFlags, 12010, (unsigned int flags), (flags)) \
    X(cuCtxGetId, cuCtxGetId, 12000, (CUcontext context, unsigned long long *id), (context, id)) \
    X(cuCtxGetLimit, cuCtxGetLimit, 3010, (size_t * value, int limit), (value, limit)) \
    X(cuCtxSetLimit, cuCtxSetLimit, 3010, (int limit, size_t value), (limit, value)) \
    X(cuCtxGetCacheConfig, cuCtxGetCacheConfig, 3020, (int *config), (config)) \
    X(cuCtxSetCacheConfig, cuCtxSetCacheConfig, 3020, (int config), (config)) \
    X(cuCtxEnablePeerAccess, cuCtxEnablePeerAccess, 4000, (CUcontext peer, unsigned int flags), (peer, flags)) \
    X(cuCtxDisablePeerAccess, cuCtxDisablePeerAccess, 4000, (CUcontext peer), (peer)) \
    X0(cuCtxSynchronize, cuCtxSynchronize, 2000) \
    X(cuCtxSynchronize, cuCtxSynchronize_v2, 13000, (CUcontext context), (context)) \
\
    X(cuStreamCreate, cuStreamCreate, 2000, (CUstream * stream, unsigned int flags), (stream, flags)) \
    X(cuStreamCreateWithPriority, cuStreamCreateWithPriority, 5050, (CUstream * stream, unsigned int flags, int priority), \
      (stream, flags, priority)) \
    X(cuStreamDestroy, cuStreamDestroy_v2, 4000, (CUstream stream), (stream)) \
    X(cuStreamGetCtx, cuStreamGetCtx, 9020, (CUstream stream, CUcontext * context), (stream, context)) \
    X(cuStreamGetCtx, cuStreamGetCtx_v2, 12050, (CUstream stream, CUcontext * context, CUgreenCtx * green), \
      (stream, context, green)) \
    X(cuStreamGetDevice, cuStreamGetDevice, 12080, (CUstream stream, CUdevice * device), (stream, device)) \
    X(cuStreamGetId, cuStreamGetId, 12000, (CUstream stream, unsigned long long *id), (stream, id)) \
    X(cuStreamGetPriority, cuStreamGetPriority, 5050, (CUstream stream, int *priority), (stream, priority)) \
    X(cuStreamGetFlags, cuStreamGetFlags, 5050, (CUstream stream, unsigned int *flags), (stream, flags)) \
    X(cuStreamQuery, cuStreamQuery, 2000, (CUstream stream), (stream)) \
    X(cuStreamSynchronize, cuStreamSynchronize, 2000, (CUstream stream), (stream)) \
    X(cuStreamWaitEvent, cuStreamWaitEvent, 3020, (CUstream stream, CUevent event, unsigned int flags), (stream, event, flags)) \
    X(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, 10010, (CUstreamCaptureMode * mode), (mode)) \
    X(cuStreamBeginCapture, cuStreamBeginCapture, 10000, (CUstream stream), (stream)) \
    X(cuStreamBeginCapture, cuStreamBeginCapture_v2, 10010, (CUstream stream, CUstreamCaptureMode mode), (stream, mode)) \
    X(cuStreamEndCapture, cuStreamEndCapture, 10000, (CUstream stream, CUgraph * graph), (stream, graph)) \
    X(cuStreamIsCapturing, cuStreamIsCapturing, 10000, (CUstream stream, CUstreamCaptureStatus * status), (stream, status)) \
    X(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo, 10010, (CUstream stream, CUstreamCaptureStatus * status, cuuint64_t * id), \
      (stream, status, id)) \
    X(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v2, 11030, \
      (CUstream stream, CUstreamCaptureStatus * status, cuuint64_t * id, CUgraph * graph, const CUgraphNode **dependencies, \
       size_t *count), \
      (stream, status, id, graph, dependencies, count)) \
    X(cuStreamGetCaptureInfo, cuStreamGetCaptureInfo_v3, 12030, \
      (CUstream stream, CUstreamCaptureStatus * status, cuuint64_t * id, CUgraph * graph, const CUgraphNode **dependencies, \
       const CUgraphEdgeData **edges, size_t *count), \
      (stream, status, id, graph, dependencies, edges, count)) \
    X(cuGraphDestroy, cuGraphDestroy, 10000, (CUgraph graph), (graph)) \
    X(cuGraphGetNodes, cuGraphGetNodes, 10000, (CUgraph graph, CUgraphNode * nodes, size_t * count), (graph, nodes, count)) \
    X(cuGraphNodeGetType, cuGraphNodeGetType, 10000, (CUgraphNode node, int *type), (node, type)) \
    X(cuLaunchHostFunc, cuLaunchHostFunc, 10000, (CUstream stream, CUhostFn function, void *userData), \
      (stream, function, userData)) \
    X(cuStreamAddCallback, cuStreamAddCallback, 5000, \
      (CUstream stream, CUstreamCallback callback, void *userData, unsigned int flags), (stream, callback, userData, flags)) \
\
    X(cuEventCreate, cuEventCreate, 2000, (CUevent * event, unsigned int flags), (event, flags)) \
    X(cuEventDestroy, cuEventDestroy_v2, 4000, (CUevent event), (event)) \
    X(cuEventRecord, cuEventRecord, 2000, (CUevent event, CUstream stream), (event, stream)) \
    X(cuEventRecordWithFlags, cuEventRecordWithFlags, 11010, (CUevent event, CUstream stream, unsigned int flags), \
      (event, stream, flags)) \
    X(cuEventQuery, cuEventQuery, 2000, (CUevent event), (event)) \
    X(cuEventSynchronize, cuEventSynchronize, 2000, (CUevent event), (event)) \
    X(cuEventElapsedTime, cuEventElapsedTime, 2000, (float *milliseconds, CUevent start, CUevent end), (milliseconds, start, end)) \
\
    X(cuMemAlloc, cuMemAlloc_v2, 3020, (CUdeviceptr * address, size_t size), (address, size)) \
    X(cuMemFree, cuMemFree_v2, 3020, (CUdeviceptr address), (address)) \
    X(cuMemGetInfo, cuMemGetInfo_v2, 3020, (size_t * available, size_t * total), (available, total)) \
    X(cuMemAllocAsync, cuMemAllocAsync, 11020, (CUdeviceptr * address, size_t size, CUstream stream), (address, size, stream)) \
    X(cuMemAllocFromPoolAsync, cuMemAllocFromPoolAsync, 11020, \
      (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream), (address, size, pool, stream)) \
    X(cuMemFreeAsync, cuMemFreeAsync, 11020, (CUdeviceptr address, CUstream stream), (address, stream)) \
    X(cuMemPoolCreate, cuMemPoolCreate, 11020, (CUmemoryPool * pool, const CUmemPoolProps *properties), (pool, properties)) \
    X(cuMemPoolDestroy, cuMemPoolDestroy, 11020, (CUmemoryPool pool), (pool)) \
    X(cuMemPoolSetAttribute, cuMemPoolSetAttribute, 11020, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value), \
      (pool, attribute, value)) \
    X(cuMemPoolGetAttribute, cuMemPoolGetAttribute, 11020, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value), \
      (pool, attribute, value)) \
    X(cuMemPoolTrimTo, cuMemPoolTrimTo, 11020, (CUmemoryPool pool, size_t keep), (pool, keep)) \
    X(cuMemPoolSetAccess, cuMemPoolSetAccess, 11020, (CUmemoryPool pool, const CUmemAccessDesc *access, size_t count), \
      (pool, access, count)) \
    X(cuMemPoolGetAccess, cuMemPoolGetAccess, 11020, (CUmemAccess_flags * flags, CUmemoryPool pool, CUmemLocation * location), \
      (flags, pool, location)) \
    X(cuMemAllocHost, cuMemAllocHost_v2, 3020, (void **address, size_t size), (address, size)) \
    X(cuMemHostAlloc, cuMemHostAlloc, 2020, (void **address, size_t size, unsigned int flags), (address, size, flags)) \
    X(cuMemFreeHost, cuMemFreeHost, 2000, (void *address), (address)) \
    X(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer_v2, 3020, (CUdeviceptr * device, void *address, unsigned int flags), \
      (device, address, flags)) \
    X(cuMemHostGetFlags, cuMemHostGetFlags, 2030, (unsigned int *flags, void *address), (flags, address)) \
    X(cuMemHostRegister, cuMemHostRegister_v2, 6050, (void *address, size_t size, unsigned int flags), (address, size, flags)) \
    X(cuMemHostUnregister, cuMemHostUnregister, 4000, (void *address), (address)) \
    X(cuPointerGetAttribute, cuPointerGetAttribute, 4000, (void *data, int attribute, CUdeviceptr address), \
      (data, attribute, address)) \
    X(cuPointerGetAttributes, cuPointerGetAttributes, 7000, \
      (unsigned int count, int *attributes, void **data, CUdeviceptr address), (count, attributes, data, address)) \
    X(cuMemGetAddressRange, cuMemGetAddressRange_v2, 3020, (CUdeviceptr * base, size_t * size, CUdeviceptr address), \
      (base, size, address)) \
    X(cuMemcpy, cuMemcpy, 4000, (CUdeviceptr destination, CUdeviceptr source, size_t size), (destination, source, size)) \
    X(cuMemcpyAsync, cuMemcpyAsync, 4000, (CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream), \
      (destination, source, size, stream)) \
    X(cuMemcpyDtoD, cuMemcpyDtoD_v2, 3020, (CUdeviceptr destination, CUdeviceptr source, size_t size), \
      (destination, source, size)) \
    X(cuMemcpyPeer, cuMemcpyPeer, 4000, (CUdeviceptr destination, CUcontext to, CUdeviceptr source, CUcontext from, size_t size), \
      (destination, to, source, from, size)) \
    X(cuMemcpyPeerAsync, cuMemcpyPeerAsync, 4000, \
      (CUdeviceptr destination, CUcontext to, CUdeviceptr source, CUcontext from, size_t size, CUstream stream), \
      (destination, to, source, from, size, stream)) \
    X(cuMemsetD8, cuMemsetD8_v2, 3020, (CUdeviceptr destination, unsigned char value, size_t count), (destination, value, count)) \
    X(cuMemsetD16, cuMemsetD16_v2, 3020, (CUdeviceptr destination, unsigned short value, size_t count), \
      (destination, value, count)) \
    X(cuMemsetD32, cuMemsetD32_v2, 3020, (CUdeviceptr destination, unsigned int value, size_t count), (destination, value, count)) \
    X(cuMemsetD2D8, cuMemsetD2D8_v2, 3020, \
      (CUdeviceptr destination, size_t pitch, unsigned char value, size_t width, size_t height), \
      (destination, pitch, value, width, height)) \
    X(cuMemsetD2D16, cuMemsetD2D16_v2, 3020, \
      (CUdeviceptr destination, size_t pitch, unsigned short value, size_t width, size_t height), \
      (destination, pitch, value, width, height)) \
    X(cuMemsetD2D32, cuMemsetD2D32_v2, 3020, \
      (CUdeviceptr destination, size_t pitch, unsigned int value, size_t width, size_t height), \
      (destination, pitch, value, width, height)) \
    X(cuMemcpyHtoD, cuMemcpyHtoD_v2, 3020, (CUdeviceptr destination, const void *source, size_t size), \
      (destination, source, size)) \
    X(cuMemcpyDtoH, cuMemcpyDtoH_v2, 3020, (void *destination, CUdeviceptr source, size_t size), (destination, source, size)) \
    X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, 3020, (CUdeviceptr destination, const void *source, size_t size, CUstream stream), \
      (destination, source, size, stream)) \
    X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, 3020, (void *destination, CUdeviceptr source, size_t size, CUstream stream), \
      (destination, source, size, stream)) \
    X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, 3020, (CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream), \
      (destination, source, size, stream)) \
    X(cuMemsetD8Async, cuMemsetD8Async, 3020, (CUdeviceptr destination, unsigned char value, size_t count, CUstream stream), \
      (destination, value, count, stream)) \
    X(cuMemsetD16Async, cuMemsetD16Async, 3020, (CUdeviceptr destination, unsigned short value, size_t count, CUstream stream), \
      (destination, value, count, stream)) \
    X(cuMemsetD32Async, cuMemsetD32Async, 3020, (CUdeviceptr destination, unsigned int value, size_t count, CUstream stream), \
      (destination, value, count, stream)) \
    X(cuMemsetD2D8Async, cuMemsetD2D8Async, 3020, \
      (CUdeviceptr destination, size_t pitch, unsigned char value, size_t width, size_t height, CUstream stream), \
      (destination, pitch, value, width, height, stream)) \
    X(cuMemsetD2D16Async, cuMemsetD2D16Async, 3020, \
      (CUdeviceptr destination, size_t pitch, unsigned short value, size_t width, size_t height, CUstream stream), \
      (destination, pitch, value, width, height, stream)) \
    X(cuMemsetD2D32Async, cuMemsetD2D32Async, 3020, \
      (CUdeviceptr destination, size_t pitch, unsigned int value, size_t width, size_t height, CUstream stream), \
      (destination, pitch, value, width, height, stream)) \
\
    X(cuLibraryLoadData, cuLibraryLoadData, 12000, \
      (CUlibrary * library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, \
       CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions), \
      (library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions)) \
    X(cuLibraryLoadFromFile, cuLibraryLoadFromFile, 12000, \
      (CUlibrary * library, const char *path, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, \
       CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions), \
      (library, path, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions)) \
    X(cuLibraryUnload, cuLibraryUnload, 12000, (CUlibrary library), (library)) \
    X(cuLibraryGetKernel, cuLibraryGetKernel, 12000, (CUkernel * kernel, CUlibrary library, const char *name), \
      (kernel, library, name)) \
    X(cuLibraryGetModule, cuLibraryGetModule, 12000, (CUmodule * module, CUlibrary library), (module, library)) \
    X(cuKernelGetParamInfo, cuKernelGetParamInfo, 12040, (CUkernel kernel, size_t index, size_t * offset, size_t * size), \
      (kernel, index, offset, size)) \
    X(cuFuncGetParamInfo, cuFuncGetParamInfo, 12040, (CUfunction function, size_t index, size_t * offset, size_t * size), \
      (function, index, offset, size)) \
    X(cuKernelGetAttribute, cuKernelGetAttribute, 12000, \
      (int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device), (value, attribute, kernel, device)) \
    X(cuKernelSetAttribute, cuKernelSetAttribute, 12000, \
      (CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device), (attribute, value, kernel, device)) \
    X(cuFuncGetAttribute, cuFuncGetAttribute, 2020, (int *value, CUfunction_attribute attribute, CUfunction function), \
      (value, attribute, function)) \
    X(cuFuncSetAttribute, cuFuncSetAttribute, 9000, (CUfunction function, CUfunction_attribute attribute, int value), \
      (function, attribute, value)) \
    X(cuKernelSetCacheConfig, cuKernelSetCacheConfig, 12000, (CUkernel kernel, int config, CUdevice device), \
      (kernel, config, device)) \
    X(cuFuncSetCacheConfig, cuFuncSetCacheConfig, 3000, (CUfunction function, int config), (function, config)) \
    X(cuKernelGetName, cuKernelGetName, 12030, (const char **name, CUkernel kernel), (name, kernel)) \
    X(cuFuncGetName, cuFuncGetName, 12030, (const char **name, CUfunction function), (name, function)) \
    X(cuKernelGetFunction, cuKernelGetFunction, 12000, (CUfunction * function, CUkernel kernel), (function, kernel)) \
    X(cuKernelGetLibrary, cuKernelGetLibrary, 12050, (CUlibrary * library, CUkernel kernel), (library, kernel)) \
    X(cuLibraryGetKernelCount, cuLibraryGetKernelCount, 12040, (unsigned int *count, CUlibrary library), (count, library)) \
    X(cuLibraryEnumerateKernels, cuLibraryEnumerateKernels, 12040, (CUkernel * kernels, unsigned int count, CUlibrary library), \
      (kernels, count, library)) \
    X(cuLibraryGetGlobal, cuLibraryGetGlobal, 12000, (CUdeviceptr * address, size_t * size, CUlibrary library, const char *name), \
      (address, size, library, name)) \
    X(cuModuleGetGlobal, cuModuleGetGlobal_v2, 3020, (CUdeviceptr * address, size_t * size, CUmodule module, const char *name), \
      (address, size, module, name)) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor, 6050, \
      (int *blocks, CUfunction function, int blockSize, size_t dynamicBytes), (blocks, function, blockSize, dynamicBytes)) \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, 7000, \
      (int *blocks, CUfunction function, int blockSize, size_t dynamicBytes, unsigned int flags), \
      (blocks, function, blockSize, dynamicBytes, flags)) \
    X(cuOccupancyMaxPotentialBlockSize, cuOccupancyMaxPotentialBlockSize, 6050, \
      (int *minGridSize, int *blockSize, CUfunction function, CUoccupancyB2DSize bytesOfBlockSize, size_t dynamicBytes, \
       int blockSizeLimit), \
      (minGridSize, blockSize, function, bytesOfBlockSize, dynamicBytes, blockSizeLimit)) \
    X(cuOccupancyMaxPotentialBlockSizeWithFlags, cuOccupancyMaxPotentialBlockSizeWithFlags, 7000, \
      (int *minGridSize, int *blockSize, CUfunction function, CUoccupancyB2DSize bytesOfBlockSize, size_t dynamicBytes, \
       int blockSizeLimit, unsigned int flags), \
      (minGridSize, blockSize, function, bytesOfBlockSize, dynamicBytes, blockSizeLimit, flags)) \
    X(cuOccupancyAvailableDynamicSMemPerBlock, cuOccupancyAvailableDynamicSMemPerBlock, 10020, \
      (size_t * bytes, CUfunction function, int blocks, int blockSize), (bytes, function, blocks, blockSize)) \
    X(cuLinkCreate, cuLinkCreate_v2, 6050, \
      (unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *state), \
      (numOptions, options, optionValues, state)) \
    X(cuLinkAddData, cuLinkAddData_v2, 6050, \
      (CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned int numOptions, \
       CUjit_option *options, void **optionValues), \
      (state, type, data, size, name, numOptions, options, optionValues)) \
    X(cuLinkAddFile, cuLinkAddFile_v2, 6050, \
      (CUlinkState state, CUjitInputType type, const char *path, unsigned int numOptions, CUjit_option *options, \
       void **optionValues), \
      (state, type, path, numOptions, options, optionValues)) \
    X(cuLinkComplete, cuLinkComplete, 5050, (CUlinkState state, void **cubin, size_t *size), (state, cubin, size)) \
    X(cuLinkDestroy, cuLinkDestroy, 5050, (CUlinkState state), (state)) \
    X(cuModuleLoad, cuModuleLoad, 2000, (CUmodule * module, const char *path), (module, path)) \
    X(cuModuleLoadFatBinary, cuModuleLoadFatBinary, 2000, (CUmodule * module, const void *image), (module, image)) \
    X(cuModuleLoadData, cuModuleLoadData, 2000, (CUmodule * module, const void *image), (module, image)) \
    X(cuModuleLoadDataEx, cuModuleLoadDataEx, 2010, \
      (CUmodule * module, const void *image, unsigned int numOptions, CUjit_option *options, void **optionValues), \
      (module, image, numOptions, options, optionValues)) \
    X(cuModuleUnload, cuModuleUnload, 2000, (CUmodule module), (module)) \
    X(cuModuleGetFunction, cuModuleGetFunction, 2000, (CUfunction * function, CUmodule module, const char *name), \
      (function, module, name)) \
    X(cuModuleGetFunctionCount, cuModuleGetFunctionCount, 12040, (unsigned int *count, CUmodule module), (count, module)) \
    X(cuModuleEnumerateFunctions, cuModuleEnumerateFunctions, 12040, (CUfunction * list, unsigned int count, CUmodule module), \
      (list, count, module)) \
    X(cuModuleGetLoadingMode, cuModuleGetLoadingMode, 11070, (int *mode), (mode)) \
    X(cuFuncGetModule, cuFuncGetModule, 11000, (CUmodule * module, CUfunction function), (module, function)) \
    X(cuFuncIsLoaded, cuFuncIsLoaded, 12040, (int *state, CUfunction function), (state, function)) \
    X(cuFuncLoad, cuFuncLoad, 12040, (CUfunction function), (function)) \
\
    X(cuLaunchKernel, cuLaunchKernel, 4000, \
      (CUfunction function, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, \
       unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream stream, void **kernelParams, \
       void **extra), \
      (function, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra)) \
    X(cuLaunchCooperativeKernel, cuLaunchCooperativeKernel, 9000, \
      (CUfunction function, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, \
       unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream stream, void **kernelParams), \
      (function, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams)) \
    X(cuLaunchKernelEx, cuLaunchKernelEx, 11060, \
      (const CUlaunchConfig *config, CUfunction function, void **kernelParams, void **extra), \
      (config, function, kernelParams, extra)) \
\
    X0(cuProfilerStart, cuProfilerStart, 4000) \
    X0(cuProfilerStop, cuProfilerStop, 4000)

/* Older and newer symbols for functions above, with the same parameters: X(name, symbol, version, symbol it stands for). The
 * forms of CUDA 2 and 3 with 32-bit addresses are here too: programs look for their names, none calls them. */
#define CUSIM_OTHER_SYMBOLS(X) \
    X(cuDeviceGetUuid, cuDeviceGetUuid, 9020, cuDeviceGetUuid_v2) \
    X(cuDeviceTotalMem, cuDeviceTotalMem, 2000, cuDeviceTotalMem_v2) \
    X(cuDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags, 7000, cuDevicePrimaryCtxSetFlags_v2) \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, 7000, cuDevicePrimaryCtxRelease_v2) \
    X(cuCtxCreate, cuCtxCreate, 2000, cuCtxCreate_v2) \
    X(cuCtxDestroy, cuCtxDestroy, 2000, cuCtxDestroy_v2) \
    X(cuCtxPushCurrent, cuCtxPushCurrent, 2000, cuCtxPushCurrent_v2) \
    X(cuCtxPopCurrent, cuCtxPopCurrent, 2000, cuCtxPopCurrent_v2) \
    X(cuStreamDestroy, cuStreamDestroy, 2000, cuStreamDestroy_v2) \
    X(cuEventDestroy, cuEventDestroy, 2000, cuEventDestroy_v2) \
    X(cuEventElapsedTime, cuEventElapsedTime_v2, 12080, cuEventElapsedTime) \
    X(cuMemAlloc, cuMemAlloc, 2000, cuMemAlloc_v2) \
    X(cuMemFree, cuMemFree, 2000, cuMemFree_v2) \
    X(cuMemGetInfo, cuMemGetInfo, 2000, cuMemGetInfo_v2) \
    X(cuMemAllocHost, cuMemAllocHost, 2000, cuMemAllocHost_v2) \
    X(cuMemHostGetDevicePointer, cuMemHostGetDevicePointer, 2020, cuMemHostGetDevicePointer_v2) \
    X(cuMemHostRegister, cuMemHostRegister, 4000, cuMemHostRegister_v2) \
    X(cuMemGetAddressRange, cuMemGetAddressRange, 2000, cuMemGetAddressRange_v2) \
    X(cuMemcpyDtoD, cuMemcpyDtoD, 2000, cuMemcpyDtoD_v2) \
    X(cuMemsetD8, cuMemsetD8, 2000, cuMemsetD8_v2) \
    X(cuMemsetD16, cuMemsetD16, 2000, cuMemsetD16_v2) \
    X(cuMemsetD32, cuMemsetD32, 2000, cuMemsetD32_v2) \
    X(cuMemsetD2D8, cuMemsetD2D8, 2000, cuMemsetD2D8_v2) \
    X(cuMemsetD2D16, cuMemsetD2D16, 2000, cuMemsetD2D16_v2) \
    X(cuMemsetD2D32, cuMemsetD2D32, 2000, cuMemsetD2D32_v2) \
    X(cuModuleGetGlobal, cuModuleGetGlobal, 2000, cuModuleGetGlobal_v2) \
    X(cuLinkCreate, cuLinkCreate, 5050, cuLinkCreate_v2) \
    X(cuLinkAddData, cuLinkAddData, 5050, cuLinkAddData_v2) \
    X(cuLinkAddFile, cuLinkAddFile, 5050, cuLinkAddFile_v2) \
    X(cuMemcpyHtoD, cuMemcpyHtoD, 2000, cuMemcpyHtoD_v2) \
    X(cuMemcpyDtoH, cuMemcpyDtoH, 2000, cuMemcpyDtoH_v2) \
    X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync, 2000, cuMemcpyHtoDAsync_v2) \
    X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync, 2000, cuMemcpyDtoHAsync_v2) \
    X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync, 3000, cuMemcpyDtoDAsync_v2)
/* clang-format on */

#endif
