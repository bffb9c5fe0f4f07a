// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section C: creation and teardown. Rows without [sim] run on a real driver too.
#include "support/calls.hpp"
#include "support/capture.hpp"
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/destroys.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace test;

namespace {

/// One handle of each noun, each made of those before it, and how each is given up.
constexpr size_t NOUNS = 10;

std::array<std::function<void()>, NOUNS> make_all(bool with_compilers) {
    const auto releasing = [](auto handle) {
        auto *reference = handle.give();
        return [=] { Noun<std::remove_pointer_t<decltype(reference)>>::release(reference); };
    };
    Device device = make(cucore_device_open, 0);
    Context context = make(cucore_device_context, device);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Event event = make(cucore_event_create, device, nullptr);
    Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, stream);
    const ObjectCode code = ptx(NOTHING_PTX);
    Library library = make(cucore_library_load, device, code);
    Kernel kernel = find(library, "nothing");
    Program program;
    Linker linker;
    if (with_compilers) {
        cucore_object_code *inputs[] = {code};
        program = make(cucore_program_create, device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr);
        linker = make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    }
    return {releasing(std::move(device)),  releasing(std::move(context)),  releasing(std::move(stream)),
            releasing(std::move(event)),   releasing(std::move(resource)), releasing(std::move(buffer)),
            releasing(std::move(library)), releasing(std::move(kernel)),   releasing(std::move(program)),
            releasing(std::move(linker))};
}

/// The index in the call log of the only call of this name; fails the test if it is not the only one.
size_t only_call(const std::vector<std::string> &log, const std::string &name) {
    const auto is_it = [&](const std::string &entry) { return entry.compare(0, name.size() + 1, name + "(") == 0; };
    const auto found = std::find_if(log.begin(), log.end(), is_it);
    if (found == log.end() || std::count_if(log.begin(), log.end(), is_it) != 1) {
        FAIL(name << " was not called just once");
    }
    return static_cast<size_t>(found - log.begin());
}

template <class Order> void release_in(const Order &order, bool with_compilers) {
    sim().log_clear();
    const auto release = make_all(with_compilers);
    for (const auto noun : order) {
        release[noun]();
    }
    const std::vector<std::string> log = sim().log();
    only_call(log, "cuEventDestroy");
    only_call(log, "cuLibraryUnload");
    if (only_call(log, "cuMemFreeAsync") > only_call(log, "cuStreamDestroy")) {
        FAIL("the stream was destroyed before the memory that is freed on it");
    }
}

} // namespace

TEST_CASE_METHOD(Clean, "C1: every order of releasing device, context, stream, event, pool, buffer, library, kernel",
                 "[sim][stress]") {
    std::array<size_t, 8> order{};
    std::iota(order.begin(), order.end(), size_t{0});
    int orders = 0;
    do {
        release_in(order, false);
        orders++;
    } while (std::next_permutation(order.begin(), order.end()));
    CHECK(orders == 40320);
}

TEST_CASE_METHOD(Clean, "C1: sampled orders with a program and a linker", "[sim]") {
    std::array<size_t, NOUNS> order{};
    std::iota(order.begin(), order.end(), size_t{0});
    std::mt19937 random(20260102); // NOLINT: the same orders each time
    for (int sample = 0; sample < 2000; sample++) {
        std::shuffle(order.begin(), order.end(), random);
        release_in(order, true);
    }
    CHECK(fake_compilers().live() == 0);
}

