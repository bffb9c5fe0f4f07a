// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section H: callbacks, and what is left to the library's own thread. Rows without [sim] run on a real driver too.
#include "support/capture.hpp"
#include "support/cucore.hpp"
#include "support/destroys.hpp"

#include <algorithm>
#include <thread>

using namespace test;

namespace {

struct Callbacks : Clean {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);

    /// Runs `action` as a callback of other code's, on CUDA's thread.
    template <class Action> void in_callback(Action action) {
        in_host_function(cucore_stream_raw(stream), action);
    }
    /// Runs it as one that tells the library of itself.
    template <class Action> void in_told_callback(Action action) {
        int32_t code = -1;
        in_callback([&] {
            code = cucore_callback_enter(nullptr);
            action();
            cucore_callback_leave();
        });
        CHECK(code == CUCORE_OK);
    }
};

/// How many calls of this name in the log worked.
size_t successes(const std::string &name) {
    const std::vector<std::string> log = sim().log();
    return static_cast<size_t>(std::count_if(log.begin(), log.end(), [&](const std::string &entry) {
        return entry.rfind(name + "(", 0) == 0 && entry.size() > 4 && entry.substr(entry.size() - 4) == " = 0";
    }));
}

/// What the simulated driver says of a destroy: how often it worked, and what it left.
class Destroyed {
  public:
    explicit Destroyed(const Destroy &row) : row_(row) {
        if (simulator() != nullptr) {
            sim().log_clear();
            refused_ = sim().callback_thread_calls();
        }
    }
    void check(const Owned &owned, size_t times) const {
        if (simulator() == nullptr || row_.domain != CUCORE_DOMAIN_DRIVER) {
            return;
        }
        INFO(row_.operation << " of " << hex(owned.raw));
        CHECK(successes(row_.operation) == times);
    }
    /// Whether the driver was called in a callback.
    bool called_in_callback() const {
        return simulator() != nullptr && sim().callback_thread_calls() != refused_;
    }

  private:
    const Destroy &row_;
    uint64_t refused_ = 0;
};

} // namespace

TEST_CASE_METHOD(Callbacks, "H3: what is released in a callback that said so is destroyed later, by another thread") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        const Destroyed destroyed(row);
        in_told_callback(owned.release);
        CHECK_FALSE(destroyed.called_in_callback());
        ok(cucore_deferred_drain);
        destroyed.check(owned, 1);
        CHECK(sink.take().empty());
    }
}

TEST_CASE_METHOD(Callbacks, "H3: close in such a callback is OK, and what fails afterwards is a warning", "[sim]") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        const int code = row.domain == CUCORE_DOMAIN_DRIVER ? INJECTED : 4;
        row.fail(code);
        int32_t result = -1, last = -1;
        in_told_callback([&] { result = owned.close(&last, nullptr); });
        CHECK(result == CUCORE_OK);
        CHECK(last == 1);
        ok(cucore_deferred_drain);
        const Facts facts = sink.take_one();
        INFO(describe(facts));
        CHECK(facts.operation == row.operation);
        CHECK(facts.resource == owned.raw);
        CHECK(facts.native == code);
    }
}

TEST_CASE_METHOD(Callbacks, "H3: in such a callback what waits is INVALID_STATE, and what does not wait works") {
    const Event event = make(cucore_event_create, device, nullptr);
    const Context context = make(cucore_device_context, device);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    const Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    char host[64] = {};
    std::vector<std::pair<const char *, Facts>> refused;
    bool plain_works = false;
    in_told_callback([&] {
        const auto refuse = [&](const char *function, auto call) {
            cucore_status *status = nullptr;
            call(&status);
            refused.emplace_back(function, facts_of(status));
            cucore_status_release(status);
        };
        refuse("cucore_stream_synchronize", [&](auto s) { return cucore_stream_synchronize(stream, s); });
        refuse("cucore_event_synchronize", [&](auto s) { return cucore_event_synchronize(event, s); });
        refuse("cucore_context_synchronize", [&](auto s) { return cucore_context_synchronize(context, s); });
        refuse("cucore_device_synchronize", [&](auto s) { return cucore_device_synchronize(device, s); });
        refuse("cucore_buffer_synchronize", [&](auto s) { return cucore_buffer_synchronize(buffer, s); });
        refuse("cucore_buffer_copy_from_host",
               [&](auto s) { return cucore_buffer_copy_from_host(buffer, 0, host, 64, stream, s); });
        refuse("cucore_buffer_copy_to_host", [&](auto s) { return cucore_buffer_copy_to_host(buffer, 0, host, 64, stream, s); });
        refuse("cucore_deferred_drain", [&](auto s) { return cucore_deferred_drain(s); });
        const Stream again(cucore_stream_retain(stream));
        cucore_warning_queue *queue = cucore_warning_queue_create(1, nullptr);
        plain_works = again.get() == stream.get() && queue != nullptr && cucore_buffer_size(buffer) == 64;
        cucore_warning_queue_release(queue);
    });
    CHECK(refused.size() == 8);
    for (const auto &[function, facts] : refused) {
        INFO(function << ": " << describe(facts));
        CHECK(facts.code == CUCORE_INVALID_STATE);
        CHECK(facts.says("in a CUDA callback"));
    }
    CHECK(plain_works);
    if (simulator() != nullptr) {
        CHECK(sim().callback_thread_calls() == 0);
    }
    ok(cucore_stream_synchronize, stream); // here it is allowed
}

