// SPDX-License-Identifier: MIT OR Apache-2.0
// Faults that users of other CUDA libraries met, as tests that show the right behaviour here. The numbers are those of the
// project's list of them. Those about compilers are in program_test.cpp and linker_test.cpp.
#include "../src/driver/cuda_functions.h"
#include "support/calls.hpp"
#include "support/capture.hpp"
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/destroys.hpp"
#include "support/faults.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <stdexcept>
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

/// Releases in its destructor, as wrappers of handles do.
class Releasing {
  public:
    explicit Releasing(Owned owned) : owned_(std::move(owned)) {
    }
    Releasing(const Releasing &) = delete;
    ~Releasing() {
        owned_.release();
    }

  private:
    Owned owned_;
};

/// Makes everything that can be destroyed, has every destroy return `result`, and leaves by an exception. Gives the destroys in the
/// order in which they come.
std::vector<std::string> unwind_with_failing_destroys(cucore_device *device, int result) {
    std::vector<std::string> expected;
    try {
        std::vector<std::unique_ptr<Releasing>> handles; // ended from the first on
        for (const Destroy &row : destroys()) {
            handles.push_back(std::make_unique<Releasing>(row.make(device)));
            expected.emplace_back(row.operation);
        }
        for (const Destroy &row : destroys()) {
            if (row.domain == CUCORE_DOMAIN_DRIVER) {
                sim().fail_after(row.operation, 1, result, 1);
            }
        }
        fake_compilers().nvrtc.fail_after("nvrtcDestroyProgram", 1, result, 1);
        fake_compilers().nvjitlink.fail_after("nvJitLinkDestroy", 1, result, 1);
        throw std::runtime_error("the one that unwinds");
    } catch (const std::runtime_error &) {
        sim().fail_nothing();
        fake_compilers().fail_nothing();
    }
    return expected;
}

/// The calls that warnings are of.
std::vector<std::string> operations(const std::vector<Facts> &warnings) {
    std::vector<std::string> all;
    for (const Facts &facts : warnings) {
        all.push_back(facts.operation);
    }
    return all;
}

} // namespace

TEST_CASE_METHOD(Clean, "field case 1: every destroy fails while an exception unwinds: no end of the process, one warning each",
                 "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const std::vector<std::string> expected = unwind_with_failing_destroys(device, INJECTED_TOO);
    const std::vector<Facts> warnings = sink.take();
    std::vector<std::string> seen = operations(warnings);
    for (const std::string &operation : expected) {
        INFO(operation);
        const auto found = std::find(seen.begin(), seen.end(), operation);
        REQUIRE(found != seen.end());
        seen.erase(found);
    }
    for (const Facts &facts : warnings) {
        INFO(describe(facts));
        CHECK(facts.native == INJECTED_TOO);
        CHECK(std::count_if(warnings.begin(), warnings.end(), [&](const Facts &other) {
                  return other.operation == facts.operation && other.resource == facts.resource;
              }) == 1);
    }
    // of the two buffers that have the only reference to their stream
    CHECK(seen == std::vector<std::string>(2, "cuStreamDestroy"));
}

