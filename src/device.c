/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "device.h"

#include "base/argument.h"
#include "driver/cuda.h"

#include <stdio.h>

static void teardown(void *object, cucore_channel *channel) {
    cucore_device *device = object;
    cucore_object_drop(atomic_load_explicit(&device->context, memory_order_acquire), channel);
}

const cucore_class cucore_device_class = {"device", teardown};

CUCORE_HANDLE(device)

/* cuInit says NO_DEVICE on a machine that has a driver and nothing for it to drive. */
static bool is_no_device(const cucore_status *status) {
    return cucore_status_domain(status) == CUCORE_DOMAIN_DRIVER && cucore_status_native_code(status) == CUDA_ERROR_NO_DEVICE;
}

static int32_t count_devices(const cucore_call *call, int *count) {
    cucore_status *why = NULL;
    const cucore_call start = {call->function, &why};
    int32_t code = cucore_cuda_start(&start);
    *count = 0;
    if (!code)
        return CUCORE_CUDA(call, 0, cuDeviceGetCount, (count));
    if (!is_no_device(why))
        return cucore_fail_with(call, why);
    cucore_status_release(why);
    return CUCORE_OK;
}

int32_t cucore_device_count(int32_t *count, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect_pointer(&call, count, "count");
    int found = 0;
    if (!code)
        code = count_devices(&call, &found);
    if (!code)
        *count = found;
    return code;
}

static int32_t expect_ordinal(const cucore_call *call, int32_t ordinal) {
    int count = 0;
    int32_t code = count_devices(call, &count);
    if (!code && (ordinal < 0 || ordinal >= count))
        code = cucore_fail(call, CUCORE_NOT_FOUND, ": there is no device %d; the driver shows %d", (int)ordinal, count);
    return code;
}

static int32_t get_attribute(const cucore_call *call, CUdevice device, CUdevice_attribute attribute, int *value) {
    return CUCORE_CUDA(call, 0, cuDeviceGetAttribute, (value, attribute, device));
}

static int32_t read_facts(const cucore_call *call, cucore_device *device) {
    int major = 0;
    int minor = 0;
    int32_t code = CUCORE_CUDA(call, 0, cuDeviceGet, (&device->raw, device->ordinal));
    if (!code)
        code = CUCORE_CUDA(call, 0, cuDeviceGetName, (device->name, sizeof device->name, device->raw));
    if (!code)
        code = get_attribute(call, device->raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major);
    if (!code)
        code = get_attribute(call, device->raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor);
    if (!code)
        snprintf(device->arch, sizeof device->arch, "sm_%d%d", major, minor);
    return code;
}

cucore_device *cucore_device_open(int32_t ordinal, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (expect_ordinal(&call, ordinal))
        return NULL;
    cucore_device *device = cucore_object_allocate(&call, &cucore_device_class, sizeof *device);
    if (!device)
        return NULL;
    device->ordinal = ordinal;
    if (read_facts(&call, device)) {
        cucore_object_discard(device);
        return NULL;
    }
    return device;
}

int32_t cucore_device_bind(const cucore_call *call, cucore_device *device, cucore_context **bound) {
    *bound = atomic_load_explicit(&device->context, memory_order_acquire);
    if (*bound)
        return CUCORE_OK;
    cucore_context *context = NULL;
    int32_t code = cucore_context_primary(call, device->raw, &context);
    if (code)
        return code;
    if (atomic_compare_exchange_strong(&device->context, bound, context))
        *bound = context;
    else
        cucore_context_release(context); /* another thread was first, with the same context */
    return CUCORE_OK;
}

int32_t cucore_expect_same_device(const cucore_call *call, const cucore_device *first, const char *first_name,
                                  const cucore_device *second, const char *second_name) {
    if (first->ordinal == second->ordinal)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_HANDLE, ": %s is on device %d, %s on device %d", first_name, (int)first->ordinal,
                       second_name, (int)second->ordinal);
}

int32_t cucore_device_ordinal(const cucore_device *device) {
    return cucore_object_is(device, &cucore_device_class) ? device->ordinal : -1;
}

int32_t cucore_device_raw(const cucore_device *device) {
    return cucore_object_is(device, &cucore_device_class) ? device->raw : -1;
}

const char *cucore_device_name(const cucore_device *device, size_t *size) {
    return cucore_text_out(cucore_object_is(device, &cucore_device_class) ? device->name : NULL, size);
}

const char *cucore_device_arch(const cucore_device *device, size_t *size) {
    return cucore_text_out(cucore_object_is(device, &cucore_device_class) ? device->arch : NULL, size);
}

int32_t cucore_device_attribute(const cucore_device *device, int32_t attribute, int32_t *value, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, device, &cucore_device_class, "device");
    if (!code)
        code = cucore_expect_pointer(&call, value, "value");
    int found = 0;
    if (!code)
        code = get_attribute(&call, device->raw, (CUdevice_attribute)attribute, &found);
    if (!code)
        *value = found;
    return code;
}

cucore_context *cucore_device_context(cucore_device *device, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_context *context = NULL;
    if (cucore_expect(&call, device, &cucore_device_class, "device") || cucore_device_bind(&call, device, &context))
        return NULL;
    return cucore_context_retain(context);
}
