// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/capture.hpp"
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/options.hpp"

#include <algorithm>
#include <cstring>
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

TEST_CASE_METHOD(Clean, "a release threshold that is not said to be given is refused, not ignored") {
    const Device device = make(cucore_device_open, 0);
    cucore_memory_pool_options options{};
    options.struct_size = sizeof options;
    options.release_threshold = 4096;
    fails_saying(CUCORE_INVALID_ARGUMENT, "options->has_release_threshold is 0", cucore_memory_resource_create_pool, device,
                 &options);
}

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

TEST_CASE_METHOD(Clean, "a copy of many blocks ends with the first that fails", "[sim]") {
    const Memory memory;
    std::vector<uint8_t> bytes(5 << 20, 7);
    const Buffer buffer = memory.allocate(bytes.size());
    const auto before = sim().call_count("cuMemcpyHtoDAsync");
    sim().fail("cuMemcpyHtoDAsync", 2, INJECTED, 0);
    const Facts facts = fails(cucore_buffer_copy_from_host, buffer, size_t{0}, bytes.data(), bytes.size(), memory.stream);
    CHECK(facts.native == INJECTED);
    CHECK(sim().call_count("cuMemcpyHtoDAsync") == before + 2);
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

TEST_CASE_METHOD(Clean, "a device that does not say whether it has pools gives none", "[sim]") {
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

namespace {

/// Whether memory is alive in the simulated driver.
bool lives(uint64_t address) {
    const std::vector<std::string> lines = sim().live();
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string &line) { return line.find(hex(address)) != std::string::npos; });
}

uint64_t attribute_of(cucore_memory_resource *resource, int32_t attribute) {
    uint64_t value = 77;
    ok(cucore_memory_resource_attribute, resource, attribute, &value);
    return value;
}

cucore_memory_pool_options pool_options() {
    cucore_memory_pool_options options{};
    options.struct_size = sizeof options;
    return options;
}

template <class T> std::vector<T> from(const void *data, size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), data, count * sizeof(T));
    return values;
}

Device device_with_own_context() {
    return make(cucore_device_with_context, make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr));
}

} // namespace

TEST_CASE_METHOD(Clean, "a pool of the caller's own allocates memory, and lives as long as its buffers") {
    const Memory memory;
    Resource pool = make(cucore_memory_resource_create_pool, memory.device, nullptr);
    CHECK(cucore_memory_resource_raw(pool) != nullptr);
    CHECK(cucore_memory_resource_raw(pool) != cucore_memory_resource_raw(memory.resource));
    CHECK(cucore_memory_resource_is_host_accessible(pool) == 0);
    CHECK(Device(cucore_memory_resource_device(pool)).get() == memory.device.get());
    Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, memory.stream);
    pool.reset();
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 5u, 4u, memory.stream);
    CHECK(memory.read<uint32_t>(buffer, 16) == std::vector<uint32_t>(16, 5));
    CHECK(cucore_buffer_host_pointer(buffer) == nullptr);
    int32_t destroyed = -1;
    ok(cucore_buffer_close, buffer.give(), &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE_METHOD(Clean, "a pool is destroyed after its last buffer, and the device's own never", "[sim]") {
    const Memory memory;
    const size_t before = sim().live_count("pool");
    Resource pool = make(cucore_memory_resource_create_pool, memory.device, nullptr);
    Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, memory.stream);
    pool.reset();
    CHECK(sim().live_count("pool") == before + 1);
    buffer.reset();
    CHECK(sim().live_count("pool") == before);
    sim().log_clear();
    make(cucore_memory_resource_device_pool, memory.device);
    CHECK(sim().call_count("cuMemPoolDestroy") == 0);
}

TEST_CASE_METHOD(Clean, "pool options follow the rules of options") {
    const Device device = make(cucore_device_open, 0);
    const auto refused = [&](const cucore_memory_pool_options &options, const std::string &part) {
        fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_memory_resource_create_pool, device, &options);
        fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_memory_resource_create_pinned_pool, device, &options);
    };
    for (const auto create : {&cucore_memory_resource_create_pool, &cucore_memory_resource_create_pinned_pool}) {
        check_options<cucore_memory_pool_options>([&](const void *options, cucore_status **status) {
            return made_code(create(device, static_cast<const cucore_memory_pool_options *>(options), status), status);
        });
    }
    cucore_memory_pool_options options = pool_options();
    options.has_release_threshold = 2;
    refused(options, "has_release_threshold");
    options = pool_options();
    options.reserved = 1;
    refused(options, "reserved");
    options.max_size = uint64_t{1} << 20; // which is looked at last, and right
    refused(options, "reserved");
}

