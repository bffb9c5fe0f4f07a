# SPDX-License-Identifier: MIT OR Apache-2.0
"""saxpy with cuda.bindings, of the package cuda-python: the driver API and NVRTC, as a program for a real GPU has them."""

import ctypes
import sys

import numpy
from cuda.bindings import driver, nvrtc

COUNT = 1 << 16
THREADS = 256
SOURCE = rb"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, unsigned long long count) {
    unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
    if (i < count)
        y[i] = a * x[i] + y[i];
}
"""


def check(returned):
    """Gives a call's results, or raises the error that it returned."""
    error, *results = returned
    if error.value != 0:
        raise RuntimeError(f"{error.name} ({error.value})")
    return results[0] if len(results) == 1 else results


def compute_capability(device):
    attribute = driver.CUdevice_attribute
    major = check(driver.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device))
    minor = check(driver.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
    return major, minor


def compile_to_ptx(source, capability):
    program = check(nvrtc.nvrtcCreateProgram(source, b"saxpy.cu", 0, [], []))
    options = [b"--gpu-architecture=compute_%d%d" % capability, b"--fmad=false"]
    try:
        check(nvrtc.nvrtcCompileProgram(program, len(options), options))
    except RuntimeError:
        log = b" " * check(nvrtc.nvrtcGetProgramLogSize(program))
        check(nvrtc.nvrtcGetProgramLog(program, log))
        print(log.decode(), file=sys.stderr)
        raise
    ptx = b" " * check(nvrtc.nvrtcGetPTXSize(program))
    check(nvrtc.nvrtcGetPTX(program, ptx))
    check(nvrtc.nvrtcDestroyProgram(program))
    return ptx


def run_saxpy(kernel, a, x, y):
    """Computes a * x + y on the current context's device, and gives it with the milliseconds it took."""
    stream = check(driver.cuStreamCreate(driver.CUstream_flags.CU_STREAM_NON_BLOCKING))
    start, end = (check(driver.cuEventCreate(driver.CUevent_flags.CU_EVENT_DEFAULT)) for _ in range(2))
    device_x = check(driver.cuMemAlloc(x.nbytes))
    device_y = check(driver.cuMemAlloc(y.nbytes))
    result = numpy.empty_like(y)

    check(driver.cuMemcpyHtoDAsync(device_x, x.ctypes.data, x.nbytes, stream))
    check(driver.cuMemcpyHtoDAsync(device_y, y.ctypes.data, y.nbytes, stream))
    check(driver.cuEventRecord(start, stream))
    values = (a, int(device_x), int(device_y), x.size)
    types = (ctypes.c_float, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulonglong)
    blocks = (x.size + THREADS - 1) // THREADS
    check(driver.cuLaunchKernel(kernel, blocks, 1, 1, THREADS, 1, 1, 0, stream, (values, types), 0))
    check(driver.cuEventRecord(end, stream))
    check(driver.cuMemcpyDtoHAsync(result.ctypes.data, device_y, result.nbytes, stream))
    check(driver.cuStreamSynchronize(stream))
    milliseconds = check(driver.cuEventElapsedTime(start, end))

    check(driver.cuMemFree(device_y))
    check(driver.cuMemFree(device_x))
    check(driver.cuEventDestroy(end))
    check(driver.cuEventDestroy(start))
    check(driver.cuStreamDestroy(stream))
    return result, milliseconds


def main():
    check(driver.cuInit(0))
    device = check(driver.cuDeviceGet(0))
    context = check(driver.cuDevicePrimaryCtxRetain(device))
    check(driver.cuCtxSetCurrent(context))
    module = check(driver.cuModuleLoadData(compile_to_ptx(SOURCE, compute_capability(device))))
    kernel = check(driver.cuModuleGetFunction(module, b"saxpy"))

    a = numpy.float32(1.5)
    x = numpy.arange(COUNT, dtype=numpy.float32)
    y = numpy.float32(0.25) * x[::-1].copy()
    result, milliseconds = run_saxpy(kernel, a, x, y)
    check(driver.cuModuleUnload(module))
    check(driver.cuDevicePrimaryCtxRelease(device))

    wrong = numpy.flatnonzero(result != a * x + y)
    if wrong.size:
        sys.exit(f"element {wrong[0]} is {result[wrong[0]]}, and {wrong.size} are wrong")
    print(f"cuda-python: saxpy of {COUNT} elements is right, {milliseconds:.1f} ms")


if __name__ == "__main__":
    main()
