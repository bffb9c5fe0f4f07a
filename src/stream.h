/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_STREAM_H
#define CUCORE_STREAM_H

#include "cucore_v1/stream.h"
#include "device.h"

extern const cucore_class cucore_stream_class;

struct cucore_stream {
    cucore_object object;
    CUstream raw;
    cucore_device *device;
    cucore_context *context; /* borrowed from the device */
};

#endif
