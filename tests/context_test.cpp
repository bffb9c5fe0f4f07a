// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"

using namespace test;

TEST_CASE_METHOD(Clean, "a primary context is made at first need and shared") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    CUcontext primary = nullptr;
    REQUIRE(raw().cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS);
    CHECK(cucore_context_raw(context) == primary);
    CHECK(cucore_context_ordinal(context) == 0);
    CHECK(raw().cuDevicePrimaryCtxRelease(0) == CUDA_SUCCESS);
}

TEST_CASE_METHOD(Clean, "a context outlives the device it was got from") {
    Context context = make(cucore_device_context, make(cucore_device_open, 0));
    CHECK(cucore_context_ordinal(context) == 0);
    ok(cucore_context_synchronize, context);
    int32_t destroyed = -1;
    ok(cucore_context_close, context.give(), &destroyed);
    CHECK((destroyed == 0 || destroyed == 1));
}

TEST_CASE_METHOD(Clean, "the primary context is not released while handles are bound to it") {
    const Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    fails_saying(CUCORE_INVALID_STATE, "", cucore_context_release_primary, 0);
    ok(cucore_stream_synchronize, stream); // nothing changed
    stream.reset();
    Context context = make(cucore_device_context, device);
    fails_saying(CUCORE_INVALID_STATE, "", cucore_context_release_primary, 0);
    ok(cucore_context_synchronize, context);
}

TEST_CASE_METHOD(Clean, "the primary context is given up once, and taken anew at the next use", "[sim]") {
    const size_t before = sim().live_count("context");
    {
        const Stream stream = make(cucore_stream_create, make(cucore_device_open, 0), nullptr);
        CHECK(sim().live_count("context") == before + 1);
    }
    ok(cucore_context_release_primary, 0);
    CHECK(sim().live_count("context") == before);
    const uint64_t calls = sim().call_count("cuDevicePrimaryCtxRelease");
    ok(cucore_context_release_primary, 0);
    CHECK(sim().call_count("cuDevicePrimaryCtxRelease") == calls);
    const Stream stream = make(cucore_stream_create, make(cucore_device_open, 0), nullptr);
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "release_primary of an ordinal that cannot be") {
    CHECK(fails(cucore_context_release_primary, -1).code == CUCORE_INVALID_ARGUMENT);
    ok(cucore_context_release_primary, 1000); // nothing is held of it
}

TEST_CASE_METHOD(Clean, "a primary context is not given up while it is current") {
    {
        const Context context = make(cucore_device_context, make(cucore_device_open, 0));
        ok(cucore_context_set_current, context, nullptr);
    }
    fails_saying(CUCORE_INVALID_STATE, "current", cucore_context_release_primary, 0);
    ok(cucore_context_set_current, nullptr, nullptr);
    ok(cucore_context_release_primary, 0);
}

TEST_CASE_METHOD(Clean, "set_current is not told of a foreign context as one of ours, but gives it back") {
    const ForeignContext foreign;
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    cucore_context *previous = nullptr;
    ok(cucore_context_set_current, context, &previous);
    const Context borrowed(previous);
    CHECK(current_context() == cucore_context_raw(context));
    CHECK(cucore_context_raw(borrowed) == foreign.get());
    CHECK(cucore_context_ordinal(borrowed) == 0);
    ok(cucore_context_set_current, borrowed, nullptr);
    CHECK(current_context() == foreign.get());
}
