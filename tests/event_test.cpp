// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/capture.hpp"
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/options.hpp"

using namespace test;

namespace {

struct Timed {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    cucore_event_options timing{sizeof(cucore_event_options), CUCORE_ON, CUCORE_DEFAULT};
    Event start = make(cucore_event_create, device, &timing);
    Event end = make(cucore_event_create, device, &timing);
};

} // namespace

TEST_CASE_METHOD(Clean, "an event is in its device's context and keeps both") {
    Device device = make(cucore_device_open, 0);
    cucore_device *address = device;
    const Event event = make(cucore_event_create, device, nullptr);
    const Context context = make(cucore_device_context, device);
    device.reset();
    CHECK(Device(cucore_event_device(event)).get() == address);
    CHECK(Context(cucore_event_context(event)).get() == context.get());
    CHECK(cucore_event_raw(event) != nullptr);
    ok(cucore_event_synchronize, event); // nothing recorded, no wait
}

TEST_CASE_METHOD(Clean, "the time between two events is measured") {
    const Timed timed;
    ok(cucore_event_record, timed.start, timed.stream);
    ok(cucore_event_record, timed.end, timed.stream);
    ok(cucore_event_synchronize, timed.end);
    float milliseconds = -1;
    ok(cucore_event_elapsed, timed.start, timed.end, &milliseconds);
    CHECK(milliseconds >= 0);
    CHECK(milliseconds < 10000);
}

TEST_CASE_METHOD(Clean, "only events with timing that were recorded measure time") {
    const Timed timed;
    float milliseconds = 5;
    fails_saying(CUCORE_INVALID_STATE, "recorded", cucore_event_elapsed, timed.start, timed.end, &milliseconds);
    CHECK(cucore_event_elapsed(timed.start, timed.end, &milliseconds, nullptr) == CUCORE_INVALID_STATE);
    ok(cucore_event_record, timed.start, timed.stream);
    fails_saying(CUCORE_INVALID_STATE, "end", cucore_event_elapsed, timed.start, timed.end, &milliseconds);
    const Event untimed = make(cucore_event_create, timed.device, nullptr);
    ok(cucore_event_record, untimed, timed.stream);
    fails_saying(CUCORE_INVALID_STATE, "timing", cucore_event_elapsed, timed.start, untimed, &milliseconds);
    fails_saying(CUCORE_INVALID_STATE, "timing", cucore_event_elapsed, untimed, timed.start, &milliseconds);
    fails_saying(CUCORE_INVALID_ARGUMENT, "milliseconds is NULL", cucore_event_elapsed, timed.start, timed.start, nullptr);
    CHECK(milliseconds == 5);
    ok(cucore_stream_synchronize, timed.stream);
}

TEST_CASE_METHOD(Clean, "the time until work that is not done is NOT_READY", "[sim]") {
    const Timed timed;
    ok(cucore_event_record, timed.start, timed.stream);
    sim().hold(cucore_stream_raw(timed.stream));
    ok(cucore_event_record, timed.end, timed.stream);
    float milliseconds = 5;
    const Facts facts = fails(cucore_event_elapsed, timed.start, timed.end, &milliseconds);
    CHECK(facts.code == CUCORE_NOT_READY);
    CHECK(facts.operation == "cuEventElapsedTime");
    CHECK(milliseconds == 5);
    sim().release(cucore_stream_raw(timed.stream));
    ok(cucore_event_elapsed, timed.start, timed.end, &milliseconds);
}

TEST_CASE_METHOD(Clean, "event options follow the rules of options, and mean what they say") {
    const Device device = make(cucore_device_open, 0);
    check_options<cucore_event_options>([&](const void *options, cucore_status **status) {
        return made_code(cucore_event_create(device, static_cast<const cucore_event_options *>(options), status), status);
    });
    cucore_event_options options{sizeof options, 7, 0};
    fails_saying(CUCORE_INVALID_ARGUMENT, "timing", cucore_event_create, device, &options);
    options = {sizeof options, 0, -1};
    fails_saying(CUCORE_INVALID_ARGUMENT, "blocking_sync", cucore_event_create, device, &options);
}

TEST_CASE_METHOD(Clean, "event options become the driver's flags", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const auto call = [&](int32_t timing, int32_t blocking_sync) {
        const cucore_event_options options{sizeof options, timing, blocking_sync};
        sim().log_clear();
        const Event event = make(cucore_event_create, device, &options);
        for (const std::string &entry : sim().log()) {
            if (entry.find("cuEventCreate(") == 0) {
                return entry;
            }
        }
        return std::string();
    };
    CHECK_THAT(call(0, 0), has("2) = 0"));
    CHECK_THAT(call(CUCORE_ON, 0), has("0) = 0"));
    CHECK_THAT(call(CUCORE_OFF, CUCORE_ON), has("3) = 0"));
    CHECK_THAT(call(CUCORE_ON, CUCORE_ON), has("1) = 0"));
}

TEST_CASE_METHOD(Clean, "an event for which its device's context cannot be had is not made", "[sim]") {
    ok(cucore_context_release_primary, 0);
    const Device device = make(cucore_device_open, 0);
    sim().fail("cuDevicePrimaryCtxRetain", 1, INJECTED, 0);
    CHECK(fails(cucore_event_create, device, nullptr).operation == "cuDevicePrimaryCtxRetain");
    make(cucore_event_create, device, nullptr);
}

