/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

/* The cases: the same work, once through the raw driver and once through libcucore. */

#include "objects.h"

/* Returns 0 if it worked: a CUresult, or libcucore's code. */
typedef int32_t (*operation)(struct objects *objects);

struct bench_case {
    const char *name;
    operation raw;
    operation ours;
    int at_most; /* nanoseconds that libcucore may add on a real GPU; 0: not held to any */
};

extern const struct bench_case bench_cases[];
extern const size_t bench_case_count;

#endif
