// SPDX-License-Identifier: MIT OR Apache-2.0
#include "torture.hpp"

#include "fake_compilers.hpp"
#include "torture_leftovers.hpp"
#include "torture_report.hpp"

#include <algorithm>
#include <functional>
#include <random>

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

/// The facts and those of all their notes.
void flatten(const Facts &facts, std::vector<Facts> &all) {
    all.push_back(facts);
    for (const Facts &note : facts.notes) {
        flatten(note, all);
    }
}

/// What one run told.
struct Told {
    std::vector<Facts> returned; ///< by calls and closes
    std::vector<Facts> warnings;
    std::vector<Facts> all; ///< with notes, flattened, and with what giving the primary context up returned
    std::string text;
    std::vector<std::string> broken; ///< rules of the scenario's own
    std::vector<size_t> intended;    ///< how much was told of each failure that the scenario asked for
};

/// How many facts there are in it.
size_t size_of(const Facts &facts) {
    std::vector<Facts> all;
    flatten(facts, all);
    return all.size();
}

const char NO_DETAILS[] = "details lost: no memory";

/// Whether a failure that the scenario asked for has one in it that it did not, or lost what it could say.
bool has_injected(const Facts &intended) {
    std::vector<Facts> all;
    flatten(intended, all);
    return std::any_of(all.begin(), all.end(), [](const Facts &facts) {
        return facts.native == INJECTED || facts.code == CUCORE_OUT_OF_MEMORY || facts.says(NO_DETAILS);
    });
}

void tell(Told &told, const std::vector<Facts> &roots) {
    for (const Facts &root : roots) {
        flatten(root, told.all);
        told.text += describe(root);
    }
}

/// The library keeps primary contexts until it is told to give them up.
Facts give_up_primary(int32_t ordinal) {
    Status status;
    cucore_context_release_primary(ordinal, status);
    return status.facts();
}

