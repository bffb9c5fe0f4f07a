// SPDX-License-Identifier: MIT OR Apache-2.0
// Functions that a stream calls when it gets to them. POLICY, H1 and H2. Rows without [sim] run on a real driver too.
#include "support/capture.hpp"
#include "support/cucore.hpp"
#include "support/destroys.hpp"
#include "support/process.hpp"

#include <atomic>
#include <functional>
#include <thread>

using namespace test;

namespace {

/// What a callback of ours was told, and what became of its data.
struct Seen {
    std::function<void()> action = [] {};
    std::atomic<int> runs{0};
    std::atomic<int> drops{0};
    bool failed = false;
    Facts outcome;
    std::thread::id ran_on;
    std::thread::id dropped_on;

    static void run(const cucore_status *outcome, void *user_data) {
        Seen &seen = *static_cast<Seen *>(user_data);
        seen.failed = outcome != nullptr;
        if (outcome != nullptr) {
            seen.outcome = facts_of(outcome);
        }
        seen.ran_on = std::this_thread::get_id();
        seen.action();
        seen.runs++;
    }
    static void drop(void *user_data) {
        Seen &seen = *static_cast<Seen *>(user_data);
        seen.dropped_on = std::this_thread::get_id();
        seen.drops++;
    }
};

struct StreamCallbacks : Clean {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Seen seen;

    void add(Seen &to) {
        ok(cucore_stream_add_callback, stream, &Seen::run, static_cast<void *>(&to), &Seen::drop);
    }
    void finish() {
        ok(cucore_stream_synchronize, stream);
        ok(cucore_deferred_drain);
    }
    /// Runs `action` as a callback of the library's.
    void in_callback(std::function<void()> action) {
        Seen one;
        one.action = std::move(action);
        add(one);
        finish();
        CHECK(one.runs == 1);
        CHECK(one.drops == 1);
    }
};

} // namespace

TEST_CASE_METHOD(StreamCallbacks,
                 "H1: a stream callback runs once, without a failure, and its data is dropped once, on another thread") {
    add(seen);
    finish();
    CHECK(seen.runs == 1);
    CHECK_FALSE(seen.failed);
    CHECK(seen.drops == 1);
    CHECK(seen.dropped_on != seen.ran_on);
    CHECK(seen.dropped_on != std::this_thread::get_id());
}

TEST_CASE_METHOD(StreamCallbacks, "H1: callbacks run in the order of the stream, after the work before them") {
    std::vector<int> order;
    std::vector<Seen> all(5);
    Held held(cucore_stream_raw(stream));
    for (int i = 0; i < 5; i++) {
        all[static_cast<size_t>(i)].action = [&order, i] { order.push_back(i); };
        add(all[static_cast<size_t>(i)]);
    }
    CHECK(all[0].runs == 0);
    held.go();
    finish();
    CHECK(order == std::vector<int>{0, 1, 2, 3, 4});
}

TEST_CASE_METHOD(StreamCallbacks, "H1: a callback on the default stream, with no data to drop, whatever context is current") {
    const Stream legacy = make(cucore_stream_default, device);
    raw().cuCtxSetCurrent(nullptr);
    ok(cucore_stream_add_callback, legacy, &Seen::run, static_cast<void *>(&seen), nullptr);
    ok(cucore_stream_synchronize, legacy);
    CHECK(seen.runs == 1);
    CHECK(seen.drops == 0);
}

TEST_CASE_METHOD(StreamCallbacks, "H1: where it cannot be put on the stream it does not run, and its data is dropped at once",
                 "[sim]") {
    SECTION("the driver refuses") {
        sim().fail("cuStreamAddCallback", 1, INJECTED, 0);
        const Facts facts = fails(cucore_stream_add_callback, stream, &Seen::run, static_cast<void *>(&seen), &Seen::drop);
        CHECK(facts.operation == "cuStreamAddCallback");
        CHECK(facts.resource == reinterpret_cast<uint64_t>(cucore_stream_raw(stream)));
    }
    SECTION("there is no function") {
        fails_saying(CUCORE_INVALID_ARGUMENT, "function is NULL", cucore_stream_add_callback, stream, nullptr,
                     static_cast<void *>(&seen), &Seen::drop);
    }
    SECTION("there is no stream") {
        fails_saying(CUCORE_INVALID_ARGUMENT, "stream is NULL", cucore_stream_add_callback, nullptr, &Seen::run,
                     static_cast<void *>(&seen), &Seen::drop);
    }
    SECTION("the stream is being captured") {
        Capture capture(cucore_stream_raw(stream), CU_STREAM_CAPTURE_MODE_RELAXED);
        fails_saying(CUCORE_INVALID_STATE, "a callback cannot be a part", cucore_stream_add_callback, stream, &Seen::run,
                     static_cast<void *>(&seen), &Seen::drop);
        CHECK(capture.end() == CUDA_SUCCESS);
    }
    CHECK(seen.drops == 1);
    CHECK(seen.dropped_on == std::this_thread::get_id());
    finish();
    CHECK(seen.runs == 0);
    CHECK(seen.drops == 1);
}

