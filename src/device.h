/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DEVICE_H
#define CUCORE_DEVICE_H

#include "context.h"
#include "cucore_v1/device.h"

extern const cucore_class cucore_device_class;

struct cucore_device {
    cucore_object object;
    CUdevice raw;
    int32_t ordinal;
    int32_t compute_capability;        /* 10 * major + minor */
    _Atomic(cucore_context *) context; /* NULL until it is needed; then it stays */
    char name[256];
    char arch[16];
    char pci_bus_id[32];
    uint8_t uuid[16];
};

/* cucore_device_bind stores the context that a device is bound to, borrowed from the device. */
int32_t cucore_device_bind_first(const cucore_call *call, cucore_device *device, cucore_context **bound);
static inline int32_t cucore_device_bind(const cucore_call *call, cucore_device *device, cucore_context **bound) {
    *bound = atomic_load_explicit(&device->context, memory_order_acquire);
    return *bound ? CUCORE_OK : cucore_device_bind_first(call, device, bound);
}

/* cucore_expect_same_device fails a call if two handles are not on one device, naming both. */
int32_t cucore_expect_same_device(const cucore_call *call, const cucore_device *first, const char *first_name,
                                  const cucore_device *second, const char *second_name);

#endif