namespace {

/// Handles that were not made from a device alone: a context of the caller's, a device in it, an adopted stream and a borrowed
/// handle of that, an event, a pool and its buffer, a pinned buffer.
std::vector<std::function<void()>> make_adopted() {
    const auto releasing = [](auto handle) {
        auto *reference = handle.give();
        return [=] { Noun<std::remove_pointer_t<decltype(reference)>>::release(reference); };
    };
    const CUcontext raw_context = new_context();
    Context context = make(cucore_context_from_raw, raw_context, CUCORE_ADOPT, nullptr, nullptr);
    Device device = make(cucore_device_with_context, context);
    CUstream raw_stream = nullptr;
    {
        const Pushed pushed(raw_context);
        REQUIRE(raw().cuStreamCreate(&raw_stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    }
    Stream stream = make(cucore_stream_from_raw, device, raw_stream, CUCORE_ADOPT, nullptr, nullptr);
    Stream borrowed = make(cucore_stream_from_raw, device, raw_stream, CUCORE_BORROW, nullptr, nullptr);
    Event event = make(cucore_event_create, device, nullptr);
    Resource pool = make(cucore_memory_resource_create_pool, device, nullptr);
    Buffer buffer = make(cucore_memory_resource_allocate, pool, size_t{64}, borrowed);
    Buffer pinned = make(cucore_memory_resource_allocate, make(cucore_memory_resource_pinned, device), size_t{64}, borrowed);
    ok(cucore_event_record, event, borrowed);
    return {releasing(std::move(context)),  releasing(std::move(device)), releasing(std::move(stream)),
            releasing(std::move(borrowed)), releasing(std::move(event)),  releasing(std::move(pool)),
            releasing(std::move(buffer)),   releasing(std::move(pinned))};
}

} // namespace

TEST_CASE_METHOD(Clean, "C1: sampled orders with adopted and borrowed handles, pools and pinned memory") {
    std::mt19937 random(20260102); // NOLINT: the same orders each time
    const int samples = simulator() != nullptr ? 500 : 5;
    for (int sample = 0; sample < samples; sample++) {
        std::vector<std::function<void()>> releases = make_adopted();
        std::shuffle(releases.begin(), releases.end(), random);
        for (const auto &release : releases) {
            release();
        }
        REQUIRE(sink.take().empty());
    }
}

namespace {

/// A function that makes a handle, as one that gives a code.
template <class T> int32_t made(T *handle, cucore_status **status) {
    Noun<T>::release(handle);
    return handle != nullptr ? CUCORE_OK : cucore_status_code(*status);
}

/// What creations need, and a table of them.
struct Creations : Clean {
    Device device = make(cucore_device_open, 0);
    Context context = make(cucore_device_context, device);
    Stream stream = make(cucore_stream_create, device, nullptr);
    Stream legacy = make(cucore_stream_default, device);
    Resource pool = make(cucore_memory_resource_device_pool, device);
    Resource pinned = make(cucore_memory_resource_pinned, device);
    ObjectCode code = ptx(SAXPY_PTX);
    Library library = make(cucore_library_load, device, code);

    struct Row {
        const char *what;
        std::function<int32_t(cucore_status **status)> create;
    };
    const std::vector<Row> rows = {
        {"device", [](auto s) { return made(cucore_device_open(0, s), s); }},
        {"device in a context", [this](auto s) { return made(cucore_device_with_context(context, s), s); }},
        {"context",
         [this](auto s) {
             return made(cucore_context_from_raw(cucore_context_raw(context), CUCORE_BORROW, nullptr, nullptr, s), s);
         }},
        {"stream",
         [this](auto s) {
             const cucore_stream_options urgent{sizeof urgent, 1, 0, CUCORE_ON, 0};
             return made(cucore_stream_create(device, &urgent, s), s);
         }},
        {"stream from raw",
         [this](auto s) {
             return made(cucore_stream_from_raw(device, cucore_stream_raw(stream), CUCORE_BORROW, nullptr, nullptr, s), s);
         }},
        {"event", [this](auto s) { return made(cucore_event_create(device, nullptr, s), s); }},
        {"default pool", [this](auto s) { return made(cucore_memory_resource_device_pool(device, s), s); }},
        {"pool", [this](auto s) { return made(cucore_memory_resource_create_pool(device, nullptr, s), s); }},
        {"pinned pool", [this](auto s) { return made(cucore_memory_resource_create_pinned_pool(device, nullptr, s), s); }},
        {"buffer", [this](auto s) { return made(cucore_memory_resource_allocate(pool, 64, stream, s), s); }},
        {"buffer of a default stream", [this](auto s) { return made(cucore_memory_resource_allocate(pool, 64, legacy, s), s); }},
        {"pinned buffer", [this](auto s) { return made(cucore_memory_resource_allocate(pinned, 64, stream, s), s); }},
        {"library", [this](auto s) { return made(cucore_library_load(device, code, s), s); }},
        {"kernel", [this](auto s) { return made(cucore_library_kernel(library, "saxpy", 5, s), s); }},
        {"link",
         [this](auto s) {
             cucore_object_code *inputs[] = {code};
             const Linker linker = make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
             return made(cucore_linker_link(linker, s), s);
         }},
    };
};

} // namespace

namespace {

/// Pops the context that a failed leave left behind, and sets the capture mode that a failed exchange left.
void put_thread_in_order() {
    CUcontext popped = nullptr;
    if (current_context() != nullptr) {
        CHECK(raw().cuCtxPopCurrent(&popped) == CUDA_SUCCESS);
    }
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    CHECK(raw().cuThreadExchangeStreamCaptureMode(&mode) == CUDA_SUCCESS);
}

} // namespace

TEST_CASE_METHOD(Creations, "C2: a creation that fails at any of its driver calls leaves nothing, and says which failed first",
                 "[sim]") {
    for (const Row &row : rows) {
        Status status;
        const uint64_t before = sim().fallible_calls();
        REQUIRE(row.create(status) == CUCORE_OK);
        const uint64_t fallible = sim().fallible_calls() - before;
        for (uint64_t nth = 1; nth <= fallible; nth++) { // some of them are the release's
            INFO(row.what << ", call " << nth);
            const auto live = sim().live();
            sim().fail(nullptr, nth, INJECTED, 0);
            const int32_t result = row.create(status);
            sim().fail_nothing();
            const std::vector<Facts> warnings = sink.take();
            const Facts failure = result != CUCORE_OK ? status.facts() : warnings.empty() ? Facts{} : warnings.front();
            INFO(describe(failure));
            CHECK(failure.native == INJECTED);
            put_thread_in_order();
            if (result != CUCORE_OK) {
                CHECK(warnings.empty());
                CHECK(new_lines(live, sim().live()).empty());
            } else { // a destroy failed: that leaks
                expect_any_leaks();
            }
        }
    }
}

TEST_CASE_METHOD(Creations, "C2: steps are undone in reverse, and an undo that fails is a note on the first failure", "[sim]") {
    const auto live = sim().live();
    const auto check = [&](const char *step, const char *undo, auto function, auto... arguments) {
        INFO(step);
        sim().log_clear();
        sim().fail(step, 1, INJECTED, 0);
        sim().fail_after(undo, 1, INJECTED_TOO, 0);
        const Facts facts = fails(function, arguments...);
        INFO(describe(facts));
        CHECK(facts.operation == step);
        CHECK(facts.native == INJECTED);
        const Facts *note = facts.note(CUCORE_NOTE_CONSEQUENCE, std::string(undo) + "(");
        REQUIRE(note != nullptr);
        CHECK(note->native == INJECTED_TOO);
        const std::vector<std::string> log = sim().log();
        CHECK(only_call(log, step) < only_call(log, undo));
        CHECK(new_lines(live, sim().live()).empty());
    };
    check("cuMemPoolSetAttribute", "cuMemPoolDestroy", cucore_memory_resource_create_pool, device.get(), nullptr);
    check("cuMemPoolSetAttribute", "cuMemPoolDestroy", cucore_memory_resource_create_pinned_pool, device.get(), nullptr);
    check("cuMemPoolSetAccess", "cuMemPoolDestroy", cucore_memory_resource_create_pinned_pool, device.get(), nullptr);
    check("cuLibraryGetModule", "cuLibraryUnload", cucore_library_load, device.get(), code.get());
}

TEST_CASE_METHOD(Clean, "C4: a buffer is freed on its deallocation stream, whatever thread and context", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    const auto freed_by = [&](const std::function<void(cucore_buffer *)> &release) {
        cucore_buffer *buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, stream).give();
        const std::string expected =
            "cuMemFreeAsync(" + hex(cucore_buffer_raw(buffer)) + ", " + hex(cucore_stream_raw(stream)) + ") = 0";
        sim().log_clear();
        release(buffer);
        const std::vector<std::string> log = sim().log();
        CHECK(std::count(log.begin(), log.end(), expected) == 1);
    };
    freed_by([](cucore_buffer *buffer) { cucore_buffer_release(buffer); });
    freed_by([](cucore_buffer *buffer) { std::thread([=] { cucore_buffer_release(buffer); }).join(); });
    const ForeignContext foreign(1);
    freed_by([](cucore_buffer *buffer) { cucore_buffer_release(buffer); });
}

TEST_CASE_METHOD(Clean, "C4: with other streams' work too, the free is in the context of the deallocation stream", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream first = make(cucore_stream_create, device, nullptr), second = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    cucore_buffer *buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, first).give();
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 0u, 1u, second);
    bool bare = false;
    std::thread([&] {
        cucore_buffer_release(buffer);
        CUcontext current = nullptr;
        bare = raw().cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == nullptr;
    }).join();
    CHECK(bare);
}