TEST_CASE_METHOD(Clean, "field case 2: of two failures in one destroy both arrive, in order", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const auto last_of_three = [&] { // buffer, stream and pool
        const Stream stream = make(cucore_stream_create, device, nullptr);
        return make(cucore_memory_resource_allocate, make(cucore_memory_resource_create_pool, device, nullptr), COUNT, stream);
    };
    const auto fail_all = [&] {
        sim().fail_after("cuMemFreeAsync", 1, INJECTED, 0);
        sim().fail_after("cuStreamDestroy", 1, INJECTED_TOO, 0);
        sim().fail_after("cuMemPoolDestroy", 1, UNKNOWN_CODE, 0);
    };
    SECTION("released: to a sink and to a queue") {
        cucore_warning_queue *queue = cucore_warning_queue_create(8, nullptr);
        Buffer buffer = last_of_three();
        fail_all();
        buffer.reset();
        const std::vector<Facts> warnings = sink.take();
        REQUIRE(warnings.size() == 3);
        CHECK(warnings[0].operation == "cuMemFreeAsync");
        CHECK(warnings[0].native == INJECTED);
        std::vector<Facts> queued;
        for (cucore_status *warning = nullptr; (warning = cucore_warning_queue_poll(queue)) != nullptr;) {
            queued.push_back(facts_of(warning));
            cucore_status_release(warning);
        }
        cucore_warning_queue_release(queue);
        CHECK(operations(queued) == operations(warnings));
    }
    SECTION("closed: the first is what the call fails with, the others are notes on it") {
        Buffer buffer = last_of_three();
        fail_all();
        const Facts facts = fails(cucore_buffer_close, buffer.give(), nullptr);
        INFO(describe(facts));
        CHECK(facts.operation == "cuMemFreeAsync");
        std::vector<int64_t> noted;
        for (const Facts &note : facts.notes) {
            if (note.native != 0 && note.kind == CUCORE_NOTE_CONSEQUENCE) {
                noted.push_back(note.native);
            }
        }
        std::sort(noted.begin(), noted.end());
        CHECK(noted == std::vector<int64_t>{INJECTED_TOO, UNKNOWN_CODE});
    }
    SECTION("with no sink: each is a line on stderr") {
        sink.release();
        Buffer buffer = last_of_three();
        fail_all();
        const std::string text = stderr_of([&] { buffer.reset(); });
        CHECK_THAT(text, has("cuMemFreeAsync(") && has("cuStreamDestroy(") && has("cuMemPoolDestroy("));
        CHECK(std::count(text.begin(), text.end(), '\n') == 3);
    }
}

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

