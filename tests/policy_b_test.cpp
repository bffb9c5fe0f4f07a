// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section B: contexts. Rows without [sim] run on a real driver too.
#include "support/calls.hpp"
#include "support/contexts.hpp"
#include "support/destroys.hpp"

#include <algorithm>
#include <functional>
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
    const std::vector<std::string> switching = {
        "cucore_context_current", "cucore_context_set_current", "cucore_context_from_raw", "cucore_context_run",
        "cucore_context_synchronize", "cucore_device_current", "cucore_device_set_current", "cucore_device_synchronize",
        "cucore_device_memory_info", "cucore_device_stream_priority_range", "cucore_stream_create", "cucore_stream_wait_stream",
        "cucore_event_create", "cucore_library_load", "cucore_library_global",
        // a copy fails where a destroyed context is current
        "cucore_buffer_copy", "cucore_buffer_copy_from_host", "cucore_buffer_copy_to_host",
        "cucore_buffer_copy_from_host_unchecked", "cucore_buffer_copy_to_host_unchecked",
        // the first look at the parameters of a kernel
        "cucore_library_kernel", "cucore_library_kernels", "cucore_kernel_parameter_count", "cucore_kernel_parameter_size",
        "cucore_kernel_parameter_offset"};
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

namespace {

/// A call that enters the bound context, and the driver's function that it makes there.
struct Inside {
    std::string operation;
    std::function<int32_t(cucore_status **status)> call;
};

/// A function that makes a handle, as one that gives a code.
template <class T> int32_t made(T *handle, cucore_status **status) {
    Noun<T>::release(handle);
    return handle != nullptr ? CUCORE_OK : cucore_status_code(*status);
}

/// What the calls that enter a context need, and a table of them.
struct Entering : Clean {
    Device device = make(cucore_device_open, 0);
    Context context = make(cucore_device_context, device);
    CUcontext bound = cucore_context_raw(context);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Stream legacy = make(cucore_stream_default, device);
    Event event = make(cucore_event_create, device, nullptr);
    Resource pool = make(cucore_memory_resource_device_pool, device);
    Resource pinned = make(cucore_memory_resource_pinned, device);
    Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{1024}, stream);
    ObjectCode code = ptx(NOTHING_PTX);
    Library library = make(cucore_library_load, device, code);
    Kernel kernel = find(library, "nothing");
    char host[64] = {};

    /// What makes something. It is undone if the caller's context cannot be restored.
    std::vector<Inside> creations() {
        std::vector<Inside> rows = {
            {"cuStreamCreateWithPriority", [this](auto s) { return made(cucore_stream_create(device, nullptr, s), s); }},
            {"cuEventCreate", [this](auto s) { return made(cucore_event_create(device, nullptr, s), s); }},
            {"cuLibraryGetModule", [this](auto s) { return made(cucore_library_load(device, code, s), s); }},
            {"cuMemAllocFromPoolAsync", [this](auto s) { return made(cucore_memory_resource_allocate(pool, 64, legacy, s), s); }},
            {"cuMemAllocHost", [this](auto s) { return made(cucore_memory_resource_allocate(pinned, 64, stream, s), s); }},
        };
        if (linkers_are_the_drivers()) {
            rows.push_back({"cuLinkCreate", [this](auto s) {
                                cucore_object_code *inputs[] = {code};
                                const Linker linker = make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
                                return made(cucore_linker_link(linker, s), s);
                            }});
        }
        return rows;
    }

    /// What is asked of a device.
    std::vector<Inside> questions() {
        return {
            {"cuMemGetInfo",
             [this](auto s) {
                 uint64_t available = 0, total = 0;
                 return cucore_device_memory_info(device, &available, &total, s);
             }},
            {"cuCtxGetStreamPriorityRange",
             [this](auto s) {
                 int32_t lowest = 0, highest = 0;
                 return cucore_device_stream_priority_range(device, &lowest, &highest, s);
             }},
        };
    }