TEST_CASE_METHOD(Clean, "C5: the device's default pool is never destroyed", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Resource first = make(cucore_memory_resource_device_pool, device);
    const auto raw_pool = cucore_memory_resource_raw(first);
    make(cucore_memory_resource_device_pool, device);
    CHECK(cucore_memory_resource_raw(make(cucore_memory_resource_device_pool, device)) == raw_pool);
    CHECK(sim().call_count("cuMemPoolDestroy") == 0);
}

TEST_CASE_METHOD(Clean, "C5: a pool is destroyed after its last buffer", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    Resource pool = make(cucore_memory_resource_create_pool, device, nullptr);
    Buffer first = make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    Buffer second = make(cucore_memory_resource_allocate, pool, size_t{64}, stream);
    sim().log_clear();
    pool.reset();
    first.reset();
    CHECK(sim().call_count("cuMemPoolDestroy") == 0);
    second.reset();
    CHECK(sim().call_count("cuMemFreeAsync") == 2);
    CHECK(sim().call_count("cuMemPoolDestroy") == 1);
}

TEST_CASE_METHOD(Clean, "C6: a new stream or context at an old one's address is not taken for it") {
    const Device device = make(cucore_device_open, 0);
    const Context context = make(cucore_device_context, device);
    for (int round = 0; round < 20; round++) {
        CUstream raw_stream = nullptr;
        {
            const Pushed bound(cucore_context_raw(context));
            REQUIRE(raw().cuStreamCreate(&raw_stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
        }
        make(cucore_stream_from_raw, device, raw_stream, CUCORE_ADOPT, nullptr, nullptr);
    }
    for (int round = 0; round < (simulator() != nullptr ? 20 : 3); round++) {
        make(cucore_context_from_raw, new_context(), CUCORE_ADOPT, nullptr, nullptr);
    }
}

namespace {

/// What another thread could do at the moment when an old handle is about to destroy its stream or context: the driver gives the
/// address away (here: the destroy is made to fail and do nothing), and somebody adopts what is there now.
template <class T> struct Reuse {
    std::function<T *(int32_t ownership, cucore_status **status)> adopt;
    T *found = nullptr;
    T *borrowed = nullptr;

    static void run(void *data) {
        auto *reuse = static_cast<Reuse *>(data);
        reuse->borrowed = reuse->adopt(CUCORE_BORROW, nullptr); // there is no owner to find
        reuse->found = reuse->adopt(CUCORE_ADOPT, nullptr);
    }

    /// Releases `old`, the owner, and checks that what took its place is whole.
    void check(T *old, const char *destroy, Sink &sink) {
        sim().hook(destroy, 1, &run, this);
        sim().fail(destroy, 1, INJECTED, 0);
        Noun<T>::release(old);
        CHECK(sink.take_one().operation == destroy);
        REQUIRE(borrowed != nullptr);
        REQUIRE(found != nullptr);
        Status status;
        CHECK(adopt(CUCORE_ADOPT, status) == nullptr); // the late end of the old one did not take the new entry away
        CHECK(status.facts().code == CUCORE_INVALID_STATE);
        Handle<T> finder(adopt(CUCORE_BORROW, nullptr)); // keeps the new owner
        Noun<T>::release(found);
        const uint64_t destroyed = sim().call_count(destroy);
        Noun<T>::release(borrowed);
        CHECK(sim().call_count(destroy) == destroyed);
        finder.reset();
        CHECK(sim().call_count(destroy) == destroyed + 1);
    }
};

} // namespace

TEST_CASE_METHOD(Clean, "C6: the end of an old stream does not take the new one's entry", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    Stream old = make(cucore_stream_create, device, nullptr);
    const CUstream raw_stream = cucore_stream_raw(old);
    Reuse<cucore_stream> reuse{[&](int32_t ownership, cucore_status **status) {
        return cucore_stream_from_raw(device, raw_stream, ownership, nullptr, nullptr, status);
    }};
    reuse.check(old.give(), "cuStreamDestroy", sink);
}

TEST_CASE_METHOD(Clean, "C6: the end of an old context does not take the new one's entry", "[sim]") {
    const CUcontext raw_context = new_context();
    Context old = make(cucore_context_from_raw, raw_context, CUCORE_ADOPT, nullptr, nullptr);
    Reuse<cucore_context> reuse{[&](int32_t ownership, cucore_status **status) {
        return cucore_context_from_raw(raw_context, ownership, nullptr, nullptr, status);
    }};
    reuse.check(old.give(), "cuCtxDestroy", sink);
}

TEST_CASE_METHOD(Clean, "C6: what is found by its raw value is kept alive, also while its owner lets go", "[stress]") {
    const Device device = make(cucore_device_open, 0);
    const int rounds = 200;
    for (int round = 0; round < rounds; round++) {
        Stream owner = make(cucore_stream_create, device, nullptr);
        const Stream keeper = make(cucore_stream_from_raw, device, cucore_stream_raw(owner), CUCORE_BORROW, nullptr, nullptr);
        std::thread other([&] { owner.reset(); });
        const Stream found = make(cucore_stream_from_raw, device, cucore_stream_raw(keeper), CUCORE_BORROW, nullptr, nullptr);
        other.join();
        ok(cucore_stream_synchronize, found);
    }
}

TEST_CASE("C7: in a forked child a release calls no driver and says nothing, and other calls say fork") {
    const Ended ended = run_child({"fork"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK_THAT(ended.out, has("child: 0 driver calls\n"));
    CHECK_THAT(ended.out, has("child: all refused\n"));
    CHECK_THAT(ended.out, has("child: plain memory works\n"));
    CHECK_THAT(ended.out, has("child: 0 drops\n"));
    CHECK_THAT(ended.out, has("child ended: 0\n"));
    CHECK_THAT(ended.out, has("parent, synchronize: OK\n"));
    CHECK_THAT(ended.out, has("parent, closes: 0 refused\n"));
}

TEST_CASE("C7: releasing a sink in a forked child waits for the calls that its own threads have under way", "[sim]") {
    const Ended ended = run_child({"fork-release-sink"}, {{"TSAN_OPTIONS", "atexit_sleep_ms=0:die_after_fork=0"}});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("calls: 2, released: 0\nchild ended: 0\n"));
}

TEST_CASE("C7: a compiler is not looked for in a child whose parent used the driver") {
    const Ended ended = run_child({"fork-then-compile"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("child, version: INVALID_STATE: ") && has("fork"));
    CHECK_THAT(ended.out, has("child, compiler: not loaded\nchild ended: 0\n"));
}

TEST_CASE("C7: children of a parent that has not used CUDA can") {
    const Ended ended = run_child({"fork-first"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK_THAT(ended.out, has("child, open: OK\n"));
    CHECK_THAT(ended.out, has("child ended: 0\n"));
    CHECK_THAT(ended.out, has("parent, open: OK\n"));
}

TEST_CASE("C7: a forked child that ends by exit is refused to the last, and calls no driver") {
    const Ended ended = run_child({"fork-and-exit"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK(ended.out == "child: 0 not refused, 0 driver calls\nchild ended: 0\n");
}

TEST_CASE("C7: a forked child does not wait for a lock that another thread of its parent holds, also without the driver") {
    const Ended ended = run_child({"fork-in-lock"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("child: used\nchild ended: 0\n"));
}

TEST_CASE("C7: a forked child does not wait for a sink that runs in its parent", "[sim]") {
    const Ended ended = run_child({"fork-in-sink"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("child: released\n"));
    CHECK_THAT(ended.out, has("child ended: 0\n"));
}

namespace {

/// A row of the calls, and whether it needs a driver or compiler, which a forked child has not.
struct Expectation {
    const Call *row;
    bool is_refused;
};

/// How many calls of the driver and the compilers were made.
uint64_t calls_below() {
    return sim().call_count(nullptr) + fake_compilers().nvrtc.call_count(nullptr) + fake_compilers().nvjitlink.call_count(nullptr);
}

/// Whether the row itself asks the driver which context is current.
bool asks_the_driver(const Call &row) {
    return std::string(row.function).find("_set_current") != std::string::npos;
}

/// Calls each with a forked child's handles, and says on stderr what is wrong.
void check_calls_in_child(const std::vector<Expectation> &expected, Kit &kit) {
    for (const Expectation &each : expected) {
        cucore_status *status = nullptr;
        const uint64_t before = calls_below();
        const int32_t code = each.row->call(kit, &status);
        const bool refused = code == CUCORE_INVALID_STATE && facts_of(status).says("fork");
        const bool called = calls_below() != before && !asks_the_driver(*each.row);
        if (called || (each.is_refused && !refused)) {
            std::fprintf(stderr, "%s: %d, %s\n", each.row->function, code, describe(facts_of(status)).c_str());
        }
        cucore_status_release(status);
    }
}

} // namespace

TEST_CASE_METHOD(Clean, "C7: in a forked child every exported function that needs the driver or a compiler says fork", "[sim]") {
    OwnedKit owned(0, true);
    std::vector<Expectation> expected;
    for (const Call &row : calls) {
        Status status;
        const uint64_t before = calls_below();
        row.call(owned.kit, status.maybe());
        expected.push_back({&row, calls_below() != before});
    }
    CHECK(std::count_if(expected.begin(), expected.end(), [](const Expectation &each) { return each.is_refused; }) > 50);
    int ended = -1;
    const std::string wrong = stderr_of([&] {
        const pid_t child = fork();
        if (child == 0) {
            check_calls_in_child(expected, owned.kit);
            _exit(0);
        }
        waitpid(child, &ended, 0);
    });
    INFO(wrong);
    CHECK(ended == 0);
    CHECK(wrong.empty());
}

TEST_CASE("C7: a child has the sinks, the queues and a thread of its own, if its parent has not used CUDA", "[sim][native]") {
    // ThreadSanitizer has to be told that the child starts a thread
    const Ended ended = run_child({"fork-with-thread"}, {{"TSAN_OPTIONS", "atexit_sleep_ms=0:die_after_fork=0"}});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    const std::string used = "enter: OK\nsink: cuStreamDestroy\ndrain: OK\nstreams destroyed: 1\nqueue: cuStreamDestroy\n";
    CHECK(ended.out == "child, " + used + "child ended: 0\nparent, " + used);
}

TEST_CASE("C7: a child does not wait for a lock that another thread of its parent held", "[sim][stress]") {
    const Ended ended = run_child({"fork-busy"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK(ended.out == "children that failed: 0\n");
}

TEST_CASE("C7: another program in the place of the process, or of its child, can use CUDA") {
    for (const char *how : {"self", "fork"}) {
        const Ended ended = run_child({"exec", how});
        INFO(how << ": " << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK(ended.err.empty());
        CHECK_THAT(ended.out, has("open: OK\nversion: OK\n"));
    }
}

TEST_CASE("C8: a process ends with handles alive everywhere: exit code 0, and nothing is said") {
    const int rounds = simulator() != nullptr ? 100 : 10;
    for (int round = 0; round < rounds; round++) {
        const Ended ended = run_child({"exit"});
        INFO("round " << round << ": " << ended.out << ended.err);
        REQUIRE(ended.code == 0);
        REQUIRE(ended.out.empty());
        REQUIRE(ended.err.empty());
    }
}

TEST_CASE("C8: so it does while a thread goes on using the library", "[sim][stress]") {
    for (int round = 0; round < 30; round++) {
        const Ended ended = run_child({"exit-busy"});
        INFO("round " << round << ": " << ended.out << ended.err);
        REQUIRE(ended.code == 0);
        REQUIRE(ended.out.empty());
        REQUIRE(ended.err.empty());
    }
}

TEST_CASE("C8: the end of a process waits for a callback that runs", "[sim]") {
    const Ended ended = run_child({"exit-in-callback"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.out == "over\n");
    CHECK(ended.err.empty());
}

TEST_CASE("C8: it waits for the library's thread, but not for ever, and nothing is dropped after it", "[sim]") {
    const Ended ended = run_child({"exit-in-drop"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.out == "2 dropped\n");
    CHECK(ended.err.empty());
}

TEST_CASE("C8: so it does while threads wait, for work, for a sink, in one, and for a capture", "[sim]") {
    const Ended ended = run_child({"exit-waiting", "7"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 7);
    CHECK(ended.out.empty());
    CHECK(ended.err.empty());
}

TEST_CASE("C9: the library can be closed with handles, a sink and its thread left, and is whole when it is opened again") {
    const std::string library = beside("../libcucore.so.1");
    const std::pair<const char *, const char *> states[] = {
        {"nothing", "done\n"},
        {"handles", "synchronize: 0\nclose: 0\nwarnings: 0\ndone\n"},
        {"thread", "drain: 0\ndone\n"},
    };
    for (const auto &[state, expected] : states) {
        const Ended ended = run_program("test_reopen", {library, state});
        INFO(state << ": " << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK(ended.err.empty());
        CHECK(ended.out == expected);
    }
}

TEST_CASE("C9: a process ends after it closed the library with everything alive") {
    const Ended ended = run_program("test_reopen", {beside("../libcucore.so.1"), "exit"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 42);
    CHECK(ended.out.empty());
    CHECK(ended.err.empty());
}

TEST_CASE("C9: a plugin can be opened, used and closed again and again, with the library beside it or inside") {
    for (const char *plugin : {"shared_plugin.so", "static_plugin.so"}) {
        const Ended ended = run_program("test_reload", {beside(plugin), "50"});
        INFO(plugin << ": " << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK(ended.err.empty());
        CHECK(ended.out == "failures: 0\nthreads: 0 more\nfiles: 0 more\nmappings: as many\nfork: fine\n");
    }
}

namespace {

/// A pool of the test's own, so that what is used of it is what the test uses, and two streams.
struct TwoStreams : Clean {
    Device device = make(cucore_device_open, 0);
    Stream first = make(cucore_stream_create, device, nullptr);
    Stream second = make(cucore_stream_create, device, nullptr);
    Resource pool = make(cucore_memory_resource_create_pool, device, nullptr);

    Buffer allocate(cucore_stream *stream, size_t size = 64) {
        return make(cucore_memory_resource_allocate, pool, size, stream);
    }
    /// Whether memory of the pool is in use: allocated, and its free not yet put on a stream.
    bool in_use() {
        const Relaxed relaxed; // it may be asked during a capture
        uint64_t used = 0;
        ok(cucore_memory_resource_attribute, pool, CUCORE_POOL_ATTRIBUTE_USED_CURRENT, &used);
        return used != 0;
    }
    bool is_done(cucore_stream *stream) {
        int32_t done = -1;
        ok(cucore_stream_is_done, stream, &done);
        return done == 1;
    }
    /// Waits until what had to wait for the end of a capture was freed.
    void drain() {
        ok(cucore_deferred_drain);
        ok(cucore_stream_synchronize, first);
    }
};

} // namespace

TEST_CASE_METHOD(TwoStreams, "C10: memory is not given to others before the work that the library put on another stream is done") {
    const size_t size = 1 << 16;
    Buffer source = allocate(first, size), result = allocate(second, size);
    ok(cucore_buffer_fill, source, size_t{0}, size, 1u, 1u, first);
    ok(cucore_stream_synchronize, first);
    {
        Held held(cucore_stream_raw(second));
        ok(cucore_buffer_copy, result, size_t{0}, source, size_t{0}, size, second);
        source.reset();
        const Buffer next = allocate(first, size); // likely the same memory
        ok(cucore_buffer_fill, next, size_t{0}, size, 2u, 1u, first);
        CHECK_FALSE(is_done(first));
        held.go();
        ok(cucore_stream_synchronize, second);
        ok(cucore_stream_synchronize, first);
    }
    std::vector<char> bytes(size);
    ok(cucore_buffer_copy_to_host, result, size_t{0}, bytes.data(), size, second);
    CHECK(std::count(bytes.begin(), bytes.end(), 1) == static_cast<std::ptrdiff_t>(size));
}

TEST_CASE_METHOD(TwoStreams, "C10: nor before work that cucore_buffer_note_use told of") {
    Buffer buffer = allocate(first);
    Held held(cucore_stream_raw(second));
    ok(cucore_buffer_note_use, buffer, second);
    ok(cucore_buffer_fill, allocate(second), size_t{0}, size_t{64}, 1u, 1u, second); // some work that is held
    buffer.reset();
    CHECK_FALSE(is_done(first));
    held.go();
    ok(cucore_stream_synchronize, second);
    ok(cucore_stream_synchronize, first);
    CHECK_FALSE(in_use());
}

TEST_CASE_METHOD(TwoStreams, "C10: the other stream may be given up meanwhile") {
    const CUstream raw_second = cucore_stream_raw(second);
    Buffer buffer = allocate(first);
    Held held(raw_second);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, second);
    second.reset();
    buffer.reset();
    CHECK_FALSE(is_done(first));
    held.go();
    ok(cucore_stream_synchronize, first);
    CHECK_FALSE(in_use());
}

TEST_CASE_METHOD(TwoStreams, "C10: many streams are all waited for") {
    Buffer buffer = allocate(first);
    std::vector<Stream> streams;
    std::vector<std::unique_ptr<Held>> held;
    for (int index = 0; index < 6; index++) {
        streams.push_back(make(cucore_stream_create, device, nullptr));
        held.push_back(std::make_unique<Held>(cucore_stream_raw(streams.back())));
        ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, streams.back());
    }
    buffer.reset();
    for (const std::unique_ptr<Held> &each : held) {
        CHECK_FALSE(is_done(first));
        each->go();
    }
    for (const Stream &stream : streams) {
        ok(cucore_stream_synchronize, stream);
    }
    ok(cucore_stream_synchronize, first);
    CHECK_FALSE(in_use());
}

TEST_CASE_METHOD(TwoStreams, "C10: if the other stream is being captured, the free waits for the end of the capture") {
    const CUstreamCaptureMode mode = GENERATE(from_range(std::begin(CAPTURE_MODES), std::end(CAPTURE_MODES)));
    const bool given_up = GENERATE(false, true);
    Buffer buffer = allocate(first);
    Capture capture(cucore_stream_raw(second), mode);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 1u, 1u, second);
    if (given_up) {
        second.reset();
    }
    buffer.reset();
    CHECK(in_use());
    ok(cucore_deferred_drain);
    CHECK(in_use());
    CHECK(capture.end() == CUDA_SUCCESS);
    drain();
    CHECK_FALSE(in_use());
}

TEST_CASE_METHOD(TwoStreams, "C13: memory whose deallocation stream is being captured is freed when the capture has ended") {
    const CUstreamCaptureMode mode = GENERATE(from_range(std::begin(CAPTURE_MODES), std::end(CAPTURE_MODES)));
    Buffer buffer = allocate(first);
    Capture capture(cucore_stream_raw(first), mode);
    buffer.reset();
    CHECK(in_use());
    ok(cucore_deferred_drain);
    CHECK(in_use());
    CHECK(capture.end() == CUDA_SUCCESS);
    drain();
    CHECK_FALSE(in_use());
}

TEST_CASE_METHOD(TwoStreams, "C13: so it is when the stream is torn down, and closing it says OK") {
    const CUstream raw_first = cucore_stream_raw(first);
    Buffer buffer = allocate(first);
    Capture capture(raw_first, CU_STREAM_CAPTURE_MODE_RELAXED);
    ok(cucore_buffer_close, buffer.give(), nullptr);
    first.reset(); // the buffer keeps it
    CHECK(in_use());
    CHECK(capture.end() == CUDA_SUCCESS);
    ok(cucore_deferred_drain);
    CHECK_FALSE(in_use());
}

TEST_CASE_METHOD(TwoStreams, "C13: the memory of an invalidated capture's stream is freed after its end too") {
    Buffer buffer = allocate(first);
    Capture capture(cucore_stream_raw(first), CU_STREAM_CAPTURE_MODE_GLOBAL);
    CHECK(raw().cuStreamSynchronize(cucore_stream_raw(second)) != CUDA_SUCCESS); // not allowed: that invalidates it
    buffer.reset();
    CHECK(capture.end() != CUDA_SUCCESS);
    drain();
    CHECK_FALSE(in_use());
}

TEST_CASE_METHOD(TwoStreams, "C13: memory of a default stream waits for the captures of the streams that it orders with") {
    const cucore_stream_options options{sizeof options, 0, 0, CUCORE_ON, 0};
    const Stream blocking = make(cucore_stream_create, device, &options);
    Buffer buffer = allocate(make(cucore_stream_default, device));
    Capture capture(cucore_stream_raw(blocking), CU_STREAM_CAPTURE_MODE_GLOBAL);
    buffer.reset();
    CHECK(in_use());
    ok(cucore_deferred_drain);
    CHECK(in_use());
    CHECK(capture.end() == CUDA_SUCCESS);
    drain();
    ok(cucore_device_synchronize, device);
    CHECK_FALSE(in_use());
}

TEST_CASE("C13: without a thread of the library's a free that had to wait is made by a later call") {
    const Ended ended = run_child({"no-thread"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK_THAT(ended.out, has("enter: OS: pthread_create: the library's thread could not be started"));
    CHECK_THAT(ended.out, has("add: OS: pthread_create: the library's thread could not be started"));
    CHECK_THAT(ended.out, has("callback: 0 runs, 1 drops\n"));
    CHECK_THAT(ended.out, has("drain: OS: pthread_create: the library's thread could not be started"));
    CHECK_THAT(ended.out, has("in use before: 1\nin use after: 0\n"));
}

TEST_CASE("C5: a copy for which there is no memory to stage it fails, and the next one works", "[sim]") {
    const Ended ended = run_child({"no-staging"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK_THAT(ended.out, has("first: OUT_OF_MEMORY: "));
    CHECK_THAT(ended.out, has("no memory to stage the copy"));
    CHECK_THAT(ended.out, has("second: OK\n"));
}

TEST_CASE("C13: the library's thread is not started where the library cannot be kept from being unloaded, and is later") {
    const Ended ended = run_child({"no-pin"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK_THAT(ended.out, has("first: OUT_OF_MEMORY: pthread_create: the library's thread could not be started"));
    CHECK_THAT(ended.out, has("second: OK\nsignals: as before\n"));
}

TEST_CASE_METHOD(TwoStreams, "C11: when a copy returns the host memory is not in use, also if waiting for it failed", "[sim]") {
    const Buffer buffer = allocate(first);
    std::array<char, 64> host{};
    host.fill(1);
    {
        Held held(cucore_stream_raw(first));
        sim().fail("cuStreamSynchronize", 1, INJECTED, 0);
        const Facts facts = fails(cucore_buffer_copy_from_host, buffer, size_t{0}, host.data(), host.size(), first);
        CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "staging memory are leaked") != nullptr);
        host.fill(2); // too late to be copied
    }
    std::array<char, 64> found{};
    ok(cucore_buffer_copy_to_host, buffer, size_t{0}, found.data(), found.size(), first);
    CHECK(std::count(found.begin(), found.end(), 1) == 64);
    {
        Held held(cucore_stream_raw(first));
        sim().fail("cuStreamSynchronize", 1, INJECTED, 0);
        fails(cucore_buffer_copy_to_host, buffer, size_t{0}, host.data(), host.size(), first);
    }
    CHECK(std::count(host.begin(), host.end(), 2) == 64);
}

TEST_CASE_METHOD(TwoStreams, "C11: on a stream that is being captured a copy of plain host memory is INVALID_STATE") {
    const CUstreamCaptureMode mode = GENERATE(from_range(std::begin(CAPTURE_MODES), std::end(CAPTURE_MODES)));
    const Buffer buffer = allocate(first);
    char host[64] = {};
    Capture capture(cucore_stream_raw(second), mode);
    fails_saying(CUCORE_INVALID_STATE, "captured", cucore_buffer_copy_from_host, buffer, size_t{0}, host, size_t{64}, second);
    fails_saying(CUCORE_INVALID_STATE, "captured", cucore_buffer_copy_to_host, buffer, size_t{0}, host, size_t{64}, second);
    CHECK(capture.end() == CUDA_SUCCESS);
}

TEST_CASE_METHOD(TwoStreams,
                 "C12: on a stream that is being captured an allocation is INVALID_STATE, however the stream got there") {
    const CUstreamCaptureMode mode = GENERATE(from_range(std::begin(CAPTURE_MODES), std::end(CAPTURE_MODES)));
    const Event event = make(cucore_event_create, device, nullptr);
    Capture capture(cucore_stream_raw(second), mode);
    fails_saying(CUCORE_INVALID_STATE, "captured", cucore_memory_resource_allocate, pool, size_t{64}, second);
    SECTION("it waited for an event of the capture") {
        ok(cucore_event_record, event, second);
        ok(cucore_stream_wait_event, first, event);
    }
    SECTION("it waited for a stream of the capture") {
        ok(cucore_stream_wait_stream, first, second);
    }
    fails_saying(CUCORE_INVALID_STATE, "captured", cucore_memory_resource_allocate, pool, size_t{64}, first);
    ok(cucore_stream_wait_stream, second, first); // joins it again
    CHECK(capture.end() == CUDA_SUCCESS);
}

namespace {

/// What the library does while this thread captures: prepare() comes before the capture and gives what is done during it.
struct Meanwhile {
    std::string what;
    std::function<std::function<void()>(TwoStreams &test)> prepare;
};

/// Things to do without anything to prepare.
Meanwhile plainly(const char *what, const std::function<void(TwoStreams &test)> &action) {
    return {what, [=](TwoStreams &test) { return [&test, action] { action(test); }; }};
}

std::vector<Meanwhile> all_that_can_be_done() {
    std::vector<Meanwhile> rows = {
        {"the release of a buffer used on two streams",
         [](TwoStreams &test) {
             auto buffer = std::make_shared<Buffer>(test.allocate(test.first));
             ok(cucore_buffer_fill, *buffer, size_t{0}, size_t{64}, 1u, 1u, make(cucore_stream_create, test.device, nullptr));
             return [=] { buffer->reset(); };
         }},
        {"the lookup of a kernel",
         [](TwoStreams &test) {
             auto library = std::make_shared<Library>(load(test.device));
             return [=] { find(*library); };
         }},
        plainly("a pinned buffer",
                [](TwoStreams &test) {
                    const Resource pinned = make(cucore_memory_resource_pinned, test.device);
                    make(cucore_memory_resource_allocate, pinned, size_t{64}, test.first);
                }),
        plainly("streams and events",
                [](TwoStreams &test) {
                    make(cucore_stream_create, test.device, nullptr);
                    make(cucore_event_create, test.device, nullptr);
                }),
        {"copies of host memory",
         [](TwoStreams &test) {
             auto buffer = std::make_shared<Buffer>(test.allocate(test.first));
             return [&test, buffer] {
                 char host[64] = {};
                 ok(cucore_buffer_copy_from_host, *buffer, size_t{0}, host, size_t{64}, test.first);
                 ok(cucore_buffer_copy_to_host, *buffer, size_t{0}, host, size_t{64}, test.first);
             };
         }},
        plainly("questions to a device",
                [](TwoStreams &test) {
                    int32_t value = 0, lowest = 0, highest = 0;
                    ok(cucore_device_attribute, test.device, CUCORE_DEVICE_ATTRIBUTE_WARP_SIZE, &value);
                    ok(cucore_device_stream_priority_range, test.device, &lowest, &highest);
                    make(cucore_device_open, 0);
                }),
    };
    for (const Destroy &destroy : destroys()) {
        if (destroy.domain == CUCORE_DOMAIN_DRIVER) {
            const auto make_it = destroy.make;
            rows.push_back({destroy.operation, [=](TwoStreams &test) { return make_it(test.device).release; }});
        }
    }
    rows.push_back(plainly("a pool", [](TwoStreams &test) { make(cucore_memory_resource_create_pool, test.device, nullptr); }));
    return rows;
}

} // namespace

TEST_CASE_METHOD(TwoStreams, "C12: what the library does while this thread captures leaves the capture valid") {
    const CUstreamCaptureMode mode = GENERATE(from_range(std::begin(CAPTURE_MODES), std::end(CAPTURE_MODES)));
    for (const Meanwhile &row : all_that_can_be_done()) {
        INFO(row.what << ", mode " << mode);
        const std::function<void()> action = row.prepare(*this);
        Capture capture(cucore_stream_raw(second), mode);
        action();
        CHECK(capture.end() == CUDA_SUCCESS);
        CHECK(sink.take().empty());
        drain();
    }
}

TEST_CASE_METHOD(TwoStreams, "C12: what the library destroys on another thread leaves the capture valid") {
    const CUstreamCaptureMode mode = GENERATE(from_range(std::begin(CAPTURE_MODES), std::end(CAPTURE_MODES)));
    for (const Destroy &row : destroys()) {
        INFO(row.operation << ", mode " << mode);
        const Owned owned = row.make(device);
        Capture capture(cucore_stream_raw(second), mode);
        std::thread(owned.release).join();
        CHECK(capture.end() == CUDA_SUCCESS);
        CHECK(sink.take().empty());
        drain();
    }
}

TEST_CASE_METHOD(TwoStreams, "C12: the capture mode of this thread is as it was afterwards") {
    for (const Meanwhile &row : all_that_can_be_done()) {
        for (CUstreamCaptureMode mode : CAPTURE_MODES) {
            INFO(row.what << ", mode " << mode);
            const std::function<void()> action = row.prepare(*this);
            CUstreamCaptureMode exchanged = mode;
            REQUIRE(raw().cuThreadExchangeStreamCaptureMode(&exchanged) == CUDA_SUCCESS);
            action();
            REQUIRE(raw().cuThreadExchangeStreamCaptureMode(&exchanged) == CUDA_SUCCESS);
            CHECK(exchanged == mode);
        }
    }
}
