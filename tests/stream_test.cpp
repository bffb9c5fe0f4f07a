// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/capture.hpp"
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/options.hpp"

#include <algorithm>

using namespace test;

TEST_CASE_METHOD(Clean, "of very many streams each is known as the library's") {
    const Device device = make(cucore_device_open, 0);
    std::vector<Stream> streams;
    std::vector<CUstream> told; // all of them before any is looked for: a stream is registered when its raw handle is told
    for (int i = 0; i < 3000; i++) {
        streams.push_back(make(cucore_stream_create, device, nullptr));
        told.push_back(cucore_stream_raw(streams.back()));
    }
    for (const CUstream raw_stream : told) {
        Status status;
        CHECK(cucore_stream_from_raw(device, raw_stream, CUCORE_ADOPT, nullptr, nullptr, status) == nullptr);
        CHECK(status.facts().code == CUCORE_INVALID_STATE);
    }
}

TEST_CASE_METHOD(Clean, "a stream is in its device's context and keeps both") {
    Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    cucore_device *address = device;
    const Stream stream = make(cucore_stream_create, device, nullptr);
    device.reset();
    const Device its_device(cucore_stream_device(stream));
    const Context its_context(cucore_stream_context(stream));
    CHECK(its_device.get() == address);
    CHECK(its_context.get() == context.get());
    CUcontext raw_context = nullptr;
    CHECK(raw().cuStreamGetCtx(cucore_stream_raw(stream), &raw_context) == CUDA_SUCCESS);
    CHECK(raw_context == cucore_context_raw(context));
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "a stream's priority must be in the device's range", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    sim().log_clear();
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    options.has_priority = 1;
    options.priority = 99;
    const Facts facts = fails(cucore_stream_create, device, &options);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
    CHECK(facts.says("priority"));
    CHECK(facts.says("99"));
    CHECK(sim().call_count("cuStreamCreateWithPriority") == 0);
    options.priority = -100;
    CHECK(fails(cucore_stream_create, device, &options).code == CUCORE_INVALID_ARGUMENT);
    options.priority = 0;
    const Stream stream = make(cucore_stream_create, device, &options);
    CHECK(cucore_stream_raw(stream) != nullptr);
}

TEST_CASE_METHOD(Clean, "a priority that is not said to be given is refused, not ignored") {
    const Device device = make(cucore_device_open, 0);
    const cucore_stream_options options{sizeof options, 0, -5, CUCORE_DEFAULT, 0};
    fails_saying(CUCORE_INVALID_ARGUMENT, "options->has_priority is 0", cucore_stream_create, device, &options);
}

TEST_CASE_METHOD(Clean, "a stream orders with the legacy default stream only if asked to", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    const auto flags = [&](int32_t blocking) {
        options.blocking = blocking;
        sim().log_clear();
        const Stream stream = make(cucore_stream_create, device, &options);
        for (const std::string &entry : sim().log()) {
            if (entry.find("cuStreamCreateWithPriority(") == 0) {
                return entry;
            }
        }
        return std::string();
    };
    CHECK_THAT(flags(CUCORE_ON), has("(0, 0)") || has(", 0, 0)"));
    CHECK_THAT(flags(CUCORE_OFF), has("(1, 0)") || has(", 1, 0)"));
    CHECK_THAT(flags(CUCORE_DEFAULT), has("(1, 0)") || has(", 1, 0)"));
}

TEST_CASE_METHOD(Clean, "stream options follow the rules of options") {
    const Device device = make(cucore_device_open, 0);
    check_options<cucore_stream_options>([&](const void *options, cucore_status **status) {
        return made_code(cucore_stream_create(device, static_cast<const cucore_stream_options *>(options), status), status);
    });
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    options.reserved = 1;
    fails_saying(CUCORE_INVALID_ARGUMENT, "reserved", cucore_stream_create, device, &options);
    options.reserved = 0;
    options.blocking = 3;
    fails_saying(CUCORE_INVALID_ARGUMENT, "blocking", cucore_stream_create, device, &options);
    options.blocking = 0;
    options.has_priority = 2;
    fails_saying(CUCORE_INVALID_ARGUMENT, "has_priority", cucore_stream_create, device, &options);
}

TEST_CASE_METHOD(Clean, "a stream waits for an event of another stream") {
    const Device device = make(cucore_device_open, 0);
    const Stream first = make(cucore_stream_create, device, nullptr);
    const Stream second = make(cucore_stream_create, device, nullptr);
    Event event = make(cucore_event_create, device, nullptr);
    ok(cucore_stream_wait_event, second, event); // nothing recorded, no wait
    ok(cucore_event_record, event, first);
    ok(cucore_stream_wait_event, second, event);
    event.reset();
    ok(cucore_stream_synchronize, second);
}

