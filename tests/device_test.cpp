// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/faults.hpp"
#include "support/process.hpp"

#include <regex>

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
    CHECK(cucore_device_uuid(nullptr) == nullptr);
    CHECK(cucore_device_pci_bus_id(nullptr, nullptr) == nullptr);
    CHECK(cucore_device_compute_capability(nullptr) == 0);
}

TEST_CASE("a driver without devices counts 0 and opens none", "[sim]") {
    const Ended ended = run_child({"no-device"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("count: OK\ndevices: 0\nopen: NOT_FOUND"));
}

namespace {

/// A value that a failed call must leave.
auto *const UNTOUCHED = reinterpret_cast<cucore_device *>(1);

int32_t count_of_devices() {
    int32_t count = 0;
    ok(cucore_device_count, &count);
    return count;
}

} // namespace

TEST_CASE_METHOD(Clean, "all devices are opened, in the order of their ordinals") {
    const auto count = static_cast<size_t>(count_of_devices());
    std::vector<cucore_device *> devices(count + 1, UNTOUCHED);
    size_t total = 0;
    ok(cucore_device_open_all, devices.data(), devices.size(), &total);
    CHECK(total == count);
    for (size_t index = 0; index < count; index++) {
        CHECK(cucore_device_ordinal(Device(devices[index])) == static_cast<int32_t>(index));
    }
    CHECK(devices[count] == UNTOUCHED);
    total = 0;
    ok(cucore_device_open_all, nullptr, size_t{0}, &total);
    CHECK(total == count);
}

TEST_CASE_METHOD(Clean, "a list that is too short for all devices gets the first", "[sim]") {
    cucore_device *devices[] = {UNTOUCHED, UNTOUCHED};
    size_t total = 0;
    ok(cucore_device_open_all, devices, size_t{1}, &total);
    CHECK(total == 2);
    CHECK(cucore_device_ordinal(Device(devices[0])) == 0);
    CHECK(devices[1] == UNTOUCHED);
}

TEST_CASE_METHOD(Clean, "a list of devices needs room and a total") {
    cucore_device *devices[] = {UNTOUCHED};
    size_t total = 77;
    fails_saying(CUCORE_INVALID_ARGUMENT, "devices is NULL", cucore_device_open_all, nullptr, size_t{1}, &total);
    fails_saying(CUCORE_INVALID_ARGUMENT, "total is NULL", cucore_device_open_all, devices, size_t{1}, nullptr);
    CHECK(total == 77);
    CHECK(devices[0] == UNTOUCHED);
}

TEST_CASE_METHOD(Clean, "if one device cannot be opened there are no handles", "[sim]") {
    cucore_device *devices[] = {UNTOUCHED, UNTOUCHED};
    size_t total = 77;
    for (const char *call : {"cuDeviceGet", "cuDeviceGetName", "cuDeviceGetUuid", "cuDeviceGetPCIBusId", "cuDeviceGetAttribute"}) {
        sim().fail(call, 2, INJECTED, 0); // of the second device, or the second attribute
        CHECK(fails(cucore_device_open_all, devices, size_t{2}, &total).operation == call);
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_device_open, 0).operation == call);
    }
    fail_library_call("malloc", 2, false);
    CHECK(fails(cucore_device_open_all, devices, size_t{2}, &total).code == CUCORE_OUT_OF_MEMORY);
    fail_no_library_call();
    CHECK(total == 77);
    CHECK(devices[0] == UNTOUCHED);
    CHECK(devices[1] == UNTOUCHED);
}

TEST_CASE_METHOD(Clean, "a device has a UUID, a PCI address and a compute capability") {
    const Device device = make(cucore_device_open, 0);
    const uint8_t *uuid = cucore_device_uuid(device);
    REQUIRE(uuid != nullptr);
    CHECK(std::string(uuid, uuid + 16) != std::string(16, '\0'));
    size_t size = 0;
    const std::string address = cucore_device_pci_bus_id(device, &size);
    CHECK(address.size() == size);
    CHECK(std::regex_match(address, std::regex("[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]")));
    int32_t major = 0, minor = 0;
    ok(cucore_device_attribute, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major);
    ok(cucore_device_attribute, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor);
    CHECK(cucore_device_compute_capability(device) == 10 * major + minor);
}

TEST_CASE_METHOD(Clean, "devices differ in UUID and PCI address", "[sim]") {
    const Device first = make(cucore_device_open, 0), second = make(cucore_device_open, 1);
    CHECK(std::string(cucore_device_pci_bus_id(first, nullptr)) != cucore_device_pci_bus_id(second, nullptr));
    const uint8_t *one = cucore_device_uuid(first), *other = cucore_device_uuid(second);
    CHECK(std::string(one, one + 16) != std::string(other, other + 16));
}

TEST_CASE_METHOD(Clean, "every attribute that the header names is known to the driver") {
    const Device device = make(cucore_device_open, 0);
    for (const int32_t attribute :
         {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16, 18, 19, 31, 33, 34, 36, 37, 38, 39, 41, 75, 76, 83, 95, 97, 115, 120}) {
        INFO(attribute);
        int32_t value = -1;
        ok(cucore_device_attribute, device, attribute, &value);
        CHECK(value >= 0);
    }
    int32_t warp = 0;
    ok(cucore_device_attribute, device, CUCORE_DEVICE_ATTRIBUTE_WARP_SIZE, &warp);
    CHECK(warp == 32);
}

