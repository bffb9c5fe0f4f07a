/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_CUDA_FUNCTIONS_H
#define CUCORE_DRIVER_CUDA_FUNCTIONS_H

/* The driver functions we use, a row each: X(name, version of the form we request, (parameters)).
 * A driver without a CORE function is refused; any other may be absent. The version is the one in the PFN_ typedef of
 * cudaTypedefs.h with these parameters; abi/check-cuda holds every row against it. */

#define CUCORE_CUDA_CORE(X) \
    X(cuInit, 2000, (unsigned int flags)) \
    X(cuDriverGetVersion, 2020, (int *version)) \
    X(cuDeviceGetCount, 2000, (int *count)) \
    X(cuDeviceGet, 2000, (CUdevice * device, int ordinal)) \
    X(cuDeviceGetName, 2000, (char *name, int size, CUdevice device)) \
    X(cuDeviceGetUuid, 11040, (CUuuid * uuid, CUdevice device)) \
    X(cuDeviceGetPCIBusId, 4010, (char *text, int size, CUdevice device)) \
    X(cuDeviceGetAttribute, 2000, (int *value, CUdevice_attribute attribute, CUdevice device)) \
    X(cuDeviceCanAccessPeer, 4000, (int *can, CUdevice device, CUdevice peer)) \
    X(cuDevicePrimaryCtxRetain, 7000, (CUcontext * context, CUdevice device)) \
    X(cuDevicePrimaryCtxRelease, 11000, (CUdevice device)) \
    X(cuCtxGetCurrent, 4000, (CUcontext * context)) \
    X(cuCtxSetCurrent, 4000, (CUcontext context)) \
    X(cuCtxPushCurrent, 4000, (CUcontext context)) \
    X(cuCtxPopCurrent, 4000, (CUcontext * context)) \
    X(cuCtxDestroy, 4000, (CUcontext context)) \
    X(cuCtxGetDevice, 2000, (CUdevice * device)) \
    X(cuCtxSynchronize, 2000, (void)) \
    X(cuCtxGetStreamPriorityRange, 5050, (int *least, int *greatest)) \
    X(cuMemGetInfo, 3020, (size_t * available, size_t * total)) \
    X(cuStreamCreateWithPriority, 5050, (CUstream * stream, unsigned int flags, int priority)) \
    X(cuStreamDestroy, 4000, (CUstream stream)) \
    X(cuStreamGetCtx, 9020, (CUstream stream, CUcontext * context)) \
    X(cuStreamGetFlags, 5050, (CUstream stream, unsigned int *flags)) \
    X(cuStreamGetId, 12000, (CUstream stream, unsigned long long *id)) \
    X(cuStreamGetPriority, 5050, (CUstream stream, int *priority)) \
    X(cuStreamIsCapturing, 10000, (CUstream stream, CUstreamCaptureStatus * status)) \
    X(cuStreamQuery, 2000, (CUstream stream)) \
    X(cuStreamSynchronize, 2000, (CUstream stream)) \
    X(cuStreamAddCallback, 5000, (CUstream stream, CUstreamCallback callback, void *userData, unsigned int flags)) \
    X(cuStreamWaitEvent, 3020, (CUstream stream, CUevent event, unsigned int flags)) \
    X(cuEventCreate, 2000, (CUevent * event, unsigned int flags)) \
    X(cuEventDestroy, 4000, (CUevent event)) \
    X(cuEventRecord, 2000, (CUevent event, CUstream stream)) \
    X(cuEventQuery, 2000, (CUevent event)) \
    X(cuEventSynchronize, 2000, (CUevent event)) \
    X(cuEventElapsedTime, 2000, (float *milliseconds, CUevent start, CUevent end)) \
    X(cuLibraryLoadData, 12000, \
      (CUlibrary * library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues, unsigned int numJitOptions, \
       CUlibraryOption *libraryOptions, void **libraryOptionValues, unsigned int numLibraryOptions)) \
    X(cuLibraryUnload, 12000, (CUlibrary library)) \
    X(cuLibraryGetKernel, 12000, (CUkernel * kernel, CUlibrary library, const char *name)) \
    X(cuLibraryGetModule, 12000, (CUmodule * module, CUlibrary library)) \
    X(cuLibraryGetGlobal, 12000, (CUdeviceptr * address, size_t * size, CUlibrary library, const char *name)) \
    X(cuKernelGetAttribute, 12000, (int *value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device)) \
    X(cuKernelSetAttribute, 12000, (CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device)) \
    X(cuLaunchKernelEx, 11060, (const CUlaunchConfig *config, CUfunction function, void **kernelParams, void **extra)) \
    X(cuMemcpyHtoDAsync, 3020, (CUdeviceptr destination, const void *source, size_t size, CUstream stream)) \
    X(cuMemcpyAsync, 4000, (CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream)) \
    X(cuMemcpyDtoHAsync, 3020, (void *destination, CUdeviceptr source, size_t size, CUstream stream)) \
    X(cuMemsetD8Async, 3020, (CUdeviceptr destination, unsigned char value, size_t count, CUstream stream)) \
    X(cuMemsetD16Async, 3020, (CUdeviceptr destination, unsigned short value, size_t count, CUstream stream)) \
    X(cuMemsetD32Async, 3020, (CUdeviceptr destination, unsigned int value, size_t count, CUstream stream)) \
    X(cuThreadExchangeStreamCaptureMode, 10010, (CUstreamCaptureMode * mode))

