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
\
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, 7000, (CUcontext * context, CUdevice device), (context, device)) \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, 11000, (CUdevice device), (device)) \
    X(cuDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState, 7000, (CUdevice device, unsigned int *flags, int *active), \
      (device, flags, active)) \
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
    X0(cuCtxSynchronize, cuCtxSynchronize, 2000) \
\
    X(cuStreamCreate, cuStreamCreate, 2000, (CUstream * stream, unsigned int flags), (stream, flags)) \
    X(cuStreamCreateWithPriority, cuStreamCreateWithPriority, 5050, (CUstream * stream, unsigned int flags, int priority), \
      (stream, flags, priority)) \
    X(cuStreamDestroy, cuStreamDestroy_v2, 4000, (CUstream stream), (stream)) \
    X(cuStreamGetCtx, cuStreamGetCtx, 9020, (CUstream stream, CUcontext * context), (stream, context)) \
    X(cuStreamGetPriority, cuStreamGetPriority, 5050, (CUstream stream, int *priority), (stream, priority)) \
    X(cuStreamGetFlags, cuStreamGetFlags, 5050, (CUstream stream, unsigned int *flags), (stream, flags)) \
    X(cuStreamQuery, cuStreamQuery, 2000, (CUstream stream), (stream)) \
    X(cuStreamSynchronize, cuStreamSynchronize, 2000, (CUstream stream), (stream)) \
    X(cuStreamWaitEvent, cuStreamWaitEvent, 3020, (CUstream stream, CUevent event, unsigned int flags), (stream, event, flags)) \
    X(cuThreadExchangeStreamCaptureMode, cuThreadExchangeStreamCaptureMode, 10010, (CUstreamCaptureMode * mode), (mode)) \
\
    X(cuEventCreate, cuEventCreate, 2000, (CUevent * event, unsigned int flags), (event, flags)) \
    X(cuEventDestroy, cuEventDestroy_v2, 4000, (CUevent event), (event)) \
    X(cuEventRecord, cuEventRecord, 2000, (CUevent event, CUstream stream), (event, stream)) \
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
\
    X(cuLibraryLoadData, cuLibraryLoadData, 12000, \
      (CUlibrary * library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, \
       CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions), \
      (library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions)) \
    X(cuLibraryUnload, cuLibraryUnload, 12000, (CUlibrary library), (library)) \
    X(cuLibraryGetKernel, cuLibraryGetKernel, 12000, (CUkernel * kernel, CUlibrary library, const char *name), \
      (kernel, library, name)) \
    X(cuLibraryGetModule, cuLibraryGetModule, 12000, (CUmodule * module, CUlibrary library), (module, library)) \
    X(cuKernelGetParamInfo, cuKernelGetParamInfo, 12040, (CUkernel kernel, size_t index, size_t * offset, size_t * size), \
      (kernel, index, offset, size)) \
    X(cuModuleLoadData, cuModuleLoadData, 2000, (CUmodule * module, const void *image), (module, image)) \
    X(cuModuleLoadDataEx, cuModuleLoadDataEx, 2010, \
      (CUmodule * module, const void *image, unsigned int numOptions, CUjit_option *options, void **optionValues), \
      (module, image, numOptions, options, optionValues)) \
    X(cuModuleUnload, cuModuleUnload, 2000, (CUmodule module), (module)) \
    X(cuModuleGetFunction, cuModuleGetFunction, 2000, (CUfunction * function, CUmodule module, const char *name), \
      (function, module, name)) \
\
    X(cuLaunchKernel, cuLaunchKernel, 4000, \
      (CUfunction function, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ, unsigned int blockDimX, \
       unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes, CUstream stream, void **kernelParams, \
       void **extra), \
      (function, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra)) \
    X(cuLaunchKernelEx, cuLaunchKernelEx, 11060, \
      (const CUlaunchConfig *config, CUfunction function, void **kernelParams, void **extra), \
      (config, function, kernelParams, extra))

/* Older and newer symbols for functions above, with the same parameters: X(name, symbol, version, symbol it stands for). The
 * forms of CUDA 2 and 3 with 32-bit addresses are here too: programs look for their names, none calls them. */
#define CUSIM_OTHER_SYMBOLS(X) \
    X(cuDeviceGetUuid, cuDeviceGetUuid, 9020, cuDeviceGetUuid_v2) \
    X(cuDeviceTotalMem, cuDeviceTotalMem, 2000, cuDeviceTotalMem_v2) \
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
    X(cuMemcpyHtoD, cuMemcpyHtoD, 2000, cuMemcpyHtoD_v2) \
    X(cuMemcpyDtoH, cuMemcpyDtoH, 2000, cuMemcpyDtoH_v2) \
    X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync, 2000, cuMemcpyHtoDAsync_v2) \
    X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync, 2000, cuMemcpyDtoHAsync_v2) \
    X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync, 3000, cuMemcpyDtoDAsync_v2)
/* clang-format on */

#endif
