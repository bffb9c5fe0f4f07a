# SPDX-License-Identifier: MIT OR Apache-2.0
"""saxpy with cuda.core, as a program for a real GPU has it: pinned memory seen as numpy arrays, a memory pool, events."""

import sys

import numpy
from cuda.core import (
    Device,
    DeviceMemoryResource,
    DeviceMemoryResourceOptions,
    EventOptions,
    LaunchConfig,
    LegacyPinnedMemoryResource,
    Program,
    ProgramOptions,
    launch,
)

COUNT = 1 << 16
THREADS = 256
SOURCE = """
template <typename T> __global__ void saxpy(T a, const T *x, T *y, size_t count) {
    size_t stride = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < count; i += stride)
        y[i] = a * x[i] + y[i];
}
"""


def compile_kernel(device):
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}", fma=False)
    program = Program(SOURCE, code_type="c++", options=options)
    return program.compile("ptx", name_expressions=("saxpy<float>",)).get_kernel("saxpy<float>")


def run_saxpy(device, kernel, a, x, y):
    """Computes a * x + y, and gives it with the milliseconds it took."""
    stream = device.create_stream()
    pinned = LegacyPinnedMemoryResource()
    pool = DeviceMemoryResource(device, options=DeviceMemoryResourceOptions(max_size=0))
    staging = [pinned.allocate(array.nbytes, stream=stream) for array in (x, y)]
    buffers = [pool.allocate(array.nbytes, stream=stream) for array in (x, y)]
    host_x, host_y = (numpy.from_dlpack(buffer).view(numpy.float32) for buffer in staging)
    host_x[:], host_y[:] = x, y

    for source, buffer in zip(staging, buffers):
        buffer.copy_from(source, stream=stream)
    start = stream.record(options=EventOptions(timing_enabled=True))
    config = LaunchConfig(grid=COUNT // THREADS // 4, block=THREADS)
    launch(stream, config, kernel, a, buffers[0], buffers[1], numpy.uint64(x.size))
    end = stream.record(options=EventOptions(timing_enabled=True))
    buffers[1].copy_to(staging[1], stream=stream)
    stream.sync()
    result = host_y.copy()
    milliseconds = end - start

    del host_x, host_y
    for buffer in (*buffers, *staging):
        buffer.close(stream)
    pool.close()
    stream.close()
    return result, milliseconds


def main():
    device = Device(0)
    device.set_current()
    a = numpy.float32(1.5)
    x = numpy.arange(COUNT, dtype=numpy.float32)
    y = numpy.float32(0.25) * x[::-1].copy()
    result, milliseconds = run_saxpy(device, compile_kernel(device), a, x, y)

    wrong = numpy.flatnonzero(result != a * x + y)
    if wrong.size:
        sys.exit(f"element {wrong[0]} is {result[wrong[0]]}, and {wrong.size} are wrong")
    print(f"cuda.core: saxpy of {COUNT} elements is right, {milliseconds:.1f} ms")


if __name__ == "__main__":
    main()
