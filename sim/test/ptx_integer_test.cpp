// SPDX-License-Identifier: MIT OR Apache-2.0
// Integer instructions, each against a computation of its own over the values at which they turn.

#include "ptx_support.hpp"