Told run_once(const Scenario &scenario, Ending ending, Sink &sink, Foreign &foreign) {
    Job job(foreign, ending);
    try {
        scenario.run(job);
    } catch (const Job::Stopped &) {
    }
    ok(cucore_deferred_drain);
    const Facts given_up[] = {give_up_primary(0), give_up_primary(1)};
    Told told{job.failures(), sink.take(), {}, "", job.broken(), {}};
    tell(told, told.returned);
    tell(told, told.warnings);
    for (const Facts &failure : given_up) {
        if (failure.code != CUCORE_OK) {
            tell(told, {failure});
        }
    }
    for (const Facts &intended : job.intended()) {
        told.intended.push_back(size_of(intended));
        if (has_injected(intended)) {
            tell(told, {intended});
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

bool any_says(const Told &told, const std::string &words) {
    return std::any_of(told.all.begin(), told.all.end(), [&](const Facts &facts) { return facts.says(words); });
}

/// How often it was told that the caller's context is not current again.
uint64_t told_lost_contexts(const Told &told) {
    const auto count = std::count_if(told.all.begin(), told.all.end(), [](const Facts &facts) {
        return facts.says("the caller's context could not be restored") ||
               facts.says("failed while restoring the caller's context");
    });
    return static_cast<uint64_t>(count);
}

/// Whether a live object may be: its destroy failed, or a message says that it leaked.
bool may_live(const std::string &line, const Told &told, const std::vector<std::string> &entries) {
    const std::string handle = handle_of(line);
    return std::any_of(entries.begin(), entries.end(), [&](const std::string &entry) { return names_handle(entry, handle); }) ||
           std::any_of(told.all.begin(), told.all.end(),
                       [&](const Facts &facts) { return facts.says("leaked") && names_handle(facts.message, handle); });
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

/// One run with a fault armed: what failed, and what came of it.
struct Run {
    std::vector<std::string> failed;  ///< the calls that failed, by name
    std::vector<std::string> entries; ///< those of the driver, with arguments
    uint64_t failures = 0;
    Told told;
};

/// Checks the invariants of a run, and keeps those that do not hold.
class Verdict {
  public:
    Verdict(const FaultSource &source, const Fault &fault, const Run &run) : source_(source), fault_(fault), run_(run) {
    }

    /// Where all handles are closed. A link ends in the call that links, which has a result to return.
    void check_no_warnings() {
        const auto is_of_link = [](const Facts &warning) { return warning.operation == "cuLinkDestroy"; };
        expect(std::all_of(run_.told.warnings.begin(), run_.told.warnings.end(), is_of_link), "a close returns what failed");
    }

    /// Before anything is set back.
    void check_told() {
        broken_ = run_.told.broken;
        if (run_.failures == 0) {
            expect(run_.told.all.empty(), "with nothing failing nothing is told");
            return;
        }
        check_once();
        check_codes();
        check_contexts();
    }

    /// After it.
    void check_nothing_left(const Before &before) {
        expect(current_context() == before.current, "the current context is what it was");
        expect(give_up_primary(0).code == CUCORE_OK && give_up_primary(1).code == CUCORE_OK, "no handle is left");
        expect(sim().violations() == before.violations, "the driver was not misused: " + sim().violation_text());
        expect(fake_compilers().violations() == 0, "the compilers were not misused");
        expect(fake_compilers().live() - before.compiled == failed_destroys(), "no program and no linker is left");
        const std::vector<std::string> left = new_lines(before.live, sim().live());
        for (const std::string &line : left) {
            expect(may_live(line, run_.told, run_.entries), "nothing is left alive: " + line);
        }
        sweep(left);
    }

    const std::vector<std::string> &broken() const {
        return broken_;
    }

  private:
    void expect(bool holds, const std::string &rule) {
        if (!holds) {
            broken_.push_back(rule);
        }
    }

    /// If a failed allocation was that of a status, there is nothing in it to look at.
    bool lost_details() const {
        return !source_.has_names && any_says(run_.told, NO_DETAILS);
    }

    void check_once() {
        std::vector<std::string> names = told_calls(run_.told), failed = run_.failed;
        std::sort(names.begin(), names.end());
        std::sort(failed.begin(), failed.end());
        expect(names == failed || lost_details(), "each failure is told once");
    }

    void check_codes() {
        for (const Facts &returned : run_.told.returned) {
            const bool is_of_pair = fault_.leaving && returned.operation == "cuCtxPopCurrent" && returned.code == CUCORE_DRIVER;
            expect(returned.code == source_.code || is_of_pair || is_refused_free(returned), "a failure has its own code");
        }
    }

    /// Each failed leave says that the caller's context is not current again (policy B4 to B9).
    void check_contexts() {
        const auto pops = static_cast<uint64_t>(std::count(run_.failed.begin(), run_.failed.end(), "cuCtxPopCurrent"));
        expect(told_lost_contexts(run_.told) == pops || lost_details(), "a failed leave says what became of the current context");
    }

    /// The driver refuses to free memory on a stream that is being captured. If the library then cannot learn that this is why, the
    /// refusal is the failure, and what failed is a note on it.
    static bool is_refused_free(const Facts &facts) {
        return facts.operation == "cuMemFreeAsync" && facts.native == CUDA_ERROR_INVALID_VALUE && !facts.notes.empty();
    }

    /// Those that left a program or a linker alive.
    uint64_t failed_destroys() const {
        return static_cast<uint64_t>(std::count(run_.failed.begin(), run_.failed.end(), "nvrtcDestroyProgram") +
                                     std::count(run_.failed.begin(), run_.failed.end(), "nvJitLinkDestroy"));
    }

    const FaultSource &source_;
    const Fault &fault_;
    const Run &run_;
    std::vector<std::string> broken_;
};

/// Runs the scenario untouched. What loads at first need is then loaded; that is tortured elsewhere.
Told run_checked(const Scenario &scenario, Ending ending) {
    Sink sink;
    Foreign foreign;
    Told told = run_once(scenario, ending, sink, foreign);
    INFO(scenario.name << ", untouched\n" << told.text);
    REQUIRE(told.all.empty());
    REQUIRE(told.broken == std::vector<std::string>());
    return told;
}

/// All that is done to a scenario in one way of ending its handles.
class Torturer {
  public:
    Torturer(const Scenario &scenario, Ending ending, const char *context)
        : scenario_(scenario), ending_(ending), context_(context), intended_(run_checked(scenario, ending).intended) {
    }

    /// Returns whether there was anything to fail.
    bool torture(const FaultSource &source) {
        uint64_t last = 0;
        for (const bool sticky : {false, true}) {
            untold_ = 0;
            for (uint64_t nth = 1; run({nth, sticky, false}, source, tally_); nth++) {
                last = nth;
            }
            if (!source.has_names) {
                INFO(describe_way() << source.name << "s");
                CHECK(untold_ == (sticky ? 0 : scenario_.unneeded_statuses));
            }
        }
        report(scenario_.name, source.name + std::string("s"), tally_);
        tally_ = {};
        if (source.has_pairs) {
            torture_with_pairs(source, last);
        }
        return last != 0;
    }

  private:
    void torture_with_pairs(const FaultSource &source, uint64_t last) {
        const uint64_t seed = torture_seed();
        std::seed_seq numbers{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32), hash(describe_way() + source.name)};
        std::mt19937_64 random(numbers);
        Tally pairs;
        for (uint64_t nth = 1; nth <= last; nth++) {
            const bool is_chosen = random() % 100 < PAIRS_PERCENT || torture_is_full();
            if (is_chosen) {
                run({nth, false, true}, source, pairs);
            }
        }
        report(scenario_.name, "pairs", pairs);
    }

    /// Returns whether anything failed.
    bool run(const Fault &fault, const FaultSource &source, Tally &tally) {
        Sink sink;
        foreign_.renew();
        const Before before;
        const Run run = run_armed(fault, source, sink);
        Verdict verdict(source, fault, run);
        verdict.check_told();
        if (ending_ == Ending::CLOSE && !scenario_.warns) {
            verdict.check_no_warnings();
        }
        set_back(run.failed, before.current);
        verdict.check_nothing_left(before);
        if (run.failures != 0) {
            tally.runs++;
            tally.failures += run.failures;
            untold_ += tells_some(run.told, source) ? 0 : 1;
        }
        if (!verdict.broken().empty()) {
            tally.violations++;
            fail(fault, source, run, verdict.broken());
        }
        return run.failures != 0;
    }

    Run run_armed(const Fault &fault, const FaultSource &source, Sink &sink) {
        Run run;
        sim().log_clear();
        source.arm(fault);
        run.told = run_once(scenario_, ending_, sink, foreign_);
        run.failures = source.failures();
        run.failed = source.failed_calls();
        run.entries = injected_entries();
        run.failures += source.has_names ? 0 : run.failed.size();
        Job::fail_nothing();
        return run;
    }

    void fail(const Fault &fault, const FaultSource &source, const Run &run, const std::vector<std::string> &broken) const {
        std::string text = describe_way() + source.name + " " + std::to_string(fault.nth) +
                           (fault.sticky ? " and all after it" : "") + (fault.leaving ? ", then leaving a context" : "") + "\n";
        for (const std::string &rule : broken) {
            text += "violated: " + rule + "\n";
        }
        for (const std::string &call : run.failed) {
            text += "failed: " + call + "\n";
        }
        FAIL_CHECK(text << "told:\n" << run.told.text);
    }

    /// Of failures without names: whether one was told, where any was. A failure that was asked for may have lost a note.
    bool tells_some(const Told &told, const FaultSource &source) const {
        const auto shorter = std::mismatch(told.intended.begin(), told.intended.end(), intended_.begin(), std::greater_equal<>());
        return shorter.first != told.intended.end() || std::any_of(told.all.begin(), told.all.end(), [&](const Facts &facts) {
                   return facts.code == source.code || facts.says(NO_DETAILS);
               });
    }

    std::string describe_way() const {
        return scenario_.name + std::string(", ") + (ending_ == Ending::CLOSE ? "closed" : "released") + ", " + context_ + ": ";
    }

    /// The same on every machine, so that a seed chooses the same pairs.
    static uint32_t hash(const std::string &text) {
        uint32_t hash = 2166136261u;
        for (const char letter : text) {
            hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
        }
        return hash;
    }

    static constexpr uint64_t PAIRS_PERCENT = 20;
    const Scenario &scenario_;
    Ending ending_;
    const char *context_;
    std::vector<size_t> intended_; ///< of an untouched run
    Foreign foreign_;
    Tally tally_;
    uint64_t untold_ = 0;
};

void torture_in_context(const Scenario &scenario, const char *context) {
    for (const Ending ending : {Ending::RELEASE, Ending::CLOSE}) {
        Torturer torturer(scenario, ending, context);
        const bool uses_driver = torturer.torture(DRIVER_CALLS);
        const bool allocates = torturer.torture(LIBRARY_ALLOCATIONS);
        torturer.torture(NVRTC_CALLS);
        torturer.torture(NVJITLINK_CALLS);
        CHECK((uses_driver || allocates));
    }
}

} // namespace

void run_untouched(const Scenario &scenario, Ending ending) {
    run_checked(scenario, ending);
}

void torture(const Scenario &scenario) {
    torture_in_context(scenario, "no context current");
    const ForeignContext foreign;
    torture_in_context(scenario, "a context current");
}

void report_children(const char *name, uint64_t runs) {
    report(name, "processes", {runs, runs, 0});
}

} // namespace test
