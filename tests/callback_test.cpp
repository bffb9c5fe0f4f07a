// SPDX-License-Identifier: MIT OR Apache-2.0
// What may be done inside a CUDA callback, and the library's own thread. POLICY's rows are in policy_h_test.cpp.
#include "support/capture.hpp"
#include "support/cucore.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

using namespace test;

namespace {

/// From its construction to its destruction this thread says that it is in a CUDA callback.
class InCallback {
  public:
    InCallback() {
        ok(cucore_callback_enter);
    }
    InCallback(const InCallback &) = delete;
    ~InCallback() {
        cucore_callback_leave();
    }
};

struct Handles {
    Device device = make(cucore_device_open, 0);
    Context context = make(cucore_device_context, device);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Event event = make(cucore_event_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, stream);
};

/// The signals that each thread of this process blocks, as bits.
std::vector<uint64_t> blocked_signals() {
    std::vector<uint64_t> masks;
    for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream status(task.path() / "status");
        for (std::string line; std::getline(status, line);) {
            if (line.rfind("SigBlk:", 0) == 0) {
                masks.push_back(std::stoull(line.substr(7), nullptr, 16));
            }
        }
    }
    return masks;
}

} // namespace

TEST_CASE_METHOD(Clean, "what waits is INVALID_STATE in a callback, and works after it") {
    const Handles handles;
    char bytes[64] = {};
    const auto refused = [](const Facts &facts) {
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_INVALID_STATE);
        CHECK(facts.says("callback"));
    };
    {
        const InCallback callback;
        refused(fails(cucore_context_synchronize, handles.context));
        refused(fails(cucore_device_synchronize, handles.device));
        refused(fails(cucore_stream_synchronize, handles.stream));
        refused(fails(cucore_event_synchronize, handles.event));
        refused(fails(cucore_buffer_synchronize, handles.buffer));
        refused(fails(cucore_buffer_copy_from_host, handles.buffer, size_t{0}, bytes, sizeof bytes, handles.stream));
        refused(fails(cucore_buffer_copy_to_host, handles.buffer, size_t{0}, bytes, sizeof bytes, handles.stream));
        refused(fails(cucore_deferred_drain));
    }
    ok(cucore_context_synchronize, handles.context);
    ok(cucore_buffer_copy_from_host, handles.buffer, size_t{0}, bytes, sizeof bytes, handles.stream);
    ok(cucore_deferred_drain);
}

TEST_CASE_METHOD(Clean, "callbacks nest, and leaving none does nothing") {
    const Handles handles;
    cucore_callback_leave();
    {
        const InCallback outer;
        { const InCallback inner; }
        CHECK(fails(cucore_stream_synchronize, handles.stream).code == CUCORE_INVALID_STATE);
    }
    ok(cucore_stream_synchronize, handles.stream);
    cucore_callback_leave();
    ok(cucore_stream_synchronize, handles.stream);
}

TEST_CASE_METHOD(Clean, "being in a callback is of one thread alone") {
    const Handles handles;
    const InCallback callback;
    int32_t code = -1;
    std::thread([&] { code = cucore_stream_synchronize(handles.stream, nullptr); }).join();
    CHECK(code == CUCORE_OK);
}

TEST_CASE_METHOD(Clean, "what is released in a callback is destroyed by the library's thread", "[sim]") {
    Handles handles;
    const size_t streams = sim().live_count("stream");
    std::thread::id destroying;
    const auto keep_thread = [](void *where) { *static_cast<std::thread::id *>(where) = std::this_thread::get_id(); };
    sim().hook("cuStreamDestroy", 1, keep_thread, &destroying);
    {
        const InCallback callback;
        handles.event.reset();
        handles.buffer.reset();
        handles.stream.reset();
    }
    ok(cucore_deferred_drain);
    CHECK(sim().live_count("stream") == streams - 1);
    CHECK(destroying != std::thread::id());
    CHECK(destroying != std::this_thread::get_id());
}

TEST_CASE_METHOD(Clean, "close in a callback is OK, and what fails later is a warning", "[sim]") {
    Handles handles;
    sim().fail_after("cuEventDestroy", 1, INJECTED, 0);
    {
        const InCallback callback;
        int32_t destroyed = -1;
        ok(cucore_event_close, handles.event.give(), &destroyed);
        CHECK(destroyed == 1);
    }
    ok(cucore_deferred_drain);
    CHECK(sink.take_one().operation == "cuEventDestroy");
}