TEST_CASE_METHOD(StreamCallbacks, "H1: it runs also if the stream was given up before", "[sim]") {
    Held held(cucore_stream_raw(stream));
    add(seen);
    const Seen &later = seen;
    stream.reset();
    CHECK(later.runs == 0);
    held.go();
    ok(cucore_deferred_drain);
    CHECK(later.runs == 1);
    CHECK(later.drops == 1);
}

TEST_CASE_METHOD(StreamCallbacks, "H1: after a fault it runs with that, also if it was put on the stream before", "[sim]") {
    expect_any_leaks();
    Held held(cucore_stream_raw(stream));
    add(seen);
    sim().sticky_fault(0, CUDA_ERROR_ILLEGAL_ADDRESS);
    held.go();
    ok(cucore_deferred_drain);
    CHECK(seen.runs == 1);
    CHECK(seen.drops == 1);
    REQUIRE(seen.failed);
    CHECK(seen.outcome.code == CUCORE_DEVICE_LOST);
    CHECK(seen.outcome.native == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK_THAT(describe(seen.outcome), has("work put on the stream before the callback failed"));
    stream.reset();
    sink.take(); // the stream was destroyed with the fault
}

TEST_CASE("H1: on a real device too it runs with the fault of a kernel, once, and its data is dropped once") {
    const Ended ended = run_child({"callback-after-fault"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.out == "ran once with 700, dropped once\n");
}

TEST_CASE("H1: at process exit and in a forked child what is still to come neither runs nor is dropped", "[sim]") {
    const Ended exited = run_child({"callback-at-exit"});
    CHECK(exited.code == 0);
    CHECK(exited.out == "released\n");
    const Ended forked = run_child({"callback-in-fork"});
    CHECK(forked.code == 0);
    CHECK(forked.out == "child ended: 0\n");
}

TEST_CASE_METHOD(StreamCallbacks, "H2: what is released in a stream callback is destroyed later, by another thread") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const std::vector<std::string> live = simulator() != nullptr ? sim().live() : std::vector<std::string>{};
        const Owned owned = row.make(device);
        in_callback(owned.release);
        ok(cucore_deferred_drain);
        CHECK(sink.take().empty());
        if (simulator() != nullptr) {
            CHECK(sim().callback_thread_calls() == 0);
            for (const std::string &line : new_lines(live, sim().live())) {
                CHECK_THAT(line, has("context")); // of the device, at its first use
            }
        }
    }
}

TEST_CASE_METHOD(StreamCallbacks, "H2: in a stream callback what waits is INVALID_STATE, draining too") {
    std::vector<Facts> refused;
    in_callback([&] {
        const auto refuse = [&](auto call) {
            cucore_status *status = nullptr;
            call(&status);
            refused.push_back(facts_of(status));
            cucore_status_release(status);
        };
        refuse([&](auto s) { return cucore_stream_synchronize(stream, s); });
        refuse([&](auto s) { return cucore_device_synchronize(device, s); });
        refuse([&](auto s) { return cucore_deferred_drain(s); });
    });
    REQUIRE(refused.size() == 3);
    for (const Facts &facts : refused) {
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_INVALID_STATE);
        CHECK(facts.says("in a CUDA callback"));
    }
}

TEST_CASE("a process whose callbacks are done ends without waiting") {
    const Ended ended = run_child({"exit-after-work"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("sleeps at exit: 0\n"));
}

TEST_CASE_METHOD(Clean, "CUDA's thread is in a callback no longer than the function runs") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const auto nothing = [](const cucore_status *, void *) {};
    ok(cucore_stream_add_callback, stream, nothing, nullptr, nullptr);
    ok(cucore_stream_synchronize, stream);
    int32_t code = -1;
    in_host_function(cucore_stream_raw(stream), [&code] { code = cucore_deferred_drain(nullptr); });
    CHECK(code == CUCORE_OK);
}
