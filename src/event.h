/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_EVENT_H
#define CUCORE_EVENT_H

#include "cucore_v1/event.h"
#include "device.h"
#include "driver/destroy.h"

extern const cucore_class cucore_event_class;

/* The destroy of an event; its object is a CUevent *. */
extern const cucore_destroy cucore_event_destroy;

struct cucore_event {
    cucore_object object;
    CUevent raw;
    cucore_device *device;
    cucore_context *context; /* borrowed from the device */
    bool timing;
    bool blocking_sync;
};

#endif
