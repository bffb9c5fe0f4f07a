/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_EVENT_H
#define CUCORE_EVENT_H

#include "cucore_v1/event.h"
#include "device.h"

extern const cucore_class cucore_event_class;

struct cucore_event {
    cucore_object object;
    CUevent raw;
    cucore_device *device;
    cucore_context *context; /* borrowed from the device */
    bool timing;
    bool blocking_sync;
};

#endif
