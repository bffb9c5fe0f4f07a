// SPDX-License-Identifier: MIT OR Apache-2.0
// What the torture tests make fail.
#pragma once

#include <cucore_v1/status.h>

#include <cstdint>
#include <string>
#include <vector>

namespace test {

/// Which failures of a source: number `nth`, counted from 1, and all after it if `sticky`; and if `leaving`, the next call that
/// leaves a context too, once.
struct Fault {
    uint64_t nth;
    bool sticky;
    bool leaving;
};

struct FaultSource {
    const char *name;
    int32_t code; ///< that the library gives such a failure
    void (*arm)(const Fault &fault);
    uint64_t (*failures)();                     ///< since the last arm
    std::vector<std::string> (*failed_calls)(); ///< the names of the calls that failed, those of allocations left out
    bool has_names;                             ///< whether that is all of them
    bool has_pairs;                             ///< whether `leaving` can be asked for
};

extern const FaultSource DRIVER_CALLS;
extern const FaultSource LIBRARY_ALLOCATIONS;
extern const FaultSource NVRTC_CALLS;
extern const FaultSource NVJITLINK_CALLS;

/// The entries of the simulated driver's log, from before the last arm on, that are of failures we injected.
std::vector<std::string> injected_entries();

/// The function of an entry.
std::string call_of(const std::string &entry);

} // namespace test
