// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/options.hpp"

using namespace test;

namespace {

constexpr int32_t COUNT = 1000;

struct Saxpy {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer x = make(cucore_memory_resource_allocate, resource, COUNT * sizeof(float), stream);
    Buffer y = make(cucore_memory_resource_allocate, resource, COUNT * sizeof(float), stream);
    Kernel kernel = find(load(device));
    cucore_launch_options options = shape((COUNT + 255) / 256, 256);
    std::vector<cucore_argument> arguments{value(2.0f), object(x), object(y), value(COUNT)};

    void set(cucore_buffer *buffer, float number) const {
        const std::vector<float> numbers(COUNT, number);
        ok(cucore_buffer_copy_from_host, buffer, size_t{0}, numbers.data(), COUNT * sizeof(float), stream);
    }
    std::vector<float> result() const {
        std::vector<float> numbers(COUNT);
        ok(cucore_buffer_copy_to_host, y, size_t{0}, numbers.data(), COUNT * sizeof(float), stream);
        return numbers;
    }
    void launch() const {
        ok(cucore_kernel_launch, kernel, stream, &options, arguments.data(), arguments.size());
    }
    void refused(int32_t code, const std::string &part) const {
        fails_saying(code, part, cucore_kernel_launch, kernel, stream, &options, arguments.data(), arguments.size());
    }
};

} // namespace

TEST_CASE_METHOD(Clean, "a kernel computes what it should") {
    Saxpy saxpy;
    saxpy.set(saxpy.x, 3);
    saxpy.set(saxpy.y, 10);
    saxpy.launch();
    CHECK(saxpy.result() == std::vector<float>(COUNT, 16));
    saxpy.launch();
    CHECK(saxpy.result() == std::vector<float>(COUNT, 22));
}

TEST_CASE_METHOD(Clean, "arguments may be bytes, and objects have offsets") {
    Saxpy saxpy;
    saxpy.set(saxpy.x, 3);
    saxpy.set(saxpy.y, 10);
    const uint64_t address = cucore_buffer_raw(saxpy.x);
    const float factor = 2;
    saxpy.arguments[0] = {CUCORE_ARGUMENT_BYTES, 4, 0, &factor, nullptr, {}};
    saxpy.arguments[1] = value(address);
    saxpy.arguments[2] = object(saxpy.y, 400);
    saxpy.arguments[3] = value(COUNT - 100);
    saxpy.launch();
    std::vector<float> expected(COUNT, 16);
    std::fill_n(expected.begin(), 100, 10.0f);
    CHECK(saxpy.result() == expected);
}

TEST_CASE_METHOD(Clean, "a kernel without parameters takes no arguments") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Kernel kernel = find(load(device, NOTHING_PTX), "nothing");
    const cucore_launch_options options = shape(1, 1);
    ok(cucore_kernel_launch, kernel, stream, &options, nullptr, size_t{0});
    ok(cucore_stream_synchronize, stream);
    const cucore_argument argument = value(1);
    fails_saying(CUCORE_INVALID_ARGUMENT, "1", cucore_kernel_launch, kernel, stream, &options, &argument, size_t{1});
    fails_saying(CUCORE_INVALID_ARGUMENT, "arguments", cucore_kernel_launch, kernel, stream, &options, nullptr, size_t{1});
}

TEST_CASE_METHOD(Clean, "count and sizes of the arguments are the kernel's") {
    Saxpy saxpy;
    saxpy.arguments.pop_back();
    saxpy.refused(CUCORE_INVALID_ARGUMENT, "4");
    saxpy.arguments.push_back(value(COUNT));
    saxpy.arguments.push_back(value(COUNT));
    saxpy.refused(CUCORE_INVALID_ARGUMENT, "4");
    saxpy.arguments.pop_back();
    saxpy.arguments[0] = value(2.0);
    saxpy.refused(CUCORE_INVALID_ARGUMENT, "arguments[0]");
    saxpy.arguments[0] = object(saxpy.x);
    saxpy.refused(CUCORE_INVALID_ARGUMENT, "arguments[0]");
}

