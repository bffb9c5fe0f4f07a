/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_KERNEL_H
#define CUCORE_KERNEL_H

#include "cucore_v1/kernel.h"
#include "library.h"

extern const cucore_class cucore_kernel_class;

struct cucore_kernel {
    cucore_object object;
    CUkernel raw;
    cucore_library *library;
    bool knows_parameters; /* false: the driver does not tell (before CUDA 12.4) */
    size_t parameter_count;
    size_t *parameter_sizes; /* in the same allocation, as is the name */
    char *name;
};

#endif
