// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section B: contexts. Rows without [sim] run on a real driver too.
#include "support/calls.hpp"
#include "support/contexts.hpp"

#include <algorithm>
#include <thread>

using namespace test;

namespace {

/// How often the library called these since the construction.
class SwitchCount {
  public:
    uint64_t gets() const {
        return sim().call_count("cuCtxGetCurrent") - gets_;
    }
    uint64_t pushes() const {
        return sim().call_count("cuCtxPushCurrent") - pushes_;
    }
    uint64_t pops() const {
        return sim().call_count("cuCtxPopCurrent") - pops_;
    }
    uint64_t sets() const {
        return sim().call_count("cuCtxSetCurrent") - sets_;
    }

  private:
    uint64_t gets_ = sim().call_count("cuCtxGetCurrent");
    uint64_t pushes_ = sim().call_count("cuCtxPushCurrent");
    uint64_t pops_ = sim().call_count("cuCtxPopCurrent");
    uint64_t sets_ = sim().call_count("cuCtxSetCurrent");
};

/// Pops the context that a failed leave left behind.
void pop_what_stayed() {
    sim().fail_nothing();
    CUcontext popped = nullptr;
    CHECK(raw().cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
}

/// The notes of B4 and B5: which context is current now, and what to do.
void check_left_behind(const Facts &facts, CUcontext current, const std::string &when = "") {
    INFO(describe(facts));
    const Facts *consequence = facts.note(CUCORE_NOTE_CONSEQUENCE, "could not be restored" + when);
    REQUIRE(consequence != nullptr);
    CHECK(consequence->says(hex(current)));
    CHECK(facts.note(CUCORE_NOTE_ADVICE, "cucore_context_set_current") != nullptr);
}

/// The facts and those of all notes as one text.
bool tells(const Facts &facts, const std::string &part) {
    return describe(facts).find(part) != std::string::npos;
}

/// Every call of the table that can be made again and again in any context.
template <class Action> void for_each_call(Action action) {
    for (const Call &row : calls) {
        if (row.need != Call::COMPILER) {
            INFO(row.function);
            action(row);
        }
    }
}

/// A call: its code, and whether the current context was the same afterwards.
struct Visit {
    std::string function;
    int32_t code;
    bool kept;
};

/// Calls everything but `without`, with `expected` as the current context.
std::vector<Visit> visit(Kit &kit, CUcontext expected, const std::string &without = "") {
    std::vector<Visit> visits;
    for_each_call([&](const Call &row) {
        if (row.function == without) {
            return;
        }
        Status status;
        const int32_t code = row.call(kit, status.maybe());
        CUcontext current = nullptr;
        raw().cuCtxGetCurrent(&current);
        visits.push_back({row.function, code, current == expected});
    });
    return visits;
}

void check(const std::vector<Visit> &visits) {
    CHECK(visits.size() > 60);
    for (const Visit &each : visits) {
        INFO(each.function);
        CHECK(each.code == CUCORE_OK);
        CHECK(each.kept);
    }
}

} // namespace

TEST_CASE_METHOD(Clean, "B1: every function with no current context") {
    OwnedKit owned;
    REQUIRE(current_context() == nullptr);
    check(visit(owned.kit, nullptr));
}

TEST_CASE_METHOD(Clean, "B1: every function with the bound context current") {
    OwnedKit owned;
    const Pushed bound(cucore_context_raw(owned.kit.context));
    check(visit(owned.kit, cucore_context_raw(owned.kit.context)));
}

TEST_CASE_METHOD(Clean, "B1: every function with another context of the device current") {
    OwnedKit owned;
    const ForeignContext foreign;
    check(visit(owned.kit, foreign.get()));
}

TEST_CASE_METHOD(Clean, "B1: every function with another device's primary context current", "[sim]") {
    OwnedKit owned;
    const Context other = make(cucore_device_context, make(cucore_device_open, 1));
    const Pushed pushed(cucore_context_raw(other));
    check(visit(owned.kit, cucore_context_raw(other)));
}

TEST_CASE_METHOD(Clean, "B1: every function with a context current that was destroyed meanwhile") {
    OwnedKit owned;
    std::vector<Visit> visits;
    bool restored = false;
    std::thread([&] { // a thread of its own, for its context stack
        CUcontext dead = nullptr, popped = nullptr;
        const CUcontext alive = cucore_context_raw(owned.kit.context);
        raw().cuCtxCreate(&dead, 0, 0);
        raw().cuCtxPushCurrent(alive);
        raw().cuCtxDestroy(dead);
        raw().cuCtxPopCurrent(&popped);
        visits = visit(owned.kit, dead, "cucore_context_set_current"); // which would set the dead one current
        // Only a context that is alive may be set current, and only that one may be popped.
        raw().cuCtxSetCurrent(alive);
        raw().cuCtxPopCurrent(&popped);
        CUcontext current = alive;
        raw().cuCtxGetCurrent(&current);
        restored = popped == alive && current == nullptr;
    })
        .join();
    check(visits);
    CHECK(restored);
}

TEST_CASE_METHOD(Clean, "B2: a stream made from a device is in its context, whatever is current", "[sim]") {
    const Device zero = make(cucore_device_open, 0), one = make(cucore_device_open, 1);
    const Context of_zero = make(cucore_device_context, zero), of_one = make(cucore_device_context, one);
    const Pushed pushed(cucore_context_raw(of_zero));
    const Stream stream = make(cucore_stream_create, one, nullptr);
    CUcontext its_context = nullptr;
    CHECK(raw().cuStreamGetCtx(cucore_stream_raw(stream), &its_context) == CUDA_SUCCESS);
    CHECK(its_context == cucore_context_raw(of_one));
}

TEST_CASE_METHOD(Clean, "B2: an event is not recorded or timed across devices", "[sim]") {
    const Device zero = make(cucore_device_open, 0), one = make(cucore_device_open, 1);
    const Stream stream = make(cucore_stream_create, one, nullptr);
    const cucore_event_options timing{sizeof timing, CUCORE_ON, CUCORE_DEFAULT};
    const Event event = make(cucore_event_create, zero, &timing), other = make(cucore_event_create, one, &timing);
    const auto check_refused = [&](const Facts &facts, const char *first, const char *second) {
        INFO(describe(facts));
        CHECK(facts.code == CUCORE_INVALID_HANDLE);
        CHECK(facts.says(first));
        CHECK(facts.says(second));
        CHECK(facts.says("device 0"));
        CHECK(facts.says("device 1"));
    };
    const uint64_t calls_before = sim().call_count(nullptr);
    check_refused(fails(cucore_event_record, event, stream), "event", "stream");
    float milliseconds = 0;
    check_refused(fails(cucore_event_elapsed, event, other, &milliseconds), "start", "end");
    CHECK(sim().call_count(nullptr) == calls_before);
}

TEST_CASE_METHOD(Clean, "B3: with the bound context current a creation asks once which is, and switches nothing", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    const Pushed bound(cucore_context_raw(context));
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0); // an armed fault of the way out is not consumed
    const uint64_t failures = sim().failures_injected();
    const auto one_get = [&](auto action) {
        const SwitchCount count;
        action();
        CHECK(count.gets() == 1);
        CHECK(count.pushes() + count.pops() + count.sets() == 0);
    };
    one_get([&] { cucore_context_synchronize(context, nullptr); });
    cucore_stream *stream = nullptr;
    one_get([&] { stream = cucore_stream_create(device, nullptr, nullptr); });
    cucore_stream_release(stream);
    cucore_event *event = nullptr;
    one_get([&] { event = cucore_event_create(device, nullptr, nullptr); });
    cucore_event_release(event);
    CHECK(sim().failures_injected() == failures);
    sim().fail_nothing();
}

