// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section A: what is reported, and how. On the simulated driver with the fake compilers.
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/destroys.hpp"
#include "support/faults.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <atomic>
#include <climits>
#include <thread>

using namespace test;

namespace {

struct Policy : Clean {
    Device device = make(cucore_device_open, 0);
};

/// Codes to fail a destroy with: one that is in the domain's table, and one that no table knows.
int known_code(const Destroy &row) {
    return row.domain == CUCORE_DOMAIN_DRIVER ? INJECTED : 4;
}

std::string expected_message(const Destroy &row, uint64_t raw, int code) {
    const std::string start = std::string(row.operation) + "(" + hex(raw) + ") failed";
    const std::string name = cucore_status_native_name(row.domain, code);
    if (row.domain != CUCORE_DOMAIN_DRIVER) {
        return start + " (status " + std::to_string(code) + ")" + (name.empty() ? "" : ": " + name);
    }
    return name.empty() ? start + " (CUDA error " + std::to_string(code) + ")"
                        : start + ": " + name + ": " + cucore_status_native_description(row.domain, code);
}

void check_destroy_failure(const Facts &facts, const Destroy &row, uint64_t raw, int code) {
    INFO(describe(facts));
    CHECK(facts.message == expected_message(row, raw, code));
    CHECK(facts.operation == row.operation);
    CHECK(facts.resource == raw);
    CHECK(facts.domain == row.domain);
    CHECK(facts.native == code);
    CHECK(facts.code != CUCORE_OK);
    const Facts *leaked = facts.note(CUCORE_NOTE_CONSEQUENCE, "leaked");
    REQUIRE(leaked != nullptr);
    CHECK(leaked->says(hex(raw)));
}

/// The destroy of a link, whose raw handle lives only as long as the call that links.
Destroy link_destroy() {
    return linkers_are_the_drivers() ? Destroy{"cuLinkDestroy", CUCORE_DOMAIN_DRIVER, nullptr}
                                     : Destroy{"nvJitLinkDestroy", CUCORE_DOMAIN_NVJITLINK, nullptr};
}

/// Links, which works although the destroy says `result`.
void link_with_failing_destroy(cucore_device *device, int result) {
    const ObjectCode input = ptx(SAXPY_PTX);
    cucore_object_code *inputs[] = {input};
    const Linker linker = make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    link_destroy().fail(result);
    find(make(cucore_library_load, device, make(cucore_linker_link, linker)));
}

} // namespace

TEST_CASE_METHOD(Policy, "A1: a failed destroy, released, is one warning that says what failed, on what and why", "[sim]") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        row.fail(known_code(row));
        owned.release();
        check_destroy_failure(sink.take_one(), row, owned.raw, known_code(row));
    }
}

TEST_CASE_METHOD(Policy, "A1: a failed destroy of a link is one warning beside the result", "[sim]") {
    const int code = known_code(link_destroy());
    link_with_failing_destroy(device, code);
    const Facts warning = sink.take_one();
    CHECK(warning.resource != 0);
    check_destroy_failure(warning, link_destroy(), warning.resource, code);
}

TEST_CASE_METHOD(Policy, "A1: a failed release of the primary context is returned", "[sim]") {
    Context context = make(cucore_device_context, device);
    const auto raw_context = reinterpret_cast<uint64_t>(cucore_context_raw(context));
    context.reset();
    device.reset();
    sim().fail_after("cuDevicePrimaryCtxRelease", 1, INJECTED, 0);
    const Facts facts = fails(cucore_context_release_primary, 0);
    INFO(describe(facts));
    CHECK_THAT(facts.message, has("cuDevicePrimaryCtxRelease("));
    CHECK_THAT(facts.message, has(") failed: CUDA_ERROR_UNKNOWN: "));
    CHECK(facts.note(CUCORE_NOTE_CONSEQUENCE, "leaked") != nullptr);
    CHECK(facts.resource == raw_context);
    CHECK(sink.take().empty());
}

