// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section A: what is reported, and how. On the simulated driver with the fake compilers.
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/destroys.hpp"
#include "support/process.hpp"

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

} // namespace

TEST_CASE_METHOD(Policy, "A1: a failed destroy, released, is one warning that says what failed, on what and why", "[sim]") {
    for (const Destroy &row : destroys) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        row.fail(known_code(row));
        owned.release();
        check_destroy_failure(sink.take_one(), row, owned.raw, known_code(row));
    }
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
    for (const Destroy &row : destroys) {
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
    for (const Destroy &row : destroys) {
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
    for (const Destroy &row : destroys) {
        INFO(row.operation);
        const Owned owned = row.make(device);
        row.fail(UNKNOWN_CODE);
        owned.release();
        const Facts facts = sink.take_one();
        check_destroy_failure(facts, row, owned.raw, UNKNOWN_CODE);
        CHECK(facts.code == CUCORE_DRIVER);
    }
}

TEST_CASE_METHOD(Policy, "A4: a cleanup in a driver that is shutting down is not reported", "[sim]") {
    for (const Destroy &row : destroys) {
        if (row.domain == CUCORE_DOMAIN_DRIVER) {
            INFO(row.operation);
            const Owned owned = row.make(device);
            row.fail(CUDA_ERROR_DEINITIALIZED);
            owned.release();
            CHECK(sink.take().empty());
        }
    }
    const Stream stream = make(cucore_stream_create, device, nullptr);
    sim().fail("cuStreamSynchronize", 1, CUDA_ERROR_DEINITIALIZED, 0);
    CHECK(fails(cucore_stream_synchronize, stream).native == CUDA_ERROR_DEINITIALIZED);
}

TEST_CASE_METHOD(Policy, "A5: two handles whose destroys fail alike give two warnings, each naming its own", "[sim]") {
    for (const Destroy &row : destroys) {
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
    fake_compilers().fail("nvJitLinkAddData", 1, 3, 1);
    const Facts facts = fails(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    fake_compilers().fail("", 0, 0, 0);
    INFO(describe(facts));
    CHECK(facts.operation == "nvJitLinkAddData");
    CHECK(fake_compilers().live() == 0);
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
