// SPDX-License-Identifier: MIT OR Apache-2.0
#include "torture_sources.hpp"

#include "driver.hpp"
#include "fake_compilers.hpp"
#include "faults.hpp"

#include <algorithm>

namespace test {

namespace {

void fail_leaving() {
    sim().fail("cuCtxPopCurrent", 1, INJECTED, 0);
}

/// The hook runs before the call after the one that fails.
void arm_driver(const Fault &fault) {
    sim().fail(nullptr, fault.nth, INJECTED, fault.sticky);
    if (fault.leaving) {
        sim().hook(
            nullptr, fault.nth + 1, [](void *) { fail_leaving(); }, nullptr);
    }
}

uint64_t driver_failures() {
    return injected_entries().size();
}

std::vector<std::string> failed_driver_calls() {
    std::vector<std::string> names = injected_entries();
    std::transform(names.begin(), names.end(), names.begin(), call_of);
    return names;
}

void arm_allocations(const Fault &fault) {
    fail_library_call(nullptr, fault.nth, fault.sticky);
    if (fault.leaving) {
        after_library_failure(&fail_leaving);
    }
}

template <FakeCompiler FakeCompilers::*compiler> void arm_compiler(const Fault &fault) {
    (fake_compilers().*compiler).fail(nullptr, fault.nth, INJECTED, fault.sticky);
}

template <FakeCompiler FakeCompilers::*compiler> uint64_t compiler_failures() {
    return (fake_compilers().*compiler).failures_injected();
}

template <FakeCompiler FakeCompilers::*compiler> std::vector<std::string> failed_compiler_calls() {
    std::vector<std::string> names;
    for (uint64_t index = 0; index < compiler_failures<compiler>(); index++) {
        names.emplace_back((fake_compilers().*compiler).failed_call(index));
    }
    return names;
}

template <FakeCompiler FakeCompilers::*compiler> constexpr FaultSource compiler_calls(const char *name) {
    return {name, CUCORE_DRIVER, &arm_compiler<compiler>, &compiler_failures<compiler>, &failed_compiler_calls<compiler>,
            true, false};
}

bool is_injected(const std::string &entry) {
    const std::string end = "= " + std::to_string(INJECTED);
    return entry.size() >= end.size() && entry.compare(entry.size() - end.size(), end.size(), end) == 0;
}

} // namespace

const FaultSource DRIVER_CALLS = {"driver call", CUCORE_DRIVER, &arm_driver, &driver_failures, &failed_driver_calls, true, true};
const FaultSource LIBRARY_ALLOCATIONS = {
    "allocation", CUCORE_OUT_OF_MEMORY, &arm_allocations, &library_failures, &failed_driver_calls, false, true};
const FaultSource NVRTC_CALLS = compiler_calls<&FakeCompilers::nvrtc>("NVRTC call");
const FaultSource NVJITLINK_CALLS = compiler_calls<&FakeCompilers::nvjitlink>("nvJitLink call");

std::vector<std::string> injected_entries() {
    std::vector<std::string> entries = sim().log();
    entries.erase(std::remove_if(entries.begin(), entries.end(), [](const std::string &entry) { return !is_injected(entry); }),
                  entries.end());
    return entries;
}

std::string call_of(const std::string &entry) {
    return entry.substr(0, entry.find('('));
}

} // namespace test
