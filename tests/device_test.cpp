// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/process.hpp"

using namespace test;

TEST_CASE_METHOD(Clean, "the devices are counted") {
    int32_t count = -1;
    int raw_count = -1;
    ok(cucore_device_count, &count);
    CHECK(raw().cuDeviceGetCount(&raw_count) == CUDA_SUCCESS);
    CHECK(count == raw_count);
    fails_saying(CUCORE_INVALID_ARGUMENT, "count is NULL", cucore_device_count, nullptr);
}

TEST_CASE_METHOD(Clean, "a device says what it is") {
    const Device device = make(cucore_device_open, 0);
    CHECK(cucore_device_ordinal(device) == 0);
    CHECK(cucore_device_raw(device) == 0);
    size_t size = 0;
    const std::string name = cucore_device_name(device, &size);
    CHECK_FALSE(name.empty());
    CHECK(name.size() == size);
    int32_t major = 0, minor = 0;
    ok(cucore_device_attribute, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major);
    ok(cucore_device_attribute, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor);
    CHECK(cucore_device_arch(device, &size) == "sm_" + std::to_string(major) + std::to_string(minor));
    CHECK(size == std::string(cucore_device_arch(device, nullptr)).size());
}

TEST_CASE_METHOD(Clean, "there is no device of another ordinal") {
    int32_t count = 0;
    ok(cucore_device_count, &count);
    for (const int32_t ordinal : {-1, count, 1000}) {
        const Facts facts = fails(cucore_device_open, ordinal);
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_NOT_FOUND);
        CHECK(facts.says(std::to_string(ordinal)));
        CHECK(facts.says(std::to_string(count)));
    }
}

TEST_CASE_METHOD(Clean, "an attribute that the driver does not know is INVALID_ARGUMENT, and leaves the value") {
    const Device device = make(cucore_device_open, 0);
    int32_t value = 77;
    const Facts facts = fails(cucore_device_attribute, device, 100000, &value);
    CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
    CHECK(facts.operation == "cuDeviceGetAttribute");
    CHECK(value == 77);
    fails_saying(CUCORE_INVALID_ARGUMENT, "value is NULL", cucore_device_attribute, device, 1, nullptr);
}

TEST_CASE_METHOD(Clean, "opening a device makes no context", "[sim]") {
    const size_t contexts = sim().live_count("context");
    const Device device = make(cucore_device_open, 0);
    CHECK(sim().live_count("context") == contexts);
    const Context context = make(cucore_device_context, device);
    CHECK(sim().live_count("context") == contexts + 1);
}

TEST_CASE_METHOD(Clean, "handles of one device share its primary context") {
    const Device first = make(cucore_device_open, 0);
    const Device second = make(cucore_device_open, 0);
    const Context one = make(cucore_device_context, first);
    const Context other = make(cucore_device_context, second);
    CHECK(cucore_context_raw(one) != nullptr);
    CHECK(cucore_context_raw(one) == cucore_context_raw(other));
    CHECK(cucore_context_ordinal(one) == 0);
}

TEST_CASE_METHOD(Clean, "a device lives until its last reference") {
    Device device = make(cucore_device_open, 0);
    cucore_device *second = cucore_device_retain(device);
    CHECK(second == device.get());
    int32_t destroyed = -1;
    ok(cucore_device_close, device.give(), &destroyed);
    CHECK(destroyed == 0);
    CHECK(cucore_device_ordinal(second) == 0);
    ok(cucore_device_close, second, &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE("bad device handles give -1 and NULL") {
    CHECK(cucore_device_ordinal(nullptr) == -1);
    CHECK(cucore_device_raw(nullptr) == -1);
    CHECK(cucore_device_name(nullptr, nullptr) == nullptr);
    CHECK(cucore_device_arch(nullptr, nullptr) == nullptr);
}

TEST_CASE("a driver without devices counts 0 and opens none", "[sim]") {
    const Ended ended = run_child({"no-device"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("count: OK\ndevices: 0\nopen: NOT_FOUND"));
}