TEST_CASE_METHOD(Clean, "field case 7: only DEINITIALIZED is taken for success by a destroy, INVALID_CONTEXT is not", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    for (const Destroy &row : destroys()) {
        if (row.domain != CUCORE_DOMAIN_DRIVER) {
            continue;
        }
        for (const int code : {int{CUDA_ERROR_INVALID_CONTEXT}, int{CUDA_ERROR_CONTEXT_IS_DESTROYED},
                               int{CUDA_ERROR_NOT_INITIALIZED}, int{CUDA_ERROR_INVALID_HANDLE}, int{CUDA_ERROR_INVALID_VALUE}}) {
            INFO(row.operation << ", " << code);
            Owned owned = row.make(device);
            row.fail(code);
            owned.release();
            const Facts warning = sink.take_one();
            CHECK(warning.operation == row.operation);
            CHECK(warning.native == code);
            CHECK(warning.resource == owned.raw);
            owned = row.make(device);
            row.fail(code);
            Status status;
            CHECK(owned.close(nullptr, status) != CUCORE_OK);
            CHECK(status.facts().native == code);
            CHECK(status.facts().note(CUCORE_NOTE_CONSEQUENCE, "leaked") != nullptr);
        }
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

namespace {

/// Handles that have ended. Their memory must be kept.
Kit ended_kit() {
    const OwnedKit owned(0, true);
    const Context context = make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr);
    Kit kit = owned.kit;
    kit.context.handle = context;
    return kit;
}

} // namespace

TEST_CASE_METHOD(Clean, "field case 16: what has ended is refused by every call, and nothing is done on a default stream instead",
                 "[sim]") {
    const OwnedKit owned(0, true);
    const KeptMemory kept;
    const Kit ended = ended_kit();
    const uint64_t driver_calls = sim().call_count(nullptr);
    int refused = 0;
    for (const Call &row : calls) {
        for (const HandleParameter &parameter : row.parameters) {
            INFO(row.function << ", " << parameter.name);
            Kit kit = owned.kit;
            kit.*parameter.member = ended.*parameter.member;
            Status status;
            if (row.call(kit, status.maybe()) == CUCORE_INVALID_HANDLE) {
                CHECK_THAT(status.facts().message, has("not a handle"));
                refused++;
            } else { // one that has no status
                CHECK(status.get() == nullptr);
            }
        }
    }
    CHECK(refused >= 90);
    CHECK(sim().call_count(nullptr) == driver_calls);
}

TEST_CASE("field case 16: no function takes NULL for a stream") {
    for (const Call &row : calls) {
        for (const HandleParameter &parameter : row.parameters) {
            INFO(row.function << ", " << parameter.name);
            CHECK_FALSE((parameter.may_be_null && (parameter.member == &Kit::stream || parameter.member == &Kit::other_stream)));
        }
    }
}

TEST_CASE_METHOD(Clean, "field case 16: what was put on a stream stays on it, whoever gave the stream up", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Resource pools[] = {make(cucore_memory_resource_device_pool, device),
                              make(cucore_memory_resource_create_pinned_pool, device, nullptr)};
    for (const Resource &pool : pools) {
        Stream stream = make(cucore_stream_create, device, nullptr);
        const CUstream raw_stream = cucore_stream_raw(stream);
        const Stream borrowed = make(cucore_stream_from_raw, device, raw_stream, CUCORE_BORROW, nullptr, nullptr);
        Buffer buffer = make(cucore_memory_resource_allocate, pool, COUNT, stream);
        int32_t destroyed = -1;
        ok(cucore_stream_close, stream.give(), &destroyed);
        CHECK(destroyed == 0);
        CHECK(cucore_stream_raw(borrowed) == raw_stream);
        CHECK(cucore_stream_raw(Stream(cucore_buffer_stream(buffer))) == raw_stream);
        const std::string freed = "cuMemFreeAsync(" + hex(cucore_buffer_raw(buffer)) + ", " + hex(raw_stream) + ") = 0";
        sim().log_clear();
        buffer.reset();
        const std::vector<std::string> log = sim().log();
        CHECK(std::count(log.begin(), log.end(), freed) == 1);
        CHECK(sim().call_count("cuStreamDestroy") == 0);
    }
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

TEST_CASE_METHOD(Clean, "field case 20: what is put on a default stream runs there, and waits for that context's work alone",
                 "[sim]") {
    const Device devices[] = {make(cucore_device_open, 0), device_with_own_context(), make(cucore_device_open, 1)};
    for (const Device &device : devices) {
        const Context context = make(cucore_device_context, device);
        const OwnedKit foreign(1 - cucore_device_ordinal(device));
        const Pushed pushed(cucore_context_raw(Context(cucore_stream_context(foreign.kit.stream))));
        const Stream stream = make(cucore_stream_default, device), held = make(cucore_stream_create, device, nullptr);
        const Resource pinned = make(cucore_memory_resource_pinned, device);
        const Buffer buffer = make(cucore_memory_resource_allocate, pinned, COUNT, stream);
        const Library library = load(device, NOTHING_PTX);
        const Kernel kernel = find(library, "nothing");
        const cucore_launch_options options = shape(1, 1);
        const Event event = make(cucore_event_create, device, nullptr);
        const auto calls_before = sim().log_size();
        ok(cucore_kernel_launch, kernel, stream, &options, nullptr, size_t{0});
        ok(cucore_buffer_fill, buffer, size_t{0}, COUNT, 4u, 1u, stream);
        ok(cucore_event_record, event, stream);
        ok(cucore_stream_wait_stream, held, stream);
        int32_t ran = 0;
        const auto run = [](const cucore_status *, void *user_data) { *static_cast<int32_t *>(user_data) = 1; };
        ok(cucore_stream_add_callback, stream, run, &ran, nullptr);
        ok(cucore_stream_synchronize, stream);
        CHECK(ran == 1);
        const std::vector<std::string> log = sim().log(calls_before);
        const std::string entered = "cuCtxPushCurrent(" + hex(cucore_context_raw(context)) + ") = 0";
        CHECK(std::count(log.begin(), log.end(), entered) >= 5);
        CHECK(std::count_if(log.begin(), log.end(), [](const std::string &line) { return line.find("cuCtxPushCurrent(") == 0; }) ==
              std::count(log.begin(), log.end(), entered));
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

namespace {

/// The driver's call that the last armed failure failed, "" if it failed none.
std::string failed_call(size_t first_entry) {
    for (const std::string &line : sim().log(first_entry)) {
        if (line.find(") = " + std::to_string(INJECTED)) != std::string::npos) {
            return line.substr(0, line.find('('));
        }
    }
    return "";
}

/// Takes back what a failed return to the caller's context or capture mode left on this thread.
void put_thread_in_order(CUcontext current) {
    CUcontext now = current_context();
    while (now != nullptr && now != current) {
        REQUIRE(raw().cuCtxPopCurrent(&now) == CUDA_SUCCESS);
        now = current_context();
    }
    if (now != current) { // another was set in its place
        REQUIRE(raw().cuCtxPushCurrent(current) == CUDA_SUCCESS);
    }
}

CUstreamCaptureMode exchange_mode(CUstreamCaptureMode mode) {
    REQUIRE(raw().cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
    return mode;
}

/// How a call went that was made while this thread captured.
struct DuringCapture {
    std::string failed;       ///< the driver's call that was made to fail, "" if there was none
    bool lasted;              ///< whether the capture was still valid
    CUstreamCaptureMode mode; ///< of this thread afterwards; GLOBAL before
};

/// Makes the call while this thread captures `stream`, with its `nth` call of the driver failing (0: none).
DuringCapture call_during_capture(const Call &row, Kit &kit, cucore_stream *stream, CUstreamCaptureMode mode, uint64_t nth) {
    Capture capture(cucore_stream_raw(stream), mode);
    const CUcontext current = current_context();
    const size_t first_entry = sim().log_size();
    Status status;
    if (nth != 0) {
        sim().fail(nullptr, nth, INJECTED, 0);
    }
    row.call(kit, status.maybe());
    sim().fail_nothing();
    put_thread_in_order(current);
    const CUstreamCaptureMode left = exchange_mode(CU_STREAM_CAPTURE_MODE_GLOBAL);
    return {failed_call(first_entry), capture.end() == CUDA_SUCCESS, left};
}

} // namespace

TEST_CASE_METHOD(Clean, "field case 26: a call that fails during a capture leaves the capture whole, and the stream fit for use",
                 "[sim]") {
    const CUstreamCaptureMode mode = GENERATE(from_range(std::begin(CAPTURE_MODES), std::end(CAPTURE_MODES)));
    OwnedKit owned(0, true);
    const Stream stream = make(cucore_stream_create, owned.kit.device, nullptr);
    const ForeignContext foreign;
    int failures = 0;
    for (const Call &row : calls) {
        if (!call_during_capture(row, owned.kit, stream, mode, 0).lasted) {
            continue; // what the caller asked for is not allowed then
        }
        for (uint64_t nth = 1;; nth++) {
            const DuringCapture done = call_during_capture(row, owned.kit, stream, mode, nth);
            INFO(row.function << ", " << done.failed << ", mode " << mode);
            if (done.failed != "cuThreadExchangeStreamCaptureMode") { // without which memory cannot be freed during a capture
                CHECK(done.lasted);
                CHECK(done.mode == CU_STREAM_CAPTURE_MODE_GLOBAL);
            }
            if (done.failed.empty()) {
                break;
            }
            failures++;
        }
        int32_t capturing = -1;
        ok(cucore_stream_is_capturing, stream, &capturing);
        CHECK(capturing == 0);
        ok(cucore_stream_synchronize, stream);
    }
    CHECK(failures > 100);
    sink.take(); // of destroys that were made to fail
    expect_any_leaks();
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

TEST_CASE("field case 30: however a process ends, it ends at once, with its exit code, and nothing is said", "[sim]") {
    for (const char *way : {"return", "exit", "thread", "sink", "callback", "capture", "fault"}) {
        const Ended ended = run_child({"end-by", way, "42"});
        INFO(way << ": " << ended.out << ended.err);
        CHECK(ended.code == 42);
        CHECK(ended.out.empty());
        CHECK(ended.err.empty());
    }
}