TEST_CASE_METHOD(Clean, "a pool keeps all memory unless it is told to keep less") {
    const Device device = make(cucore_device_open, 0);
    const Resource keeps = make(cucore_memory_resource_create_pool, device, nullptr);
    CHECK(attribute_of(keeps, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD) == UINT64_MAX);
    cucore_memory_pool_options options = pool_options();
    options.has_release_threshold = 1;
    for (const uint64_t threshold : {uint64_t{0}, uint64_t{1} << 22}) {
        options.release_threshold = threshold;
        const Resource pool = make(cucore_memory_resource_create_pool, device, &options);
        CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD) == threshold);
    }
}

TEST_CASE_METHOD(Clean, "a pool's greatest size holds") {
    const Memory memory;
    cucore_memory_pool_options options = pool_options();
    options.max_size = uint64_t{32} << 20;
    const Resource pool = make(cucore_memory_resource_create_pool, memory.device, &options);
    make(cucore_memory_resource_allocate, pool, size_t{1} << 20, memory.stream);
    CHECK(fails(cucore_memory_resource_allocate, pool, size_t{128} << 20, memory.stream).code == CUCORE_OUT_OF_MEMORY);
}

TEST_CASE_METHOD(Clean, "a pool that cannot be made as asked for leaves nothing behind", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    for (const char *call : {"cuMemPoolCreate", "cuMemPoolSetAttribute", "cuMemPoolSetAccess"}) {
        const size_t pools = sim().live_count("pool");
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_memory_resource_create_pinned_pool, device, nullptr).operation == call);
        CHECK(sim().live_count("pool") == pools);
    }
}

TEST_CASE_METHOD(Clean, "a pool of pinned memory is used by host and device") {
    const Memory memory;
    const Resource pool = make(cucore_memory_resource_create_pinned_pool, memory.device, nullptr);
    CHECK(cucore_memory_resource_raw(pool) != nullptr);
    CHECK(cucore_memory_resource_is_host_accessible(pool) == 1);
    const Buffer pinned = make(cucore_memory_resource_allocate, pool, size_t{64}, memory.stream);
    const Buffer buffer = memory.allocate(64);
    ok(cucore_buffer_synchronize, pinned);
    void *const address = cucore_buffer_host_pointer(pinned);
    REQUIRE(address != nullptr);
    std::memset(address, 3, 64);
    ok(cucore_buffer_copy, buffer, size_t{0}, pinned, size_t{0}, size_t{64}, memory.stream);
    CHECK(memory.read<uint8_t>(buffer, 64) == std::vector<uint8_t>(64, 3));
    ok(cucore_buffer_fill, pinned, size_t{0}, size_t{64}, 4u, 1u, memory.stream);
    ok(cucore_buffer_synchronize, pinned);
    CHECK(from<uint8_t>(address, 64) == std::vector<uint8_t>(64, 4));
}

TEST_CASE_METHOD(Clean, "a driver without pools of host memory is NOT_SUPPORTED, and says which has them", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    sim().set_driver_version(12000); // as to what devices can do
    fails_saying(CUCORE_NOT_SUPPORTED, "13.0", cucore_memory_resource_create_pinned_pool, device, nullptr);
    sim().set_driver_version(13000);
}

TEST_CASE_METHOD(Clean, "copies at the same time do not share what stages them", "[sim]") {
    struct Copies {
        Memory memory;
        Buffer first = memory.allocate(64), second = memory.allocate(64);
        std::vector<uint8_t> ones = std::vector<uint8_t>(64, 1), twos = std::vector<uint8_t>(64, 2);
    } copies;
    const auto copy_another = [](void *self) {
        const auto &with = *static_cast<Copies *>(self);
        cucore_buffer_copy_from_host(with.second, 0, with.twos.data(), 64, with.memory.stream, nullptr);
    };
    ok(cucore_buffer_copy_from_host, copies.first, size_t{0}, copies.twos.data(), size_t{64}, copies.memory.stream);
    sim().hook("cuMemcpyHtoDAsync", 1, copy_another, &copies); // with what stages the copy filled, and not read yet
    ok(cucore_buffer_copy_from_host, copies.first, size_t{0}, copies.ones.data(), size_t{64}, copies.memory.stream);
    CHECK(copies.memory.read<uint8_t>(copies.first, 64) == copies.ones);
    CHECK(copies.memory.read<uint8_t>(copies.second, 64) == copies.twos);
}

