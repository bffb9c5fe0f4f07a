# SPDX-License-Identifier: MIT OR Apache-2.0
"""Compiles a kernel, runs it, checks what it computed, and fails if anything could not be destroyed.

    CUCORE_LIBRARY=path/to/libcucore.so.1 python3 saxpy.py
"""

import array
import sys
from ctypes import c_float, c_int32

import cucore

COUNT, BLOCK = 1 << 16, 256

SOURCE = """
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def compile_kernel(device):
    with device.compile(SOURCE) as code, device.load(code) as library:
        return library.kernel("saxpy")  # which keeps its library


def saxpy(device, a, x, y):
    """a * x + y, computed by the device."""
    size = len(x) * x.itemsize
    done = device.event()  # dropped, not closed: if it cannot be destroyed, that is a warning
    with device.stream() as stream, compile_kernel(device) as kernel, \
            device.allocate(size, stream) as device_x, device.allocate(size, stream) as device_y:
        device_x.copy_from(x, stream)
        device_y.copy_from(y, stream)
        kernel.launch(stream, len(x) // BLOCK, BLOCK, c_float(a), device_x, device_y, c_int32(len(x)))
        done.record(stream)
        done.synchronize()
        result = array.array("f", bytes(size))
        device_y.copy_to(result, stream)
        return result


def compute():
    x = array.array("f", (i % 1000 for i in range(COUNT)))
    y = array.array("f", (i % 77 for i in range(COUNT)))
    with cucore.Device(0) as device:
        result = saxpy(device, 2.5, x, y)
        print(f"{device.name}, {device.arch}: {COUNT} elements")
    wrong = [i for i in range(COUNT) if result[i] != 2.5 * x[i] + y[i]]
    if wrong:
        raise ArithmeticError(f"element {wrong[0]} is {result[wrong[0]]}")


def main():
    warnings = cucore.Warnings()
    try:
        compute()
    except cucore.Error as error:
        sys.exit(f"{error.code_name}: {error}")
    failed = [f"warning: {warning}" for warning in warnings]
    sys.exit("\n".join(failed) if failed else 0)


if __name__ == "__main__":
    main()
