// SPDX-License-Identifier: MIT OR Apache-2.0
#include "torture.hpp"

#include "contexts.hpp"
#include "fake_compilers.hpp"
#include "faults.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <iostream>
#include <set>

namespace test {

namespace {

/// A call whose failure is told in other words than its code, by design: the words, and why.
struct Absorbed {
    const char *call;
    const char *words;
    const char *reason;
};

const Absorbed absorbed[] = {
    {"cuCtxGetCurrent", "which is current is not known", "it is asked only to name the context in a failure that is told"},
    {"cuCtxGetCurrent", "needs a context to be current that no longer is", "what is not known to be current is taken not to be"},
};

bool ends_with(const std::string &text, const std::string &end) {
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// The entries of the simulated driver's log that are of failures we injected.
std::vector<std::string> injected_entries() {
    std::vector<std::string> entries = sim().log();
    entries.erase(std::remove_if(entries.begin(), entries.end(),
                                 [](const std::string &entry) { return !ends_with(entry, "= " + std::to_string(INJECTED)); }),
                  entries.end());
    return entries;
}

void arm_driver(uint64_t nth, bool sticky) {
    sim().fail_nothing();
    if (nth != 0) {
        sim().log_clear();
        sim().fail(nullptr, nth, INJECTED, sticky);
    }
}

std::vector<std::string> failed_driver_calls() {
    std::vector<std::string> names;
    for (const std::string &entry : injected_entries()) {
        names.push_back(entry.substr(0, entry.find('(')));
    }
    return names;
}

uint64_t driver_failures() {
    return injected_entries().size();
}

void arm_allocations(uint64_t nth, bool sticky) {
    nth != 0 ? fail_library_call(nullptr, nth, sticky) : fail_no_library_call();
}

std::vector<std::string> no_names() {
    return {};
}

template <FakeCompiler FakeCompilers::*compiler> void arm_compiler(uint64_t nth, bool sticky) {
    fake_compilers().fail_nothing();
    if (nth != 0) {
        (fake_compilers().*compiler).fail(nullptr, nth, INJECTED, sticky);
    }
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
    return {name, CUCORE_DRIVER, &arm_compiler<compiler>, &compiler_failures<compiler>, &failed_compiler_calls<compiler>};
}

/// The facts and those of all their notes.
void flatten(const Facts &facts, std::vector<Facts> &all) {
    all.push_back(facts);
    for (const Facts &note : facts.notes) {
        flatten(note, all);
    }
}

/// What one run told: the failure it returned, what giving the primary context up returned, and the warnings.
struct Told {
    Facts returned;
    std::vector<Facts> all; ///< with notes, flattened
    std::string text;
    bool consistent = true;
};

Told run_once(const Scenario &scenario, Sink &sink, Foreign &foreign) {
    Job job(foreign);
    try {
        scenario.run(job);
    } catch (const Job::Stopped &) {
    }
    ok(cucore_deferred_drain);
    Status status;
    cucore_context_release_primary(0, status);
    Told told{job.failure(), {}, "", job.consistent()};
    std::vector<Facts> roots = sink.take();
    roots.push_back(job.failure());
    roots.push_back(status.facts());
    for (const Facts &root : roots) {
        if (root.code != CUCORE_OK) {
            flatten(root, told.all);
            told.text += describe(root);
        }
    }
    return told;
}

/// The names of the calls that were told to have failed: by the code we injected, or in other words.
std::vector<std::string> told_calls(const Told &told) {
    std::vector<std::string> names;
    for (const Facts &facts : told.all) {
        if (facts.native == INJECTED) {
            names.push_back(facts.operation);
        }
        for (const Absorbed &row : absorbed) {
            if (facts.says(row.words)) {
                names.emplace_back(row.call);
            }
        }
    }
    return names;
}

/// Whether a live object may be: its destroy failed, or a message says that it leaked.
bool may_live(const std::string &line, const Told &told, const std::vector<std::string> &entries) {
    const size_t start = line.find("0x");
    const std::string handle = line.substr(start, line.find_first_not_of("0123456789abcdefx", start) - start);
    const auto names_it = [&](const std::string &text) {
        const size_t at = text.find(handle);
        return at != std::string::npos && text.find_first_of("0123456789abcdef", at + handle.size()) != at + handle.size();
    };
    return std::any_of(entries.begin(), entries.end(), names_it) ||
           std::any_of(told.all.begin(), told.all.end(),
                       [&](const Facts &facts) { return facts.says("leaked") && (names_it(facts.message)); });
}

/// A failed pop leaves the context of the library's call current, and a failed exchange the capture mode relaxed, which the status
/// says; the caller goes back by hand.
void set_back(const std::vector<std::string> &failed, CUcontext before) {
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    raw().cuThreadExchangeStreamCaptureMode(&mode);
    const auto pops = std::count(failed.begin(), failed.end(), "cuCtxPopCurrent");
    for (auto count = pops; count > 0 && current_context() != before; count--) {
        CUcontext popped = nullptr;
        raw().cuCtxPopCurrent(&popped);
    }
}

/// What must hold before and after a run.
struct Before {
    CUcontext current = current_context();
    std::vector<std::string> live = sim().live();
    uint64_t violations = sim().violations();
    uint64_t compiled = fake_compilers().live();
};

/// Those that left a program or a linker alive.
uint64_t failed_destroys(const std::vector<std::string> &failed) {
    return static_cast<uint64_t>(std::count(failed.begin(), failed.end(), "nvrtcDestroyProgram") +
                                 std::count(failed.begin(), failed.end(), "nvJitLinkDestroy"));
}

void check_nothing_left(const Before &before, const Told &told, const std::vector<std::string> &failed,
                        const std::vector<std::string> &entries) {
    CHECK(current_context() == before.current);
    ok(cucore_context_release_primary, 0);
    INFO(sim().violation_text());
    CHECK(sim().violations() == before.violations);
    CHECK(fake_compilers().violations() == 0);
    CHECK(fake_compilers().live() - before.compiled == failed_destroys(failed));
    for (const std::string &line : new_lines(before.live, sim().live())) {
        if (!may_live(line, told, entries)) {
            FAIL_CHECK("left alive: " << line);
        }
    }
}

/// The driver refuses to free memory on a stream that is being captured. If the library then cannot learn that this is why, the
/// refusal is the failure, and what failed is a note on it.
bool is_refused_free(const Facts &facts) {
    return facts.operation == "cuMemFreeAsync" && facts.native == CUDA_ERROR_INVALID_VALUE && !facts.notes.empty();
}

void check_told(const Told &told, std::vector<std::string> failed, const FaultSource &source) {
    std::vector<std::string> names = told_calls(told);
    std::sort(names.begin(), names.end());
    std::sort(failed.begin(), failed.end());
    CHECK(names == failed);
    CHECK(told.consistent);
    if (told.returned.code != CUCORE_OK && !is_refused_free(told.returned)) {
        CHECK(cucore_status_code_name(told.returned.code) == std::string(cucore_status_code_name(source.code)));
    }
}

/// Of failures without names: whether one was told, where any was.
bool tells_some(const Told &told, const FaultSource &source) {
    return source.failed_calls != &no_names ||
           std::any_of(told.all.begin(), told.all.end(), [&](const Facts &facts) { return facts.code == source.code; });
}

/// Runs with failure number `nth` armed; returns how many failures that caused, and adds to `untold` if none of them was told.
uint64_t run_armed(const Scenario &scenario, const FaultSource &source, uint64_t nth, bool sticky, uint64_t &untold) {
    Sink sink;
    Foreign foreign;
    const Before before;
    source.arm(nth, sticky);
    const Told told = run_once(scenario, sink, foreign);
    const uint64_t failures = source.failures();
    const std::vector<std::string> failed = source.failed_calls();
    const std::vector<std::string> entries = injected_entries();
    source.arm(0, false);
    INFO(scenario.name << ": " << source.name << " " << nth << (sticky ? " and all after it" : "") << "\n" << told.text);
    set_back(failed, before.current);
    if (failures == 0) {
        CHECK(told.all.empty());
        CHECK(told.returned.code == CUCORE_OK);
    } else {
        check_told(told, failed, source);
        untold += tells_some(told, source) ? 0 : 1;
    }
    check_nothing_left(before, told, failed, entries);
    return failures;
}

} // namespace

const FaultSource DRIVER_CALLS = {"driver call", CUCORE_DRIVER, &arm_driver, &driver_failures, &failed_driver_calls};
const FaultSource LIBRARY_ALLOCATIONS = {"allocation", CUCORE_OUT_OF_MEMORY, &arm_allocations, &library_failures, &no_names};
const FaultSource NVRTC_CALLS = compiler_calls<&FakeCompilers::nvrtc>("NVRTC call");
const FaultSource NVJITLINK_CALLS = compiler_calls<&FakeCompilers::nvjitlink>("nvJitLink call");

Foreign::Foreign() : lent(new_context()), context(new_context()) {
    const Pushed pushed(lent);
    REQUIRE(raw().cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
}

Foreign::~Foreign() {
    if (!stream_taken) {
        CHECK(raw().cuStreamDestroy(stream) == CUDA_SUCCESS);
    }
    if (!context_taken) {
        CHECK(raw().cuCtxDestroy(context) == CUDA_SUCCESS);
    }
    CHECK(raw().cuCtxDestroy(lent) == CUDA_SUCCESS);
}

namespace {

std::set<void *> called;

} // namespace

void Job::note_address(void *function) {
    called.insert(function);
}

bool was_called(const std::string &function) {
    return called.count(dlsym(RTLD_DEFAULT, function.c_str())) != 0;
}

void Job::direct(const char *call, CUresult result) {
    if (result != CUDA_SUCCESS) {
        failure_.code = CUCORE_DRIVER;
        failure_.native = result;
        failure_.operation = call;
        throw Stopped{};
    }
}

/// What loads at first need is then loaded; that is tortured elsewhere.
void run_untouched(const Scenario &scenario) {
    Sink sink;
    Foreign foreign;
    const Told told = run_once(scenario, sink, foreign);
    INFO(scenario.name << ", untouched\n" << describe(told.returned));
    REQUIRE(told.all.empty());
}

void Job::settle(bool worked, const Status &status) {
    failure_ = status.facts();
    consistent_ = consistent_ && worked == (status.get() == nullptr);
    if (!worked) {
        throw Stopped{};
    }
}

void torture(const Scenario &scenario, const FaultSource &source) {
    run_untouched(scenario);
    uint64_t injected = 0;
    uint64_t runs = 0;
    for (const bool sticky : {false, true}) {
        uint64_t untold = 0;
        for (uint64_t nth = 1;; nth++) {
            const uint64_t failures = run_armed(scenario, source, nth, sticky, untold);
            if (failures == 0) {
                break;
            }
            injected += failures;
            runs++;
        }
        INFO(scenario.name << ": " << source.name << "s");
        CHECK(untold == (sticky || source.failed_calls != &no_names ? 0 : scenario.unneeded_statuses));
    }
    CHECK(runs > 0);
    std::cout << "torture: " << scenario.name << ": " << runs << " runs, " << injected << " failures of " << source.name << "s"
              << "\n";
}

} // namespace test
