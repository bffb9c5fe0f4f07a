// SPDX-License-Identifier: MIT OR Apache-2.0
// Other processes, and what this one writes.
#pragma once

#include "become.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace test {

/// How a child process ended, and what it wrote.
struct Ended {
    int code = -1; ///< of its exit; -1 if a signal ended it
    std::string out;
    std::string err;
};

/// Runs a program beside the tests with these arguments and changed environment variables (NAME, value).
Ended run_program(const std::string &name, const std::vector<std::string> &arguments,
                  const std::vector<std::pair<std::string, std::string>> &environment = {});

/// The same for the helper program of child.cpp.
Ended run_child(const std::vector<std::string> &arguments,
                const std::vector<std::pair<std::string, std::string>> &environment = {});

/// What `action` makes this process write to its standard error.
std::string stderr_of(const std::function<void()> &action);

} // namespace test
