/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BENCH_RAW_DRIVER_H
#define BENCH_RAW_DRIVER_H

/* The driver called directly, as a program without libcucore would. */

#include "driver/cuda_abi.h"
#include "driver/cuda_functions.h"

#include <stdbool.h>

struct raw_driver {
#define X(name, version, parameters) CUresult(*name) parameters;
    CUCORE_CUDA_ALL(X)
#undef X
};

extern struct raw_driver raw;

/* raw_driver_load takes the functions from the driver library that `path` names, in the forms that libcucore uses. Prints what
 * went wrong. */
bool raw_driver_load(const char *path);

#endif