TEST_CASE_METHOD(Policy, "A2: the same failure through close is returned, and is no warning", "[sim]") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        row.fail(known_code(row));
        int32_t destroyed = -1;
        Status status;
        const int32_t code = owned.close(&destroyed, status);
        CHECK(code != CUCORE_OK);
        CHECK(code == status.facts().code);
        CHECK(destroyed == 1); // the reference is consumed either way
        check_destroy_failure(status.facts(), row, owned.raw, known_code(row));
        CHECK(sink.take().empty());
    }
}

TEST_CASE_METHOD(Policy, "A2: closing in a driver that is shutting down is OK", "[sim]") {
    for (const Destroy &row : destroys()) {
        if (row.domain == CUCORE_DOMAIN_DRIVER) {
            INFO(row.operation);
            const Owned owned = row.make(device);
            row.fail(CUDA_ERROR_DEINITIALIZED);
            Status status;
            CHECK(owned.close(nullptr, status) == CUCORE_OK);
            CHECK(status.get() == nullptr);
        }
    }
}

TEST_CASE_METHOD(Policy, "A2: a dependency's failed destroy is a note on the failure of what was closed", "[sim]") {
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, make(cucore_stream_create, device, nullptr));
    sim().fail_after("cuMemFreeAsync", 1, INJECTED, 0);
    sim().fail_after("cuStreamDestroy", 1, INJECTED_TOO, 0);
    int32_t destroyed = -1;
    const Facts facts = fails(cucore_buffer_close, buffer.give(), &destroyed);
    INFO(describe(facts));
    CHECK(facts.operation == "cuMemFreeAsync");
    const Facts *note = facts.note(CUCORE_NOTE_CONSEQUENCE, "cuStreamDestroy(");
    REQUIRE(note != nullptr);
    CHECK(note->native == INJECTED_TOO);
}

TEST_CASE_METHOD(Policy, "A3: a code that no table knows is told by its number", "[sim]") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        row.fail(UNKNOWN_CODE);
        owned.release();
        const Facts facts = sink.take_one();
        check_destroy_failure(facts, row, owned.raw, UNKNOWN_CODE);
        CHECK(facts.code == CUCORE_DRIVER);
    }
    link_with_failing_destroy(device, UNKNOWN_CODE);
    const Facts facts = sink.take_one();
    check_destroy_failure(facts, link_destroy(), facts.resource, UNKNOWN_CODE);
}

TEST_CASE_METHOD(Policy, "A4: a cleanup in a driver that is shutting down is not reported", "[sim]") {
    for (const Destroy &row : destroys()) {
        if (row.domain == CUCORE_DOMAIN_DRIVER) {
            INFO(row.operation);
            const Owned owned = row.make(device);
            row.fail(CUDA_ERROR_DEINITIALIZED);
            owned.release();
            CHECK(sink.take().empty());
        }
    }
    if (linkers_are_the_drivers()) {
        link_with_failing_destroy(device, CUDA_ERROR_DEINITIALIZED);
        CHECK(sink.take().empty());
    }
    const Stream stream = make(cucore_stream_create, device, nullptr);
    sim().fail("cuStreamSynchronize", 1, CUDA_ERROR_DEINITIALIZED, 0);
    CHECK(fails(cucore_stream_synchronize, stream).native == CUDA_ERROR_DEINITIALIZED);
}

TEST_CASE_METHOD(Policy, "A4: a cleanup all of whose calls say that the driver is shutting down is not reported", "[sim]") {
    const auto release = [&](const char *operation, const Owned &owned) {
        INFO(operation);
        sim().fail(nullptr, 1, CUDA_ERROR_DEINITIALIZED, 1);
        owned.release();
        sim().fail_nothing();
        CHECK(sink.take().empty());
    };
    expect_any_leaks();
    for (const Destroy &row : destroys()) {
        release(row.operation, row.make(device));
    }
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, make(cucore_stream_create, device, nullptr));
    ok(cucore_buffer_note_use, buffer, make(cucore_stream_create, device, nullptr));
    release("a buffer with work on another stream", owned(std::move(buffer), uint64_t{0}));
}

