/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_LIBRARY_H
#define CUCORE_LIBRARY_H

#include "cucore_v1/library.h"
#include "device.h"

extern const cucore_class cucore_library_class;

struct cucore_library {
    cucore_object object;
    CUlibrary raw;
    cucore_device *device;
    /* The JIT's log and the options that say where it goes: a driver may write to either until the library is unloaded. */
    CUjit_option jit_options[2];
    void *jit_values[2];
    char log[8192];
};

#endif
