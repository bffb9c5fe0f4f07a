// SPDX-License-Identifier: MIT OR Apache-2.0
#include "destroys.hpp"

namespace test {

namespace {

Owned own_stream(cucore_device *device) {
    Stream stream = make(cucore_stream_create, device, nullptr);
    const auto raw = cucore_stream_raw(stream);
    return owned(std::move(stream), raw);
}

Owned own_event(cucore_device *device) {
    Event event = make(cucore_event_create, device, nullptr);
    const auto raw = cucore_event_raw(event);
    return owned(std::move(event), raw);
}

Owned own_buffer(cucore_device *device) {
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, make(cucore_stream_create, device, nullptr));
    const uint64_t raw = cucore_buffer_raw(buffer);
    return owned(std::move(buffer), raw);
}

Owned own_library(cucore_device *device) {
    Library library = load(device);
    const auto raw = cucore_library_raw(library);
    return owned(std::move(library), raw);
}

/// A kernel keeps its library loaded.
Owned own_kernel(cucore_device *device) {
    const Library library = load(device);
    return owned(find(library), cucore_library_raw(library));
}

Owned own_program(cucore_device *device) {
    Program program = make(cucore_program_create, device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr);
    const auto raw = cucore_program_raw(program);
    return owned(std::move(program), raw);
}

Owned own_linker(cucore_device *device) {
    const ObjectCode input = ptx(SAXPY_PTX);
    cucore_object_code *inputs[] = {input};
    Linker linker = make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    const auto raw = cucore_linker_raw(linker);
    return owned(std::move(linker), raw);
}

} // namespace

const std::vector<Destroy> destroys = {
    {"cuStreamDestroy", CUCORE_DOMAIN_DRIVER, &own_stream},     {"cuEventDestroy", CUCORE_DOMAIN_DRIVER, &own_event},
    {"cuMemFreeAsync", CUCORE_DOMAIN_DRIVER, &own_buffer},      {"cuLibraryUnload", CUCORE_DOMAIN_DRIVER, &own_library},
    {"cuLibraryUnload", CUCORE_DOMAIN_DRIVER, &own_kernel},     {"nvrtcDestroyProgram", CUCORE_DOMAIN_NVRTC, &own_program},
    {"nvJitLinkDestroy", CUCORE_DOMAIN_NVJITLINK, &own_linker},
};

} // namespace test