TEST_CASE_METHOD(Policy, "A5: two handles whose destroys fail alike give two warnings, each naming its own", "[sim]") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const Owned first = row.make(device), second = row.make(device);
        for (const Owned &owned : {first, second}) {
            row.fail(known_code(row));
            owned.release();
        }
        const std::vector<Facts> warnings = sink.take();
        REQUIRE(warnings.size() == 2);
        CHECK(warnings[0].resource == first.raw);
        CHECK(warnings[1].resource == second.raw);
        CHECK(warnings[0].message == expected_message(row, first.raw, known_code(row)));
        CHECK(warnings[1].message == expected_message(row, second.raw, known_code(row)));
    }
}

namespace {

/// A sink that does everything a sink may do, and what it found.
struct Busy {
    cucore_device *device;
    cucore_warning_sink *self = nullptr;
    cucore_warning_sink *other = nullptr;
    CUcontext current = nullptr;
    int calls = 0;
    bool made_a_stream = false;

    static int32_t call(const cucore_status *, void *user_data) {
        auto *busy = static_cast<Busy *>(user_data);
        busy->calls++;
        busy->current = current_context();
        busy->made_a_stream = Stream(cucore_stream_create(busy->device, nullptr, nullptr)).get() != nullptr;
        cucore_stream *stream = cucore_stream_create(busy->device, nullptr, nullptr);
        sim().fail_after("cuStreamDestroy", 1, UNKNOWN_CODE, 0);
        cucore_stream_release(stream);
        cucore_warning_sink_release(std::exchange(busy->other, nullptr));
        cucore_warning_sink_release(std::exchange(busy->self, nullptr));
        return 0;
    }
    static int32_t only_count(const cucore_status *, void *user_data) {
        static_cast<Busy *>(user_data)->calls++;
        return 0;
    }
    static void drop(void *user_data) {
        static_cast<Busy *>(user_data)->calls += 100;
    }
};

} // namespace

TEST_CASE_METHOD(Policy, "A6: a sink sees the caller's context, and may call any function", "[sim]") {
    const Stream first = make(cucore_stream_create, device, nullptr), second = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    Buffer buffer = make(cucore_memory_resource_allocate, resource, size_t{64}, first);
    ok(cucore_buffer_fill, buffer, size_t{0}, size_t{64}, 0u, 1u, second);

    const ForeignContext foreign;
    Busy busy{device};
    Busy unheard{device};
    busy.self = cucore_warning_sink_register(&Busy::call, &busy, &Busy::drop, nullptr);
    busy.other = cucore_warning_sink_register(&Busy::only_count, &unheard, &Busy::drop, nullptr);
    sim().fail_after("cuMemFreeAsync", 1, INJECTED, 0); // after an event was created in the cleanup's context
    const std::string written = stderr_of([&] { buffer.reset(); });

    CHECK(busy.calls == 101); // called once, then dropped
    CHECK(unheard.calls == 100);
    CHECK(busy.current == foreign.get());
    CHECK(busy.made_a_stream);
    CHECK_THAT(written, has("cuStreamDestroy(0x"));
    CHECK_THAT(written, has("(CUDA error 12345)"));
    CHECK(sink.take_one().operation == "cuMemFreeAsync");
}

