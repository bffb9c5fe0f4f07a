// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/options.hpp"

#include <algorithm>

using namespace test;

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

TEST_CASE_METHOD(Clean, "a priority that is not said to be given is not used", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    cucore_stream_options options{};
    options.struct_size = sizeof options;
    options.priority = -5;
    sim().log_clear();
    const Stream stream = make(cucore_stream_create, device, &options);
    const std::vector<std::string> calls = sim().log();
    const auto creation = std::find_if(calls.begin(), calls.end(),
                                       [](const std::string &call) { return call.find("cuStreamCreateWithPriority") == 0; });
    REQUIRE(creation != calls.end());
    CHECK_THAT(*creation, has(", 1, 0)"));
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
