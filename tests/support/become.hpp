// SPDX-License-Identifier: MIT OR Apache-2.0
// The programs beside this one.
#pragma once

#include <string>
#include <vector>

namespace test {

/// The folder of the test programs, and an absolute path in it.
std::string beside(const std::string &name);

/// Runs the program of this path in place of this one, by the emulator that programs built for another machine need. Comes back
/// only if it cannot.
void become(const std::string &program, const std::vector<std::string> &arguments);

} // namespace test