TEST_CASE_METHOD(Clean, "a stream that waits for an event runs after it", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream first = make(cucore_stream_create, device, nullptr);
    const Stream second = make(cucore_stream_create, device, nullptr);
    const Event event = make(cucore_event_create, device, nullptr);
    const Event after = make(cucore_event_create, device, nullptr);
    cucore_event_options timing{sizeof timing, CUCORE_ON, 0};
    const Event done = make(cucore_event_create, device, &timing);
    sim().hold(cucore_stream_raw(first));
    ok(cucore_event_record, event, first);
    ok(cucore_stream_wait_event, second, event);
    ok(cucore_event_record, done, second);
    float milliseconds = 0;
    CHECK(fails(cucore_event_elapsed, done, done, &milliseconds).code == CUCORE_NOT_READY);
    sim().release(cucore_stream_raw(first));
    ok(cucore_event_elapsed, done, done, &milliseconds);
}

TEST_CASE_METHOD(Clean, "what a stream's work failed with is told by its synchronize", "[sim]") {
    const Stream stream = make(cucore_stream_create, make(cucore_device_open, 0), nullptr);
    sim().fail("cuStreamSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS, 0);
    const Facts facts = fails(cucore_stream_synchronize, stream);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_DEVICE_LOST);
    CHECK(facts.domain == CUCORE_DOMAIN_DRIVER);
    CHECK(facts.native == 700);
    CHECK(facts.operation == "cuStreamSynchronize");
    CHECK(facts.resource == reinterpret_cast<uintptr_t>(cucore_stream_raw(stream)));
    CHECK(facts.note(CUCORE_NOTE_ADVICE) != nullptr);
}

TEST_CASE_METHOD(Clean, "a stream lives until its last reference") {
    Stream stream = make(cucore_stream_create, make(cucore_device_open, 0), nullptr);
    cucore_stream *second = cucore_stream_retain(stream);
    CHECK(second == stream.get());
    int32_t destroyed = -1;
    ok(cucore_stream_close, stream.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_stream_synchronize, second);
    ok(cucore_stream_close, second, &destroyed);
    CHECK(destroyed == 1);
}

namespace {

/// A device bound to a context of its own, which ends with it.
Device device_with_own_context() {
    return make(cucore_device_with_context, make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr));
}

bool is_done(cucore_stream *stream) {
    int32_t done = -1;
    ok(cucore_stream_is_done, stream, &done);
    CHECK((done == 0 || done == 1));
    return done == 1;
}

bool is_capturing(cucore_stream *stream) {
    int32_t capturing = -1;
    ok(cucore_stream_is_capturing, stream, &capturing);
    CHECK((capturing == 0 || capturing == 1));
    return capturing == 1;
}

/// An owner that counts how often it was dropped.
struct Dropped {
    int count = 0;
    static void drop(void *self) {
        static_cast<Dropped *>(self)->count++;
    }
};

/// A stream made behind the library's back in the device's context, which the caller destroys.
CUstream new_stream(cucore_device *device) {
    const Context context = make(cucore_device_context, device);
    const Pushed bound(cucore_context_raw(context));
    CUstream stream = nullptr;
    REQUIRE(raw().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    return stream;
}

} // namespace

TEST_CASE_METHOD(Clean, "the default stream is that of the device's bound context, whatever is current") {
    const Device device = make(cucore_device_open, 0), other = device_with_own_context();
    const Stream stream = make(cucore_stream_default, device), foreign = make(cucore_stream_default, other);
    CHECK(reinterpret_cast<uintptr_t>(cucore_stream_raw(stream)) == 1); // CU_STREAM_LEGACY
    CHECK(Context(cucore_stream_context(stream)).get() == make(cucore_device_context, device).get());
    CHECK(Device(cucore_stream_device(foreign)).get() == other.get());
    const Event event = make(cucore_event_create, device, nullptr);
    const ForeignContext current;
    ok(cucore_event_record, event, stream);
    ok(cucore_stream_synchronize, stream);
    CHECK(is_done(stream));
    fails_saying(CUCORE_INVALID_HANDLE, "context", cucore_event_record, event, foreign);
    int32_t destroyed = -1;
    ok(cucore_stream_close, cucore_stream_retain(stream), &destroyed);
    CHECK(destroyed == 0);
}

