// SPDX-License-Identifier: MIT OR Apache-2.0
// What holds for every exported function that takes handles (support/calls.hpp): NULL and handles of another type are refused
// before the driver is called, and a failed allocation leaves nothing behind.
#include "support/calls.hpp"
#include "support/contexts.hpp"
#include "support/driver.hpp"
#include "support/faults.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace test;

namespace {

const std::vector<std::string> exported = {
#include "exported_functions.inc"
};

bool ends_with(const std::string &text, const std::string &end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Calls that do not tell a bad handle from a good one: they do nothing, or give an empty text.
bool is_silent(const Call &row) {
    return ends_with(row.function, "_release") || ends_with(row.function, "_log") || ends_with(row.function, "_lowered_name");
}

/// The row's call with another handle for one parameter: it must fail with `code` and name the parameter, or give a bad value.
void check_refused(const Call &row, const HandleParameter &parameter, Kit kit, void *bad, int32_t code) {
    INFO(row.function << ", " << parameter.name);
    (kit.*parameter.member).handle = bad;
    Status status;
    const int32_t result = row.call(kit, status.maybe());
    const Facts facts = status.facts();
    INFO(describe(facts));
    if (!is_silent(row) && result != BAD_VALUE) {
        CHECK(cucore_status_code_name(result) == std::string(cucore_status_code_name(code)));
        CHECK(facts.code == result);
        CHECK_THAT(facts.message, has(row.function));
        CHECK_THAT(facts.message, has(parameter.name));
    }
}

/// Calls of the driver that are made between construction and check.
class NoDriverCalls {
  public:
    NoDriverCalls() : before_(count()) {
    }
    void check() const {
        CHECK(count() == before_);
    }

  private:
    static uint64_t count() {
        return simulator() != nullptr ? sim().call_count(nullptr) : 0;
    }
    uint64_t before_;
};

} // namespace

TEST_CASE("the table of calls has every exported function") {
    for (const std::string &function : exported) {
        INFO(function);
        const bool is_row = std::any_of(calls.begin(), calls.end(), [&](const Call &row) { return row.function == function; });
        const bool is_other = std::find(other_calls.begin(), other_calls.end(), function) != other_calls.end();
        CHECK(is_row != is_other);
    }
    CHECK(exported.size() == calls.size() + other_calls.size());
}

TEST_CASE_METHOD(Clean, "every call of the table works") {
    OwnedKit owned(0, true);
    for (const Call &row : calls) {
        INFO(row.function);
        Status status;
        const int32_t code = row.call(owned.kit, status.maybe());
        INFO(describe(status.facts()));
        CHECK(code == CUCORE_OK);
    }
}

TEST_CASE_METHOD(Clean, "every call of the table works with the default stream, whatever context is current") {
    OwnedKit owned;
    const Stream stream = make(cucore_stream_default, owned.kit.device);
    Kit kit = owned.kit;
    kit.stream.handle = stream;
    const auto call_all = [&] {
        const CUcontext current = current_context();
        for (const Call &row : calls) {
            if (row.need != Call::COMPILER) {
                INFO(row.function);
                Status status;
                const int32_t code = row.call(kit, status.maybe());
                INFO(describe(status.facts()));
                CHECK(code == CUCORE_OK);
                CHECK(current_context() == current);
            }
        }
    };
    call_all();
    const ForeignContext foreign;
    call_all();
}

TEST_CASE_METHOD(Clean, "B10: NULL for a handle is INVALID_ARGUMENT that names the parameter") {
    OwnedKit owned(0, true);
    const NoDriverCalls none;
    for (const Call &row : calls) {
        for (const HandleParameter &parameter : row.parameters) {
            if (!parameter.may_be_null) {
                check_refused(row, parameter, owned.kit, nullptr, CUCORE_INVALID_ARGUMENT);
            }
        }
    }
    none.check();
}

TEST_CASE_METHOD(Clean, "B10: a handle of another type is INVALID_HANDLE that names both") {
    OwnedKit owned(0, true);
    const NoDriverCalls none;
    for (const Call &row : calls) {
        for (const HandleParameter &parameter : row.parameters) {
            const bool wants_event =
                parameter.member == &Kit::event || parameter.member == &Kit::timed || parameter.member == &Kit::later;
            void *bad = wants_event ? owned.kit.stream.handle : owned.kit.event.handle;
            check_refused(row, parameter, owned.kit, bad, CUCORE_INVALID_HANDLE);
        }
    }
    none.check();
}

TEST_CASE_METHOD(Clean, "B10: memory that is no handle is INVALID_HANDLE") {
    OwnedKit owned(0, true);
    uint64_t no_handle[64] = {};
    for (const Call &row : calls) {
        for (const HandleParameter &parameter : row.parameters) {
            check_refused(row, parameter, owned.kit, no_handle, CUCORE_INVALID_HANDLE);
        }
    }
}

/// Sets the count of references: of a handle behind its tag, of a status at its beginning.
void count_references(void *counted, size_t offset, uint32_t references) {
    std::memcpy(static_cast<char *>(counted) + offset, &references, sizeof references);
}

TEST_CASE_METHOD(Clean, "what has been retained more often than can be counted is never freed", "[sim]") {
    Device device = make(cucore_device_open, 0);
    Stream stream = make(cucore_stream_create, device, nullptr);
    const size_t streams = sim().live_count("stream");
    count_references(stream.get(), 4, 0x7fffffff);
    for (int i = 0; i < 3; i++) {
        cucore_stream_retain(stream);
    }
    for (int i = 0; i < 5; i++) {
        int32_t destroyed = -1;
        ok(cucore_stream_close, stream.get(), &destroyed);
        CHECK(destroyed == 0);
    }
    CHECK(cucore_stream_from_raw(device, cucore_stream_raw(stream), CUCORE_ADOPT, nullptr, nullptr, nullptr) == nullptr);
    CHECK(sim().live_count("stream") == streams);
    count_references(stream.get(), 4, 1); // so that it can end after all
    stream.reset();
    CHECK(sim().live_count("stream") == streams - 1);

    cucore_status *status = cucore_status_create(CUCORE_CANCELLED, "kept", 4);
    count_references(status, 0, 0x80000000);
    cucore_status_retain(status);
    for (int i = 0; i < 3; i++) {
        cucore_status_release(status);
    }
    CHECK(cucore_status_message(status, nullptr) == std::string("kept"));
    count_references(status, 0, 1);
    cucore_status_release(status);
}

TEST_CASE_METHOD(Clean, "a call may be told nothing: its status may be NULL") {
    OwnedKit owned(0, true);
    for (const Call &row : calls) {
        if (row.parameters.empty() || row.parameters.front().may_be_null || is_silent(row)) {
            continue;
        }
        INFO(row.function);
        Kit kit = owned.kit;
        (kit.*row.parameters.front().member).handle = nullptr;
        CHECK(row.call(kit, nullptr) != CUCORE_OK);
    }
}

TEST_CASE_METHOD(Clean, "C3: an allocation that fails anywhere in a call leaves nothing behind", "[sim]") {
    OwnedKit owned(0, true);
    int failures = 0;
    for (const Call &row : calls) {
        if (row.function == std::string("cucore_linker_link")) { // a linker links once; see torture_test.cpp
            continue;
        }
        for (uint64_t nth = 1;; nth++) {
            INFO(row.function << ", allocation " << nth);
            const auto live = sim().live();
            Status status;
            fail_library_call(nullptr, nth, false);
            const int32_t code = row.call(owned.kit, status.maybe());
            const bool failed = library_failures() != 0;
            fail_no_library_call();
            const std::vector<Facts> warnings = sink.take(); // of a compiler's log that there was no memory for
            const bool told = code == CUCORE_OUT_OF_MEMORY || (warnings.size() == 1 && warnings[0].code == CUCORE_OUT_OF_MEMORY);
            CHECK(told == failed);
            CHECK(sim().live() == live);
            if (!failed) {
                break;
            }
            failures++;
        }
    }
    CHECK(failures > 10);
}