TEST_CASE_METHOD(Clean, "where a driver has pools of host memory only by NUMA node, it is the first node's", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    sim().set_driver_version(12090);
    CHECK(cucore_memory_resource_is_host_accessible(make(cucore_memory_resource_create_pinned_pool, device, nullptr)) == 1);
    sim().set_driver_version(13000);
}

TEST_CASE_METHOD(Clean, "pinned memory is an allocation of its own, used by host and device") {
    const Memory memory;
    const Resource resource = make(cucore_memory_resource_pinned, memory.device);
    CHECK(cucore_memory_resource_raw(resource) == nullptr);
    CHECK(cucore_memory_resource_is_host_accessible(resource) == 1);
    const Buffer pinned = make(cucore_memory_resource_allocate, resource, size_t{4096}, memory.stream);
    CHECK(cucore_buffer_raw(pinned) % 256 == 0);
    void *const address = cucore_buffer_host_pointer(pinned);
    REQUIRE(address != nullptr);
    std::memset(address, 3, 64);
    const Buffer buffer = memory.allocate(64);
    ok(cucore_buffer_copy, buffer, size_t{0}, pinned, size_t{0}, size_t{64}, memory.stream);
    CHECK(memory.read<uint8_t>(buffer, 64) == std::vector<uint8_t>(64, 3));
    const Buffer empty = make(cucore_memory_resource_allocate, resource, size_t{0}, memory.stream);
    CHECK(cucore_buffer_host_pointer(empty) == nullptr);
}

TEST_CASE_METHOD(Clean, "pinned memory is there at once, and freed when its streams are done", "[sim]") {
    const Memory memory;
    const Resource resource = make(cucore_memory_resource_pinned, memory.device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, memory.stream);
    ok(cucore_buffer_note_use, buffer, memory.other);
    sim().log_clear();
    buffer.reset();
    const std::vector<std::string> calls = sim().log();
    const auto position = [&](const std::string &name) {
        return std::find_if(calls.begin(), calls.end(), [&](const std::string &call) { return call.rfind(name + "(", 0) == 0; }) -
               calls.begin();
    };
    CHECK(position("cuStreamWaitEvent") < position("cuStreamSynchronize"));
    CHECK(position("cuStreamSynchronize") < position("cuMemFreeHost"));
    CHECK(sim().call_count("cuMemFreeHost") == 1);
}

TEST_CASE_METHOD(Clean, "what a resource without a pool cannot tell is INVALID_STATE") {
    const Resource resource = make(cucore_memory_resource_pinned, make(cucore_device_open, 0));
    uint64_t value = 77;
    fails_saying(CUCORE_INVALID_STATE, "no pool", cucore_memory_resource_attribute, resource, 4, &value);
    fails_saying(CUCORE_INVALID_STATE, "no pool", cucore_memory_resource_set_attribute, resource, 4, uint64_t{1});
    fails_saying(CUCORE_INVALID_STATE, "no pool", cucore_memory_resource_trim, resource, size_t{0});
    CHECK(value == 77);
}

TEST_CASE_METHOD(Clean, "a pool's choices, its threshold and its high-water marks can be set") {
    const Device device = make(cucore_device_open, 0);
    const Resource pool = make(cucore_memory_resource_create_pool, device, nullptr);
    for (const int32_t choice : {1, 2, 3}) {
        for (const uint64_t wanted : {0, 1, 0}) {
            ok(cucore_memory_resource_set_attribute, pool, choice, wanted);
            CHECK(attribute_of(pool, choice) == wanted);
        }
        fails_saying(CUCORE_INVALID_ARGUMENT, "", cucore_memory_resource_set_attribute, pool, choice, uint64_t{2});
    }
    ok(cucore_memory_resource_set_attribute, pool, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD, uint64_t{1} << 40);
    CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD) == uint64_t{1} << 40);
    for (const int32_t mark : {CUCORE_POOL_ATTRIBUTE_RESERVED_HIGH, CUCORE_POOL_ATTRIBUTE_USED_HIGH}) {
        ok(cucore_memory_resource_set_attribute, pool, mark, uint64_t{0});
        fails_saying(CUCORE_INVALID_ARGUMENT, "0", cucore_memory_resource_set_attribute, pool, mark, uint64_t{5});
    }
    for (const int32_t current : {CUCORE_POOL_ATTRIBUTE_RESERVED_CURRENT, CUCORE_POOL_ATTRIBUTE_USED_CURRENT}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "cannot be set", cucore_memory_resource_set_attribute, pool, current, uint64_t{0});
    }
}