TEST_CASE_METHOD(Clean, "B3: calls that need no context do not even ask which is current", "[sim]") {
    OwnedKit owned;
    const std::vector<std::string> switching = {"cucore_stream_create", "cucore_event_create", "cucore_context_synchronize",
                                                "cucore_context_set_current", "cucore_library_load",
                                                // a copy fails where a destroyed context is current
                                                "cucore_buffer_copy_from_host", "cucore_buffer_copy_to_host",
                                                // the first look at the parameters of a kernel
                                                "cucore_library_kernel", "cucore_kernel_parameter_count",
                                                "cucore_kernel_parameter_size"};
    { // so that what a kernel is asked once is known
        Status status;
        for_each_call([&](const Call &row) { row.call(owned.kit, status.maybe()); });
    }
    for_each_call([&](const Call &row) {
        const SwitchCount count;
        Status status;
        row.call(owned.kit, status.maybe());
        if (std::find(switching.begin(), switching.end(), row.function) == switching.end()) {
            CHECK(count.gets() + count.pushes() + count.pops() + count.sets() == 0);
        }
    });
}

TEST_CASE_METHOD(Clean, "B4: leaving fails after a creation: it is undone, and the status says which context is current", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    const CUcontext bound = cucore_context_raw(context);
    const auto live = sim().live();
    const auto check_undone = [&](auto function, auto... arguments) {
        sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
        const Facts facts = fails(function, arguments...);
        CHECK(facts.operation == "cuCtxPopCurrent");
        CHECK(facts.native == INJECTED);
        check_left_behind(facts, bound);
        CHECK(sim().live() == live);
        CHECK(current_context() == bound);
        pop_what_stayed();
    };
    const ObjectCode code = ptx(SAXPY_PTX);
    check_undone(cucore_stream_create, device.get(), nullptr);
    check_undone(cucore_event_create, device.get(), nullptr);
    check_undone(cucore_library_load, device.get(), code.get());
}

