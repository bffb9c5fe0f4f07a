/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "context.h"

#include "base/argument.h"
#include "base/process.h"
#include "driver/scope.h"

/* The primary contexts that are held, under CUCORE_LOCK_CONTEXTS. The list has a reference of its own to each. */
static cucore_context *primaries;

/* A borrowed context is its maker's, and a primary one is kept: it leaves only through cucore_context_release_primary. */
static void teardown(void *object, cucore_channel *channel) {
    (void)object;
    (void)channel;
}

const cucore_class cucore_context_class = {"context", teardown};

CUCORE_HANDLE(context)

static int64_t release_primary(const void *object) {
    return cucore_cuda.cuDevicePrimaryCtxRelease(((const cucore_context *)object)->device);
}

static const cucore_destroy primary_release = {CUCORE_DOMAIN_DRIVER, "cuDevicePrimaryCtxRelease", release_primary, false};

static cucore_context *find_primary(CUdevice device) {
    cucore_context *context = primaries;
    while (context && context->device != device)
        context = context->next;
    return cucore_object_retain(context, &cucore_context_class);
}

static int32_t add_primary(const cucore_call *call, CUdevice device, cucore_context **added) {
    cucore_context *context = cucore_object_allocate(call, &cucore_context_class, sizeof *context);
    if (!context)
        return CUCORE_OUT_OF_MEMORY;
    int32_t code = CUCORE_CUDA(call, 0, cuDevicePrimaryCtxRetain, (&context->raw, device));
    if (code) {
        cucore_object_discard(context);
        return code;
    }
    context->device = device;
    context->next = primaries;
    primaries = context;
    *added = cucore_object_retain(context, &cucore_context_class);
    return CUCORE_OK;
}

int32_t cucore_context_primary(const cucore_call *call, CUdevice device, cucore_context **primary) {
    cucore_lock_enter(CUCORE_LOCK_CONTEXTS);
    *primary = find_primary(device);
    int32_t code = *primary ? CUCORE_OK : add_primary(call, device, primary);
    cucore_lock_leave(CUCORE_LOCK_CONTEXTS);
    return code;
}

/* Takes a primary context off the list if the list alone holds it. New references come from old ones or, under the lock, from
 * the list, so a count of one stays one. */
static int32_t take_primary(const cucore_call *call, CUdevice device, cucore_context **taken) {
    cucore_context **link = &primaries;
    while (*link && (*link)->device != device)
        link = &(*link)->next;
    cucore_context *context = *link;
    if (!context)
        return CUCORE_OK;
    uint32_t others = atomic_load(&context->object.references) - 1;
    if (others)
        return cucore_fail(call, CUCORE_INVALID_STATE, ": %u references to the context of device %d are alive; release them first",
                           (unsigned int)others, device);
    CUcontext current = NULL;
    int32_t code = CUCORE_CUDA(call, 0, cuCtxGetCurrent, (&current));
    if (!code && current == context->raw)
        code = cucore_fail(call, CUCORE_INVALID_STATE, ": it is current on this thread; make another, or none, current first");
    if (code)
        return code;
    *link = context->next;
    *taken = context;
    return CUCORE_OK;
}

/* A CUdevice is the device's ordinal (CUDA documentation, cuDeviceGet), so that nothing need be asked of the driver. */
int32_t cucore_context_release_primary(int32_t ordinal, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect_process(&call);
    if (!code && ordinal < 0)
        code = cucore_fail(&call, CUCORE_INVALID_ARGUMENT, ": ordinal is %d", (int)ordinal);
    if (code)
        return code;
    cucore_context *context = NULL;
    cucore_lock_enter(CUCORE_LOCK_CONTEXTS);
    code = take_primary(&call, ordinal, &context);
    cucore_lock_leave(CUCORE_LOCK_CONTEXTS);
    if (!context)
        return code;
    cucore_status *failure = cucore_destroy_run(&primary_release, context, cucore_raw(context->raw));
    cucore_object_discard(context);
    return failure ? cucore_fail_with(&call, failure) : CUCORE_OK;
}

static cucore_context *find_raw(CUcontext raw) {
    cucore_lock_enter(CUCORE_LOCK_CONTEXTS);
    cucore_context *context = primaries;
    while (context && context->raw != raw)
        context = context->next;
    context = cucore_object_retain(context, &cucore_context_class);
    cucore_lock_leave(CUCORE_LOCK_CONTEXTS);
    return context;
}

static int32_t borrow_current(const cucore_call *call, CUcontext raw, cucore_context **borrowed) {
    cucore_context *context = cucore_object_allocate(call, &cucore_context_class, sizeof *context);
    if (!context)
        return CUCORE_OUT_OF_MEMORY;
    context->raw = raw;
    int32_t code = CUCORE_CUDA(call, cucore_raw(raw), cuCtxGetDevice, (&context->device));
    if (code)
        cucore_object_discard(context);
    else
        *borrowed = context;
    return code;
}

/* Gives a handle to the context that is current, or NULL for none. */
static int32_t get_current(const cucore_call *call, cucore_context **current) {
    CUcontext raw = NULL;
    int32_t code = CUCORE_CUDA(call, 0, cuCtxGetCurrent, (&raw));
    if (code || !raw)
        return code;
    *current = find_raw(raw);
    return *current ? CUCORE_OK : borrow_current(call, raw, current);
}

int32_t cucore_context_set_current(cucore_context *context, cucore_context **previous, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = context ? cucore_expect(&call, context, &cucore_context_class, "context") : cucore_cuda_start(&call);
    cucore_context *current = NULL;
    if (!code && previous)
        code = get_current(&call, &current);
    CUcontext raw = context ? context->raw : NULL;
    if (!code)
        code = CUCORE_CUDA(&call, cucore_raw(raw), cuCtxSetCurrent, (raw));
    if (code)
        cucore_context_release(current);
    else if (previous)
        *previous = current;
    return code;
}

CUcontext cucore_context_raw(const cucore_context *context) {
    return cucore_object_is(context, &cucore_context_class) ? context->raw : NULL;
}

int32_t cucore_context_ordinal(const cucore_context *context) {
    return cucore_object_is(context, &cucore_context_class) ? context->device : -1;
}

int32_t cucore_context_synchronize(cucore_context *context, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, context, &cucore_context_class, "context");
    cucore_scope scope;
    if (!code)
        code = cucore_scope_enter(&scope, &call, context->raw);
    if (code)
        return code;
    code = CUCORE_CUDA(&call, cucore_raw(context->raw), cuCtxSynchronize, ());
    return cucore_scope_leave(&scope, &call, code);
}
