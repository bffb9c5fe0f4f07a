// SPDX-License-Identifier: MIT OR Apache-2.0
// What kernels are given, and how what they give is compared with what a GPU gave.
#pragma once

#include "kernel_file.hpp"

namespace test {

constexpr size_t INPUT_COUNT = 512;

using Bytes = std::vector<unsigned char>;

/// 512 elements of this type, as `input` names it, always the same: half of them the type's special values.
Bytes kernel_input(const std::string &type);

/// How `got` differs from `expected`: the first few elements that do, and how many; empty if it is near enough.
std::string difference(const std::vector<OutputPart> &parts, const Bytes &expected, const Bytes &got);

/// Output as text, a line of hexadecimal numbers for each 32 bytes, and back.
std::string to_text(const std::vector<OutputPart> &parts, const Bytes &output);
Bytes from_text(const std::vector<OutputPart> &parts, const std::string &text);

} // namespace test
