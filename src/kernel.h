/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_KERNEL_H
#define CUCORE_KERNEL_H

#include "cucore_v1/kernel.h"
#include "library.h"

extern const cucore_class cucore_kernel_class;

/* Of most kernels the parameters fit in the handle. */
enum { CUCORE_KERNEL_PARAMETERS = 16 };

struct cucore_kernel {
    cucore_object object;
    CUkernel raw;
    cucore_library *library;
    bool knows_parameters; /* false: the driver does not tell (before CUDA 12.4) */
    size_t parameter_count;
    size_t parameter_room;
    size_t *parameter_sizes;
    size_t *parameter_offsets;
    size_t in_handle[2 * CUCORE_KERNEL_PARAMETERS];
    size_t *from_malloc; /* NULL while they fit in the handle */
    char *name;          /* in the same allocation */
};

#endif