TEST_CASE_METHOD(Clean, "B5: leaving fails after a call with nothing to undo: the same status and notes", "[sim]") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    const ForeignContext foreign;
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    const Facts facts = fails(cucore_context_synchronize, context);
    CHECK(facts.operation == "cuCtxPopCurrent");
    check_left_behind(facts, cucore_context_raw(context));
    pop_what_stayed();
}

TEST_CASE_METHOD(Clean, "B6: the operation and leaving fail: the operation's code, and a note with the other", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    const ObjectCode code = ptx(SAXPY_PTX);
    const auto check_both = [&](const char *operation, auto function, auto... arguments) {
        sim().fail(operation, 1, INJECTED_TOO, 0);
        sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
        const Facts facts = fails(function, arguments...);
        INFO(describe(facts));
        CHECK(facts.operation == operation);
        CHECK(facts.native == INJECTED_TOO);
        const Facts *second = facts.note(CUCORE_NOTE_CONSEQUENCE, "cuCtxPopCurrent");
        REQUIRE(second != nullptr);
        CHECK(second->native == INJECTED);
        check_left_behind(facts, cucore_context_raw(context), " after this failure");
        pop_what_stayed();
    };
    check_both("cuStreamCreateWithPriority", cucore_stream_create, device.get(), nullptr);
    check_both("cuEventCreate", cucore_event_create, device.get(), nullptr);
    check_both("cuLibraryGetModule", cucore_library_load, device.get(), code.get());
    check_both("cuCtxSynchronize", cucore_context_synchronize, context.get());
}

TEST_CASE_METHOD(Clean, "B8: entering fails: the operation does not run and nothing is popped", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    const ObjectCode code = ptx(SAXPY_PTX);
    const auto check_skipped = [&](const char *operation, auto function, auto... arguments) {
        for (const char *entering : {"cuCtxGetCurrent", "cuCtxPushCurrent"}) {
            const uint64_t operations = sim().call_count(operation), pops = sim().call_count("cuCtxPopCurrent");
            sim().fail(entering, 1, INJECTED, 0);
            const Facts facts = fails(function, arguments...);
            INFO(describe(facts));
            CHECK(facts.operation == entering);
            CHECK(facts.native == INJECTED);
            CHECK(sim().call_count(operation) == operations);
            CHECK(sim().call_count("cuCtxPopCurrent") == pops);
            sim().fail_nothing();
        }
    };
    check_skipped("cuStreamCreateWithPriority", cucore_stream_create, device.get(), nullptr);
    check_skipped("cuEventCreate", cucore_event_create, device.get(), nullptr);
    check_skipped("cuLibraryGetModule", cucore_library_load, device.get(), code.get());
    check_skipped("cuCtxSynchronize", cucore_context_synchronize, context.get());
}

namespace {

/// A buffer that was used on a second stream, whose free must wait for it: that takes an event, which needs a context.
struct UsedElsewhere : Clean {
    Device device = make(cucore_device_open, 0);
    Stream first = make(cucore_stream_create, device, nullptr);
    Stream second = make(cucore_stream_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, first);
    const std::string address = hex(cucore_buffer_raw(buffer));

    UsedElsewhere() {
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 0u, 1u, second);
    }
};

} // namespace