TEST_CASE_METHOD(Clean, "a number that is no attribute of pools is refused, and a failure leaves the value") {
    const Device device = make(cucore_device_open, 0);
    const Resource pool = make(cucore_memory_resource_create_pool, device, nullptr);
    uint64_t value = 77;
    for (const int32_t attribute : {-1, 0, 9, 1000}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "attribute", cucore_memory_resource_attribute, pool, attribute, &value);
        fails_saying(CUCORE_INVALID_ARGUMENT, "attribute", cucore_memory_resource_set_attribute, pool, attribute, uint64_t{0});
    }
    fails_saying(CUCORE_INVALID_ARGUMENT, "value is NULL", cucore_memory_resource_attribute, pool, 4, nullptr);
    if (simulator() != nullptr) {
        sim().fail("cuMemPoolGetAttribute", 1, INJECTED, 0);
        CHECK(fails(cucore_memory_resource_attribute, pool, 4, &value).operation == "cuMemPoolGetAttribute");
    }
    CHECK(value == 77);
}

TEST_CASE_METHOD(Clean, "a pool counts what is used, and gives back what is trimmed") {
    const Memory memory;
    const Resource pool = make(cucore_memory_resource_create_pool, memory.device, nullptr);
    Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{1} << 20, memory.stream);
    ok(cucore_buffer_synchronize, buffer);
    CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT) >= 1 << 20);
    CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_USED_HIGH) >= 1 << 20);
    buffer.reset();
    ok(cucore_stream_synchronize, memory.stream);
    CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT) == 0);
    CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_RESERVED_CURRENT) > 0); // past a synchronisation
    ok(cucore_memory_resource_trim, pool, size_t{0});
    CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_RESERVED_CURRENT) == 0);
    CHECK(attribute_of(pool, CUCORE_POOL_ATTRIBUTE_RESERVED_HIGH) > 0);
}

TEST_CASE_METHOD(Clean, "what cannot be captured is refused on a stream that is being captured, and the capture goes on") {
    const Memory memory;
    char bytes[16] = {};
    const Buffer buffer = memory.allocate(16);
    for (const CUstreamCaptureMode mode : CAPTURE_MODES) {
        Capture capture(cucore_stream_raw(memory.stream), mode);
        fails_saying(CUCORE_INVALID_STATE, "captured", cucore_memory_resource_allocate, memory.resource, size_t{16}, memory.stream);
        fails_saying(CUCORE_INVALID_STATE, "captured", cucore_buffer_copy_from_host, buffer, size_t{0}, bytes, size_t{16},
                     memory.stream);
        fails_saying(CUCORE_INVALID_STATE, "captured", cucore_buffer_copy_to_host, buffer, size_t{0}, bytes, size_t{16},
                     memory.stream);
        fails_saying(CUCORE_INVALID_STATE, "captured", cucore_buffer_synchronize, buffer);
        CHECK(capture.end() == CUDA_SUCCESS);
    }
}

TEST_CASE_METHOD(Clean, "a buffer of a default stream is allocated and freed in the stream's context, whatever is current") {
    const Memory memory;
    const Stream stream = make(cucore_stream_default, memory.device);
    const Resource pinned = make(cucore_memory_resource_pinned, memory.device);
    const ForeignContext current;
    for (const Resource *resource : {&memory.resource, &pinned}) {
        const Buffer buffer = make(cucore_memory_resource_allocate, *resource, size_t{64}, stream);
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 7u, 1u, stream);
        uint8_t bytes[64];
        ok(cucore_buffer_copy_to_host, buffer, size_t{0}, bytes, size_t{64}, stream);
        CHECK(from<uint8_t>(bytes, 64) == std::vector<uint8_t>(64, 7));
        ok(cucore_buffer_note_use, buffer, memory.stream);
        CHECK(Stream(cucore_buffer_stream(buffer)).get() == stream.get());
    }
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "memory of a default stream is not freed before that stream's work, in its own context", "[sim]") {
    const Memory memory;
    const Device other = device_with_own_context();
    const Stream foreign = make(cucore_stream_default, other);
    const Context context = make(cucore_device_context, other);
    Buffer buffer = make(cucore_memory_resource_allocate, memory.resource, size_t{64}, foreign);
    const uint64_t address = cucore_buffer_raw(buffer);
    {
        const Pushed bound(cucore_context_raw(context));
        sim().hold(cucore_stream_raw(foreign));
    }
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, foreign);
    buffer.reset();
    CHECK(lives(address));
    const Pushed bound(cucore_context_raw(context));
    sim().release(cucore_stream_raw(foreign));
    CHECK_FALSE(lives(address));
}

