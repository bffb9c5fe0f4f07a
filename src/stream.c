/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "stream.h"

#include "base/argument.h"
#include "driver/capture.h"

static int64_t destroy(const void *object) {
    return cucore_cuda.cuStreamDestroy(((const cucore_stream *)object)->raw);
}

static const cucore_destroy stream_destroy = {CUCORE_DOMAIN_DRIVER, "cuStreamDestroy", destroy, false, false};

static bool teardown(void *object, cucore_channel *channel) {
    cucore_stream *stream = object;
    if (stream->registered.owned && !cucore_destroy_in_teardown(&stream_destroy, stream, cucore_raw(stream->raw), channel))
        return false;
    cucore_registry_let_go(&stream->registered, channel);
    cucore_object_drop(stream->device, channel);
    return true;
}

const cucore_class cucore_stream_class = {"stream", teardown, true};

CUCORE_HANDLE(stream)

static int32_t read_options(const cucore_call *call, const cucore_stream_options *options, cucore_stream_options *known) {
    int32_t code = cucore_read_options(call, options, known, sizeof *known, sizeof *known);
    if (!code)
        code = cucore_expect_flag(call, known->has_priority, "options->has_priority");
    if (!code)
        code = cucore_expect_unset(call, known->has_priority, (uint64_t)known->priority, "priority");
    if (!code)
        code = cucore_expect_choice(call, known->blocking, "options->blocking");
    if (!code)
        code = cucore_expect_zero(call, (uint64_t)known->reserved, "options->reserved");
    return code;
}

/* The driver takes any number and makes it fit; that it did not is for us to find. Lower numbers are more urgent. */
static int32_t expect_priority(const cucore_call *call, int32_t priority) {
    int least = 0;
    int greatest = 0;
    int32_t code = CUCORE_CUDA(call, 0, cuCtxGetStreamPriorityRange, (&least, &greatest));
    if (!code && (priority > least || priority < greatest))
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": options->priority is %d; this device has %d (lowest) to %d (highest)",
                           (int)priority, least, greatest);
    return code;
}

static int32_t create_in_context(const cucore_call *call, cucore_stream *stream, const cucore_stream_options *options) {
    unsigned int flags = options->blocking == CUCORE_ON ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING;
    int priority = options->has_priority ? options->priority : 0;
    cucore_scope scope;
    int32_t code = cucore_scope_enter(&scope, call, stream->context->raw);
    if (code)
        return code;
    if (options->has_priority)
        code = expect_priority(call, options->priority);
    if (!code)
        code = CUCORE_CUDA(call, 0, cuStreamCreateWithPriority, (&stream->raw, flags, priority));
    return cucore_scope_leave_created(&scope, call, code, &stream_destroy, stream, cucore_raw(stream->raw));
}

/* Gives a stream handle in the device's bound context, without a stream yet; the device is borrowed from the caller until then. */
static cucore_stream *allocate(const cucore_call *call, cucore_device *device) {
    cucore_stream *stream = cucore_object_allocate(call, &cucore_stream_class, sizeof *stream);
    if (!stream)
        return NULL;
    stream->device = device;
    if (!cucore_device_bind(call, device, &stream->context))
        return stream;
    cucore_object_discard(stream);
    return NULL;
}

/* The end of what makes a stream: the handle if that worked, else NULL. */
static cucore_stream *finish(cucore_stream *stream, int32_t code) {
    if (!code) {
        cucore_device_retain(stream->device);
        return stream;
    }
    cucore_object_discard(stream);
    return NULL;
}

static int32_t create(const cucore_call *call, cucore_stream *stream, const cucore_stream_options *options) {
    int32_t code = create_in_context(call, stream, options);
    if (code)
        return code;
    stream->registered.owned = true; /* registered once somebody else is told the raw handle: mostly nobody is */
    return CUCORE_OK;
}

cucore_stream *cucore_stream_create(cucore_device *device, const cucore_stream_options *options, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_stream_options known;
    if (cucore_expect(&call, device, &cucore_device_class, "device") || read_options(&call, options, &known))
        return NULL;
    cucore_stream *stream = allocate(&call, device);
    return stream ? finish(stream, create(&call, stream, &known)) : NULL;
}

/* The driver's names of the default streams (CUDA documentation, Driver API, Stream synchronization behavior). */
enum { STREAM_LEGACY = 1, STREAM_PER_THREAD = 2 };

cucore_stream *cucore_stream_default(cucore_device *device, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, device, &cucore_device_class, "device"))
        return NULL;
    cucore_stream *stream = allocate(&call, device);
    if (!stream)
        return NULL;
    stream->raw = (CUstream)(uintptr_t)STREAM_LEGACY;
    stream->is_default = true;
    return finish(stream, CUCORE_OK);
}

static int32_t expect_named(const cucore_call *call, CUstream raw) {
    switch ((uintptr_t)raw) {
    case 0:
    case STREAM_LEGACY:
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": raw is the default stream, which is another in each context; use cucore_stream_default");
    case STREAM_PER_THREAD:
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": raw is the per-thread default stream, which is another on each thread");
    default:
        return CUCORE_OK;
    }
}

