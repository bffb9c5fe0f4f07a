// SPDX-License-Identifier: MIT OR Apache-2.0
// A status taken apart.
#pragma once

#include <cucore_v1/cucore.h>

#include <string>
#include <vector>

namespace test {

/// Everything a status says, as values.
struct Facts {
    int32_t code = CUCORE_OK;
    int32_t domain = 0;
    int64_t native = 0;
    uint64_t resource = 0;
    std::string operation;
    std::string message;
    std::string log;
    int32_t kind = 0; ///< of a note
    std::vector<Facts> notes;

    /// The note of this kind with `part` in its message, or NULL.
    const Facts *note(int32_t note_kind, const std::string &part = "") const;
    bool says(const std::string &part) const {
        return message.find(part) != std::string::npos;
    }
};

Facts facts_of(const cucore_status *status, int32_t kind = 0);

/// The facts as text, notes indented, for the report of a failed test.
std::string describe(const Facts &facts, const std::string &indent = "");

/// `value` as messages write handles: "0x5581".
std::string hex(uint64_t value);
inline std::string hex(const void *pointer) {
    return hex(reinterpret_cast<uintptr_t>(pointer));
}

} // namespace test
