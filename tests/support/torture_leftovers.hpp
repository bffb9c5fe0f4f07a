// SPDX-License-Identifier: MIT OR Apache-2.0
// What a run with failures leaves alive on the simulated driver, as it may where a destroy failed.
#pragma once

#include <string>
#include <vector>

namespace test {

/// The handle that a line of the list of live objects is of, as messages write it.
std::string handle_of(const std::string &line);

/// Whether a text names that handle.
bool names_handle(const std::string &text, const std::string &handle);

/// Destroys the objects of these lines, but for libraries and links, so that they do not pile up from run to run. Nothing may fail
/// meanwhile.
void sweep(const std::vector<std::string> &lines);

} // namespace test
