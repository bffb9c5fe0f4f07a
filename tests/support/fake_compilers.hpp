// SPDX-License-Identifier: MIT OR Apache-2.0
// The controls of the fake compilers that this process uses (fake_compilers.h), looked up in their library.
#pragma once

#include "fake_compilers.h"

namespace test {

struct FakeCompilers {
    decltype(&fake_fail) fail;
    decltype(&fake_calls) calls;
    decltype(&fake_failures) failures;
    decltype(&fake_failed) failed;
    decltype(&fake_live) live;
    decltype(&fake_options) options;
};

/// The fake compilers, which the environment variables CUCORE_NVRTC_LIBRARY and CUCORE_NVJITLINK_LIBRARY must name.
const FakeCompilers &fake_compilers();

} // namespace test
