// SPDX-License-Identifier: MIT OR Apache-2.0
// Faults that users of other CUDA libraries met, as tests that show the right behaviour here. The numbers are those of the
// project's list of them. Those about compilers are in program_test.cpp and linker_test.cpp.
#include "../src/driver/cuda_functions.h"
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <functional>
#include <thread>

using namespace test;

namespace {

constexpr size_t COUNT = 64;

struct Memory {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, COUNT, stream);
};

std::vector<uint8_t> read(cucore_buffer *buffer, cucore_stream *stream) {
    std::vector<uint8_t> bytes(COUNT);
    ok(cucore_buffer_copy_to_host, buffer, size_t{0}, bytes.data(), COUNT, stream);
    return bytes;
}

Device device_with_own_context() {
    return make(cucore_device_with_context, make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr));
}

/// The ordinal of the current context's device, -1 if no context is current.
int current_ordinal() {
    cucore_device *current = nullptr;
    ok(cucore_device_current, &current);
    return cucore_device_ordinal(Device(current));
}

/// Everything a program does first, through the C functions alone, so that it can be done on any thread.
int32_t first_steps() {
    cucore_device *device = cucore_device_open(0, nullptr);
    cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
    cucore_event *event = cucore_event_create(device, nullptr, nullptr);
    cucore_memory_resource *resource = cucore_memory_resource_device_pool(device, nullptr);
    cucore_buffer *buffer = cucore_memory_resource_allocate(resource, COUNT, stream, nullptr);
    uint64_t available = 0, total = 0;
    char bytes[COUNT] = {};
    int32_t failed = cucore_buffer_copy_from_host(buffer, 0, bytes, COUNT, stream, nullptr);
    failed += cucore_event_record(event, stream, nullptr) + cucore_event_synchronize(event, nullptr);
    failed += cucore_device_memory_info(device, &available, &total, nullptr) + cucore_device_synchronize(device, nullptr);
    cucore_buffer_release(buffer);
    cucore_memory_resource_release(resource);
    cucore_event_release(event);
    cucore_stream_release(stream);
    cucore_device_release(device);
    return failed;
}

} // namespace

TEST_CASE_METHOD(Clean, "field case 3: opening and using one device leaves the thread's current device alone", "[sim]") {
    const auto use_the_other = [] {
        const Device other = make(cucore_device_open, 1);
        const Stream stream = make(cucore_stream_create, other, nullptr);
        const Resource resource = make(cucore_memory_resource_device_pool, other);
        const Buffer buffer = make(cucore_memory_resource_allocate, resource, COUNT, stream);
        ok(cucore_buffer_fill, buffer, size_t{0}, COUNT, 1u, 1u, stream);
        ok(cucore_device_synchronize, other);
        cucore_device *all[2];
        size_t total = 0;
        ok(cucore_device_open_all, all, size_t{2}, &total);
        cucore_device_release(all[0]);
        cucore_device_release(all[1]);
    };
    use_the_other();
    CHECK(current_ordinal() == -1);
    const Device device = make(cucore_device_open, 0);
    ok(cucore_device_set_current, device, nullptr);
    use_the_other();
    CHECK(current_ordinal() == 0);
    ok(cucore_context_set_current, nullptr, nullptr);
}

TEST_CASE_METHOD(Clean, "field case 4: a fresh thread, which has no context, can do everything") {
    const Memory memory;
    int32_t failed = -1;
    CUcontext current = nullptr;
    std::vector<uint8_t> bytes(COUNT);
    std::thread([&] {
        failed = first_steps();
        failed += cucore_buffer_fill(memory.buffer, 0, COUNT, 9, 1, memory.stream, nullptr);
        failed += cucore_buffer_copy_to_host(memory.buffer, 0, bytes.data(), COUNT, memory.stream, nullptr);
        raw().cuCtxGetCurrent(&current);
    }).join();
    CHECK(failed == 0);
    CHECK(bytes == std::vector<uint8_t>(COUNT, 9));
    CHECK(current == nullptr);
}

