/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "context.h"

#include "base/argument.h"
#include "base/process.h"
#include "driver/scope.h"

/* The primary contexts that are held, under CUCORE_LOCK_CONTEXTS. The list has a reference of its own to each. */
static cucore_context *primaries;

static int64_t destroy(const void *object) {
    return cucore_cuda.cuCtxDestroy(((const cucore_context *)object)->raw);
}

static const cucore_destroy context_destroy = {CUCORE_DOMAIN_DRIVER, "cuCtxDestroy", destroy, false, false};

/* A borrowed context is its maker's, and a primary one is kept: it leaves only through cucore_context_release_primary. */
static bool teardown(void *object, cucore_channel *channel) {
    cucore_context *context = object;
    if (context->registered.owned && !cucore_destroy_in_teardown(&context_destroy, context, cucore_raw(context->raw), channel))
        return false;
    cucore_registry_let_go(&context->registered, channel);
    return true;
}

const cucore_class cucore_context_class = {"context", teardown, true};

CUCORE_HANDLE(context)

static int64_t release_primary(const void *object) {
    return cucore_cuda.cuDevicePrimaryCtxRelease(((const cucore_context *)object)->device);
}

static const cucore_destroy primary_release = {CUCORE_DOMAIN_DRIVER, "cuDevicePrimaryCtxRelease", release_primary, false, false};

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
    cucore_registry_add(&context->registered, cucore_raw(context->raw));
    cucore_live_list_keep(&context->registered.object);
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

static int32_t expect_not_current(const cucore_call *call, const cucore_context *context) {
    CUcontext current = NULL;
    int32_t code = CUCORE_CUDA(call, 0, cuCtxGetCurrent, (&current));
    if (!code && current == context->raw)
        code = cucore_fail(call, CUCORE_INVALID_STATE, ": it is current on this thread; make another, or none, current first");
    return code;
}

static int32_t expect_unused(const cucore_call *call, const cucore_context *context) {
    uint32_t others = atomic_load(&context->registered.object.references) - 1;
    if (!others)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_STATE,
                       ": handles that use the context of device %d are alive (references: %u); release them first",
                       context->device, (unsigned int)others);
}

/* Takes a primary context off the list if the list alone holds it. */
static int32_t take_primary(const cucore_call *call, CUdevice device, cucore_context **taken) {
    cucore_context **link = &primaries;
    while (*link && (*link)->device != device)
        link = &(*link)->next;
    cucore_context *context = *link;
    if (!context)
        return CUCORE_OK;
    int32_t code = expect_unused(call, context);
    if (!code)
        code = expect_not_current(call, context);
    if (code)
        return code;
    if (!cucore_registry_take(&context->registered))
        return cucore_fail(call, CUCORE_INVALID_STATE, ": another thread began to use the context of device %d just now", device);
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
    cucore_destroyed destroyed = cucore_destroy_run(&primary_release, context, false);
    uint64_t raw = cucore_raw(context->raw);
    cucore_object_discard(context);
    return destroyed.result ? cucore_fail_with(&call, cucore_destroy_failure(&primary_release, raw, destroyed.result)) : CUCORE_OK;
}

/* Which device a context is of can only be asked of the current one. */
static int32_t ask_device(const cucore_call *call, cucore_context *context) {
    cucore_scope scope;
    int32_t code = cucore_scope_enter(&scope, call, context->raw);
    if (code)
        return code;
    code = CUCORE_CUDA(call, cucore_raw(context->raw), cuCtxGetDevice, (&context->device));
    return cucore_scope_leave(&scope, call, code);
}

static int32_t wrap(const cucore_call *call, CUcontext raw, int32_t ownership, cucore_context **wrapped) {
    cucore_context *context = cucore_object_allocate(call, &cucore_context_class, sizeof *context);
    if (!context)
        return CUCORE_OUT_OF_MEMORY;
    context->raw = raw;
    int32_t code = ask_device(call, context);
    if (!code)
        code = cucore_registry_claim(call, &context->registered, cucore_raw(raw), ownership);
    if (code)
        cucore_object_discard(context);
    else
        *wrapped = context;
    return code;
}