TEST_CASE_METHOD(Clean, "work on one context's default stream is not on another's", "[sim]") {
    const Device device = make(cucore_device_open, 0), other = device_with_own_context();
    const Stream stream = make(cucore_stream_default, device), foreign = make(cucore_stream_default, other);
    const Context context = make(cucore_device_context, device);
    const Event event = make(cucore_event_create, device, nullptr);
    {
        const Pushed bound(cucore_context_raw(context)); // for what the default stream means to the simulated driver
        sim().hold(cucore_stream_raw(stream));
    }
    ok(cucore_event_record, event, stream);
    CHECK_FALSE(is_done(stream));
    CHECK(is_done(foreign));
    const Pushed bound(cucore_context_raw(context));
    sim().release(cucore_stream_raw(stream));
    CHECK(is_done(stream));
}

TEST_CASE_METHOD(Clean, "a default stream is never destroyed", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_default, device);
    sim().log_clear();
    int32_t destroyed = -1;
    ok(cucore_stream_close, stream.give(), &destroyed);
    CHECK(destroyed == 1);
    CHECK(sim().call_count("cuStreamDestroy") == 0);
}

TEST_CASE_METHOD(Clean, "a borrowed stream is its maker's, and its owner is dropped with the handle") {
    const Device device = make(cucore_device_open, 0);
    const CUstream foreign = new_stream(device);
    Dropped owner;
    {
        const Stream stream = make(cucore_stream_from_raw, device, foreign, CUCORE_BORROW, &owner, &Dropped::drop);
        CHECK(cucore_stream_raw(stream) == foreign);
        ok(cucore_stream_synchronize, stream);
        CHECK(owner.count == 0);
    }
    CHECK(owner.count == 1);
    CHECK(raw().cuStreamDestroy(foreign) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "a stream that came from elsewhere may be captured by who made it, so that it is asked") {
    const Device device = make(cucore_device_open, 0);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    const CUstream foreign = new_stream(device);
    const Stream stream = make(cucore_stream_from_raw, device, foreign, CUCORE_ADOPT, nullptr, nullptr);
    Capture capture(foreign, CU_STREAM_CAPTURE_MODE_RELAXED);
    fails_saying(CUCORE_INVALID_STATE, "captured", cucore_memory_resource_allocate, pool, size_t{64}, stream);
    CHECK(capture.end() == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "an adopted stream is destroyed with its last handle", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const size_t before = sim().live_count("stream");
    const CUstream foreign = new_stream(device);
    Dropped owner;
    Stream stream = make(cucore_stream_from_raw, device, foreign, CUCORE_ADOPT, &owner, &Dropped::drop);
    fails_saying(CUCORE_INVALID_STATE, "owned", cucore_stream_from_raw, device, foreign, CUCORE_ADOPT, &owner, &Dropped::drop);
    CHECK(owner.count == 1);
    CHECK(sim().live_count("stream") == before + 1);
    stream.reset();
    CHECK(owner.count == 2);
    CHECK(sim().live_count("stream") == before);
}

TEST_CASE_METHOD(Clean, "a stream of the library's own lives as long as who borrows it, and cannot be adopted") {
    const Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    const CUstream raw_stream = cucore_stream_raw(stream);
    fails_saying(CUCORE_INVALID_STATE, "owned", cucore_stream_from_raw, device, raw_stream, CUCORE_ADOPT, nullptr, nullptr);
    const Stream borrower = make(cucore_stream_from_raw, device, raw_stream, CUCORE_BORROW, nullptr, nullptr);
    stream.reset();
    ok(cucore_stream_synchronize, borrower);
    CHECK(raw().cuStreamSynchronize(raw_stream) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "what is no stream of the device's context is refused, and its owner dropped") {
    const Device device = make(cucore_device_open, 0), other = device_with_own_context();
    const CUstream foreign = new_stream(other);
    Dropped owner;
    const auto refused = [&](int32_t code, const std::string &part, uintptr_t stream, int32_t ownership) {
        const int before = owner.count;
        fails_saying(code, part, cucore_stream_from_raw, device, reinterpret_cast<CUstream>(stream), ownership, &owner,
                     &Dropped::drop);
        CHECK(owner.count == before + 1);
    };
    for (const int32_t ownership : {CUCORE_BORROW, CUCORE_ADOPT}) {
        refused(CUCORE_INVALID_ARGUMENT, "default stream", 0, ownership);
        refused(CUCORE_INVALID_ARGUMENT, "default stream", 1, ownership);
        refused(CUCORE_INVALID_ARGUMENT, "per-thread default stream", 2, ownership);
        refused(CUCORE_INVALID_HANDLE, "context", reinterpret_cast<uintptr_t>(foreign), ownership);
    }
    for (const int32_t ownership : {0, 3, -1}) {
        refused(CUCORE_INVALID_ARGUMENT, "ownership", reinterpret_cast<uintptr_t>(foreign), ownership);
    }
    CHECK(raw().cuStreamDestroy(foreign) == CUDA_SUCCESS); // which is still its maker's
}

TEST_CASE_METHOD(Clean, "a stream is done when its work is") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Event event = make(cucore_event_create, device, nullptr);
    CHECK(is_done(stream));
    Held held(cucore_stream_raw(stream));
    ok(cucore_event_record, event, stream);
    CHECK_FALSE(is_done(stream));
    held.go();
    ok(cucore_stream_synchronize, stream);
    CHECK(is_done(stream));
    fails_saying(CUCORE_INVALID_ARGUMENT, "done is NULL", cucore_stream_is_done, stream, nullptr);
}

TEST_CASE_METHOD(Clean, "a stream waits for what was put on another, which may be of another context") {
    const Device device = make(cucore_device_open, 0), other = device_with_own_context();
    const Stream stream = make(cucore_stream_create, device, nullptr);
    for (const Stream &awaited : {make(cucore_stream_create, device, nullptr), make(cucore_stream_create, other, nullptr)}) {
        const Event event = make(cucore_event_create, Device(cucore_stream_device(awaited)), nullptr);
        Held held(cucore_stream_raw(awaited));
        ok(cucore_event_record, event, awaited);
        ok(cucore_stream_wait_stream, stream, awaited);
        CHECK_FALSE(is_done(stream));
        held.go();
        ok(cucore_stream_synchronize, stream);
        CHECK(is_done(awaited));
    }
}

TEST_CASE_METHOD(Clean, "default streams wait and are waited for, in their own contexts") {
    const Device device = make(cucore_device_open, 0), other = device_with_own_context();
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Stream first = make(cucore_stream_default, device), second = make(cucore_stream_default, other);
    const Event event = make(cucore_event_create, device, nullptr);
    Held held(cucore_stream_raw(stream));
    ok(cucore_event_record, event, stream);
    ok(cucore_stream_wait_stream, first, stream);
    ok(cucore_stream_wait_stream, second, first);
    CHECK_FALSE(is_done(first));
    CHECK_FALSE(is_done(second));
    held.go();
    ok(cucore_stream_synchronize, second);
    CHECK(is_done(first));
}

TEST_CASE_METHOD(Clean, "a stream waits for one of another device", "[sim]") {
    const Device device = make(cucore_device_open, 0), other = make(cucore_device_open, 1);
    const Stream stream = make(cucore_stream_create, device, nullptr), awaited = make(cucore_stream_create, other, nullptr);
    const Event event = make(cucore_event_create, other, nullptr);
    sim().hold(cucore_stream_raw(awaited));
    ok(cucore_event_record, event, awaited);
    ok(cucore_stream_wait_stream, stream, awaited);
    CHECK_FALSE(is_done(stream));
    sim().release(cucore_stream_raw(awaited));
    CHECK(is_done(stream));
}

TEST_CASE_METHOD(Clean, "a stream has not to wait for itself", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr), first = make(cucore_stream_default, device);
    const Stream again = make(cucore_stream_default, device);
    sim().log_clear();
    ok(cucore_stream_wait_stream, stream, stream);
    ok(cucore_stream_wait_stream, first, again);
    CHECK(sim().log_size() == 0);
}

TEST_CASE_METHOD(Clean, "a wait for a stream that cannot be made leaves nothing behind", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr), awaited = make(cucore_stream_create, device, nullptr);
    for (const char *call : {"cuEventCreate", "cuEventRecord", "cuStreamWaitEvent"}) {
        const size_t events = sim().live_count("event");
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_stream_wait_stream, stream, awaited).operation == call);
        CHECK(sim().live_count("event") == events);
    }
    sim().fail_after("cuEventDestroy", 1, INJECTED, 0); // which does not stop the waiting
    ok(cucore_stream_wait_stream, stream, awaited);
    CHECK(sink.take_one().operation == "cuEventDestroy");
}

