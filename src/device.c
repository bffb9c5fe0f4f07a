/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "device.h"

#include "base/argument.h"
#include "driver/scope.h"

#include <stdio.h>
#include <string.h>

static bool teardown(void *object, cucore_channel *channel) {
    cucore_device *device = object;
    cucore_object_drop(atomic_load_explicit(&device->context, memory_order_acquire), channel);
    return true;
}

const cucore_class cucore_device_class = {"device", teardown, false};

CUCORE_HANDLE(device)

static bool is_no_device(const cucore_status *status) {
    return cucore_status_domain(status) == CUCORE_DOMAIN_DRIVER && cucore_status_native_code(status) == CUDA_ERROR_NO_DEVICE;
}

/* cuInit says NO_DEVICE on a machine that has a driver and nothing for it to drive. *count then stays 0. */
static int32_t count_devices(const cucore_call *call, int *count) {
    cucore_status *why = NULL;
    const cucore_call start = {call->function, &why};
    int32_t code = cucore_cuda_start(&start);
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

static int32_t read_compute_capability(const cucore_call *call, cucore_device *device) {
    int major = 0;
    int minor = 0;
    int32_t code = get_attribute(call, device->raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major);
    if (!code)
        code = get_attribute(call, device->raw, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor);
    device->compute_capability = 10 * major + minor;
    snprintf(device->arch, sizeof device->arch, "sm_%d%d", major, minor);
    return code;
}

static int32_t read_facts(const cucore_call *call, cucore_device *device) {
    CUuuid uuid;
    int32_t code = CUCORE_CUDA(call, 0, cuDeviceGet, (&device->raw, device->ordinal));
    if (!code)
        code = CUCORE_CUDA(call, 0, cuDeviceGetName, (device->name, sizeof device->name, device->raw));
    if (!code)
        code = CUCORE_CUDA(call, 0, cuDeviceGetUuid, (&uuid, device->raw));
    if (!code)
        code = CUCORE_CUDA(call, 0, cuDeviceGetPCIBusId, (device->pci_bus_id, sizeof device->pci_bus_id, device->raw));
    if (!code)
        code = read_compute_capability(call, device);
    if (!code)
        memcpy(device->uuid, uuid.bytes, sizeof device->uuid);
    return code;
}

static int32_t open_ordinal(const cucore_call *call, int32_t ordinal, cucore_device **opened) {
    cucore_device *device = cucore_object_allocate(call, &cucore_device_class, sizeof *device);
    if (!device)
        return CUCORE_OUT_OF_MEMORY;
    device->ordinal = ordinal;
    int32_t code = read_facts(call, device);
    if (code)
        cucore_object_discard(device);
    else
        *opened = device;
    return code;
}

cucore_device *cucore_device_open(int32_t ordinal, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_device *device = NULL;
    int32_t code = expect_ordinal(&call, ordinal);
    return code || open_ordinal(&call, ordinal, &device) ? NULL : device;
}

/* Opens `count` devices, the last one first, as a list. */
static int32_t open_list(const cucore_call *call, size_t count, cucore_object **list) {
    int32_t code = CUCORE_OK;
    while (count--) {
        cucore_device *device = NULL;
        code = open_ordinal(call, (int32_t)count, &device);
        if (code)
            break;
        device->object.next = *list;
        *list = &device->object;
    }
    return code;
}

/* Until all are open the caller's array stays as it is. */
static int32_t open_first(const cucore_call *call, cucore_device **devices, size_t count) {
    cucore_object *list = NULL;
    int32_t code = open_list(call, count, &list);
    for (size_t i = 0; list; i++) {
        cucore_device *device = (cucore_device *)(void *)list;
        list = list->next;
        if (code)
            cucore_device_release(device);
        else
            devices[i] = device;
    }
    return code;
}

int32_t cucore_device_open_all(cucore_device **devices, size_t capacity, size_t *total, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int count = 0;
    int32_t code = cucore_expect_list(&call, devices, capacity, total, "devices");
    if (!code)
        code = count_devices(&call, &count);
    size_t found = (size_t)count;
    if (!code)
        code = open_first(&call, devices, found < capacity ? found : capacity);
    if (!code)
        *total = found;
    return code;
}

static int32_t open_bound(const cucore_call *call, cucore_context *context, cucore_device **opened) {
    int32_t code = open_ordinal(call, context->device, opened);
    if (!code)
        atomic_init(&(*opened)->context, cucore_context_retain(context));
    return code;
}

cucore_device *cucore_device_with_context(cucore_context *context, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_device *device = NULL;
    int32_t code = cucore_expect(&call, context, &cucore_context_class, "context");
    return code || open_bound(&call, context, &device) ? NULL : device;
}

int32_t cucore_device_bind_first(const cucore_call *call, cucore_device *device, cucore_context **bound) {
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

const uint8_t *cucore_device_uuid(const cucore_device *device) {
    return cucore_object_is(device, &cucore_device_class) ? device->uuid : NULL;
}

const char *cucore_device_pci_bus_id(const cucore_device *device, size_t *size) {
    return cucore_text_out(cucore_object_is(device, &cucore_device_class) ? device->pci_bus_id : NULL, size);
}

int32_t cucore_device_compute_capability(const cucore_device *device) {
    return cucore_object_is(device, &cucore_device_class) ? device->compute_capability : 0;
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
    if (!cucore_expect(&call, device, &cucore_device_class, "device"))
        cucore_device_bind(&call, device, &context);
    return cucore_context_retain(context);
}

int32_t cucore_device_current(cucore_device **current, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_context *context = NULL;
    cucore_device *device = NULL;
    int32_t code = cucore_expect_pointer(&call, current, "current");
    if (!code)
        code = cucore_cuda_start(&call);
    if (!code)
        code = cucore_context_get_current(&call, &context);
    if (context)
        code = open_bound(&call, context, &device);
    cucore_context_release(context);
    if (!code)
        *current = device;
    return code;
}

int32_t cucore_device_can_access_peer(const cucore_device *device, const cucore_device *peer, int32_t *can,
                                      cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, device, &cucore_device_class, "device");
    if (!code)
        code = cucore_expect(&call, peer, &cucore_device_class, "peer");
    if (!code)
        code = cucore_expect_pointer(&call, can, "can");
    int found = 0;
    if (!code)
        code = CUCORE_CUDA(&call, 0, cuDeviceCanAccessPeer, (&found, device->raw, peer->raw));
    if (!code)
        *can = found != 0;
    return code;
}

/* Checks the device of a call and enters its bound context. */
static int32_t enter(const cucore_call *call, cucore_device *device, cucore_scope *scope) {
    cucore_context *context = NULL;
    int32_t code = cucore_expect(call, device, &cucore_device_class, "device");
    if (!code)
        code = cucore_device_bind(call, device, &context);
    return code ? code : cucore_scope_enter(scope, call, context->raw);
}

int32_t cucore_device_memory_info(cucore_device *device, uint64_t *available, uint64_t *total, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_scope scope;
    size_t free_bytes = 0;
    size_t all_bytes = 0;
    int32_t code = cucore_expect_pointer(&call, available, "available");
    if (!code)
        code = cucore_expect_pointer(&call, total, "total");
    if (!code)
        code = enter(&call, device, &scope);
    if (code)
        return code;
    code = cucore_scope_leave(&scope, &call, CUCORE_CUDA(&call, 0, cuMemGetInfo, (&free_bytes, &all_bytes)));
    if (!code) {
        *available = free_bytes;
        *total = all_bytes;
    }
    return code;
}

int32_t cucore_device_stream_priority_range(cucore_device *device, int32_t *lowest, int32_t *highest, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_scope scope;
    int least = 0;
    int greatest = 0;
    int32_t code = cucore_expect_pointer(&call, lowest, "lowest");
    if (!code)
        code = cucore_expect_pointer(&call, highest, "highest");
    if (!code)
        code = enter(&call, device, &scope);
    if (code)
        return code;
    code = cucore_scope_leave(&scope, &call, CUCORE_CUDA(&call, 0, cuCtxGetStreamPriorityRange, (&least, &greatest)));
    if (!code) {
        *lowest = least;
        *highest = greatest;
    }
    return code;
}

int32_t cucore_device_synchronize(cucore_device *device, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_context *context = NULL;
    int32_t code = cucore_expect(&call, device, &cucore_device_class, "device");
    if (!code)
        code = cucore_device_bind(&call, device, &context);
    return code ? code : cucore_context_wait(&call, context);
}

int32_t cucore_device_set_current(cucore_device *device, cucore_context **previous, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_context *context = NULL;
    int32_t code = cucore_expect(&call, device, &cucore_device_class, "device");
    if (!code)
        code = cucore_device_bind(&call, device, &context);
    return code ? code : cucore_context_make_current(&call, context, previous);
}