TEST_CASE_METHOD(Clean, "handles are released inside CUDA's own callback") {
    Handles handles;
    const Stream other = make(cucore_stream_create, handles.device, nullptr);
    int32_t entered = -1;
    in_host_function(cucore_stream_raw(other), [&] {
        entered = cucore_callback_enter(nullptr);
        handles.event.reset();
        handles.buffer.reset();
        handles.stream.reset();
        cucore_callback_leave();
    });
    CHECK(entered == CUCORE_OK);
    ok(cucore_deferred_drain);
    ok(cucore_stream_synchronize, other);
}

TEST_CASE_METHOD(Clean, "a drain inside a sink is INVALID_STATE", "[sim]") {
    Handles handles;
    int32_t code = -1;
    const auto drain = [](const cucore_status *, void *where) {
        *static_cast<int32_t *>(where) = cucore_deferred_drain(nullptr);
        return int32_t{0};
    };
    cucore_warning_sink *drains = cucore_warning_sink_register(drain, &code, nullptr, nullptr);
    sim().fail_after("cuEventDestroy", 1, INJECTED, 0);
    handles.event.reset();
    cucore_warning_sink_release(drains);
    CHECK(code == CUCORE_INVALID_STATE);
    sink.take_one();
}

TEST_CASE_METHOD(Clean, "memory whose stream is captured is freed after the capture, and a drain does not wait for that", "[sim]") {
    Handles handles;
    const size_t before = sim().live_count("memory");
    Capture capture(cucore_stream_raw(handles.stream), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    int32_t destroyed = -1;
    ok(cucore_buffer_close, handles.buffer.give(), &destroyed);
    CHECK(destroyed == 1);
    ok(cucore_deferred_drain);
    CHECK(sim().live_count("memory") == before);
    CHECK(capture.end() == CUDA_SUCCESS);
    ok(cucore_deferred_drain);
    CHECK(sim().live_count("memory") == before - 1);
}

TEST_CASE_METHOD(Clean, "the library's thread takes no signals", "[native]") {
    const InCallback callback;
    const uint64_t never = (uint64_t{1} << (SIGKILL - 1)) | (uint64_t{1} << (SIGSTOP - 1)) |
                           (uint64_t{3} << 31); // and the two that the C library keeps for itself
    const std::vector<uint64_t> masks = blocked_signals();
    CHECK(std::any_of(masks.begin(), masks.end(), [&](uint64_t mask) { return (mask | never) == UINT64_MAX; }));
}

TEST_CASE_METHOD(Clean, "objects are released in callbacks by many threads while others drain", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    std::atomic<int> failures{0};
    std::vector<std::thread> threads;
    for (int index = 0; index < 4; index++) {
        threads.emplace_back([&, index] {
            for (int round = 0; round < 50; round++) {
                cucore_stream *stream = cucore_stream_create(device, nullptr, nullptr);
                failures += stream == nullptr;
                if (index == 0) {
                    cucore_stream_release(stream);
                    failures += cucore_deferred_drain(nullptr) != CUCORE_OK;
                    continue;
                }
                failures += cucore_callback_enter(nullptr) != CUCORE_OK;
                cucore_stream_release(stream);
                cucore_callback_leave();
            }
        });
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    CHECK(failures == 0);
    ok(cucore_deferred_drain);
}

TEST_CASE_METHOD(Clean, "a drop that runs on the library's thread cannot wait for that thread") {
    const Device device = make(cucore_device_open, 0);
    const Stream owner = make(cucore_stream_create, device, nullptr);
    static std::atomic<int32_t> answer;
    answer = -1;
    const auto drain = [](void *) { answer = cucore_deferred_drain(nullptr); };
    Stream borrowed = make(cucore_stream_from_raw, device, cucore_stream_raw(owner), CUCORE_BORROW, nullptr, drain);
    {
        const InCallback callback;
        borrowed.reset();
    }
    ok(cucore_deferred_drain);
    CHECK(answer == CUCORE_INVALID_STATE);
}

namespace {

/// A stream of its own, a buffer on it, and a capture of the stream, so that the buffer's memory cannot be freed yet.
struct CapturedBuffer {
    explicit CapturedBuffer(const Handles &handles)
        : stream(make(cucore_stream_create, handles.device, nullptr)),
          buffer(make(cucore_memory_resource_allocate, handles.resource, size_t{64}, stream)), address(cucore_buffer_raw(buffer)),
          capture(cucore_stream_raw(stream), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) {
    }
    Stream stream;
    Buffer buffer;
    uint64_t address;
    Capture capture;
};

/// The place in the call log of the free of memory at `address`; the log's size if it is not there.
size_t place_of_free(const std::vector<std::string> &log, uint64_t address) {
    char call[64];
    std::snprintf(call, sizeof call, "cuMemFreeAsync(0x%llx", static_cast<unsigned long long>(address));
    const auto says = [&](const std::string &line) { return line.rfind(call, 0) == 0 && line.find(" = 0") != std::string::npos; };
    return static_cast<size_t>(std::find_if(log.begin(), log.end(), says) - log.begin());
}

} // namespace

TEST_CASE_METHOD(Clean, "what waits is kept, whichever of it can be ended first", "[sim]") {
    const Handles handles;
    const size_t before = sim().live_count("memory");
    CapturedBuffer first(handles), second(handles), third(handles);
    for (CapturedBuffer *captured : {&first, &second, &third}) {
        captured->buffer.reset();
        ok(cucore_deferred_drain);
    }
    CHECK(sim().live_count("memory") == before + 3);
    size_t left = before + 3;
    for (CapturedBuffer *captured : {&second, &third, &first}) {
        CHECK(captured->capture.end() == CUDA_SUCCESS);
        ok(cucore_deferred_drain);
        CHECK(sim().live_count("memory") == --left);
    }
}

TEST_CASE_METHOD(Clean, "what waits stays before what is added while the library's thread is at work", "[sim]") {
    const Handles handles;
    CapturedBuffer waits(handles), added(handles);
    const auto release = [](void *buffer) {
        cucore_callback_enter(nullptr);
        static_cast<Buffer *>(buffer)->reset();
        cucore_callback_leave();
    };
    Stream dropped =
        make(cucore_stream_from_raw, handles.device, cucore_stream_raw(handles.stream), CUCORE_BORROW, &added.buffer, release);
    waits.buffer.reset();
    {
        const InCallback callback;
        dropped.reset();
    }
    ok(cucore_deferred_drain);
    ok(cucore_deferred_drain);
    CHECK_FALSE(added.buffer.get());
    sim().log_clear();
    CHECK(waits.capture.end() == CUDA_SUCCESS);
    CHECK(added.capture.end() == CUDA_SUCCESS);
    ok(cucore_deferred_drain);
    const std::vector<std::string> log = sim().log();
    CHECK(place_of_free(log, waits.address) < log.size());
    CHECK(place_of_free(log, added.address) < log.size());
}

TEST_CASE_METHOD(Clean, "what is released in a callback is destroyed without anybody waiting for that", "[sim]") {
    Handles handles;
    const size_t streams = sim().live_count("stream");
    handles.buffer.reset();
    ok(cucore_deferred_drain); // and now the thread has nothing to do
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    {
        const InCallback callback;
        handles.stream.reset();
    }
    for (int wait = 0; wait < 2000 && sim().live_count("stream") == streams; wait++) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    CHECK(sim().live_count("stream") == streams - 1);
}

TEST_CASE("a child forked before the driver was used has a thread of its own for what waits", "[native]") {
    // ThreadSanitizer has to be told that the child starts a thread
    const Ended ended = run_child({"fork-after-work"}, {{"TSAN_OPTIONS", "atexit_sleep_ms=0:die_after_fork=0"}});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK_THAT(ended.out, has("signals as before: 1\n"));
    CHECK_THAT(ended.out, has("enter: OS: pthread_create: the library's thread could not be started"));
    CHECK_THAT(ended.out, has("freed meanwhile: 1\nin use after a drain: 0\n"));
}

TEST_CASE_METHOD(Clean, "a drain that is refused in a sink says why", "[sim]") {
    Handles handles;
    Facts facts;
    const auto drain = [](const cucore_status *, void *where) {
        *static_cast<Facts *>(where) = fails(cucore_deferred_drain);
        return int32_t{0};
    };
    cucore_warning_sink *drains = cucore_warning_sink_register(drain, &facts, nullptr, nullptr);
    sim().fail_after("cuEventDestroy", 1, INJECTED, 0);
    handles.event.reset();
    cucore_warning_sink_release(drains);
    CHECK(facts.says("called inside a warning sink or a drop"));
    sink.take_one();
}
