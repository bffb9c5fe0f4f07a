// SPDX-License-Identifier: MIT OR Apache-2.0
// main() for Catch2 2.13; version 3 brings its own (see CMakeLists.txt).
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
