// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"

#include <numeric>

using namespace test;

namespace {

struct Memory {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Stream other = make(cucore_stream_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);

    Buffer allocate(size_t size) const {
        return make(cucore_memory_resource_allocate, resource, size, stream);
    }
    template <class T> std::vector<T> read(cucore_buffer *buffer, size_t count) const {
        std::vector<T> values(count);
        ok(cucore_buffer_copy_to_host, buffer, size_t{0}, values.data(), count * sizeof(T), stream);
        return values;
    }
};

} // namespace

TEST_CASE_METHOD(Clean, "a device has a memory pool that is the driver's") {
    Memory memory;
    CHECK(cucore_memory_resource_raw(memory.resource) != nullptr);
    const Resource again = make(cucore_memory_resource_device_pool, memory.device);
    CHECK(cucore_memory_resource_raw(again) == cucore_memory_resource_raw(memory.resource));
    CHECK(Device(cucore_memory_resource_device(again)).get() == memory.device.get());
}

TEST_CASE_METHOD(Clean, "a buffer knows its size, resource and stream, and keeps them") {
    Memory memory;
    cucore_stream *stream = memory.stream;
    cucore_memory_resource *resource = memory.resource;
    const Buffer buffer = memory.allocate(1000);
    memory = Memory{Device(), Stream(), Stream(), Resource()};
    CHECK(cucore_buffer_size(buffer) == 1000);
    CHECK(cucore_buffer_raw(buffer) % 256 == 0);
    CHECK(Stream(cucore_buffer_stream(buffer)).get() == stream);
    CHECK(Resource(cucore_buffer_resource(buffer)).get() == resource);
}

TEST_CASE_METHOD(Clean, "an empty buffer is valid") {
    const Memory memory;
    const Buffer buffer = memory.allocate(0);
    char byte = 0;
    CHECK(cucore_buffer_size(buffer) == 0);
    CHECK(cucore_buffer_raw(buffer) == 0);
    ok(cucore_buffer_copy_from_host, buffer, size_t{0}, &byte, size_t{0}, memory.stream);
    ok(cucore_buffer_copy_to_host, buffer, size_t{0}, nullptr, size_t{0}, memory.stream);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{0}, 0u, 1u, memory.stream);
    fails_saying(CUCORE_INVALID_ARGUMENT, "1 bytes", cucore_buffer_copy_from_host, buffer, size_t{0}, &byte, size_t{1},
                 memory.stream);
}

TEST_CASE_METHOD(Clean, "what was copied to a buffer comes back, in parts and larger than one block") {
    const Memory memory;
    std::vector<uint32_t> values(700000);
    std::iota(values.begin(), values.end(), 7u);
    const size_t size = values.size() * sizeof values[0];
    const Buffer buffer = memory.allocate(size);
    ok(cucore_buffer_copy_from_host, buffer, size_t{0}, values.data(), size, memory.stream);
    CHECK(memory.read<uint32_t>(buffer, values.size()) == values);
    const uint32_t patch[2] = {1, 2};
    ok(cucore_buffer_copy_from_host, buffer, size_t{40}, patch, sizeof patch, memory.stream);
    uint32_t part[4];
    ok(cucore_buffer_copy_to_host, buffer, size_t{36}, part, sizeof part, memory.stream);
    CHECK(std::vector<uint32_t>(part, part + 4) == std::vector<uint32_t>{16, 1, 2, 19});
}

TEST_CASE_METHOD(Clean, "a fill repeats the low bytes of its pattern") {
    const Memory memory;
    const Buffer buffer = memory.allocate(16);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{16}, 0xa1b2c3d4u, 4u, memory.stream);
    CHECK(memory.read<uint32_t>(buffer, 4) == std::vector<uint32_t>(4, 0xa1b2c3d4u));
    ok(cucore_buffer_fill, buffer, size_t{4}, size_t{4}, 0xa1b2c3d4u, 2u, memory.stream);
    ok(cucore_buffer_fill, buffer, size_t{9}, size_t{3}, 0xa1b2c3d4u, 1u, memory.stream);
    CHECK(memory.read<uint32_t>(buffer, 4) == std::vector<uint32_t>{0xa1b2c3d4u, 0xc3d4c3d4u, 0xd4d4d4d4u, 0xa1b2c3d4u});
}

