// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section C: creation and teardown. On the simulated driver with the fake compilers.
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/fake_compilers.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <random>
#include <thread>

using namespace test;

namespace {

/// One handle of each noun, each made of those before it, and how each is given up.
constexpr size_t NOUNS = 10;

std::array<std::function<void()>, NOUNS> make_all(bool with_compilers) {
    const auto releasing = [](auto handle) {
        auto *reference = handle.give();
        return [=] { Noun<std::remove_pointer_t<decltype(reference)>>::release(reference); };
    };
    Device device = make(cucore_device_open, 0);
    Context context = make(cucore_device_context, device);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Event event = make(cucore_event_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, stream);
    const ObjectCode code = ptx(NOTHING_PTX);
    Library library = make(cucore_library_load, device, code);
    Kernel kernel = find(library, "nothing");
    Program program;
    Linker linker;
    if (with_compilers) {
        cucore_object_code *inputs[] = {code};
        program = make(cucore_program_create, device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr);
        linker = make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    }
    return {releasing(std::move(device)),  releasing(std::move(context)),  releasing(std::move(stream)),
            releasing(std::move(event)),   releasing(std::move(resource)), releasing(std::move(buffer)),
            releasing(std::move(library)), releasing(std::move(kernel)),   releasing(std::move(program)),
            releasing(std::move(linker))};
}

/// The index in the call log of the only call of this name; fails the test if it is not the only one.
size_t only_call(const std::vector<std::string> &log, const std::string &name) {
    const auto is_it = [&](const std::string &entry) { return entry.compare(0, name.size() + 1, name + "(") == 0; };
    const auto found = std::find_if(log.begin(), log.end(), is_it);
    if (found == log.end() || std::count_if(log.begin(), log.end(), is_it) != 1) {
        FAIL(name << " was not called just once");
    }
    return static_cast<size_t>(found - log.begin());
}

template <class Order> void release_in(const Order &order, bool with_compilers) {
    sim().log_clear();
    const auto release = make_all(with_compilers);
    for (const auto noun : order) {
        release[noun]();
    }
    const std::vector<std::string> log = sim().log();
    only_call(log, "cuEventDestroy");
    only_call(log, "cuLibraryUnload");
    if (only_call(log, "cuMemFreeAsync") > only_call(log, "cuStreamDestroy")) {
        FAIL("the stream was destroyed before the memory that is freed on it");
    }
}

} // namespace

TEST_CASE_METHOD(Clean, "C1: every order of releasing device, context, stream, event, pool, buffer, library, kernel", "[sim]") {
    std::array<size_t, 8> order{};
    std::iota(order.begin(), order.end(), size_t{0});
    int orders = 0;
    do {
        release_in(order, false);
        orders++;
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(orders == 40320);
}

TEST_CASE_METHOD(Clean, "C1: sampled orders with a program and a linker", "[sim]") {
    std::array<size_t, NOUNS> order{};
    std::iota(order.begin(), order.end(), size_t{0});
    std::mt19937 random(20260102); // NOLINT: the same orders each time
    for (int sample = 0; sample < 2000; sample++) {
        std::shuffle(order.begin(), order.end(), random);
        release_in(order, true);
    }
    CHECK(fake_compilers().live() == 0);
}

TEST_CASE_METHOD(Clean, "C4: a buffer is freed on its deallocation stream, whatever thread and context", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    const auto freed_by = [&](const std::function<void(cucore_buffer *)> &release) {
        cucore_buffer *buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, stream).give();
        const std::string expected =
            "cuMemFreeAsync(" + hex(cucore_buffer_raw(buffer)) + ", " + hex(cucore_stream_raw(stream)) + ") = 0";
        sim().log_clear();
        release(buffer);
        const std::vector<std::string> log = sim().log();
        CHECK(std::count(log.begin(), log.end(), expected) == 1);
    };
    freed_by([](cucore_buffer *buffer) { cucore_buffer_release(buffer); });
    freed_by([](cucore_buffer *buffer) { std::thread([=] { cucore_buffer_release(buffer); }).join(); });
    const ForeignContext foreign(1);
    freed_by([](cucore_buffer *buffer) { cucore_buffer_release(buffer); });
}

TEST_CASE_METHOD(Clean, "C4: with other streams' work too, the free is in the context of the deallocation stream", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream first = make(cucore_stream_create, device, nullptr), second = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    cucore_buffer *buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, first).give();
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 0u, 1u, second);
    bool bare = false;
    std::thread([&] {
        cucore_buffer_release(buffer);
        CUcontext current = nullptr;
        bare = raw().cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == nullptr;
    }).join();
    CHECK(bare);
}

TEST_CASE_METHOD(Clean, "C5: the device's default pool is never destroyed", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Resource first = make(cucore_memory_resource_device_pool, device);
    const auto raw_pool = cucore_memory_resource_raw(first);
    make(cucore_memory_resource_device_pool, device);
    CHECK(cucore_memory_resource_raw(make(cucore_memory_resource_device_pool, device)) == raw_pool);
    CHECK(sim().call_count("cuMemPoolDestroy") == 0);
}