#define CUCORE_CUDA_OPTIONAL(X) \
    X(cuDeviceGetDefaultMemPool, 11020, (CUmemoryPool * pool, CUdevice device)) \
    X(cuMemAllocFromPoolAsync, 11020, (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream)) \
    X(cuMemFreeAsync, 11020, (CUdeviceptr address, CUstream stream)) \
    X(cuMemPoolCreate, 11020, (CUmemoryPool * pool, const CUmemPoolProps *properties)) \
    X(cuMemPoolDestroy, 11020, (CUmemoryPool pool)) \
    X(cuMemPoolSetAccess, 11020, (CUmemoryPool pool, const CUmemAccessDesc *access, size_t count)) \
    X(cuMemPoolSetAttribute, 11020, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value)) \
    X(cuMemPoolGetAttribute, 11020, (CUmemoryPool pool, CUmemPool_attribute attribute, void *value)) \
    X(cuMemPoolTrimTo, 11020, (CUmemoryPool pool, size_t keep)) \
    X(cuMemAllocHost, 3020, (void **address, size_t size)) \
    X(cuMemFreeHost, 2000, (void *address)) \
    X(cuLinkCreate, 6050, (unsigned int numOptions, CUjit_option *options, void **optionValues, CUlinkState *state)) \
    X(cuLinkAddData, 6050, \
      (CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned int numOptions, \
       CUjit_option *options, void **optionValues)) \
    X(cuLinkComplete, 5050, (CUlinkState state, void **cubin, size_t *size)) \
    X(cuLinkDestroy, 5050, (CUlinkState state)) \
    X(cuKernelGetParamInfo, 12040, (CUkernel kernel, size_t index, size_t * offset, size_t * size)) \
    X(cuKernelGetName, 12030, (const char **name, CUkernel kernel)) \
    X(cuLibraryGetKernelCount, 12040, (unsigned int *count, CUlibrary library)) \
    X(cuLibraryEnumerateKernels, 12040, (CUkernel * kernels, unsigned int count, CUlibrary library)) \
    X(cuLogsRegisterCallback, 12090, (CUlogsCallback callback, void *data, CUlogsCallbackHandle *handle))

#define CUCORE_CUDA_ALL(X) CUCORE_CUDA_CORE(X) CUCORE_CUDA_OPTIONAL(X)

#endif