TEST_CASE_METHOD(Clean, "field case 5: memory outlives the caller's handle of its device") {
    for (const auto open : {+[] { return make(cucore_device_open, 0); }, &device_with_own_context}) {
        Device device = open();
        Stream stream = make(cucore_stream_create, device, nullptr);
        Resource resource = make(cucore_memory_resource_device_pool, device);
        const Buffer buffer = make(cucore_memory_resource_allocate, resource, COUNT, stream);
        device.reset();
        resource.reset();
        ok(cucore_buffer_fill, buffer, size_t{0}, COUNT, 5u, 1u, stream);
        CHECK(read(buffer, stream) == std::vector<uint8_t>(COUNT, 5));
    }
}

TEST_CASE("field case 8: a driver that lacks any one function ends no process at start-up", "[sim]") {
#define NAME(name, version, parameters) #name,
    for (const char *function : {CUCORE_CUDA_OPTIONAL(NAME)}) {
        const Ended ended = run_child({"hide", function});
        INFO(function << "\n" << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK_THAT(ended.out, has("open: OK\n"));
    }
    for (const char *function : {CUCORE_CUDA_CORE(NAME)}) {
        const Ended ended = run_child({"hide", function});
        INFO(function << "\n" << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK_THAT(ended.out, has("open: NOT_SUPPORTED"));
    }
#undef NAME
}

TEST_CASE("field case 9: an error prints without the driver that failed to load") {
    const Ended ended = run_child({"first-use"}, {{"CUCORE_DRIVER_LIBRARY", "/nonexistent/libcuda.so.1"}});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("open: NOT_FOUND"));
    CHECK_THAT(ended.out, has("/nonexistent/libcuda.so.1"));
    CHECK_THAT(ended.out, has("names: CUDA_ERROR_ILLEGAL_ADDRESS NOT_FOUND"));
}

TEST_CASE_METHOD(Clean, "field case 13: an allocation that fails half-way leaves no memory and no pool", "[sim]") {
    const Memory memory;
    const Stream first = make(cucore_stream_default, memory.device);
    const Resource pinned = make(cucore_memory_resource_pinned, memory.device);
    const ForeignContext foreign; // so that every call has to enter its context, and to leave it
    Buffer buffer;
    Resource pool;
    const auto allocate = [&](cucore_memory_resource *resource, cucore_stream *stream, cucore_status **status) {
        buffer = Buffer(cucore_memory_resource_allocate(resource, COUNT, stream, status));
    };
    const std::vector<std::function<void(cucore_status **)>> creations = {
        [&](cucore_status **status) { allocate(memory.resource, memory.stream, status); },
        [&](cucore_status **status) { allocate(memory.resource, first, status); },
        [&](cucore_status **status) { allocate(pinned, memory.stream, status); },
        [&](cucore_status **s) { pool = Resource(cucore_memory_resource_create_pool(memory.device, nullptr, s)); },
        [&](cucore_status **s) { pool = Resource(cucore_memory_resource_create_pinned_pool(memory.device, nullptr, s)); },
    };
    for (size_t index = 0; index < creations.size(); index++) {
        for (uint64_t nth = 1;; nth++) {
            INFO(index << ", call " << nth);
            const std::vector<std::string> live = sim().live();
            const uint64_t failures = sim().failures_injected();
            sim().fail(nullptr, nth, INJECTED, 0);
            Status status;
            creations[index](status);
            sim().fail_nothing();
            INFO(describe(status.facts()));
            while (current_context() != foreign.get()) { // it could not be restored, as the status says
                CUcontext popped = nullptr;
                raw().cuCtxPopCurrent(&popped);
            }
            const bool failed = sim().failures_injected() != failures;
            CHECK((status.get() != nullptr) == failed);
            CHECK((buffer.get() == nullptr && pool.get() == nullptr) == failed);
            buffer.reset();
            pool.reset();
            CHECK(sim().live() == live);
            if (!failed) {
                break;
            }
        }
    }
}

TEST_CASE_METHOD(Clean, "field case 14: \"is it done?\" does not take an error for \"not yet\"", "[sim]") {
    const Memory memory;
    const Event event = make(cucore_event_create, memory.device, nullptr);
    ok(cucore_event_record, event, memory.stream);
    for (const int code :
         {int{CUDA_ERROR_ILLEGAL_ADDRESS}, int{CUDA_ERROR_CONTEXT_IS_DESTROYED}, INJECTED, INJECTED_TOO, UNKNOWN_CODE}) {
        INFO(code);
        int32_t done = 77;
        sim().fail("cuStreamQuery", 1, code, 0);
        CHECK(fails(cucore_stream_is_done, memory.stream, &done).native == code);
        sim().fail("cuEventQuery", 1, code, 0);
        CHECK(fails(cucore_event_is_done, event, &done).native == code);
        CHECK(done == 77);
    }
    int32_t done = 77;
    sim().fail("cuStreamQuery", 1, CUDA_ERROR_NOT_READY, 0);
    ok(cucore_stream_is_done, memory.stream, &done);
    CHECK(done == 0);
    sim().fail("cuEventQuery", 1, CUDA_ERROR_NOT_READY, 0);
    ok(cucore_event_is_done, event, &done);
    CHECK(done == 0);
}

TEST_CASE("field case 19: what is of the host alone works without a driver") {
    const Ended ended = run_program("torture_child", {"host-only"}, {{"CUCORE_DRIVER_LIBRARY", "/nonexistent/libcuda.so.1"}});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.out == "object code: OK\nqueue: OK\nsink: OK\nstatus: CANCELLED\ncallback: OK\ndrain: OK\nlibcuda mapped: 0\n");
}