    /// What else leaves nothing to undo.
    std::vector<Inside> others() {
        return {
            {"cuCtxSynchronize", [this](auto s) { return cucore_context_synchronize(context, s); }},
            {"cuCtxSynchronize", [this](auto s) { return cucore_device_synchronize(device, s); }},
            {"cuCtxGetDevice",
             [this](auto s) { return made(cucore_context_from_raw(bound, CUCORE_BORROW, nullptr, nullptr, s), s); }},
            {"cuKernelGetParamInfo", [this](auto s) { return made(cucore_library_kernel(library, "nothing", 7, s), s); }},
            {"cuMemsetD8Async", [this](auto s) { return cucore_buffer_fill(buffer, 0, 64, 0, 1, legacy, s); }},
            {"cuMemcpyHtoDAsync", [this](auto s) { return cucore_buffer_copy_from_host(buffer, 0, host, 64, stream, s); }},
            {"cuMemcpyDtoHAsync", [this](auto s) { return cucore_buffer_copy_to_host(buffer, 0, host, 64, legacy, s); }},
            {"cuMemcpyHtoDAsync",
             [this](auto s) { return cucore_buffer_copy_from_host_unchecked(buffer, 0, host, 64, stream, s); }},
            {"cuMemcpyAsync", [this](auto s) { return cucore_buffer_copy(buffer, 0, buffer, 512, 64, stream, s); }},
            {"cuLaunchKernelEx",
             [this](auto s) {
                 const cucore_launch_options options = shape(1, 1);
                 return cucore_kernel_launch(kernel, legacy, &options, nullptr, 0, s);
             }},
            {"cuStreamQuery",
             [this](auto s) {
                 int32_t done = 0;
                 return cucore_stream_is_done(legacy, &done, s);
             }},
            {"cuStreamGetFlags",
             [this](auto s) {
                 uint32_t flags = 0;
                 return cucore_stream_flags(legacy, &flags, s);
             }},
            {"cuStreamSynchronize", [this](auto s) { return cucore_stream_synchronize(legacy, s); }},
            {"cuEventRecord", [this](auto s) { return cucore_event_record(event, legacy, s); }},
            {"cuStreamWaitEvent", [this](auto s) { return cucore_stream_wait_event(legacy, event, s); }},
            {"cuEventCreate", [this](auto s) { return cucore_stream_wait_stream(stream, legacy, s); }},
        };
    }

    std::vector<Inside> all() {
        std::vector<Inside> rows = creations();
        for (const std::vector<Inside> &more : {questions(), others()}) {
            rows.insert(rows.end(), more.begin(), more.end());
        }
        return rows;
    }

    /// Makes a call that must fail.
    Facts failure_of(const Inside &row) {
        Status status;
        const int32_t result = row.call(status);
        const Facts facts = status.facts();
        INFO(describe(facts));
        REQUIRE(failed(result, status.get()));
        return facts;
    }

    /// Makes it with the way back failing, and checks the status and notes of B4 and B5.
    void check_stuck(const Inside &row) {
        INFO(row.operation);
        sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
        const Facts facts = failure_of(row);
        CHECK(facts.operation == "cuCtxPopCurrent");
        CHECK(facts.native == INJECTED);
        check_left_behind(facts, bound);
        CHECK(current_context() == bound);
        pop_what_stayed();
    }
};

} // namespace

TEST_CASE_METHOD(Entering, "B4: leaving fails after a creation: it is undone, and the status says which context is current",
                 "[sim]") {
    const auto live = sim().live();
    for (const Inside &row : creations()) {
        check_stuck(row);
        CHECK(new_lines(live, sim().live()).empty());
    }
}

TEST_CASE_METHOD(Entering, "B5: leaving fails after a call with nothing to undo: the same status and notes", "[sim]") {
    const ForeignContext foreign;
    const auto live = sim().live();
    for (const std::vector<Inside> &rows : {questions(), others()}) {
        for (const Inside &row : rows) {
            check_stuck(row);
        }
    }
    CHECK(new_lines(live, sim().live()).empty());
}

TEST_CASE_METHOD(Entering, "B6: the operation and leaving fail: the operation's code, and a note with the other", "[sim]") {
    for (const Inside &row : all()) {
        INFO(row.operation);
        sim().fail(row.operation.c_str(), 1, INJECTED_TOO, 0);
        sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
        const Facts facts = failure_of(row);
        INFO(describe(facts));
        CHECK(facts.operation == row.operation);
        CHECK(facts.native == INJECTED_TOO);
        const Facts *second = facts.note(CUCORE_NOTE_CONSEQUENCE, "cuCtxPopCurrent");
        REQUIRE(second != nullptr);
        CHECK(second->native == INJECTED);
        check_left_behind(facts, bound, " after this failure");
        pop_what_stayed();
    }
}

