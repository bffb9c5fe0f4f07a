/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/directed.h"

#include <fenv.h>

/* Compilers take an operation for the same in every rounding mode, and may move it. They cannot move what they cannot see: which
 * function is called is read from a volatile variable. */
#define DIRECTED(name, type) \
    type ptx_directed_##name(ptx_##name##_operation *operation, ptx_rounding rounding, type a, type b, type c) { \
        static const int modes[] = { \
            [PTX_TO_NEAREST] = FE_TONEAREST, [PTX_TO_ZERO] = FE_TOWARDZERO, [PTX_DOWN] = FE_DOWNWARD, [PTX_UP] = FE_UPWARD}; \
        ptx_##name##_operation *volatile unseen = operation; \
        if (rounding == PTX_TO_NEAREST) { \
            return operation(a, b, c); \
        } \
        const int before = fegetround(); \
        fesetround(modes[rounding]); \
        const type result = unseen(a, b, c); \
        fesetround(before); \
        return result; \
    }

DIRECTED(single, float)
DIRECTED(double, double)
