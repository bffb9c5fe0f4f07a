// SPDX-License-Identifier: MIT OR Apache-2.0
// What a call that succeeds allocates: a handle that it makes, once, and else nothing. Counted are the library's own calls of
// malloc, calloc and realloc (support/faults.hpp). Each exception has its reason beside it.
#include "support/calls.hpp"
#include "support/contexts.hpp"
#include "support/faults.hpp"

#include <algorithm>
#include <memory>

using namespace test;

namespace {

/// How often the library allocates in `action`.
template <class Action> uint64_t allocations(Action action) {
    fail_library_call(nullptr, 0, false);
    action();
    const uint64_t count = library_calls();
    fail_no_library_call();
    return count;
}

/// The calls that make one handle.
const std::vector<std::string> creations = {
    "cucore_context_from_raw",
    "cucore_device_open",
    "cucore_device_with_context",
    "cucore_event_create",
    "cucore_library_kernel",
    "cucore_library_load",
    "cucore_memory_resource_allocate",
    "cucore_memory_resource_create_pinned_pool",
    "cucore_memory_resource_create_pool",
    "cucore_memory_resource_device_pool",
    "cucore_memory_resource_pinned",
    "cucore_stream_create",
    "cucore_stream_default",
    "cucore_stream_from_raw",
};

/// Exceptions: what a call allocates, and why.
struct Exception {
    const char *function;
    uint64_t (*allocations)(int devices);
    const char *reason;
};

const Exception exceptions[] = {
    {"cucore_device_open_all", [](int devices) { return uint64_t(devices); }, "a handle for each device"},
    {"cucore_stream_add_callback", [](int) { return uint64_t{1}; }, "what is to be called, until it was"},
    {"cucore_library_kernels", [](int) { return uint64_t{3}; }, "two lists of kernels, and a handle for the one there is"},
};

uint64_t expected(const std::string &function, int devices) {
    for (const Exception &exception : exceptions) {
        if (function == exception.function) {
            return exception.allocations(devices);
        }
    }
    return std::count(creations.begin(), creations.end(), function) == 0 ? 0 : 1;
}

int count_of_devices() {
    int32_t count = 0;
    ok(cucore_device_count, &count);
    return count;
}

/// Makes every call of the table but those of compilers, and checks what it allocates.
void check_calls(Kit kit) {
    const int devices = count_of_devices();
    for (const Call &row : calls) {
        if (row.need == Call::COMPILER) { // they allocate as they like, and so does what the library keeps of options and logs
            continue;
        }
        Status warm;
        row.call(kit, warm.maybe()); // what is allocated once and kept is not counted
        Status status;
        int32_t code = BAD_VALUE;
        const uint64_t count = allocations([&] { code = row.call(kit, status.maybe()); });
        INFO(row.function);
        CHECK(code == CUCORE_OK);
        CHECK(count == expected(row.function, devices));
    }
}

struct Memory {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{1024}, stream);
};

/// nothing_of_many(.param .u32 p0, ...): a kernel that takes this many numbers.
std::string ptx_with_parameters(int count) {
    std::string parameters;
    for (int index = 0; index < count; index++) {
        parameters += (index == 0 ? ".param .u32 p" : ", .param .u32 p") + std::to_string(index);
    }
    return ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry many(" + parameters + ")\n{\n    ret;\n}\n";
}

uint64_t allocations_of_launch(cucore_device *device, cucore_stream *stream, int parameters) {
    const Kernel kernel = find(load(device, ptx_with_parameters(parameters)), "many");
    const std::vector<cucore_argument> arguments(static_cast<size_t>(parameters), value(int32_t{1}));
    const cucore_launch_options options = shape(1, 1);
    return allocations([&] { ok(cucore_kernel_launch, kernel, stream, &options, arguments.data(), arguments.size()); });
}

} // namespace

TEST_CASE_METHOD(Clean, "no malloc: a call allocates the handle that it makes, and else nothing, with no context current") {
    OwnedKit owned;
    check_calls(owned.kit);
}

TEST_CASE_METHOD(Clean, "no malloc: the same with the bound context current, whose handle is found") {
    OwnedKit owned;
    const Pushed bound(cucore_context_raw(owned.kit.context));
    Kit kit = owned.kit;
    for (const char *function : {"cucore_event_create", "cucore_stream_create", "cucore_context_current"}) {
        const auto row =
            std::find_if(calls.begin(), calls.end(), [&](const Call &call) { return call.function == std::string(function); });
        CHECK(allocations([&] { row->call(kit, nullptr); }) == expected(function, 1));
    }
    cucore_device *device = nullptr;
    CHECK(allocations([&] { ok(cucore_device_current, &device); }) == 1);
    cucore_device_release(device);
}

