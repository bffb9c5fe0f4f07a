// SPDX-License-Identifier: MIT OR Apache-2.0
// What the torture tests did, printed when the program ends: a line for each scenario, and the total.
#pragma once

#include <cstdint>
#include <string>

namespace test {

/// What came of runs of one kind.
struct Tally {
    uint64_t runs = 0;
    uint64_t failures = 0;
    uint64_t violations = 0;
};

void report(const std::string &scenario, const std::string &kind, const Tally &tally);

/// By which the pairs are chosen. Printed when it is first asked for.
uint64_t torture_seed();

/// Whether all pairs are to be tried.
bool torture_is_full();

} // namespace test
