// SPDX-License-Identifier: MIT OR Apache-2.0
// The list of live handles. Once it is enabled it stays so: what is tested before is in the first test case.
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/faults.hpp"

#include <algorithm>
#include <memory>

using namespace test;

namespace {

struct Release {
    void operator()(cucore_live_list *list) const {
        cucore_live_list_release(list);
    }
};
using LiveList = std::unique_ptr<cucore_live_list, Release>;

LiveList live() {
    Status status;
    LiveList list(cucore_live_list_create(status));
    REQUIRE(list);
    return list;
}

/// "stream cucore_stream_create 1" for each handle.
std::vector<std::string> lines(const LiveList &list) {
    std::vector<std::string> all;
    for (size_t i = 0; i < cucore_live_list_count(list.get()); i++) {
        all.push_back(std::string(cucore_live_list_type(list.get(), i, nullptr)) + " " +
                      cucore_live_list_function(list.get(), i, nullptr) + " " +
                      std::to_string(cucore_live_list_references(list.get(), i)));
    }
    return all;
}

size_t count(const LiveList &list, const std::string &line) {
    size_t found = 0;
    for (const std::string &each : lines(list)) {
        found += each == line;
    }
    return found;
}

} // namespace

TEST_CASE_METHOD(Clean, "handles are listed from when that is asked for", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream unlisted = make(cucore_stream_create, device, nullptr);
    Status status;
    CHECK(cucore_live_list_create(status) == nullptr);
    CHECK(status.facts().code == CUCORE_INVALID_STATE);
    CHECK(status.facts().says("call cucore_live_list_enable"));

    cucore_live_list_enable();
    CHECK(lines(live()).empty());
    Event event = make(cucore_event_create, device, nullptr);
    const Event again(cucore_event_retain(event));
    CHECK(lines(live()) == std::vector<std::string>{"event cucore_event_create 2"});
}

TEST_CASE_METHOD(Clean, "a list says what made each handle, the oldest first, and does not change") {
    cucore_live_list_enable();
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, stream);
    const LiveList list = live();
    const std::vector<std::string> then = lines(list);
    // Whatever else the library makes for these, they are there in this order.
    const std::vector<std::string> made{"device cucore_device_open", "stream cucore_stream_create",
                                        "memory resource cucore_memory_resource_device_pool",
                                        "buffer cucore_memory_resource_allocate"};
    auto next = made.begin();
    for (const std::string &line : then) {
        if (next != made.end() && line.rfind(*next, 0) == 0) {
            ++next;
        }
    }
    INFO(cucore_live_list_text(list.get(), nullptr));
    CHECK(next == made.end());
    CHECK(count(list, "buffer cucore_memory_resource_allocate 1") == 1);
    CHECK(count(list, "stream cucore_stream_create 2") == 1); // the caller's and the buffer's

    buffer.reset();
    CHECK(count(live(), "stream cucore_stream_create 1") == 1);
    stream.reset();
    resource.reset();
    device.reset();
    CHECK(lines(live()).empty());
    CHECK(lines(list) == then);
}

TEST_CASE_METHOD(Clean, "the text of a list has a line for each handle") {
    cucore_live_list_enable();
    CHECK(cucore_live_list_text(live().get(), nullptr) == std::string());
    const Device device = make(cucore_device_open, 0);
    const Event event = make(cucore_event_create, device, nullptr);
    const Event again(cucore_event_retain(event));
    const LiveList list = live();
    size_t size = 0;
    const std::string text = cucore_live_list_text(list.get(), &size);
    CHECK(size == text.size());
    CHECK(text.find("event, made by cucore_event_create, 2 references\n") != std::string::npos);
    CHECK(size_t(std::count(text.begin(), text.end(), '\n')) == cucore_live_list_count(list.get()));
}

TEST_CASE_METHOD(Clean, "what is left to the library's thread is alive, with no reference, until it is destroyed", "[sim]") {
    cucore_live_list_enable();
    const Device device = make(cucore_device_open, 0);
    Event event = make(cucore_event_create, device, nullptr);
    size_t while_destroyed = 0;
    const auto look = [](void *found) { *static_cast<size_t *>(found) = count(live(), "event cucore_event_create 0"); };
    sim().hook("cuEventDestroy", 1, look, &while_destroyed);
    ok(cucore_callback_enter);
    event.reset();
    cucore_callback_leave();
    ok(cucore_deferred_drain);
    CHECK(while_destroyed == 1);
    CHECK(count(live(), "event cucore_event_create 0") == 0);
}

TEST_CASE_METHOD(Clean, "A11: with no memory to list a handle none is made, and with none for a list there is none", "[sim]") {
    cucore_live_list_enable();
    patch_library();
    const Device device = make(cucore_device_open, 0);
    const std::vector<std::string> before = lines(live());
    for (uint64_t nth : {1, 2}) { // the handle, its entry
        fail_library_call("malloc", nth, false);
        const Facts facts = fails(cucore_event_create, device, nullptr);
        fail_no_library_call();
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_OUT_OF_MEMORY);
        CHECK(facts.says(nth == 1 ? "no memory for the handle of the event" : "no memory to list the event"));
        CHECK(lines(live()) == before);
    }
    for (uint64_t nth : {1, 2}) { // the list, its text
        Status status;
        fail_library_call("calloc", nth, false);
        CHECK(cucore_live_list_create(status) == nullptr);
        fail_no_library_call();
        CHECK(status.facts().code == CUCORE_OUT_OF_MEMORY);
        CHECK(status.facts().says("no memory for the list"));
    }
}

TEST_CASE_METHOD(Clean, "accessors of no list and of no handle in it give nothing") {
    cucore_live_list_enable();
    size_t size = 1;
    CHECK(cucore_live_list_count(nullptr) == 0);
    CHECK(cucore_live_list_text(nullptr, &size) == nullptr);
    CHECK(size == 0);
    const LiveList list = live();
    for (const cucore_live_list *each : {list.get(), static_cast<cucore_live_list *>(nullptr)}) {
        CHECK(cucore_live_list_type(each, cucore_live_list_count(each), nullptr) == nullptr);
        CHECK(cucore_live_list_function(each, SIZE_MAX, nullptr) == nullptr);
        CHECK(cucore_live_list_references(each, cucore_live_list_count(each)) == 0);
    }
    cucore_live_list_release(nullptr);
}