TEST_CASE("A7: with no sink a warning is one line on stderr, there when the process dies right after", "[sim]") {
    const Ended ended = run_child({"die"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 3);
    CHECK_THAT(ended.err, has("cuStreamDestroy(0x"));
    CHECK_THAT(ended.err, has("failed: CUDA_ERROR_UNKNOWN: "));
    CHECK(std::count(ended.err.begin(), ended.err.end(), '\n') == 1);
    CHECK(ended.out.empty());
}

TEST_CASE_METHOD(Policy, "A10: the failed undo of a half-loaded library is a note on what failed first", "[sim]") {
    sim().fail("cuLibraryGetModule", 1, INJECTED, 0);
    sim().fail_after("cuLibraryUnload", 1, INJECTED_TOO, 0);
    const Facts facts = fails(cucore_library_load, device, ptx(SAXPY_PTX));
    INFO(describe(facts));
    CHECK(facts.operation == "cuLibraryGetModule");
    CHECK(facts.native == INJECTED);
    const Facts *undo = facts.note(CUCORE_NOTE_CONSEQUENCE, "cuLibraryUnload(");
    REQUIRE(undo != nullptr);
    CHECK(undo->native == INJECTED_TOO);
    CHECK(undo->note(CUCORE_NOTE_CONSEQUENCE, "leaked") != nullptr);
}

TEST_CASE_METHOD(Policy, "A10: the failed undo of a created stream or event is a note on the failure to leave", "[sim]") {
    const auto check = [&](const Facts &facts, const char *destroy) {
        INFO(describe(facts));
        CHECK(facts.operation == "cuCtxPopCurrent");
        const Facts *undo = facts.note(CUCORE_NOTE_CONSEQUENCE, destroy);
        REQUIRE(undo != nullptr);
        CHECK(undo->native == INJECTED_TOO);
        CHECK(sink.take().empty());
        CUcontext popped = nullptr;
        raw().cuCtxPopCurrent(&popped);
    };
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    sim().fail_after("cuStreamDestroy", 1, INJECTED_TOO, 0);
    check(fails(cucore_stream_create, device, nullptr), "cuStreamDestroy(");
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
    sim().fail_after("cuEventDestroy", 1, INJECTED_TOO, 0);
    check(fails(cucore_event_create, device, nullptr), "cuEventDestroy(");
}

TEST_CASE_METHOD(Policy, "A10: a linker's failed undo is a note on what failed first", "[sim]") {
    const ObjectCode input = ptx(SAXPY_PTX);
    cucore_object_code *inputs[] = {input};
    const Linker linker = make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    const bool driver = linkers_are_the_drivers();
    const std::string add = driver ? "cuLinkAddData" : "nvJitLinkAddData", destroy = driver ? "cuLinkDestroy" : "nvJitLinkDestroy";
    if (driver) {
        sim().fail(add.c_str(), 1, INJECTED, 0);
        sim().fail_after(destroy.c_str(), 1, INJECTED_TOO, 0);
    } else {
        fake_compilers().nvjitlink.fail(add.c_str(), 1, 3, 0);
        fake_compilers().nvjitlink.fail_after(destroy.c_str(), 1, 4, 0);
    }
    const Facts facts = fails(cucore_linker_link, linker);
    fake_compilers().fail_nothing();
    INFO(describe(facts));
    CHECK(facts.operation == add);
    const Facts *undo = facts.note(CUCORE_NOTE_CONSEQUENCE, destroy + "(");
    REQUIRE(undo != nullptr);
    CHECK(undo->native == (driver ? INJECTED_TOO : 4));
    CHECK(fake_compilers().live() == 0);
}

namespace {

const std::string NO_DETAILS = "details lost: no memory";

/// A call that makes something: its code.
struct Making {
    const char *noun;
    std::function<int32_t(cucore_status **status)> make;
};

/// What each function that makes a handle gives, given back at once.
template <class T, class... Parameters, class... Arguments>
Making making(const char *noun, T *(*function)(Parameters...), void (*release)(T *), Arguments... arguments) {
    return {noun, [=](cucore_status **status) {
                T *made = function(arguments..., status);
                release(made);
                return made != nullptr ? CUCORE_OK : cucore_status_code(*status);
            }};
}
template <class T, class... Parameters, class... Arguments> Making making(T *(*function)(Parameters...), Arguments... arguments) {
    return making(Noun<T>::name, function, Noun<T>::release, arguments...);
}

int32_t deliver(const cucore_status *, void *) {
    return 0;
}

} // namespace

TEST_CASE_METHOD(Policy, "A11: with no memory whatever makes a handle says OUT_OF_MEMORY, and is undone", "[sim]") {
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    const ObjectCode code = ptx(SAXPY_PTX);
    const Library library = make(cucore_library_load, device, code);
    cucore_object_code *const inputs[] = {code};
    const CUcontext foreign = new_context();
    const char *const text = SAXPY_PTX.data();
    const size_t size = SAXPY_PTX.size();
    const std::vector<std::string> live = sim().live();
    for (const Making &each : {
             making(cucore_device_open, 0),
             making(cucore_context_from_raw, foreign, CUCORE_ADOPT, nullptr, nullptr),
             making(cucore_stream_create, device.get(), nullptr),
             making(cucore_stream_default, device.get()),
             making(cucore_stream_from_raw, device.get(), cucore_stream_raw(stream), CUCORE_BORROW, nullptr, nullptr),
             making(cucore_event_create, device.get(), nullptr),
             making(cucore_memory_resource_device_pool, device.get()),
             making(cucore_memory_resource_create_pool, device.get(), nullptr),
             making(cucore_memory_resource_pinned, device.get()),
             making(cucore_memory_resource_allocate, resource.get(), size_t{64}, stream.get()),
             making(cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, text, size, nullptr, size_t{0}),
             making(cucore_library_load, device.get(), code.get()),
             making(cucore_library_kernel, library.get(), "saxpy", size_t{5}),
             making(cucore_program_create, device.get(), SAXPY_SOURCE.data(), SAXPY_SOURCE.size(), nullptr),
             making(cucore_linker_create, device.get(), inputs, size_t{1}, nullptr),
             making("warning_queue", cucore_warning_queue_create, cucore_warning_queue_release, size_t{8}),
             making("warning_sink", cucore_warning_sink_register, cucore_warning_sink_release, &deliver, nullptr, nullptr),
         }) {
        INFO(each.noun);
        Status status;
        const int32_t result = [&] {
            const NoMemory none;
            return each.make(status);
        }();
        CHECK(result == CUCORE_OUT_OF_MEMORY);
        CHECK(status.facts().code == CUCORE_OUT_OF_MEMORY);
        CHECK(status.facts().message == NO_DETAILS);
        CHECK(sim().live() == live);
    }
    CHECK(raw().cuCtxDestroy(foreign) == CUDA_SUCCESS);
}

TEST_CASE("A11: with no memory a status of the caller's own has its code, and can be kept") {
    const NoMemory none;
    cucore_status *status = cucore_status_create(CUCORE_CANCELLED, "stop", 4);
    CHECK(cucore_status_code(status) == CUCORE_CANCELLED);
    CHECK(cucore_status_message(status, nullptr) == NO_DETAILS);
    for (int time = 0; time < 3; time++) {
        CHECK(cucore_status_retain(status) == status);
        cucore_status_release(status);
        cucore_status_release(status); // once too often for any other
    }
    CHECK(cucore_status_code(status) == CUCORE_CANCELLED);
}

TEST_CASE("A11: with no memory a bad argument has its code for each noun"){
#define X(noun) \
    { \
        Status status; \
        const NoMemory none; \
        CHECK(cucore_##noun##_close(nullptr, nullptr, status) == CUCORE_INVALID_ARGUMENT); \
        CHECK(cucore_status_code(status.get()) == CUCORE_INVALID_ARGUMENT); \
        CHECK(cucore_status_message(status.get(), nullptr) == NO_DETAILS); \
    }
    TEST_NOUNS(X)
#undef X
}

TEST_CASE_METHOD(Policy, "A11: with no memory a failed destroy is one warning with its code", "[sim]") {
    for (const Destroy &row : destroys()) {
        INFO(row.operation);
        const auto warning_of = [&](const std::function<void(const Owned &)> &release) {
            const Owned owned = row.make(device);
            row.fail(known_code(row));
            release(owned);
            return sink.take_one();
        };
        const Facts full = warning_of([](const Owned &owned) { owned.release(); });
        const Facts bare = warning_of([](const Owned &owned) {
            const NoMemory none;
            owned.release();
        });
        CHECK(bare.code == full.code);
        CHECK(bare.message == NO_DETAILS);
    }
}

TEST_CASE_METHOD(Policy, "A11: with no memory and no sink a failed destroy is a line on stderr", "[sim]") {
    const Owned owned = destroys().front().make(device);
    sink.release();
    destroys().front().fail(INJECTED);
    const std::string written = stderr_of([&] {
        const NoMemory none;
        owned.release();
    });
    CHECK_THAT(written, has(NO_DETAILS));
    CHECK(std::count(written.begin(), written.end(), '\n') == 1);
}

TEST_CASE("A12: the library takes nothing from others that ends a process, raises a signal or jumps", "[imports]") {
    const std::vector<std::string> imports = library_imports();
    REQUIRE(std::count(imports.begin(), imports.end(), "malloc") > 0);
    for (const char *function : {"abort", "exit", "_exit", "_Exit", "quick_exit", "__assert_fail", "__assert_perror_fail", "raise",
                                 "kill", "tgkill", "pthread_kill", "pthread_exit", "pthread_cancel", "sigqueue", "signal",
                                 "sigaction", "longjmp", "_longjmp", "siglongjmp"}) {
        INFO(function);
        CHECK(std::count(imports.begin(), imports.end(), function) == 0);
    }
}

TEST_CASE("A12: releasing what is no handle does nothing, and closing it fails") {
    alignas(16) static char no_handle[512];
#define X(noun) \
    cucore_##noun##_release(nullptr); \
    cucore_##noun##_release(reinterpret_cast<cucore_##noun *>(no_handle)); \
    fails_saying(CUCORE_INVALID_HANDLE, "not a handle", cucore_##noun##_close, reinterpret_cast<cucore_##noun *>(no_handle), \
                 nullptr);
    TEST_NOUNS(X)
#undef X
    cucore_status_release(nullptr);
    cucore_warning_sink_release(nullptr);
    cucore_warning_queue_release(nullptr);
    cucore_callback_leave();
    CHECK(std::all_of(std::begin(no_handle), std::end(no_handle), [](char byte) { return byte == 0; }));
}

TEST_CASE_METHOD(Policy, "A13: a status keeps its facts, and no call fails because an earlier one did", "[sim]") {
    const Stream stream = make(cucore_stream_create, device, nullptr);
    Status status;
    sim().fail("cuStreamSynchronize", 1, INJECTED, 0);
    CHECK(cucore_stream_synchronize(stream, status) != CUCORE_OK);
    const std::string before = describe(status.facts());
    ok(cucore_stream_synchronize, stream);
    sim().fail("cuStreamSynchronize", 1, INJECTED_TOO, 0);
    CHECK(fails(cucore_stream_synchronize, stream).native == INJECTED_TOO);
    ok(cucore_stream_synchronize, stream);
    CHECK(describe(status.facts()) == before);
}

TEST_CASE_METHOD(Policy, "A13: a code that may stem from earlier work comes with a note that says so", "[sim]") {
    const Stream stream = make(cucore_stream_create, device, nullptr);
    sim().fail("cuStreamSynchronize", 1, CUDA_ERROR_LAUNCH_FAILED, 0);
    const Facts facts = fails(cucore_stream_synchronize, stream);
    INFO(describe(facts));
    CHECK(facts.note(CUCORE_NOTE_ADVICE, "may stem from work put on a stream before") != nullptr);
}

namespace {

/// A function for cucore_context_run: returns a code, and leaves a status of its own.
struct Answer {
    int32_t code;
    cucore_status *status = nullptr;
    int drops = 0;

    static int32_t give(void *user_data) {
        auto *answer = static_cast<Answer *>(user_data);
        answer->status = cucore_status_create(CUCORE_CANCELLED, "the caller's own words: 100 %s", 30);
        return answer->code;
    }
    static void drop(void *user_data) {
        static_cast<Answer *>(user_data)->drops++;
    }
};

} // namespace

TEST_CASE_METHOD(Policy, "A14: what a callback returns arrives unchanged") {
    const Context context = make(cucore_device_context, device);
    for (const int32_t code : {0, 1, -1, CUCORE_CANCELLED, CUCORE_INTERNAL, 12345, INT_MAX, INT_MIN}) {
        Answer answer{code};
        int32_t result = 77;
        ok(cucore_context_run, context, &Answer::give, &answer, &Answer::drop, &result);
        CHECK(result == code);
        CHECK(answer.drops == 1);
        CHECK(facts_of(answer.status).message == "the caller's own words: 100 %s");
        CHECK(facts_of(answer.status).code == CUCORE_CANCELLED);
        cucore_status_release(answer.status);
    }
}

TEST_CASE_METHOD(Policy, "A14: what a callback returned arrives also if the way back fails after it", "[sim]") {
    const Context context = make(cucore_device_context, device);
    Answer answer{-7};
    int32_t result = 77;
    sim().fail_after("cuCtxPopCurrent", 1, INJECTED, 0);
    const Facts facts = fails(cucore_context_run, context, &Answer::give, &answer, &Answer::drop, &result);
    CHECK(facts.operation == "cuCtxPopCurrent");
    CHECK(result == -7);
    CHECK(answer.drops == 1);
    cucore_status_release(answer.status);
}

namespace {

struct Queue {
    explicit Queue(size_t capacity) : queue(cucore_warning_queue_create(capacity, nullptr)) {
        REQUIRE(queue != nullptr);
    }
    Queue(const Queue &) = delete;
    ~Queue() {
        cucore_warning_queue_release(queue);
    }
    /// The native code of the oldest warning, 0 if there is none.
    int64_t poll() const {
        cucore_status *warning = cucore_warning_queue_poll(queue);
        const int64_t native = cucore_status_native_code(warning);
        cucore_status_release(warning);
        return native;
    }
    cucore_warning_queue *queue;
};

/// Causes a warning with this native code.
void warn(cucore_device *device, int code) {
    cucore_stream *stream = make(cucore_stream_create, device, nullptr).give();
    sim().fail_after("cuStreamDestroy", 1, code, 0);
    cucore_stream_release(stream);
}

} // namespace

TEST_CASE_METHOD(Policy, "A15: a queue keeps warnings in order up to its capacity, and counts those it lost", "[sim]") {
    const Queue queue(3);
    CHECK(queue.poll() == 0);
    for (int round = 0; round < 3; round++) { // around the ring
        for (int code = 20001; code <= 20005; code++) {
            warn(device, code);
        }
        CHECK(cucore_warning_queue_lost(queue.queue) == uint64_t(2 * (round + 1)));
        CHECK(queue.poll() == 20001);
        CHECK(queue.poll() == 20002);
        warn(device, 20006);
        CHECK(queue.poll() == 20003);
        CHECK(queue.poll() == 20006);
        CHECK(queue.poll() == 0);
    }
    CHECK(sink.take().size() == 18);
}

TEST_CASE_METHOD(Policy, "A15: what a queue lost and no sink delivered is told on stderr", "[sim]") {
    const Queue queue(1);
    sink.release();
    CHECK(stderr_of([&] { warn(device, 20001); }).empty());
    CHECK_THAT(stderr_of([&] { warn(device, 20002); }), has("20002"));
    CHECK(queue.poll() == 20001);
}

TEST_CASE_METHOD(Policy, "A15: a queue can be polled from any thread, and a warning outlives it", "[sim]") {
    cucore_status *kept = nullptr;
    {
        const Queue queue(2);
        warn(device, 20001);
        warn(device, 20002);
        std::thread([&] { kept = cucore_warning_queue_poll(queue.queue); }).join();
    }
    CHECK(cucore_status_native_code(kept) == 20001);
    cucore_status_release(kept);
    CHECK(sink.take().size() == 2);
}

TEST_CASE("A15: a queue has a capacity from 1 to 65536") {
    for (const size_t capacity : {size_t{0}, size_t{65537}, SIZE_MAX}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "capacity", cucore_warning_queue_create, capacity);
    }
    const Queue largest(65536);
    CHECK(cucore_warning_queue_poll(nullptr) == nullptr);
    CHECK(cucore_warning_queue_lost(nullptr) == 0);
}

TEST_CASE_METHOD(Policy, "A15: queues come and go, and are polled, while warnings fly", "[sim][stress]") {
    sim().fail_after("cuStreamDestroy", 1, UNKNOWN_CODE, 1);
    const Queue lasting(65536);
    std::atomic<int> running{2};
    std::vector<std::thread> threads;
    for (int index = 0; index < 2; index++) {
        threads.emplace_back([&] {
            for (int round = 0; round < 300; round++) {
                cucore_stream_release(cucore_stream_create(device, nullptr, nullptr));
            }
            running--;
        });
    }
    size_t polled = 0;
    while (running > 0) {
        const Queue passing(4);
        passing.poll();
        polled += lasting.poll() != 0;
    }
    for (std::thread &thread : threads) {
        thread.join();
    }
    while (lasting.poll() != 0) {
        polled++;
    }
    CHECK(polled == 600);
    CHECK(sink.take().size() == 600);
}

TEST_CASE_METHOD(Policy, "A16: a failed call carries the driver's own sentence", "[sim]") {
    const Library library = load(device);
    const Facts facts = fails(cucore_library_kernel, library, "nope", size_t{4});
    INFO(describe(facts));
    CHECK(facts.note(CUCORE_NOTE_CAUSE, "Kernel (nope) cannot be found in library") != nullptr);
}

TEST_CASE_METHOD(Policy, "A16: a failed call of which the driver says nothing does not carry what it said before", "[sim]") {
    CUcontext popped = nullptr;
    REQUIRE(current_context() == nullptr);
    CHECK(raw().cuCtxPopCurrent(&popped) != CUDA_SUCCESS); // of which the driver does say something
    int32_t value = 0;
    const Facts facts = fails(cucore_device_attribute, device, 100000, &value);
    INFO(describe(facts));
    CHECK(facts.notes.empty());
}

TEST_CASE("A16: on a driver without logs nothing else changes", "[sim]") {
    const std::string version_with = "12090", version_without = "12080";
    const Ended with = run_child({"old-driver", version_with}), without = run_child({"old-driver", version_without});
    INFO(with.out << without.out);
    CHECK_THAT(with.out, has("cause: "));
    CHECK(without.out.find("cause: ") == std::string::npos);
    for (const Ended &ended : {with, without}) {
        CHECK(ended.code == 0);
        CHECK(ended.err.empty());
        CHECK_THAT(ended.out, has("stream: OK\n"));
        CHECK_THAT(ended.out, has("synchronize: DRIVER: cuStreamSynchronize(0x"));
    }
}

TEST_CASE_METHOD(Policy, "A16: calls that succeed make no log work", "[sim]") {
    const Stream stream = make(cucore_stream_create, device, nullptr);
    // How many parameters a kernel has is asked of the driver by asking for one too many, once.
    const Kernel kernel = find(load(device, NOTHING_PTX), "nothing");
    const uint64_t lines = sim().log_callback_count();
    {
        const Event event = make(cucore_event_create, device, nullptr);
        ok(cucore_event_record, event, stream);
        const Library library = load(device);
        const cucore_launch_options options = shape(1, 1);
        ok(cucore_kernel_launch, kernel, stream, &options, nullptr, size_t{0});
        ok(cucore_stream_synchronize, stream);
    }
    CHECK(sim().log_callback_count() == lines);
}