TEST_CASE_METHOD(Clean, "one buffer is copied to another, or within itself") {
    const Memory memory;
    const Buffer source = memory.allocate(64), destination = memory.allocate(64);
    std::vector<uint32_t> values(16);
    std::iota(values.begin(), values.end(), 0u);
    ok(cucore_buffer_copy_from_host, source, size_t{0}, values.data(), size_t{64}, memory.stream);
    ok(cucore_buffer_copy, destination, size_t{0}, source, size_t{0}, size_t{64}, memory.stream);
    CHECK(memory.read<uint32_t>(destination, 16) == values);
    ok(cucore_buffer_copy, destination, size_t{8}, source, size_t{56}, size_t{8}, memory.stream);
    ok(cucore_buffer_copy, destination, size_t{0}, destination, size_t{8}, size_t{8}, memory.stream);
    CHECK(memory.read<uint32_t>(destination, 4) == std::vector<uint32_t>{14, 15, 14, 15});
    ok(cucore_buffer_copy, destination, size_t{64}, source, size_t{0}, size_t{0}, memory.stream);
    const Buffer empty = memory.allocate(0);
    ok(cucore_buffer_copy, empty, size_t{0}, empty, size_t{0}, size_t{0}, memory.stream);
}

TEST_CASE_METHOD(Clean, "the two ranges of a copy lie within their buffers, and apart") {
    const Memory memory;
    const Buffer source = memory.allocate(64), destination = memory.allocate(32);
    const auto refused = [&](const std::string &part, cucore_buffer *to, size_t to_offset, cucore_buffer *from_buffer,
                             size_t from_offset, size_t size) {
        fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_buffer_copy, to, to_offset, from_buffer, from_offset, size,
                     memory.stream);
    };
    refused("destination", destination, 0, source, 0, 33);
    refused("destination", destination, 33, source, 0, 0);
    refused("destination", destination, SIZE_MAX, source, 0, 2);
    refused("source", destination, 0, source, 60, 8);
    refused("source", destination, 0, source, SIZE_MAX, 2);
    refused("overlap", source, 0, source, 8, 16);
    refused("overlap", source, 8, source, 0, 16);
    refused("overlap", source, 0, source, 0, 1);
}

TEST_CASE_METHOD(Clean, "a copy's buffers and stream are of one device", "[sim]") {
    const Memory memory;
    const Device other = make(cucore_device_open, 1);
    const Stream stream = make(cucore_stream_create, other, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, other);
    const Buffer here = memory.allocate(16), there = make(cucore_memory_resource_allocate, resource, size_t{16}, stream);
    const auto refused = [&](cucore_buffer *to, cucore_buffer *from_buffer, cucore_stream *on) {
        fails_saying(CUCORE_INVALID_HANDLE, "device 1", cucore_buffer_copy, to, size_t{0}, from_buffer, size_t{0}, size_t{16}, on);
    };
    refused(here, there, memory.stream);
    refused(there, here, memory.stream);
    refused(here, memory.allocate(16), stream);
    fails_saying(CUCORE_INVALID_HANDLE, "device 1", cucore_buffer_note_use, here, stream);
    char bytes[16] = {};
    fails_saying(CUCORE_INVALID_HANDLE, "device 1", cucore_buffer_copy_from_host_unchecked, here, size_t{0}, bytes, size_t{16},
                 stream);
    fails_saying(CUCORE_INVALID_HANDLE, "device 1", cucore_buffer_copy_to_host_unchecked, here, size_t{0}, bytes, size_t{16},
                 stream);
}

