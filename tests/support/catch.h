// SPDX-License-Identifier: MIT OR Apache-2.0
// Catch2, in its one-header form of version 2.13 or as version 3.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#define TEST_CATCH_CONTAINS Catch::Matchers::ContainsSubstring
#else
#include <catch2/catch.hpp>
#define TEST_CATCH_CONTAINS Catch::Matchers::Contains
#endif

#include <string>

namespace test {

/// Matches a text that has `part` in it: CHECK_THAT(message, has("cuStreamDestroy")).
inline auto has(const std::string &part) {
    return TEST_CATCH_CONTAINS(part);
}

} // namespace test
