// SPDX-License-Identifier: MIT OR Apache-2.0
// Many threads at once: short here, and meant for ThreadSanitizer.
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/process.hpp"

#include <atomic>
#include <functional>
#include <thread>

using namespace test;

namespace {

/// Runs `work` on this many threads and waits for them. Catch2's assertions are for the main thread only.
void on_threads(int count, const std::function<void(int)> &work) {
    std::vector<std::thread> threads;
    for (int index = 0; index < count; index++) {
        threads.emplace_back(work, index);
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
}

/// A sink's user data: what it saw, and whether anything came after its drop.
struct Watched {
    std::atomic<int> calls{0};
    std::atomic<int> drops{0};
    std::atomic<bool> late{false};

    static int32_t call(const cucore_status *, void *self) {
        auto *watched = static_cast<Watched *>(self);
        watched->late = watched->late || watched->drops != 0;
        watched->calls++;
        return 0;
    }
    static void drop(void *self) {
        static_cast<Watched *>(self)->drops++;
    }
};

} // namespace

TEST_CASE_METHOD(Clean, "A9: sinks come and go while warnings fly", "[sim][stress]") {
    constexpr int ROUNDS = 200;
    const Device device = make(cucore_device_open, 0);
    Watched always;
    cucore_warning_sink *stays = cucore_warning_sink_register(&Watched::call, &always, &Watched::drop, nullptr);
    std::vector<Watched> passing(2 * ROUNDS);
    std::atomic<int> caused{0};
    sim().fail_after("cuStreamDestroy", 1, INJECTED, 1);
    on_threads(4, [&](int thread) {
        for (int round = 0; round < ROUNDS; round++) {
            if (thread < 2) {
                Watched &watched = passing[static_cast<size_t>(thread * ROUNDS + round)];
                cucore_warning_sink_release(cucore_warning_sink_register(&Watched::call, &watched, &Watched::drop, nullptr));
            } else {
                cucore_stream_release(cucore_stream_create(device, nullptr, nullptr));
                caused++;
            }
        }
    });
    cucore_warning_sink_release(stays);
    sim().fail_nothing();
    CHECK(always.calls == caused);
    CHECK(always.drops == 1);
    CHECK(sink.take().size() == static_cast<size_t>(caused));
    for (const Watched &watched : passing) {
        if (watched.drops != 1 || watched.late) {
            FAIL("a sink was dropped " << watched.drops << " times, or called after it");
        }
    }
}

TEST_CASE_METHOD(Clean, "A9: two sinks that release each other from two threads do not deadlock", "[sim][stress]") {
    struct Pair {
        std::atomic<cucore_warning_sink *> first{nullptr}, second{nullptr};
        std::atomic<int> drops{0};
    };
    const Device device = make(cucore_device_open, 0);
    const auto drop = [](void *pair) { static_cast<Pair *>(pair)->drops++; };
    for (int round = 0; round < 50; round++) {
        Pair pair;
        pair.first = cucore_warning_sink_register(
            [](const cucore_status *, void *user) {
                cucore_warning_sink_release(static_cast<Pair *>(user)->second.exchange(nullptr));
                return int32_t{0};
            },
            &pair, drop, nullptr);
        pair.second = cucore_warning_sink_register(
            [](const cucore_status *, void *user) {
                cucore_warning_sink_release(static_cast<Pair *>(user)->first.exchange(nullptr));
                return int32_t{0};
            },
            &pair, drop, nullptr);
        sim().fail_after("cuStreamDestroy", 1, INJECTED, 1);
        on_threads(2, [&](int) { cucore_stream_release(cucore_stream_create(device, nullptr, nullptr)); });
        sim().fail_nothing();
        cucore_warning_sink_release(pair.first.exchange(nullptr));
        cucore_warning_sink_release(pair.second.exchange(nullptr));
        CHECK(pair.drops == 2);
        sink.take();
    }
}

TEST_CASE("D5: threads that race for the first load see one load and one result", "[stress]") {
    const Ended ended = run_child({"race"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("code 0\ncode 0\ncode 0\ncode 0\n"));
    CHECK_THAT(ended.out, has("device open\ndevice open\ndevice open\ndevice open\n"));
    if (simulator() != nullptr) {
        CHECK_THAT(ended.out, has("cuInit calls: 1\n"));
    }
}

TEST_CASE_METHOD(Clean, "handles are retained, used and released by several threads", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    const Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{4096}, stream);
    std::atomic<int> failures{0};
    on_threads(4, [&](int) {
        Stream own(cucore_stream_create(device, nullptr, nullptr));
        for (int round = 0; round < 50; round++) {
            cucore_buffer *kept = cucore_buffer_retain(buffer);
            failures += cucore_buffer_fill(kept, 0, 4096, 1, 1, own, nullptr) != CUCORE_OK;
            cucore_buffer_release(kept);
            Event event(cucore_event_create(device, nullptr, nullptr));
            failures += cucore_event_record(event, own, nullptr) != CUCORE_OK;
            failures += cucore_stream_wait_event(stream, event, nullptr) != CUCORE_OK;
        }
        failures += cucore_stream_synchronize(own, nullptr) != CUCORE_OK;
    });
    CHECK(failures == 0);
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "the last reference may go on any thread", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    for (int round = 0; round < 50; round++) {
        const Stream stream = make(cucore_stream_create, device, nullptr);
        std::vector<cucore_stream *> references;
        for (int index = 0; index < 4; index++) {
            references.push_back(cucore_stream_retain(stream));
        }
        on_threads(4, [&](int index) { cucore_stream_release(references[static_cast<size_t>(index)]); });
    }
}

TEST_CASE_METHOD(Clean, "threads that use a device's context first at once leave no reference to it behind", "[stress]") {
    for (int round = 0; round < 200; round++) {
        const Device device = make(cucore_device_open, 0);
        std::atomic<int> ready{0};
        on_threads(2, [&](int) {
            for (ready++; ready < 2;) {
            }
            cucore_context_release(cucore_device_context(device, nullptr));
        });
    }
    ok(cucore_context_release_primary, 0);
}
