// SPDX-License-Identifier: MIT OR Apache-2.0
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

TEST_CASE_METHOD(Clean, "an event lives until its last reference") {
    Event event = make(cucore_event_create, make(cucore_device_open, 0), nullptr);
    cucore_event *second = cucore_event_retain(event);
    CHECK(second == event.get());
    int32_t destroyed = -1;
    ok(cucore_event_close, event.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_event_close, second, &destroyed);
    CHECK(destroyed == 1);
}