TEST_CASE_METHOD(Clean, "field case 20: a default stream is that of the context it was asked for, not of the first one met") {
    const Device first = make(cucore_device_open, 0), second = device_with_own_context();
    const Resource resource = make(cucore_memory_resource_device_pool, first);
    for (cucore_device *device : {first.get(), second.get(), first.get()}) {
        for (cucore_device *current : {first.get(), second.get()}) {
            const Context current_one = make(cucore_device_context, current);
            const Pushed pushed(cucore_context_raw(current_one));
            const Stream stream = make(cucore_stream_default, device);
            const Event event = make(cucore_event_create, device, nullptr);
            const Buffer buffer = make(cucore_memory_resource_allocate, resource, COUNT, stream);
            CHECK(Context(cucore_stream_context(stream)).get() == make(cucore_device_context, device).get());
            ok(cucore_buffer_fill, buffer, size_t{0}, COUNT, 3u, 1u, stream);
            ok(cucore_event_record, event, stream); // which a context's events do of its own streams alone
            CHECK(read(buffer, stream) == std::vector<uint8_t>(COUNT, 3));
        }
    }
}

TEST_CASE_METHOD(Clean, "field case 21: a failed retain of the primary context says so, and leaves nothing for the next call",
                 "[sim]") {
    const Device device = make(cucore_device_open, 0);
    for (const auto &[native, code] :
         {std::pair<int, int32_t>{CUDA_ERROR_OUT_OF_MEMORY, CUCORE_OUT_OF_MEMORY}, {INJECTED, CUCORE_DRIVER}}) {
        sim().fail("cuDevicePrimaryCtxRetain", 1, native, 0);
        const Facts facts = fails(cucore_stream_create, device, nullptr);
        INFO(describe(facts));
        CHECK(facts.code == code);
        CHECK(facts.operation == "cuDevicePrimaryCtxRetain");
        CHECK_FALSE(facts.says("NULL"));
    }
    const Stream stream = make(cucore_stream_create, device, nullptr); // whose status must be NULL
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "field case 29: a pool of the caller's own keeps its memory past a synchronisation, unless told not to") {
    const Memory memory;
    const auto reserved_after = [&](const cucore_memory_pool_options *options) {
        const Resource pool = make(cucore_memory_resource_create_pool, memory.device, options);
        make(cucore_memory_resource_allocate, pool, size_t{16} << 20, memory.stream).reset();
        ok(cucore_stream_synchronize, memory.stream);
        uint64_t reserved = 0;
        ok(cucore_memory_resource_attribute, pool, CUCORE_POOL_ATTRIBUTE_RESERVED_CURRENT, &reserved);
        return reserved;
    };
    CHECK(reserved_after(nullptr) >= size_t{16} << 20);
    cucore_memory_pool_options options{};
    options.struct_size = sizeof options;
    options.has_release_threshold = 1;
    CHECK(reserved_after(&options) == 0);
    options.release_threshold = UINT64_MAX;
    CHECK(reserved_after(&options) >= size_t{16} << 20);
}