TEST_CASE_METHOD(Callbacks, "H3: a callback that forgot to say so: a destroy that the driver refuses is made once more, later") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const std::vector<std::string> live = simulator() != nullptr ? sim().live() : std::vector<std::string>{};
        const Owned owned = row.make(device);
        const Destroyed destroyed(row);
        in_callback([&] { owned.release(); });
        ok(cucore_deferred_drain);
        destroyed.check(owned, 1);
        CHECK(sink.take().empty());
        if (simulator() != nullptr) {
            CHECK(destroyed.called_in_callback() == (row.domain == CUCORE_DOMAIN_DRIVER));
            for (const std::string &line : new_lines(live, sim().live())) {
                CHECK_THAT(line, has("context")); // of the device, at its first use
            }
        }
    }
}

TEST_CASE_METHOD(Callbacks, "H3: a close that the driver refuses so is OK, and made once more, later") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        const Destroyed destroyed(row);
        int32_t result = -1;
        in_callback([&] { result = owned.close(nullptr, nullptr); });
        CHECK(result == CUCORE_OK);
        ok(cucore_deferred_drain);
        destroyed.check(owned, 1);
        CHECK(sink.take().empty());
    }
}

TEST_CASE_METHOD(Callbacks, "H3: a destroy that is refused everywhere is one warning, not tried for ever", "[sim]") {
    expect_any_leaks();
    for (const Destroy &row : destroys()) {
        if (row.domain != CUCORE_DOMAIN_DRIVER) {
            continue;
        }
        INFO(row.operation);
        const Owned owned = row.make(device);
        const uint64_t calls = sim().call_count(row.operation);
        sim().fail(row.operation, 1, CUDA_ERROR_NOT_PERMITTED, 1);
        owned.release();
        ok(cucore_deferred_drain);
        sim().fail_nothing();
        CHECK(sim().call_count(row.operation) == calls + 2);
        const Facts facts = sink.take_one();
        INFO(describe(facts));
        CHECK(facts.native == CUDA_ERROR_NOT_PERMITTED);
        CHECK(facts.resource == owned.raw);
    }
}

TEST_CASE_METHOD(Callbacks, "H3: a refused exchange of the capture mode does not make a destroy happen twice", "[sim]") {
    for (const uint64_t nth : {1, 2}) {
        for (const Destroy &row : destroys()) {
            INFO(row.operation << ", exchange " << nth);
            const Owned owned = row.make(device);
            const Destroyed destroyed(row);
            sim().fail("cuThreadExchangeStreamCaptureMode", nth, CUDA_ERROR_NOT_PERMITTED, 0);
            owned.release();
            sim().fail_nothing();
            CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
            CHECK(raw().cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
            ok(cucore_deferred_drain);
            destroyed.check(owned, 1);
            sink.take();
        }
    }
}

TEST_CASE_METHOD(Callbacks, "H3: buffers used on other streams are freed later too, also if the callback forgot to say so") {
    const Resource pool = make(cucore_memory_resource_create_pool, device, nullptr);
    const Stream second = make(cucore_stream_create, device, nullptr);
    for (const bool told : {true, false}) {
        Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, second);
        if (told) {
            in_told_callback([&] { buffer.reset(); });
        } else {
            in_callback([&] { buffer.reset(); });
        }
        ok(cucore_deferred_drain);
        ok(cucore_stream_synchronize, stream);
        uint64_t used = 1;
        ok(cucore_memory_resource_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &used);
        CHECK(used == 0);
    }
}

TEST_CASE_METHOD(Callbacks, "H3: what is released in many callbacks at once is all destroyed") {
    std::vector<Stream> streams;
    for (int index = 0; index < 64; index++) {
        streams.push_back(make(cucore_stream_create, device, nullptr));
    }
    const std::vector<std::string> live = simulator() != nullptr ? sim().live() : std::vector<std::string>{};
    in_told_callback([&] {
        cucore_callback_enter(nullptr); // they nest
        streams.clear();
        cucore_callback_leave();
        streams.shrink_to_fit();
    });
    ok(cucore_deferred_drain);
    if (simulator() != nullptr) {
        CHECK(sim().live().size() == live.size() - 64);
    }
}

namespace {

/// A sink that tries to drain, and sees which thread it is on.
struct Drainer {
    int32_t code = -1;
    std::thread::id thread;

    static int32_t call(const cucore_status *, void *user_data) {
        auto *drainer = static_cast<Drainer *>(user_data);
        drainer->code = cucore_deferred_drain(nullptr);
        drainer->thread = std::this_thread::get_id();
        return 0;
    }
};

} // namespace

TEST_CASE_METHOD(Callbacks, "H3: a sink runs on no thread of CUDA's, and cannot drain there", "[sim]") {
    Drainer drainer;
    cucore_warning_sink *draining = cucore_warning_sink_register(&Drainer::call, &drainer, nullptr, nullptr);
    std::thread::id cuda;
    const Owned owned = destroys().front().make(device);
    destroys().front().fail(INJECTED);
    in_told_callback([&] {
        cuda = std::this_thread::get_id();
        owned.release();
    });
    ok(cucore_deferred_drain);
    CHECK(drainer.code == CUCORE_INVALID_STATE);
    CHECK(drainer.thread != cuda);
    CHECK(drainer.thread != std::thread::id());
    CHECK(sink.take().size() == 1);
    cucore_warning_sink_release(draining);
}

TEST_CASE_METHOD(Callbacks, "H3: with nothing left to do a drain returns at once") {
    for (int time = 0; time < 100; time++) {
        ok(cucore_deferred_drain);
    }
    cucore_callback_leave(); // of nothing
    ok(cucore_stream_synchronize, stream);
}