static int32_t expect_own_context(const cucore_call *call, const cucore_stream *stream) {
    CUcontext context = NULL;
    int32_t code = CUCORE_CUDA(call, cucore_raw(stream->raw), cuStreamGetCtx, (stream->raw, &context));
    if (!code && context != stream->context->raw)
        code = cucore_fail(call, CUCORE_INVALID_HANDLE, ": raw is in context %p, device %d is bound to context %p", (void *)context,
                           (int)stream->device->ordinal, (void *)stream->context->raw);
    return code;
}

static int32_t claim(const cucore_call *call, cucore_stream *stream, CUstream raw, int32_t ownership) {
    stream->raw = raw;
    cucore_stream_make_known(stream);
    int32_t code = expect_own_context(call, stream);
    return code ? code : cucore_registry_claim(call, &stream->registered, cucore_raw(raw), ownership);
}

static cucore_stream *from_raw(const cucore_call *call, cucore_device *device, CUstream raw, int32_t ownership) {
    if (cucore_expect(call, device, &cucore_device_class, "device") || expect_named(call, raw) ||
        cucore_expect_ownership(call, ownership))
        return NULL;
    cucore_stream *stream = allocate(call, device);
    return stream ? finish(stream, claim(call, stream, raw, ownership)) : NULL;
}

cucore_stream *cucore_stream_from_raw(cucore_device *device, CUstream raw, int32_t ownership, void *owner,
                                      cucore_drop_function drop, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_stream *stream = from_raw(&call, device, raw, ownership);
    cucore_registry_keep(stream ? &stream->registered : NULL, owner, drop);
    return stream;
}

CUstream cucore_stream_raw(const cucore_stream *stream) {
    if (!cucore_object_is(stream, &cucore_stream_class))
        return NULL;
    cucore_stream_make_known(stream);
    if (stream->registered.owned && !cucore_registry_has(&stream->registered))
        cucore_registry_add((cucore_registered *)(uintptr_t)stream, cucore_raw(stream->raw)); /* not what const promises */
    return stream->raw;
}

CUCORE_PARENT(stream, device, device)

CUCORE_PARENT(stream, context, context)

/* Begins a call that asks something of a stream. */
static int32_t begin_query(const cucore_call *call, const cucore_stream *stream, const void *result, const char *name,
                           cucore_scope *scope) {
    int32_t code = cucore_expect(call, stream, &cucore_stream_class, "stream");
    if (!code)
        code = cucore_expect_pointer(call, result, name);
    return code ? code : cucore_stream_enter(stream, call, scope);
}

/* CUCORE_STREAM_QUERY defines one that stores what the driver's `function` tells as a `type`. */
#define CUCORE_STREAM_QUERY(what, type, function, driver_type) \
    int32_t cucore_stream_##what(cucore_stream *stream, type *what, cucore_status **status) { \
        const cucore_call call = cucore_call_begin(__func__, status); \
        cucore_scope scope; \
        driver_type found = 0; \
        int32_t code = begin_query(&call, stream, what, #what, &scope); \
        if (code) \
            return code; \
        code = cucore_scope_leave(&scope, &call, CUCORE_CUDA(&call, cucore_raw(stream->raw), function, (stream->raw, &found))); \
        if (!code) \
            *what = found; \
        return code; \
    }

CUCORE_STREAM_QUERY(priority, int32_t, cuStreamGetPriority, int)
CUCORE_STREAM_QUERY(flags, uint32_t, cuStreamGetFlags, unsigned int)
CUCORE_STREAM_QUERY(id, uint64_t, cuStreamGetId, unsigned long long)

int32_t cucore_stream_is_capturing(cucore_stream *stream, int32_t *capturing, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_scope scope;
    bool active = false;
    int32_t code = begin_query(&call, stream, capturing, "capturing", &scope);
    if (code)
        return code;
    code = cucore_scope_leave(&scope, &call, cucore_capture_is_active(&call, stream->raw, &active));
    if (!code)
        *capturing = active;
    return code;
}

int32_t cucore_stream_is_done(cucore_stream *stream, int32_t *done, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_scope scope;
    int32_t code = begin_query(&call, stream, done, "done", &scope);
    if (code)
        return code;
    CUresult result = cucore_cuda.cuStreamQuery(stream->raw);
    if (result != CUDA_ERROR_NOT_READY)
        code = cucore_cuda_result(&call, result, "cuStreamQuery", cucore_raw(stream->raw));
    code = cucore_scope_leave(&scope, &call, code);
    if (!code)
        *done = result == CUDA_SUCCESS;
    return code;
}

int32_t cucore_stream_wait(const cucore_call *call, const cucore_stream *stream) {
    cucore_scope scope;
    int32_t code = cucore_stream_enter(stream, call, &scope);
    if (code)
        return code;
    code = CUCORE_CUDA(call, cucore_raw(stream->raw), cuStreamSynchronize, (stream->raw));
    return cucore_scope_leave(&scope, call, code);
}

int32_t cucore_stream_synchronize(cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    if (!code)
        code = cucore_expect_waitable(&call);
    return code ? code : cucore_stream_wait(&call, stream);
}