TEST_CASE_METHOD(Clean, "a copy on another stream keeps both buffers until it is done", "[sim]") {
    const Memory memory;
    Buffer source = memory.allocate(64), destination = memory.allocate(64);
    const uint64_t from_address = cucore_buffer_raw(source), to_address = cucore_buffer_raw(destination);
    sim().hold(cucore_stream_raw(memory.other));
    ok(cucore_buffer_copy, destination, size_t{0}, source, size_t{0}, size_t{64}, memory.other);
    source.reset();
    destination.reset();
    CHECK((lives(from_address) && lives(to_address)));
    sim().release(cucore_stream_raw(memory.other));
    CHECK_FALSE((lives(from_address) || lives(to_address)));
}

TEST_CASE_METHOD(Clean, "unchecked copies are put on the stream, and do not wait") {
    const Memory memory;
    const Resource pinned = make(cucore_memory_resource_pinned, memory.device);
    const Buffer host = make(cucore_memory_resource_allocate, pinned, size_t{64}, memory.stream), buffer = memory.allocate(64);
    auto *const bytes = static_cast<uint8_t *>(cucore_buffer_host_pointer(host));
    std::fill_n(bytes, 32, uint8_t{9});
    std::fill_n(bytes + 32, 32, uint8_t{0});
    ok(cucore_buffer_synchronize, buffer);
    Held held(cucore_stream_raw(memory.stream));
    ok(cucore_buffer_copy_from_host_unchecked, buffer, size_t{16}, bytes, size_t{32}, memory.stream);
    ok(cucore_buffer_copy_to_host_unchecked, buffer, size_t{16}, bytes + 32, size_t{32}, memory.stream);
    CHECK(bytes[63] == 0);
    held.go();
    ok(cucore_stream_synchronize, memory.stream);
    CHECK(from<uint8_t>(bytes, 64) == std::vector<uint8_t>(64, 9));
}

TEST_CASE_METHOD(Clean, "unchecked copies check their range and their pointer all the same") {
    const Memory memory;
    const Buffer buffer = memory.allocate(16);
    char bytes[32] = {};
    fails_saying(CUCORE_INVALID_ARGUMENT, "16 bytes", cucore_buffer_copy_from_host_unchecked, buffer, size_t{8}, bytes, size_t{9},
                 memory.stream);
    fails_saying(CUCORE_INVALID_ARGUMENT, "16 bytes", cucore_buffer_copy_to_host_unchecked, buffer, size_t{17}, bytes, size_t{0},
                 memory.stream);
    fails_saying(CUCORE_INVALID_ARGUMENT, "source is NULL", cucore_buffer_copy_from_host_unchecked, buffer, size_t{0}, nullptr,
                 size_t{4}, memory.stream);
    fails_saying(CUCORE_INVALID_ARGUMENT, "destination is NULL", cucore_buffer_copy_to_host_unchecked, buffer, size_t{0}, nullptr,
                 size_t{4}, memory.stream);
    ok(cucore_buffer_copy_from_host_unchecked, buffer, size_t{16}, nullptr, size_t{0}, memory.stream);
    ok(cucore_buffer_copy_to_host_unchecked, buffer, size_t{16}, nullptr, size_t{0}, memory.stream);
}

TEST_CASE_METHOD(Clean, "memory is not freed before work that the library was told of", "[sim]") {
    const Memory memory;
    const Event event = make(cucore_event_create, memory.device, nullptr);
    Buffer buffer = memory.allocate(64);
    const uint64_t address = cucore_buffer_raw(buffer);
    ok(cucore_buffer_note_use, buffer, memory.other);
    ok(cucore_buffer_note_use, buffer, memory.stream); // its own, for which there is nothing to note
    sim().hold(cucore_stream_raw(memory.other));
    ok(cucore_event_record, event, memory.other);
    buffer.reset();
    CHECK(lives(address));
    sim().release(cucore_stream_raw(memory.other));
    CHECK_FALSE(lives(address));
}

TEST_CASE_METHOD(Clean, "a buffer's synchronize waits for its own stream and for every noted one") {
    const Memory memory;
    const Buffer buffer = memory.allocate(64);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, memory.stream);
    ok(cucore_stream_wait_stream, memory.other, memory.stream);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 2u, 1u, memory.other);
    ok(cucore_buffer_synchronize, buffer);
    for (const Stream *stream : {&memory.stream, &memory.other}) {
        int32_t done = 0;
        ok(cucore_stream_is_done, *stream, &done);
        CHECK(done == 1);
    }
}

