// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section H: callbacks. Rows without [sim] run on a real driver too.
#include "support/capture.hpp"
#include "support/cucore.hpp"

using namespace test;
