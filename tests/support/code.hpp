// SPDX-License-Identifier: MIT OR Apache-2.0
// Device code for tests, as PTX that every driver since CUDA 12.0 takes.
#pragma once

#include <cucore_v1/cucore.h>

#include <string>

namespace test {

/// saxpy(float a, const float *x, float *y, int n): y = a * x + y.
extern const std::string SAXPY_PTX;

/// nothing(): a kernel without parameters that does nothing.
extern const std::string NOTHING_PTX;

/// The same in CUDA C++.
extern const std::string SAXPY_SOURCE;

/// Arguments of a launch.
cucore_argument value_of(const void *data, uint32_t size);
template <class T> cucore_argument value(T number) {
    return value_of(&number, sizeof number);
}
cucore_argument object(cucore_buffer *buffer, uint64_t offset = 0);

/// Options for this many blocks and threads, in one dimension.
cucore_launch_options shape(uint32_t blocks, uint32_t threads);

} // namespace test
