/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef BENCH_OBJECTS_H
#define BENCH_OBJECTS_H

/* What the calls work on, made once. */

#include "driver/cuda_abi.h"

#include <cucore_v1/cucore.h>

#include <stdbool.h>

/* What each side's work is put on, alike and apart: that of libcucore is not known to the raw driver, which is what libcucore
 * expects of a stream unless its raw handle was asked for; and neither side finds the other's work in its way. */
struct side {
    cucore_stream *stream;
    cucore_event *recorded; /* by a case, each time anew */
    cucore_event *finished; /* recorded once, long ago */
    cucore_memory_resource *pool;
    cucore_buffer *buffer;
};

struct objects {
    cucore_status *status; /* of the last call of libcucore */
    cucore_device *device;
    cucore_context *context;
    struct side ours;
    struct side theirs;
    cucore_library *library;
    cucore_kernel *kernel;
    CUstream raw_stream; /* this and what follows: of `theirs` */
    CUevent raw_recorded;
    CUevent raw_finished;
    CUmemoryPool raw_pool;
    CUdeviceptr raw_buffer;
    CUfunction raw_kernel;
};

enum { BUFFER_SIZE = 4096 };

/* objects_create makes them on device 0, and leaves the device's context current. If it fails, `status` says why. Either way
 * objects_release is to follow. */
bool objects_create(struct objects *objects);

void objects_release(struct objects *objects);

#endif