TEST_CASE_METHOD(Entering, "B6: an allocation that no machine can make fails with its own code, and leaves the caller's context") {
    const size_t too_much = size_t{1} << 62;
    for (cucore_memory_resource *resource : {pinned.get(), pool.get()}) {
        const ForeignContext foreign;
        const Facts facts = fails(cucore_memory_resource_allocate, resource, too_much, legacy);
        INFO(describe(facts));
        CHECK((facts.code == CUCORE_OUT_OF_MEMORY || facts.code == CUCORE_INVALID_ARGUMENT));
        CHECK_THAT(facts.operation, has("cuMemAlloc"));
        CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE) == nullptr);
        CHECK(current_context() == foreign.get());
    }
}

TEST_CASE_METHOD(Entering, "B6: such an allocation and leaving fail: the allocation's code, and a note with the other", "[sim]") {
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    const Facts facts = fails(cucore_memory_resource_allocate, pinned, size_t{1} << 62, stream);
    INFO(describe(facts));
    CHECK(facts.operation == "cuMemAllocHost");
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "cuCtxPopCurrent") != nullptr);
    check_left_behind(facts, bound, " after this failure");
    pop_what_stayed();
}

TEST_CASE_METHOD(Entering, "B7: what needs the bound context for its undo is leaked when that is not current any more", "[sim]") {
    const auto live = sim().live();
    const uint64_t frees = sim().call_count("cuMemFreeAsync");
    expect_leaks(1);
    sim().fail_after("cuCtxPopCurrent", 1, INJECTED, 0); // it popped all the same
    const Facts facts = fails(cucore_memory_resource_allocate, pool, size_t{64}, legacy);
    INFO(describe(facts));
    CHECK(facts.operation == "cuCtxPopCurrent");
    CHECK(current_context() == nullptr);
    CHECK(sim().call_count("cuMemFreeAsync") == frees);
    const Facts *leaked = facts.note(CUCORE_NOTE_CONSEQUENCE, "is leaked: cuMemFreeAsync needs a context");
    REQUIRE(leaked != nullptr);
    const std::vector<std::string> left = new_lines(live, sim().live());
    REQUIRE(left.size() == 1);
    CHECK_THAT(left.front(), has(leaked->message.substr(0, leaked->message.find(' '))));
}

TEST_CASE_METHOD(Entering, "B7: what needs no context for its undo is undone also then", "[sim]") {
    const auto live = sim().live();
    for (const Inside &row : creations()) {
        if (row.operation == "cuMemAllocFromPoolAsync") {
            continue; // on a default stream
        }
        INFO(row.operation);
        sim().fail_after("cuCtxPopCurrent", 1, INJECTED, 0);
        const Facts facts = failure_of(row);
        CHECK(facts.operation == "cuCtxPopCurrent");
        CHECK(current_context() == nullptr);
        CHECK(new_lines(live, sim().live()).empty());
    }
}

TEST_CASE_METHOD(Entering, "B8: entering fails: the operation does not run and nothing is popped", "[sim]") {
    for (const Inside &row : all()) {
        for (const char *entering : {"cuCtxGetCurrent", "cuCtxPushCurrent"}) {
            INFO(row.operation << ", " << entering);
            const uint64_t operations = sim().call_count(row.operation.c_str()), pops = sim().call_count("cuCtxPopCurrent");
            sim().fail(entering, 1, INJECTED, 0);
            const Facts facts = failure_of(row);
            INFO(describe(facts));
            CHECK(facts.operation == entering);
            CHECK(facts.native == INJECTED);
            CHECK(sim().call_count(row.operation.c_str()) == operations);
            CHECK(sim().call_count("cuCtxPopCurrent") == pops);
            sim().fail_nothing();
        }
    }
}

TEST_CASE_METHOD(Entering, "B8: entering fails: a function given to cucore_context_run is not called, and its data is dropped",
                 "[sim]") {
    struct Run {
        int calls = 0, drops = 0;
    } run;
    const auto call = [](void *data) { return ++static_cast<Run *>(data)->calls; };
    const auto drop = [](void *data) { static_cast<Run *>(data)->drops++; };
    int32_t result = 77;
    sim().fail("cuCtxPushCurrent", 1, INJECTED, 0);
    CHECK(fails(cucore_context_run, context, call, &run, drop, &result).operation == "cuCtxPushCurrent");
    CHECK(run.calls == 0);
    CHECK(run.drops == 1);
    CHECK(result == 77);
}