TEST_CASE_METHOD(Clean, "an argument is of a kind, and what its kind does not use is 0") {
    Saxpy saxpy;
    const auto with = [&](size_t index, const cucore_argument &argument, int32_t code, const std::string &part) {
        INFO(part);
        const cucore_argument before = std::exchange(saxpy.arguments[index], argument);
        saxpy.refused(code, part);
        saxpy.arguments[index] = before;
    };
    const std::string name = "arguments[3]";
    with(3, {0, 4, 0, nullptr, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {9, 4, 0, nullptr, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_VALUE, 0, 0, nullptr, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_VALUE, 9, 0, nullptr, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_BYTES, 4, 0, nullptr, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_VALUE, 4, 0, nullptr, nullptr, {1, 0}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_VALUE, 4, 0, nullptr, nullptr, {0, 1}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_VALUE, 4, 0, &name, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_VALUE, 4, 0, nullptr, saxpy.x.get(), {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_BYTES, 4, 1, &name, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_BYTES, 4, 0, &name, saxpy.x.get(), {}}, CUCORE_INVALID_ARGUMENT, name);
    with(3, {CUCORE_ARGUMENT_BYTES, 0, 0, &name, nullptr, {}}, CUCORE_INVALID_ARGUMENT, name);
    with(1, {CUCORE_ARGUMENT_OBJECT, 8, 0, nullptr, saxpy.x.get(), {}}, CUCORE_INVALID_ARGUMENT, "arguments[1]");
    with(1, {CUCORE_ARGUMENT_OBJECT, 0, 0, &name, saxpy.x.get(), {}}, CUCORE_INVALID_ARGUMENT, "arguments[1]");
    with(1, {CUCORE_ARGUMENT_OBJECT, 0, 0, nullptr, nullptr, {}}, CUCORE_INVALID_ARGUMENT, "arguments[1]");
    with(1, {CUCORE_ARGUMENT_OBJECT, 0, 0, nullptr, saxpy.stream.get(), {}}, CUCORE_INVALID_HANDLE, "arguments[1]");
    with(1, object(saxpy.x, COUNT * sizeof(float) + 1), CUCORE_INVALID_ARGUMENT, "arguments[1]");
    with(1, object(saxpy.x, UINT64_MAX), CUCORE_INVALID_ARGUMENT, "arguments[1]");
}

TEST_CASE_METHOD(Clean, "a launch needs its options, with dimensions of at least 1") {
    Saxpy saxpy;
    fails_saying(CUCORE_INVALID_ARGUMENT, "options is NULL", cucore_kernel_launch, saxpy.kernel, saxpy.stream, nullptr,
                 saxpy.arguments.data(), saxpy.arguments.size());
    for (int axis = 0; axis < 3; axis++) {
        saxpy.options.grid[axis] = 0;
        saxpy.refused(CUCORE_INVALID_ARGUMENT, "grid");
        saxpy.options.grid[axis] = 1;
        saxpy.options.block[axis] = 0;
        saxpy.refused(CUCORE_INVALID_ARGUMENT, "block");
        saxpy.options.block[axis] = 1;
    }
    saxpy.options.reserved = 1;
    saxpy.refused(CUCORE_INVALID_ARGUMENT, "reserved");
}

TEST_CASE_METHOD(Clean, "launch options follow the rules of options") {
    Saxpy saxpy;
    check_options<cucore_launch_options>(
        [&](const void *options, cucore_status **status) {
            return cucore_kernel_launch(saxpy.kernel, saxpy.stream, static_cast<const cucore_launch_options *>(options),
                                        saxpy.arguments.data(), saxpy.arguments.size(), status);
        },
        saxpy.options);
    ok(cucore_stream_synchronize, saxpy.stream);
}

TEST_CASE_METHOD(Clean, "the driver refuses what the device cannot launch, and says why") {
    Saxpy saxpy;
    saxpy.options.block[0] = 4096;
    const Facts facts =
        fails(cucore_kernel_launch, saxpy.kernel, saxpy.stream, &saxpy.options, saxpy.arguments.data(), saxpy.arguments.size());
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
    CHECK(facts.operation == "cuLaunchKernelEx");
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "kernel saxpy, grid 4 x 1 x 1, block 4096 x 1 x 1") != nullptr);
}

TEST_CASE_METHOD(Clean, "a failed launch has its code also for a caller that wants no status", "[sim]") {
    Saxpy saxpy;
    saxpy.options.block[0] = 4096;
    CHECK(cucore_kernel_launch(saxpy.kernel, saxpy.stream, &saxpy.options, saxpy.arguments.data(), saxpy.arguments.size(),
                               nullptr) == CUCORE_INVALID_ARGUMENT);
}

TEST_CASE_METHOD(Clean, "kernel, stream and buffers are of one device", "[sim]") {
    Saxpy saxpy;
    const Device other = make(cucore_device_open, 1);
    const Stream stream = make(cucore_stream_create, other, nullptr);
    const Facts facts =
        fails(cucore_kernel_launch, saxpy.kernel, stream, &saxpy.options, saxpy.arguments.data(), saxpy.arguments.size());
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_INVALID_HANDLE);
    CHECK(facts.says("stream"));
    const Resource resource = make(cucore_memory_resource_device_pool, other);
    const Buffer foreign = make(cucore_memory_resource_allocate, resource, size_t{COUNT * 4}, stream);
    saxpy.arguments[1] = object(foreign);
    saxpy.refused(CUCORE_INVALID_HANDLE, "arguments[1]");
}

TEST_CASE_METHOD(Clean, "a buffer that a launch uses outlives it", "[sim]") {
    Saxpy saxpy;
    const Stream other = make(cucore_stream_create, saxpy.device, nullptr);
    saxpy.set(saxpy.x, 3);
    saxpy.set(saxpy.y, 10);
    sim().hold(cucore_stream_raw(other));
    ok(cucore_kernel_launch, saxpy.kernel, other, &saxpy.options, saxpy.arguments.data(), saxpy.arguments.size());
    saxpy.x.reset(); // its memory lives on until the launch is done, or the simulated driver counts a violation
    sim().release(cucore_stream_raw(other));
    ok(cucore_stream_synchronize, other);
    CHECK(saxpy.result() == std::vector<float>(COUNT, 16));
}
