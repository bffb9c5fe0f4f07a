// SPDX-License-Identifier: MIT OR Apache-2.0
// Torture: a scenario is run again and again with its first, second, third... fallible call failing, until one run is left
// untouched. After each run nothing may be left behind, and each failure must have been told exactly once.
//
// CUCORE_TORTURE_SEED is the number by which the pairs of failures are chosen; without it any. CUCORE_TORTURE_FULL=1 takes them
// all.
#pragma once

#include "torture_job.hpp"
#include "torture_sources.hpp"

namespace test {

struct Scenario {
    const char *name;
    void (*run)(Job &);
    bool warns = false;             ///< also where its handles are closed
    uint64_t unneeded_statuses = 0; ///< that a run makes for nobody: if there is no memory for one, nobody has to be told
};

/// Runs the scenario to its end once, untouched.
void run_untouched(const Scenario &scenario, Ending ending);

/// Runs the scenario to its end, untouched, then with every failure of every source, once and sticky, and with pairs: a failure,
/// and then the failure to leave a context at the next attempt. Each time ending its handles by release and by close, with no
/// context current and with one of the caller's own. What came of it is added to the report.
void torture(const Scenario &scenario);

/// Adds runs in processes of their own to the report.
void report_children(const char *name, uint64_t runs);

} // namespace test