TEST_CASE_METHOD(Clean, "no malloc: a context that is not the library's is wrapped in a handle when it is asked for") {
    const ForeignContext foreign;
    cucore_context *context = nullptr;
    CHECK(allocations([&] { ok(cucore_context_current, &context); }) == 1);
    cucore_context_release(context);
    cucore_device *device = nullptr;
    CHECK(allocations([&] { ok(cucore_device_current, &device); }) == 2); // the device's handle, and its context's
    cucore_device_release(device);
}

TEST_CASE_METHOD(Clean, "no malloc: the end of a handle allocates nothing") {
    auto owned = std::make_unique<OwnedKit>();
    const auto &kit = owned->kit;
    REQUIRE(cucore_buffer_note_use(kit.buffer, kit.other_stream, nullptr) == CUCORE_OK);
    CHECK(allocations([&] { owned.reset(); }) == 0);
}

TEST_CASE_METHOD(Clean, "no malloc: what is released in a callback waits in a list through the handles themselves") {
    Memory memory;
    ok(cucore_callback_enter); // which starts the library's thread the first time
    CHECK(allocations([&] {
              memory.buffer.reset();
              memory.stream.reset();
          }) == 0);
    cucore_callback_leave();
    ok(cucore_deferred_drain);
}

TEST_CASE_METHOD(Clean, "no malloc: a buffer has room for four streams beside its own, and takes memory for the fifth") {
    const Memory memory;
    for (int index = 1; index <= 9; index++) {
        INFO(index);
        const Stream stream = make(cucore_stream_create, memory.device, nullptr);
        const auto note = [&] { ok(cucore_buffer_note_use, memory.buffer, stream); };
        CHECK(allocations(note) == (index == 5 || index == 9 ? 1 : 0));
        CHECK(allocations(note) == 0);
    }
}

TEST_CASE_METHOD(Clean, "no malloc: a launch has room for 32 arguments, and takes memory for more") {
    const Memory memory;
    CHECK(allocations_of_launch(memory.device, memory.stream, 0) == 0);
    CHECK(allocations_of_launch(memory.device, memory.stream, 32) == 0);
    CHECK(allocations_of_launch(memory.device, memory.stream, 33) == 1);
    ok(cucore_stream_synchronize, memory.stream);
}

TEST_CASE_METHOD(Clean, "no malloc: copies of host memory share blocks that are kept") {
    const Memory memory;
    std::vector<char> bytes(1024);
    const auto copy = [&] {
        ok(cucore_buffer_copy_from_host, memory.buffer, size_t{0}, bytes.data(), bytes.size(), memory.stream);
        ok(cucore_buffer_copy_to_host, memory.buffer, size_t{0}, bytes.data(), bytes.size(), memory.stream);
    };
    CHECK(allocations(copy) <= 1); // the first block, if nothing was copied before
    CHECK(allocations(copy) == 0);
}

TEST_CASE("no malloc: sinks, queues and statuses") {
    const auto nothing = [](const cucore_status *, void *) { return int32_t{0}; };
    cucore_warning_sink *sink = nullptr;
    CHECK(allocations([&] { sink = cucore_warning_sink_register(nothing, nullptr, nullptr, nullptr); }) == 1);
    CHECK(allocations([&] { cucore_warning_sink_release(sink); }) == 0);
    cucore_warning_queue *queue = nullptr;
    CHECK(allocations([&] { queue = cucore_warning_queue_create(8, nullptr); }) == 2); // the queue, and its sink
    CHECK(allocations([&] {
              CHECK(cucore_warning_queue_poll(queue) == nullptr);
              CHECK(cucore_warning_queue_lost(queue) == 0);
              cucore_warning_queue_release(queue);
          }) == 0);
    cucore_status *status = nullptr;
    CHECK(allocations([&] { status = cucore_status_create(CUCORE_CANCELLED, "no", 2); }) == 1);
    CHECK(allocations([&] { cucore_status_release(cucore_status_retain(status)); }) == 0);
    cucore_status_release(status);
}

TEST_CASE_METHOD(Clean, "no malloc: handles of one stream are one stream to a buffer") {
    const Memory memory;
    const Stream owner = make(cucore_stream_create, memory.device, nullptr);
    for (int index = 0; index < 20; index++) {
        const Stream borrowed =
            make(cucore_stream_from_raw, memory.device, cucore_stream_raw(owner), CUCORE_BORROW, nullptr, nullptr);
        const Stream legacy = make(cucore_stream_default, memory.device);
        CHECK(allocations([&] { ok(cucore_buffer_note_use, memory.buffer, borrowed); }) == 0);
        CHECK(allocations([&] { ok(cucore_buffer_note_use, memory.buffer, legacy); }) == 0);
    }
}