TEST_CASE_METHOD(Clean, "a stream tells its priority, its flags and its number") {
    const Device device = make(cucore_device_open, 0);
    int32_t lowest = 0, highest = 0, priority = 7;
    ok(cucore_device_stream_priority_range, device, &lowest, &highest);
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    options.has_priority = 1;
    options.priority = highest;
    options.blocking = CUCORE_ON;
    const Stream urgent = make(cucore_stream_create, device, &options), plain = make(cucore_stream_create, device, nullptr);
    ok(cucore_stream_priority, urgent, &priority);
    CHECK(priority == highest);
    ok(cucore_stream_priority, plain, &priority);
    CHECK(priority == lowest);
    uint32_t flags = 7;
    ok(cucore_stream_flags, urgent, &flags);
    CHECK(flags == 0);
    ok(cucore_stream_flags, plain, &flags);
    CHECK(flags == 1); // CU_STREAM_NON_BLOCKING
    uint64_t first = 0, second = 0;
    ok(cucore_stream_id, urgent, &first);
    ok(cucore_stream_id, plain, &second);
    CHECK(first != second);
    fails_saying(CUCORE_INVALID_ARGUMENT, "priority is NULL", cucore_stream_priority, plain, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "flags is NULL", cucore_stream_flags, plain, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "id is NULL", cucore_stream_id, plain, nullptr);
}