TEST_CASE_METHOD(UsedElsewhere, "B8: entering fails in a cleanup: a warning that it was skipped, and the resource leaked",
                 "[sim]") {
    const char *const entering = GENERATE("cuCtxGetCurrent", "cuCtxPushCurrent");
    expect_leaks(1);
    const uint64_t frees = sim().call_count("cuMemFreeAsync"), pops = sim().call_count("cuCtxPopCurrent");
    sim().fail(entering, 1, INJECTED, 0);
    buffer.reset();
    const Facts facts = sink.take_one();
    INFO(describe(facts));
    CHECK(facts.operation == entering);
    CHECK(tells(facts, "skipped (context activation failed; resource leaked)"));
    CHECK(tells(facts, address));
    CHECK(sim().call_count("cuMemFreeAsync") == frees);
    CHECK(sim().call_count("cuCtxPopCurrent") == pops);
}

TEST_CASE_METHOD(UsedElsewhere, "B9: leaving fails in a cleanup: the cleanup stands, and a warning says so", "[sim]") {
    const uint64_t frees = sim().call_count("cuMemFreeAsync");
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    buffer.reset();
    pop_what_stayed();
    const Facts facts = sink.take_one();
    INFO(describe(facts));
    CHECK(facts.operation == "cuCtxPopCurrent");
    CHECK(tells(facts, "failed while restoring the caller's context"));
    CHECK(sim().call_count("cuMemFreeAsync") == frees + 1);
}

TEST_CASE_METHOD(UsedElsewhere, "B9: leaving and the operation fail in a cleanup: two warnings, the operation's first", "[sim]") {
    sim().fail("cuEventCreate", 1, INJECTED_TOO, 0);
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    expect_leaks(1);
    buffer.reset();
    pop_what_stayed();
    const std::vector<Facts> warnings = sink.take();
    REQUIRE(warnings.size() == 2);
    INFO(describe(warnings[0]) << describe(warnings[1]));
    CHECK(warnings[0].operation == "cuEventCreate");
    CHECK(tells(warnings[0], address));
    CHECK(warnings[1].operation == "cuCtxPopCurrent");
    CHECK(tells(warnings[1], "failed while restoring the caller's context"));
}

TEST_CASE_METHOD(UsedElsewhere, "C14: a buffer whose noted stream cannot be waited for is leaked, with one warning", "[sim]") {
    const char *const step = GENERATE("cuEventCreate", "cuEventRecord", "cuStreamWaitEvent");
    expect_leaks(1);
    const uint64_t frees = sim().call_count("cuMemFreeAsync");
    sim().fail(step, 1, INJECTED, 0);
    buffer.reset();
    const Facts facts = sink.take_one();
    INFO(describe(facts));
    CHECK(facts.operation == step);
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "leaked") != nullptr);
    CHECK(tells(facts, address));
    CHECK(sim().call_count("cuMemFreeAsync") == frees);
}

TEST_CASE_METHOD(Clean, "B11: set_current is one cuCtxSetCurrent, works with no current context, and gives the previous back") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    REQUIRE(current_context() == nullptr);
    cucore_context *previous = context;
    ok(cucore_context_set_current, context, &previous);
    CHECK(previous == nullptr);
    CHECK(current_context() == cucore_context_raw(context));
    ok(cucore_context_set_current, nullptr, &previous);
    CHECK(previous == context.get());
    cucore_context_release(previous);
    CHECK(current_context() == nullptr);
    ok(cucore_context_set_current, context, nullptr);
    ok(cucore_context_set_current, nullptr, nullptr);
}

TEST_CASE_METHOD(Clean, "B11: set_current makes exactly one cuCtxSetCurrent", "[sim]") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    cucore_context *previous = nullptr;
    const SwitchCount count;
    ok(cucore_context_set_current, context, &previous);
    CHECK(count.sets() == 1);
    CHECK(count.pushes() + count.pops() == 0);
    ok(cucore_context_set_current, previous, nullptr);
    CHECK(count.sets() == 2);
}

TEST_CASE_METHOD(Clean, "B11: when set_current fails the previous context stays", "[sim]") {
    const Context context = make(cucore_device_context, make(cucore_device_open, 0));
    const ForeignContext foreign;
    for (const char *step : {"cuCtxGetCurrent", "cuCtxSetCurrent"}) {
        cucore_context *previous = context;
        sim().fail(step, 1, INJECTED, 0);
        const Facts facts = fails(cucore_context_set_current, context, &previous);
        CHECK(facts.operation == step);
        CHECK(previous == context.get()); // untouched
        CHECK(current_context() == foreign.get());
    }
}

TEST_CASE_METHOD(Clean, "B15: a last release on a thread without a context works for every family") {
    auto owned = std::make_unique<OwnedKit>();
    std::thread([&] { owned.reset(); }).join();
    CHECK(sink.take().empty());
}