static cucore_context *from_raw(const cucore_call *call, CUcontext raw, int32_t ownership) {
    cucore_context *context = NULL;
    int32_t code = cucore_cuda_start(call);
    if (!code)
        code = cucore_expect_pointer(call, raw, "raw");
    if (!code)
        code = cucore_expect_ownership(call, ownership);
    return code || wrap(call, raw, ownership, &context) ? NULL : context;
}

cucore_context *cucore_context_from_raw(CUcontext raw, int32_t ownership, void *owner, cucore_drop_function drop,
                                        cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_context *context = from_raw(&call, raw, ownership);
    cucore_registry_keep(context ? &context->registered : NULL, owner, drop);
    return context;
}

int32_t cucore_context_get_current(const cucore_call *call, cucore_context **current) {
    CUcontext raw = NULL;
    int32_t code = CUCORE_CUDA(call, 0, cuCtxGetCurrent, (&raw));
    if (code)
        return code;
    *current = raw ? cucore_registry_find(&cucore_context_class, cucore_raw(raw)) : NULL;
    return *current || !raw ? CUCORE_OK : wrap(call, raw, CUCORE_BORROW, current);
}

int32_t cucore_context_current(cucore_context **current, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_context *found = NULL;
    int32_t code = cucore_expect_pointer(&call, current, "current");
    if (!code)
        code = cucore_cuda_start(&call);
    if (!code)
        code = cucore_context_get_current(&call, &found);
    if (!code)
        *current = found;
    return code;
}

int32_t cucore_context_make_current(const cucore_call *call, const cucore_context *context, cucore_context **previous) {
    cucore_context *before = NULL;
    int32_t code = previous ? cucore_context_get_current(call, &before) : CUCORE_OK;
    CUcontext raw = context ? context->raw : NULL;
    if (!code)
        code = CUCORE_CUDA(call, cucore_raw(raw), cuCtxSetCurrent, (raw));
    if (code)
        cucore_context_release(before);
    else if (previous)
        *previous = before;
    return code;
}

int32_t cucore_context_set_current(cucore_context *context, cucore_context **previous, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = context ? cucore_expect(&call, context, &cucore_context_class, "context") : cucore_cuda_start(&call);
    return code ? code : cucore_context_make_current(&call, context, previous);
}

CUcontext cucore_context_raw(const cucore_context *context) {
    return cucore_object_is(context, &cucore_context_class) ? context->raw : NULL;
}

int32_t cucore_context_ordinal(const cucore_context *context) {
    return cucore_object_is(context, &cucore_context_class) ? context->device : -1;
}

int32_t cucore_context_wait(const cucore_call *call, const cucore_context *context) {
    cucore_scope scope;
    int32_t code = cucore_expect_waitable(call);
    if (!code)
        code = cucore_scope_enter(&scope, call, context->raw);
    if (code)
        return code;
    code = CUCORE_CUDA(call, cucore_raw(context->raw), cuCtxSynchronize, ());
    return cucore_scope_leave(&scope, call, code);
}

int32_t cucore_context_synchronize(cucore_context *context, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, context, &cucore_context_class, "context");
    return code ? code : cucore_context_wait(&call, context);
}

static int32_t run(const cucore_call *call, const cucore_context *context, cucore_context_function function, void *user_data,
                   int32_t *result) {
    CUcontext before = NULL;
    cucore_scope scope;
    int32_t code = cucore_expect(call, context, &cucore_context_class, "context");
    if (!code && !function)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": function is NULL");
    if (!code)
        code = CUCORE_CUDA(call, 0, cuCtxGetCurrent, (&before));
    if (!code)
        code = cucore_scope_enter_anew(&scope, call, context->raw);
    if (code)
        return code;
    int32_t returned = function(user_data);
    if (result)
        *result = returned;
    code = cucore_scope_leave(&scope, call, CUCORE_OK);
    return code ? code : cucore_scope_return_to(call, before);
}

int32_t cucore_context_run(cucore_context *context, cucore_context_function function, void *user_data, cucore_drop_function drop,
                           int32_t *result, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = run(&call, context, function, user_data, result);
    cucore_owner_drop(&(cucore_owner){user_data, drop});
    return code;
}
