// SPDX-License-Identifier: MIT OR Apache-2.0
#include "destroys.hpp"

#include "contexts.hpp"

namespace test {

namespace {

Owned own_stream(cucore_device *device) {
    Stream stream = make(cucore_stream_create, device, nullptr);
    const auto raw = cucore_stream_raw(stream);
    return owned(std::move(stream), raw);
}

Owned own_adopted_stream(cucore_device *device) {
    const Context context = make(cucore_device_context, device);
    CUstream raw_stream = nullptr;
    {
        const Pushed bound(cucore_context_raw(context));
        REQUIRE(raw().cuStreamCreate(&raw_stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    }
    return owned(make(cucore_stream_from_raw, device, raw_stream, CUCORE_ADOPT, nullptr, nullptr), raw_stream);
}

Owned own_context(cucore_device *) {
    const CUcontext raw_context = new_context();
    return owned(make(cucore_context_from_raw, raw_context, CUCORE_ADOPT, nullptr, nullptr), raw_context);
}

Owned own_event(cucore_device *device) {
    Event event = make(cucore_event_create, device, nullptr);
    const auto raw = cucore_event_raw(event);
    return owned(std::move(event), raw);
}

Owned allocate(cucore_memory_resource *resource, cucore_stream *stream) {
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, stream);
    const uint64_t raw = cucore_buffer_raw(buffer);
    return owned(std::move(buffer), raw);
}

Owned own_buffer(cucore_device *device) {
    return allocate(make(cucore_memory_resource_device_pool, device), make(cucore_stream_create, device, nullptr));
}

Owned own_buffer_of_default_stream(cucore_device *device) {
    return allocate(make(cucore_memory_resource_device_pool, device), make(cucore_stream_default, device));
}

Owned own_pinned_buffer(cucore_device *device) {
    return allocate(make(cucore_memory_resource_pinned, device), make(cucore_stream_create, device, nullptr));
}

Owned own_pool(cucore_device *device) {
    Resource pool = make(cucore_memory_resource_create_pool, device, nullptr);
    const auto raw = cucore_memory_resource_raw(pool);
    return owned(std::move(pool), raw);
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

/// The version of a compiler, 0 if there is none.
int32_t major_version(int32_t compiler) {
    int32_t major = 0, minor = 0;
    return cucore_compiler_version(compiler, &major, &minor, nullptr) == CUCORE_OK ? major : 0;
}

std::vector<Destroy> table() {
    std::vector<Destroy> rows = {
        {"cuStreamDestroy", CUCORE_DOMAIN_DRIVER, &own_stream},
        {"cuStreamDestroy", CUCORE_DOMAIN_DRIVER, &own_adopted_stream},
        {"cuCtxDestroy", CUCORE_DOMAIN_DRIVER, &own_context},
        {"cuEventDestroy", CUCORE_DOMAIN_DRIVER, &own_event},
        {"cuMemFreeAsync", CUCORE_DOMAIN_DRIVER, &own_buffer},
        {"cuMemFreeAsync", CUCORE_DOMAIN_DRIVER, &own_buffer_of_default_stream},
        {"cuMemFreeHost", CUCORE_DOMAIN_DRIVER, &own_pinned_buffer},
        {"cuMemPoolDestroy", CUCORE_DOMAIN_DRIVER, &own_pool},
        {"cuLibraryUnload", CUCORE_DOMAIN_DRIVER, &own_library},
        {"cuLibraryUnload", CUCORE_DOMAIN_DRIVER, &own_kernel},
    };
    if (major_version(CUCORE_COMPILER_NVRTC) != 0) {
        rows.push_back({"nvrtcDestroyProgram", CUCORE_DOMAIN_NVRTC, &own_program});
    }
    return rows;
}

} // namespace

bool linkers_are_the_drivers() {
    int32_t driver = 0;
    ok(cucore_driver_version, &driver);
    return major_version(CUCORE_COMPILER_NVJITLINK) < driver / 1000;
}

const std::vector<Destroy> &destroys() {
    static const std::vector<Destroy> rows = table();
    return rows;
}

} // namespace test
