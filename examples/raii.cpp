// SPDX-License-Identifier: MIT OR Apache-2.0
// C++ with cucore.hpp: compiles a kernel, runs it, checks what it computed, and fails if anything could not be destroyed.

#include "cucore.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

namespace {

constexpr std::int32_t count = 1 << 16;
constexpr std::int32_t block = 256;

constexpr std::string_view source = R"(
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";

cucore::unique<cucore_kernel> compile_kernel(cucore_device *device) {
    using namespace std::string_view_literals;
    constexpr auto name = "saxpy"sv;
    auto code = cucore::compile(device, source);
    auto library = cucore::call(cucore_library_load, device, code.get());
    return cucore::call(cucore_library_kernel, library.get(), name.data(), name.size()); // which keeps its library
}

std::vector<float> saxpy(cucore_device *device, float a, const std::vector<float> &x, const std::vector<float> &y) {
    // All are released at the end, the last first: what fails then is a warning.
    auto stream = cucore::call(cucore_stream_create, device, nullptr);
    auto done = cucore::call(cucore_event_create, device, nullptr);
    auto kernel = compile_kernel(device);
    auto device_x = cucore::allocate(device, x.size() * sizeof(float), stream.get());
    auto device_y = cucore::allocate(device, y.size() * sizeof(float), stream.get());
    cucore::copy(device_x.get(), x, stream.get());
    cucore::copy(device_y.get(), y, stream.get());
    cucore::launch(kernel.get(), stream.get(), count / block, block, a, device_x, device_y, count);
    cucore::call(cucore_event_record, done.get(), stream.get());
    cucore::call(cucore_event_synchronize, done.get());
    std::vector<float> result(y.size());
    cucore::copy(result, device_y.get(), stream.get());
    return result;
}

bool compute(cucore_device *device) {
    std::vector<float> x(count), y(count);
    for (std::size_t i = 0; i < count; i++) {
        x[i] = static_cast<float>(i % 1000);
        y[i] = static_cast<float>(i % 77);
    }
    const auto result = saxpy(device, 2.5f, x, y);
    for (std::size_t i = 0; i < count; i++) {
        if (result[i] != 2.5f * x[i] + y[i]) {
            std::cerr << "element " << i << " is " << result[i] << '\n';
            return false;
        }
    }
    std::cout << cucore_device_name(device, nullptr) << ", " << cucore_device_arch(device, nullptr) << ": " << count
              << " elements\n";
    return true;
}

void print(const cucore::error &error) {
    std::cerr << cucore_status_code_name(error.code()) << ": " << error.what() << '\n';
    for (const auto &note : error.notes())
        std::cerr << "  " << note << '\n';
    std::cerr << error.log();
}

// A mistake in the source, to show what becomes of it.
bool refuses_nonsense(cucore_device *device) {
    try {
        cucore::compile(device, "this is no CUDA C++");
    } catch (const cucore::error &error) {
        return error.code() == CUCORE_COMPILE && error.log().find("program.cu(1): error") != std::string::npos;
    }
    return false;
}

int run() {
    cucore::warnings warnings;
    {
        auto device = cucore::call(cucore_device_open, 0);
        if (!compute(device.get()) || !refuses_nonsense(device.get()))
            return EXIT_FAILURE;
        cucore::close(std::move(device)); // what fails here is thrown
    }
    auto warning = warnings.poll();
    if (warning)
        print(*warning);
    return warning ? EXIT_FAILURE : EXIT_SUCCESS;
}

} // namespace

int main() {
    try {
        return run();
    } catch (const cucore::error &error) {
        print(error);
        return EXIT_FAILURE;
    }
}