TEST_CASE_METHOD(Clean, "whether one device can use another's memory is told") {
    const Device device = make(cucore_device_open, 0), peer = make(cucore_device_open, count_of_devices() - 1);
    int32_t can = -1;
    ok(cucore_device_can_access_peer, device, peer, &can);
    CHECK((can == 0 || can == 1));
    fails_saying(CUCORE_INVALID_ARGUMENT, "can is NULL", cucore_device_can_access_peer, device, peer, nullptr);
}

TEST_CASE_METHOD(Clean, "a device tells how much memory it has") {
    const Device device = make(cucore_device_open, 0);
    uint64_t available = 0, total = 0;
    ok(cucore_device_memory_info, device, &available, &total);
    CHECK(available > 0);
    CHECK(total >= available);
    fails_saying(CUCORE_INVALID_ARGUMENT, "available is NULL", cucore_device_memory_info, device, nullptr, &total);
    fails_saying(CUCORE_INVALID_ARGUMENT, "total is NULL", cucore_device_memory_info, device, &available, nullptr);
}

TEST_CASE_METHOD(Clean, "a device tells the priorities of its streams") {
    const Device device = make(cucore_device_open, 0);
    int32_t lowest = -1, highest = 1;
    ok(cucore_device_stream_priority_range, device, &lowest, &highest);
    CHECK(lowest == 0);
    CHECK(highest <= lowest);
    fails_saying(CUCORE_INVALID_ARGUMENT, "lowest is NULL", cucore_device_stream_priority_range, device, nullptr, &highest);
    fails_saying(CUCORE_INVALID_ARGUMENT, "highest is NULL", cucore_device_stream_priority_range, device, &lowest, nullptr);
}

TEST_CASE_METHOD(Clean, "a query that fails leaves its results as they were", "[sim]") {
    const Device device = make(cucore_device_open, 0), peer = make(cucore_device_open, 1);
    make(cucore_device_context, device);
    uint64_t available = 7, total = 8;
    int32_t lowest = 7, highest = 8, can = 9;
    for (const char *call : {"cuMemGetInfo", "cuCtxPopCurrent"}) {
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_device_memory_info, device, &available, &total).operation == call);
    }
    ok(cucore_context_set_current, nullptr, nullptr);
    for (const char *call : {"cuCtxGetStreamPriorityRange", "cuCtxPopCurrent"}) {
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_device_stream_priority_range, device, &lowest, &highest).operation == call);
    }
    ok(cucore_context_set_current, nullptr, nullptr);
    sim().fail("cuDeviceCanAccessPeer", 1, INJECTED, 0);
    CHECK(fails(cucore_device_can_access_peer, device, peer, &can).operation == "cuDeviceCanAccessPeer");
    CHECK((available == 7 && total == 8));
    CHECK((lowest == 7 && highest == 8 && can == 9));
}

TEST_CASE_METHOD(Clean, "a device is bound to the context it is given, and what is made from it is in that context") {
    const CUcontext foreign = new_context();
    Context context = make(cucore_context_from_raw, foreign, CUCORE_ADOPT, nullptr, nullptr);
    const Device device = make(cucore_device_with_context, context);
    CHECK(cucore_device_ordinal(device) == 0);
    CHECK(Context(make(cucore_device_context, device)).get() == context.get());
    context.reset(); // which the device keeps
    const Stream stream = make(cucore_stream_create, device, nullptr);
    CUcontext of_stream = nullptr;
    CHECK(raw().cuStreamGetCtx(cucore_stream_raw(stream), &of_stream) == CUDA_SUCCESS);
    CHECK(of_stream == foreign);
    ok(cucore_device_synchronize, device);
}

TEST_CASE_METHOD(Clean, "a device is made current, and the context before is given back") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    auto *previous = reinterpret_cast<cucore_context *>(1);
    ok(cucore_device_set_current, device, &previous);
    CHECK(previous == nullptr);
    CHECK(current_context() == cucore_context_raw(context));
    ok(cucore_device_set_current, device, &previous);
    CHECK(Context(previous).get() == context.get());
    ok(cucore_device_set_current, device, nullptr);
    ok(cucore_context_set_current, nullptr, nullptr);
}

TEST_CASE_METHOD(Clean, "the current device is the one of the current context, bound to it") {
    cucore_device *current = UNTOUCHED;
    ok(cucore_device_current, &current);
    CHECK(current == nullptr);
    const ForeignContext foreign;
    ok(cucore_device_current, &current);
    const Device device(current);
    CHECK(cucore_device_ordinal(device) == 0);
    CHECK(cucore_context_raw(make(cucore_device_context, device)) == foreign.get());
    fails_saying(CUCORE_INVALID_ARGUMENT, "current is NULL", cucore_device_current, nullptr);
}

TEST_CASE_METHOD(Clean, "the current device is untouched by a failure to tell it", "[sim]") {
    const ForeignContext foreign(1);
    cucore_device *current = UNTOUCHED;
    for (const char *call : {"cuCtxGetCurrent", "cuCtxGetDevice", "cuDeviceGetName"}) {
        sim().fail(call, 1, INJECTED, 0);
        CHECK(fails(cucore_device_current, &current).operation == call);
    }
    CHECK(current == UNTOUCHED);
    ok(cucore_device_current, &current);
    CHECK(cucore_device_ordinal(Device(current)) == 1);
}