namespace {

/// Buffers whose free needs a context: one used on a second stream too, whose free waits with an event; one of a default stream;
/// a pinned one.
struct Freeing : Clean {
    Device device = make(cucore_device_open, 0);
    Stream first = make(cucore_stream_create, device, nullptr);
    Stream second = make(cucore_stream_create, device, nullptr);
    Resource pool = make(cucore_memory_resource_device_pool, device);
    Resource pinned = make(cucore_memory_resource_pinned, device);

    struct Row {
        const char *what;
        std::function<Buffer()> make;
        const char *step; ///< a call of the free's that can fail
        const char *free;
    };
    const std::vector<Row> rows = {
        {"used elsewhere", [this] { return used_elsewhere(); }, "cuEventCreate", "cuMemFreeAsync"},
        {"of a default stream",
         [this] { return make(cucore_memory_resource_allocate, pool, size_t{64}, make(cucore_stream_default, device)); },
         "cuMemFreeAsync", "cuMemFreeAsync"},
        {"pinned", [this] { return make(cucore_memory_resource_allocate, pinned, size_t{64}, first); }, "cuMemFreeHost",
         "cuMemFreeHost"},
    };

    Buffer used_elsewhere() {
        Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, first);
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 0u, 1u, second);
        return buffer;
    }
};

struct UsedElsewhere : Freeing {
    Buffer buffer = used_elsewhere();
    const std::string address = hex(cucore_buffer_raw(buffer));
};

} // namespace

TEST_CASE_METHOD(Freeing, "B8: entering fails in a cleanup: a warning that it was skipped, and the resource leaked", "[sim]") {
    expect_leaks(4); // pinned memory goes with its context
    for (const Row &row : rows) {
        for (const char *entering : {"cuCtxGetCurrent", "cuCtxPushCurrent"}) {
            INFO(row.what << ", " << entering);
            Buffer buffer = row.make();
            const std::string address = hex(cucore_buffer_raw(buffer));
            const uint64_t frees = sim().call_count(row.free), pops = sim().call_count("cuCtxPopCurrent");
            sim().fail(entering, 1, INJECTED, 0);
            buffer.reset();
            const Facts facts = sink.take_one();
            INFO(describe(facts));
            CHECK(facts.operation == entering);
            CHECK(tells(facts, "skipped (context activation failed; resource leaked)"));
            CHECK(tells(facts, address));
            CHECK(sim().call_count(row.free) == frees);
            CHECK(sim().call_count("cuCtxPopCurrent") == pops);
        }
    }
}

TEST_CASE_METHOD(Freeing, "B9: leaving fails in a cleanup: the cleanup stands, and a warning says so", "[sim]") {
    for (const Row &row : rows) {
        INFO(row.what);
        Buffer buffer = row.make();
        const uint64_t frees = sim().call_count(row.free);
        sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
        buffer.reset();
        pop_what_stayed();
        const Facts facts = sink.take_one();
        INFO(describe(facts));
        CHECK(facts.operation == "cuCtxPopCurrent");
        CHECK(tells(facts, "failed while restoring the caller's context"));
        CHECK(sim().call_count(row.free) == frees + 1);
    }
}

TEST_CASE_METHOD(Freeing, "B9: leaving and the operation fail in a cleanup: two warnings, the operation's first", "[sim]") {
    expect_leaks(2); // pinned memory goes with its context
    for (const Row &row : rows) {
        INFO(row.what);
        Buffer buffer = row.make();
        const std::string address = hex(cucore_buffer_raw(buffer));
        sim().fail(row.step, 1, INJECTED_TOO, 0);
        sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
        buffer.reset();
        pop_what_stayed();
        const std::vector<Facts> warnings = sink.take();
        REQUIRE(warnings.size() == 2);
        INFO(describe(warnings[0]) << describe(warnings[1]));
        CHECK(warnings[0].operation == row.step);
        CHECK(tells(warnings[0], address));
        CHECK(warnings[1].operation == "cuCtxPopCurrent");
        CHECK(tells(warnings[1], "failed while restoring the caller's context"));
    }
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

TEST_CASE_METHOD(Clean, "B11: cucore_device_set_current makes the device's bound context current, and gives the previous back") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    const ForeignContext foreign;
    cucore_context *previous = nullptr;
    ok(cucore_device_set_current, device, &previous);
    CHECK(current_context() == cucore_context_raw(context));
    CHECK(cucore_context_raw(previous) == foreign.get());
    ok(cucore_context_set_current, previous, nullptr);
    cucore_context_release(previous);
}