TEST_CASE_METHOD(Clean, "a fill's pattern is of 1, 2 or 4 bytes, and its range of whole patterns") {
    const Memory memory;
    const Buffer buffer = memory.allocate(16);
    for (const uint32_t size : {0u, 3u, 8u}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "pattern_size", cucore_buffer_fill, buffer, size_t{0}, size_t{0}, 0u, size,
                     memory.stream);
    }
    fails_saying(CUCORE_INVALID_ARGUMENT, "offset", cucore_buffer_fill, buffer, size_t{1}, size_t{2}, 0u, 2u, memory.stream);
    fails_saying(CUCORE_INVALID_ARGUMENT, "size", cucore_buffer_fill, buffer, size_t{0}, size_t{6}, 0u, 4u, memory.stream);
}

TEST_CASE_METHOD(Clean, "no range reaches beyond its buffer") {
    const Memory memory;
    const Buffer buffer = memory.allocate(16);
    char bytes[32] = {};
    const std::pair<size_t, size_t> ranges[] = {{0, 17}, {16, 1}, {17, 0}, {8, 9}, {SIZE_MAX, 1}, {1, SIZE_MAX}};
    for (const auto &[offset, size] : ranges) {
        INFO(offset << ", " << size);
        fails_saying(CUCORE_INVALID_ARGUMENT, "16 bytes", cucore_buffer_copy_from_host, buffer, offset, bytes, size, memory.stream);
        fails_saying(CUCORE_INVALID_ARGUMENT, "16 bytes", cucore_buffer_copy_to_host, buffer, offset, bytes, size, memory.stream);
        fails_saying(CUCORE_INVALID_ARGUMENT, "16 bytes", cucore_buffer_fill, buffer, offset, size, 0u, 1u, memory.stream);
    }
    fails_saying(CUCORE_INVALID_ARGUMENT, "source is NULL", cucore_buffer_copy_from_host, buffer, size_t{0}, nullptr, size_t{4},
                 memory.stream);
    fails_saying(CUCORE_INVALID_ARGUMENT, "destination is NULL", cucore_buffer_copy_to_host, buffer, size_t{0}, nullptr, size_t{4},
                 memory.stream);
}

TEST_CASE_METHOD(Clean, "more memory than there is is OUT_OF_MEMORY") {
    const Memory memory;
    const Facts facts = fails(cucore_memory_resource_allocate, memory.resource, size_t{1} << 50, memory.stream);
    CHECK(facts.code == CUCORE_OUT_OF_MEMORY);
    CHECK(facts.operation == "cuMemAllocFromPoolAsync");
    CHECK(facts.native == CUDA_ERROR_OUT_OF_MEMORY);
}

TEST_CASE_METHOD(Clean, "a stream of another device is refused, naming both", "[sim]") {
    const Memory memory;
    const Stream foreign = make(cucore_stream_create, make(cucore_device_open, 1), nullptr);
    const Buffer buffer = memory.allocate(16);
    char bytes[16] = {};
    const auto refused = [&](const Facts &facts) {
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_INVALID_HANDLE);
        CHECK(facts.says("stream"));
        CHECK(facts.says("device 1"));
        CHECK(facts.says("device 0"));
    };
    refused(fails(cucore_memory_resource_allocate, memory.resource, size_t{16}, foreign));
    refused(fails(cucore_buffer_copy_from_host, buffer, size_t{0}, bytes, size_t{16}, foreign));
    refused(fails(cucore_buffer_copy_to_host, buffer, size_t{0}, bytes, size_t{16}, foreign));
    refused(fails(cucore_buffer_fill, buffer, size_t{0}, size_t{16}, 0u, 1u, foreign));
}

TEST_CASE_METHOD(Clean, "a device without pools is NOT_SUPPORTED", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    sim().fail("cuDeviceGetAttribute", 1, CUDA_ERROR_INVALID_VALUE, 0);
    CHECK(fails(cucore_memory_resource_device_pool, device).operation == "cuDeviceGetAttribute");
}