TEST_CASE_METHOD(Clean, "an event lives until its last reference") {
    Event event = make(cucore_event_create, make(cucore_device_open, 0), nullptr);
    cucore_event *second = cucore_event_retain(event);
    CHECK(second == event.get());
    int32_t destroyed = -1;
    fails_saying(CUCORE_INVALID_ARGUMENT, "event is NULL", cucore_event_close, nullptr, &destroyed);
    CHECK(destroyed == 0);
    destroyed = -1;
    ok(cucore_event_close, event.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_event_close, second, &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE_METHOD(Clean, "an event is done when what it recorded is, or when it recorded nothing") {
    const Timed timed;
    const auto is_done = [&] {
        int32_t done = -1;
        ok(cucore_event_is_done, timed.end, &done);
        CHECK((done == 0 || done == 1));
        return done == 1;
    };
    CHECK(is_done());
    Held held(cucore_stream_raw(timed.stream));
    ok(cucore_event_record, timed.end, timed.stream);
    CHECK_FALSE(is_done());
    held.go();
    ok(cucore_event_synchronize, timed.end);
    CHECK(is_done());
    fails_saying(CUCORE_INVALID_ARGUMENT, "done is NULL", cucore_event_is_done, timed.end, nullptr);
}

TEST_CASE_METHOD(Clean, "what an event's work failed with is told by who asks, and the answer untouched", "[sim]") {
    const Timed timed;
    ok(cucore_event_record, timed.end, timed.stream);
    int32_t done = 7;
    sim().fail("cuEventQuery", 1, CUDA_ERROR_ILLEGAL_ADDRESS, 0);
    const Facts facts = fails(cucore_event_is_done, timed.end, &done);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_DEVICE_LOST);
    CHECK(facts.operation == "cuEventQuery");
    CHECK(facts.resource == reinterpret_cast<uintptr_t>(cucore_event_raw(timed.end)));
    CHECK(done == 7);
    sim().fail("cuEventSynchronize", 1, CUDA_ERROR_ILLEGAL_ADDRESS, 0);
    CHECK(fails(cucore_event_synchronize, timed.end).code == CUCORE_DEVICE_LOST);
}

TEST_CASE_METHOD(Clean, "an event tells what it was made for") {
    const Device device = make(cucore_device_open, 0);
    const Event plain = make(cucore_event_create, device, nullptr);
    CHECK(cucore_event_has_timing(plain) == 0);
    CHECK(cucore_event_is_blocking_sync(plain) == 0);
    const cucore_event_options options{sizeof options, CUCORE_ON, CUCORE_ON};
    const Event event = make(cucore_event_create, device, &options);
    CHECK(cucore_event_has_timing(event) == 1);
    CHECK(cucore_event_is_blocking_sync(event) == 1);
}

TEST_CASE_METHOD(Clean, "an event and a stream of two contexts do not go together, though of one device") {
    const Timed timed;
    const Device other =
        make(cucore_device_with_context, make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr));
    const Event foreign = make(cucore_event_create, other, &timed.timing);
    const Facts facts = fails(cucore_event_record, foreign, timed.stream);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_INVALID_HANDLE);
    CHECK(facts.says("event"));
    CHECK(facts.says("stream"));
    float milliseconds = 5;
    CHECK(fails(cucore_event_elapsed, timed.start, foreign, &milliseconds).code == CUCORE_INVALID_HANDLE);
    CHECK(milliseconds == 5);
    ok(cucore_event_record, foreign, make(cucore_stream_create, other, nullptr));
    ok(cucore_stream_wait_event, timed.stream, foreign); // which may be of any context
    ok(cucore_stream_synchronize, timed.stream);
}

TEST_CASE_METHOD(Clean, "an event records the default stream of its context, and a default stream waits for it") {
    const Timed timed;
    const Stream stream = make(cucore_stream_default, timed.device);
    const ForeignContext current;
    ok(cucore_event_record, timed.start, stream);
    ok(cucore_event_record, timed.end, stream);
    ok(cucore_stream_wait_event, stream, timed.end);
    ok(cucore_event_synchronize, timed.end);
    float milliseconds = -1;
    ok(cucore_event_elapsed, timed.start, timed.end, &milliseconds);
    CHECK(milliseconds >= 0);
}

TEST_CASE("bad event handles give NULL and 0") {
    CHECK(cucore_event_raw(nullptr) == nullptr);
    CHECK(cucore_event_device(nullptr) == nullptr);
    CHECK(cucore_event_context(nullptr) == nullptr);
    CHECK(cucore_event_has_timing(nullptr) == 0);
    CHECK(cucore_event_is_blocking_sync(nullptr) == 0);
    CHECK(cucore_event_retain(nullptr) == nullptr);
    cucore_event_release(nullptr);
}

TEST_CASE_METHOD(Clean, "that an event was never recorded is told with what the driver said of it") {
    const Device device = make(cucore_device_open, 0);
    cucore_event_options options{};
    options.struct_size = sizeof options;
    options.timing = CUCORE_ON;
    const Event start = make(cucore_event_create, device, &options), end = make(cucore_event_create, device, &options);
    float milliseconds = 0;
    const Facts facts = fails(cucore_event_elapsed, start, end, &milliseconds);
    INFO(describe(facts));
    const Facts *said = facts.note(CUCORE_NOTE_CAUSE, "cuEventElapsedTime(0x");
    REQUIRE(said != nullptr);
    CHECK(said->native == 400); // CUDA_ERROR_INVALID_HANDLE
}