TEST_CASE_METHOD(Clean, "a buffer's synchronize tells the failure of any of its streams", "[sim]") {
    const Memory memory;
    const Buffer buffer = memory.allocate(64);
    ok(cucore_buffer_note_use, buffer, memory.other);
    for (const auto &[nth, stream] : {std::pair{1, &memory.stream}, {2, &memory.other}}) {
        sim().fail("cuStreamSynchronize", static_cast<uint64_t>(nth), CUDA_ERROR_ILLEGAL_ADDRESS, 0);
        const Facts facts = fails(cucore_buffer_synchronize, buffer);
        CHECK(facts.code == CUCORE_DEVICE_LOST);
        CHECK(facts.resource == reinterpret_cast<uintptr_t>(cucore_stream_raw(*stream)));
    }
}

TEST_CASE_METHOD(Clean, "a buffer gives its device") {
    const Memory memory;
    CHECK(Device(cucore_buffer_device(memory.allocate(16))).get() == memory.device.get());
}

TEST_CASE("bad handles of memory give NULL and 0") {
    CHECK(cucore_memory_resource_raw(nullptr) == nullptr);
    CHECK(cucore_memory_resource_device(nullptr) == nullptr);
    CHECK(cucore_memory_resource_is_host_accessible(nullptr) == 0);
    CHECK(cucore_buffer_raw(nullptr) == 0);
    CHECK(cucore_buffer_size(nullptr) == 0);
    CHECK(cucore_buffer_host_pointer(nullptr) == nullptr);
    CHECK(cucore_buffer_device(nullptr) == nullptr);
    CHECK(cucore_buffer_resource(nullptr) == nullptr);
    CHECK(cucore_buffer_stream(nullptr) == nullptr);
}

TEST_CASE_METHOD(Clean, "memory that was used on the default stream of another context is freed, and the caller's context stays") {
    const Context adopted = make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr);
    const Stream elsewhere = make(cucore_stream_default, make(cucore_device_with_context, adopted));
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    Buffer buffer = make(cucore_memory_resource_allocate, make(cucore_memory_resource_device_pool, device), size_t{64}, stream);
    ok(cucore_buffer_note_use, buffer, elsewhere);
    const CUcontext before = current_context();
    int32_t destroyed = 0;
    ok(cucore_buffer_close, buffer.give(), &destroyed);
    CHECK(destroyed == 1);
    CHECK(current_context() == before);
}

TEST_CASE_METHOD(Clean, "memory that was used on a default stream waits for a capture in the context of that", "[sim]") {
    const CUcontext other = new_context();
    const Context adopted = make(cucore_context_from_raw, other, CUCORE_ADOPT, nullptr, nullptr);
    const Device bound = make(cucore_device_with_context, adopted);
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    options.blocking = CUCORE_ON;
    const Stream elsewhere = make(cucore_stream_default, bound), captured = make(cucore_stream_create, bound, &options);
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    Buffer buffer = make(cucore_memory_resource_allocate, make(cucore_memory_resource_device_pool, device), size_t{64}, stream);
    ok(cucore_buffer_note_use, buffer, elsewhere);
    const size_t before = sim().live_count("memory");
    Capture capture(cucore_stream_raw(captured), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    buffer.reset();
    CHECK(sim().live_count("memory") == before);
    CHECK(capture.end() == CUDA_SUCCESS);
    ok(cucore_deferred_drain);
    CHECK(sim().live_count("memory") == before - 1);
}

TEST_CASE_METHOD(Clean, "that it cannot be told whether a capture kept memory from being freed is a note", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    Buffer buffer = make(cucore_memory_resource_allocate, make(cucore_memory_resource_device_pool, device), size_t{64}, stream);
    sim().fail("cuMemFreeAsync", 1, 1, 0); // CUDA_ERROR_INVALID_VALUE
    sim().fail("cuStreamIsCapturing", 1, INJECTED, 0);
    const Facts facts = fails(cucore_buffer_close, buffer.give(), nullptr);
    INFO(describe(facts));
    CHECK(facts.operation == "cuMemFreeAsync");
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "cuStreamIsCapturing") != nullptr);
    expect_leaks(1);
}
