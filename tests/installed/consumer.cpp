// SPDX-License-Identifier: MIT OR Apache-2.0
// A program in C++ that uses the library where it is installed: fills memory, and copies it back.
#include <cucore_v1/cucore.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

template <auto release> struct Release {
    template <typename Handle> void operator()(Handle *handle) const {
        release(handle);
    }
};
template <typename Handle, auto release> using Owned = std::unique_ptr<Handle, Release<release>>;

static void check(cucore_status *status) {
    Owned<cucore_status, cucore_status_release> owned(status);
    if (status)
        throw std::runtime_error(cucore_status_message(status, nullptr));
}

static std::vector<unsigned> filled(unsigned value) {
    cucore_status *status = nullptr;
    std::vector<unsigned> values(4);
    const size_t size = values.size() * sizeof values[0];
    Owned<cucore_device, cucore_device_release> device(cucore_device_open(0, &status));
    check(status);
    Owned<cucore_stream, cucore_stream_release> stream(cucore_stream_create(device.get(), nullptr, &status));
    check(status);
    Owned<cucore_memory_resource, cucore_memory_resource_release> pool(cucore_memory_resource_device_pool(device.get(), &status));
    check(status);
    Owned<cucore_buffer, cucore_buffer_release> buffer(cucore_memory_resource_allocate(pool.get(), size, stream.get(), &status));
    check(status);
    cucore_buffer_fill(buffer.get(), 0, size, value, sizeof value, stream.get(), &status);
    check(status);
    cucore_buffer_copy_to_host(buffer.get(), 0, values.data(), size, stream.get(), &status);
    check(status);
    return values;
}

int main() try {
    for (unsigned value : filled(42))
        std::printf("%u ", value);
    std::puts(cucore_version_text());
    return 0;
} catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
}