TEST_CASE_METHOD(Clean, "memory used on another stream is not freed before that work is done", "[sim]") {
    const Memory memory;
    Buffer buffer = memory.allocate(64);
    const std::string address = hex(cucore_buffer_raw(buffer));
    sim().hold(cucore_stream_raw(memory.other));
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, memory.other);
    buffer.reset();
    const auto lives = [&] {
        for (const std::string &line : sim().live()) {
            if (line.find(address) != std::string::npos) {
                return true;
            }
        }
        return false;
    };
    CHECK(lives());
    sim().release(cucore_stream_raw(memory.other));
    ok(cucore_stream_synchronize, memory.stream);
    CHECK_FALSE(lives());
}

TEST_CASE_METHOD(Clean, "a buffer used on many streams waits for each of them, once", "[sim]") {
    const Memory memory;
    std::vector<Stream> streams;
    Buffer buffer = memory.allocate(64);
    for (int index = 0; index < 10; index++) {
        streams.push_back(make(cucore_stream_create, memory.device, nullptr));
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, streams.back());
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, streams.back());
    }
    sim().log_clear();
    buffer.reset();
    CHECK(sim().call_count("cuEventRecord") == 10);
    CHECK(sim().call_count("cuStreamWaitEvent") == 10);
    CHECK(sim().call_count("cuMemFreeAsync") == 1);
    CHECK(sim().call_count("cuEventCreate") == sim().call_count("cuEventDestroy"));
}

TEST_CASE_METHOD(Clean, "a close's first failure is the free's, whatever else failed", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr), other = make(cucore_stream_create, device, nullptr);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 0u, 1u, other);
    sim().fail("cuEventDestroy", 1, INJECTED, 0);
    sim().fail("cuMemFreeAsync", 1, INJECTED, 0);
    expect_any_leaks();
    const Facts facts = fails(cucore_buffer_close, buffer.give(), nullptr);
    INFO(describe(facts));
    CHECK(facts.operation == "cuMemFreeAsync");
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "cuEventDestroy") != nullptr);
}

TEST_CASE_METHOD(Clean, "memory is freed with the thread's capture mode relaxed", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    {
        const Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
        sim().log_clear();
    }
    const std::vector<std::string> calls = sim().log();
    REQUIRE(calls.size() == 3);
    CHECK_THAT(calls[0], has("cuThreadExchangeStreamCaptureMode"));
    CHECK_THAT(calls[1], has("cuMemFreeAsync"));
    CHECK_THAT(calls[2], has("cuThreadExchangeStreamCaptureMode"));
}

TEST_CASE_METHOD(Clean, "a buffer lives until its last reference") {
    const Memory memory;
    Buffer buffer = memory.allocate(16);
    cucore_buffer *second = cucore_buffer_retain(buffer);
    CHECK(second == buffer.get());
    int32_t destroyed = -1;
    ok(cucore_buffer_close, buffer.give(), &destroyed);
    CHECK(destroyed == 0);
    CHECK(cucore_buffer_size(second) == 16);
    ok(cucore_buffer_close, second, &destroyed);
    CHECK(destroyed == 1);
    Resource resource = make(cucore_memory_resource_device_pool, memory.device);
    ok(cucore_memory_resource_close, resource.give(), &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE_METHOD(Clean, "C11: a copy whose wait fails does not touch the caller's memory afterwards", "[sim]") {
    const Memory memory;
    const Buffer buffer = memory.allocate(64);
    char bytes[64] = {};
    sim().hold(cucore_stream_raw(memory.stream));
    sim().fail("cuStreamSynchronize", 1, INJECTED, 0);
    const Facts facts = fails(cucore_buffer_copy_to_host, buffer, size_t{0}, bytes, sizeof bytes, memory.stream);
    INFO(describe(facts));
    CHECK(facts.operation == "cuStreamSynchronize");
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "leaked") != nullptr);
    std::fill(std::begin(bytes), std::end(bytes), 'x');
    sim().release(cucore_stream_raw(memory.stream));
    ok(cucore_stream_synchronize, memory.stream);
    CHECK(std::string(bytes, sizeof bytes) == std::string(64, 'x'));
}