TEST_CASE_METHOD(Clean, "a default stream orders with blocking streams, and has a number") {
    const Stream stream = make(cucore_stream_default, make(cucore_device_open, 0));
    uint32_t flags = 7;
    ok(cucore_stream_flags, stream, &flags);
    CHECK(flags == 0);
    uint64_t id = 0;
    ok(cucore_stream_id, stream, &id);
    int32_t priority = 7;
    ok(cucore_stream_priority, stream, &priority);
    CHECK(priority == 0);
}

TEST_CASE_METHOD(Clean, "what a stream tells is untouched by a failure to tell it", "[sim]") {
    const Stream stream = make(cucore_stream_create, make(cucore_device_open, 0), nullptr);
    int32_t number = 7;
    uint32_t flags = 7;
    uint64_t id = 7;
    sim().fail("cuStreamGetPriority", 1, INJECTED, 0);
    CHECK(fails(cucore_stream_priority, stream, &number).operation == "cuStreamGetPriority");
    sim().fail("cuStreamGetFlags", 1, INJECTED, 0);
    CHECK(fails(cucore_stream_flags, stream, &flags).operation == "cuStreamGetFlags");
    sim().fail("cuStreamGetId", 1, INJECTED, 0);
    CHECK(fails(cucore_stream_id, stream, &id).operation == "cuStreamGetId");
    sim().fail("cuStreamQuery", 1, CUDA_ERROR_ILLEGAL_ADDRESS, 0);
    CHECK(fails(cucore_stream_is_done, stream, &number).code == CUCORE_DEVICE_LOST);
    sim().fail("cuStreamIsCapturing", 1, INJECTED, 0);
    CHECK(fails(cucore_stream_is_capturing, stream, &number).operation == "cuStreamIsCapturing");
    CHECK((number == 7 && flags == 7 && id == 7));
}

TEST_CASE_METHOD(Clean, "a stream tells whether it is captured, until the capture is ended") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr), other = make(cucore_stream_create, device, nullptr);
    CHECK_FALSE(is_capturing(stream));
    Capture capture(cucore_stream_raw(stream), CU_STREAM_CAPTURE_MODE_GLOBAL);
    CHECK(is_capturing(stream));
    CHECK_FALSE(is_capturing(other));
    CHECK(raw().cuStreamSynchronize(cucore_stream_raw(other)) != CUDA_SUCCESS); // which invalidates it
    CHECK(is_capturing(stream));
    CHECK(capture.end() != CUDA_SUCCESS);
    CHECK_FALSE(is_capturing(stream));
    fails_saying(CUCORE_INVALID_ARGUMENT, "capturing is NULL", cucore_stream_is_capturing, stream, nullptr);
}

TEST_CASE_METHOD(Clean, "a default stream is captured, so to speak, while a stream is that orders with it") {
    const Device device = make(cucore_device_open, 0);
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    options.blocking = CUCORE_ON;
    const Stream blocking = make(cucore_stream_create, device, &options), stream = make(cucore_stream_default, device);
    CHECK_FALSE(is_capturing(stream));
    Capture capture(cucore_stream_raw(blocking), CU_STREAM_CAPTURE_MODE_RELAXED);
    CHECK(is_capturing(stream));
    CHECK(capture.end() == CUDA_SUCCESS);
    CHECK_FALSE(is_capturing(stream));
}

TEST_CASE("bad stream handles give NULL") {
    CHECK(cucore_stream_raw(nullptr) == nullptr);
    CHECK(cucore_stream_device(nullptr) == nullptr);
    CHECK(cucore_stream_context(nullptr) == nullptr);
    CHECK(cucore_stream_retain(nullptr) == nullptr);
    cucore_stream_release(nullptr);
}
