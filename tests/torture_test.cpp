// SPDX-License-Identifier: MIT OR Apache-2.0
// Torture (support/torture.hpp): the scenarios of torture/, rerun with one call after another failing; and the same in processes of
// their own for what happens once in a process. On the simulated driver with the simulated compilers.
#include "support/process.hpp"
#include "torture/scenarios.hpp"

#include <algorithm>
#include <iterator>

using namespace test;

namespace {

const std::vector<std::string> exported_functions = {
#include "exported_functions.inc"
};

/// Functions that no scenario calls, and where they are made to fail instead.
const char *const exceptions[] = {
    "cucore_driver_use_library",   // only before the first use of the driver: torture_child
    "cucore_driver_use_entry",     // likewise
    "cucore_compiler_use_library", // only before the first use of the compiler: torture_child
};

/// The runs look at warnings and at what is left alive themselves.
struct Tortured : Clean {
    Tortured() {
        sink.release();
        expect_any_leaks();
    }
};

const torture::Scenarios *const families[] = {
    &torture::context_scenarios,  &torture::stream_scenarios, &torture::memory_scenarios, &torture::callback_scenarios,
    &torture::compiler_scenarios, &torture::kernel_scenarios, &torture::host_scenarios};

void torture_all(const torture::Scenarios &scenarios) {
    for (const Scenario &scenario : scenarios) {
        test::torture(scenario);
    }
}

} // namespace

TEST_CASE_METHOD(Tortured, "torture: contexts", "[sim]") {
    torture_all(torture::context_scenarios);
}

TEST_CASE_METHOD(Tortured, "torture: streams", "[sim]") {
    torture_all(torture::stream_scenarios);
}

TEST_CASE_METHOD(Tortured, "torture: memory", "[sim]") {
    torture_all(torture::memory_scenarios);
}

TEST_CASE_METHOD(Tortured, "torture: callbacks", "[sim]") {
    torture_all(torture::callback_scenarios);
}

TEST_CASE_METHOD(Tortured, "torture: compilers", "[sim]") {
    torture_all(torture::compiler_scenarios);
}

TEST_CASE_METHOD(Tortured, "torture: kernels", "[sim]") {
    torture_all(torture::kernel_scenarios);
}

TEST_CASE_METHOD(Tortured, "torture: the host", "[sim]") {
    torture_all(torture::host_scenarios);
}

// Run by itself, with an nvJitLink that is older than the driver (CMakeLists.txt).
TEST_CASE_METHOD(Tortured, "torture: the driver's linker", "[.][sim][driver-linker]") {
    torture_all(torture::driver_linker_scenarios);
}

TEST_CASE_METHOD(Tortured, "torture: the scenarios call every exported function", "[sim]") {
    size_t count = 0;
    for (const torture::Scenarios *family : families) {
        for (const Scenario &scenario : *family) {
            run_untouched(scenario, Ending::RELEASE);
            run_untouched(scenario, Ending::CLOSE);
            count++;
        }
    }
    CHECK(count >= 40);
    for (const std::string &function : exported_functions) {
        INFO(function);
        CHECK(was_called(function) == (std::count(std::begin(exceptions), std::end(exceptions), function) == 0));
    }
}

/// Runs `torture_child <action> <kind> <nth> <sticky>` with one call after another failing, until one run is left untouched. A lack
/// of memory passes, but what was not found is remembered.
uint64_t torture_child(const std::string &action, const std::string &kind) {
    const bool passes = kind != "dlopen" && kind != "dlsym";
    uint64_t runs = 0;
    for (const std::string sticky : {"0", "1"}) {
        for (int nth = 1;; nth++, runs++) {
            const Ended ended = run_program("torture_child", {action, kind, std::to_string(nth), sticky});
            INFO(action << " " << kind << " " << nth << " " << sticky << "\n" << ended.out << ended.err);
            REQUIRE(ended.code == 0);
            CHECK_THAT(ended.out, !has("not told"));
            if (kind == "allocation") {
                CHECK_THAT(ended.out, has("first: OK\n") || has("first: OUT_OF_MEMORY"));
            }
            CHECK_THAT(ended.out, has("second: OK\n") || (passes ? has("never") : has("second: NOT_")));
            if (ended.out.find("failures 0\n") == 0) {
                CHECK_THAT(ended.out, has("first: OK\n"));
                break;
            }
            if (kind.rfind("pthread", 0) == 0) {
                CHECK_THAT(ended.out, has("first: O") && !has("first: OK"));
            }
            CHECK_THAT(ended.out, has("consistent\n"));
        }
    }
    return runs;
}

TEST_CASE("torture: the first use of the compilers", "[sim]") {
    uint64_t runs = 0;
    for (const char *kind : {"allocation", "dlopen", "dlsym"}) {
        runs += torture_child("compilers", kind);
    }
    report_children("the first use of the compilers", runs);
}

TEST_CASE("torture: the start of the library's thread", "[sim]") {
    uint64_t runs = 0;
    for (const char *kind : {"allocation", "dlopen", "pthread_attr_init", "pthread_create"}) {
        runs += torture_child("thread", kind);
    }
    report_children("the start of the library's thread", runs);
}

TEST_CASE("torture: naming the driver and a compiler", "[sim]") {
    report_children("naming the driver and a compiler", torture_child("names", "allocation"));
}

TEST_CASE("torture: the first use of the driver", "[sim]") {
    uint64_t runs = 0;
    for (const std::string kind : {"driver", "allocation", "dlopen", "dlsym", "dladdr1", "atexit", "pthread_atfork"}) {
        const bool passes = kind != "driver" && kind != "dlopen" && kind != "dlsym";
        for (const std::string sticky : {"0", "1"}) {
            for (int nth = 1;; nth++, runs++) {
                const Ended ended = run_child({"fail-loading", kind, std::to_string(nth), sticky});
                INFO(kind << " " << nth << " " << sticky << "\n" << ended.out << ended.err);
                REQUIRE(ended.code == 0);
                if (ended.out.find("failures 0\n") == 0) {
                    CHECK_THAT(ended.out, has("device open\ncode OK\n"));
                    break;
                }
                const bool failed = ended.out.find("device NULL\n") != std::string::npos;
                CHECK_THAT(ended.out, has("device NULL\n") || has("device open\ncode OK\n"));
                if (failed && passes) {
                    CHECK_THAT(ended.out, has("code OUT_OF_MEMORY\n") && has("second: OK\n"));
                }
                if (ended.out.find("first: NOT_") != std::string::npos) { // remembered
                    CHECK_THAT(ended.out, has("second: NOT_"));
                }
                CHECK((failed || nth > 1 || kind == "allocation"));
                CHECK_THAT(ended.out, !has("first: DRIVER: cuDriverGetVersion") || has("the driver was loaded from "));
            }
        }
    }
    report_children("the first use of the driver", runs);
}