namespace {

/// A thread's current context when something happens.
struct Seen {
    CUcontext context = nullptr;
    static void look(void *seen) {
        raw().cuCtxGetCurrent(&static_cast<Seen *>(seen)->context);
    }
};

/// Does something with no context current, then with one of the test's own.
template <class Action> void in_other_contexts(Action action) {
    REQUIRE(current_context() == nullptr);
    action();
    const ForeignContext foreign;
    action();
    CHECK(current_context() == foreign.get());
}

} // namespace

TEST_CASE_METHOD(Clean, "B13: memory of a default stream is there, used and freed whatever context is current") {
    const Device device = make(cucore_device_open, 0);
    const Resource pool = make(cucore_memory_resource_device_pool, device);
    const Stream legacy = make(cucore_stream_default, device);
    in_other_contexts([&] {
        Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, legacy);
        unsigned char bytes[64] = {};
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 7u, 1u, legacy);
        ok(cucore_buffer_copy_to_host, buffer, size_t{0}, bytes, size_t{64}, legacy);
        CHECK(std::count(std::begin(bytes), std::end(bytes), 7) == 64);
        ok(cucore_buffer_close, buffer.give(), nullptr);
    });
    cucore_buffer *buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, legacy).give();
    std::thread([=] { cucore_buffer_release(buffer); }).join();
    CHECK(sink.take().empty());
}

TEST_CASE_METHOD(Clean, "B13: memory of a default stream is freed in its device's bound context", "[sim]") {
    const ForeignContext own;
    const Context adopted = make(cucore_context_from_raw, own.get(), CUCORE_BORROW, nullptr, nullptr);
    const Device primary = make(cucore_device_open, 0), other = make(cucore_device_with_context, adopted);
    const Pushed none(cucore_context_raw(make(cucore_device_context, make(cucore_device_open, 1))));
    for (cucore_device *device : {primary.get(), other.get()}) {
        const Context bound = make(cucore_device_context, device);
        const Resource pool = make(cucore_memory_resource_device_pool, device);
        Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, make(cucore_stream_default, device));
        const size_t memory = sim().live_count("memory");
        Seen at_free;
        sim().hook("cuMemFreeAsync", 1, &Seen::look, &at_free);
        buffer.reset();
        CHECK(at_free.context == cucore_context_raw(bound));
        CHECK(sim().live_count("memory") == memory - 1);
    }
}

TEST_CASE_METHOD(Clean, "B13: a raw default stream, and the per-thread one, is refused") {
    const Device device = make(cucore_device_open, 0);
    for (const uintptr_t raw_stream : {0, 1, 2}) { // NULL, CU_STREAM_LEGACY, CU_STREAM_PER_THREAD
        for (const int32_t ownership : {CUCORE_BORROW, CUCORE_ADOPT}) {
            int drops = 0;
            fails_saying(CUCORE_INVALID_ARGUMENT, "default stream", cucore_stream_from_raw, device,
                         reinterpret_cast<CUstream>(raw_stream), ownership, &drops,
                         [](void *count) { ++*static_cast<int *>(count); });
            CHECK(drops == 1);
        }
    }
}

TEST_CASE_METHOD(Entering, "B14: a question about a device leaves the caller's context as it was") {
    const auto ask = [&] {
        for (const Inside &row : questions()) {
            INFO(row.operation);
            Status status;
            const CUcontext before = current_context();
            CHECK(row.call(status) == CUCORE_OK);
            CHECK(status.get() == nullptr);
            CHECK(current_context() == before);
        }
    };
    in_other_contexts(ask);
    const Pushed pushed(bound);
    ask();
}

TEST_CASE_METHOD(Entering, "B14: so does one that fails", "[sim]") {
    in_other_contexts([&] {
        for (const Inside &row : questions()) {
            INFO(row.operation);
            const CUcontext before = current_context();
            sim().fail(row.operation.c_str(), 1, INJECTED, 0);
            CHECK(failure_of(row).operation == row.operation);
            CHECK(current_context() == before);
        }
    });
}

TEST_CASE_METHOD(Clean, "B15: every destroy works on a thread that has never used CUDA", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const std::vector<std::string> live = sim().live();
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        std::thread(owned.release).join();
        CHECK(sink.take().empty());
    }
    CHECK(new_lines(live, sim().live()).size() == 1); // the primary context
}

TEST_CASE_METHOD(Clean, "B15: a last release on a thread without a context works for every family") {
    auto owned = std::make_unique<OwnedKit>();
    std::thread([&] { owned.reset(); }).join();
    CHECK(sink.take().empty());
}
