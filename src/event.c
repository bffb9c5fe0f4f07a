/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "event.h"

#include "base/argument.h"
#include "driver/scope.h"
#include "stream.h"

static int64_t destroy(const void *object) {
    return cucore_cuda.cuEventDestroy(*(const CUevent *)object);
}

const cucore_destroy cucore_event_destroy = {CUCORE_DOMAIN_DRIVER, "cuEventDestroy", destroy, false, false};

static bool teardown(void *object, cucore_channel *channel) {
    cucore_event *event = object;
    if (!cucore_destroy_in_teardown(&cucore_event_destroy, &event->raw, cucore_raw(event->raw), channel))
        return false;
    cucore_object_drop(event->device, channel);
    return true;
}

const cucore_class cucore_event_class = {"event", teardown, false};

CUCORE_HANDLE(event)

static int32_t read_options(const cucore_call *call, const cucore_event_options *options, cucore_event_options *known) {
    int32_t code = cucore_read_options(call, options, known, sizeof *known, sizeof *known);
    if (!code)
        code = cucore_expect_choice(call, known->timing, "options->timing");
    if (!code)
        code = cucore_expect_choice(call, known->blocking_sync, "options->blocking_sync");
    return code;
}

static int32_t create_in_context(const cucore_call *call, cucore_event *event) {
    unsigned int flags = event->timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING;
    if (event->blocking_sync)
        flags |= CU_EVENT_BLOCKING_SYNC;
    cucore_scope scope;
    int32_t code = cucore_scope_enter(&scope, call, event->context->raw);
    if (code)
        return code;
    code = CUCORE_CUDA(call, 0, cuEventCreate, (&event->raw, flags));
    return cucore_scope_leave_created(&scope, call, code, &cucore_event_destroy, &event->raw, cucore_raw(event->raw));
}

static int32_t create(const cucore_call *call, cucore_event *event, cucore_device *device, const cucore_event_options *options) {
    event->timing = options->timing == CUCORE_ON;
    event->blocking_sync = options->blocking_sync == CUCORE_ON;
    int32_t code = cucore_device_bind(call, device, &event->context);
    if (!code)
        code = create_in_context(call, event);
    if (!code)
        event->device = cucore_device_retain(device);
    return code;
}

cucore_event *cucore_event_create(cucore_device *device, const cucore_event_options *options, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_event_options known;
    if (cucore_expect(&call, device, &cucore_device_class, "device") || read_options(&call, options, &known))
        return NULL;
    cucore_event *event = cucore_object_allocate(&call, &cucore_event_class, sizeof *event);
    if (event && create(&call, event, device, &known)) {
        cucore_object_discard(event);
        return NULL;
    }
    return event;
}

CUevent cucore_event_raw(const cucore_event *event) {
    return cucore_object_is(event, &cucore_event_class) ? event->raw : NULL;
}

CUCORE_PARENT(event, device, device)

CUCORE_PARENT(event, context, context)

int32_t cucore_event_has_timing(const cucore_event *event) {
    return cucore_object_is(event, &cucore_event_class) && event->timing;
}

int32_t cucore_event_is_blocking_sync(const cucore_event *event) {
    return cucore_object_is(event, &cucore_event_class) && event->blocking_sync;
}

static int32_t expect_same_context(const cucore_call *call, const cucore_context *first, const char *first_name,
                                   const cucore_context *second, const char *second_name) {
    if (first->raw == second->raw)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_HANDLE, ": %s is in context %p of device %d, %s in context %p of device %d", first_name,
                       (void *)first->raw, first->device, second_name, (void *)second->raw, second->device);
}

int32_t cucore_event_record(cucore_event *event, cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, event, &cucore_event_class, "event");
    if (!code)
        code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    if (!code)
        code = expect_same_context(&call, event->context, "event", stream->context, "stream");
    cucore_scope scope;
    if (!code)
        code = cucore_stream_enter(stream, &call, &scope);
    if (code)
        return code;
    code = CUCORE_CUDA(&call, cucore_raw(event->raw), cuEventRecord, (event->raw, stream->raw));
    return cucore_scope_leave(&scope, &call, code);
}

/* Here, since events know of streams and streams do not know of events. */
int32_t cucore_stream_wait_event(cucore_stream *stream, cucore_event *event, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    if (!code)
        code = cucore_expect(&call, event, &cucore_event_class, "event");
    cucore_scope scope;
    if (!code)
        code = cucore_stream_enter(stream, &call, &scope);
    if (code)
        return code;
    cucore_stream_make_known(stream);
    code = CUCORE_CUDA(&call, cucore_raw(stream->raw), cuStreamWaitEvent, (stream->raw, event->raw, 0));
    return cucore_scope_leave(&scope, &call, code);
}

int32_t cucore_event_is_done(cucore_event *event, int32_t *done, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, event, &cucore_event_class, "event");
    if (!code)
        code = cucore_expect_pointer(&call, done, "done");
    if (code)
        return code;
    CUresult result = cucore_cuda.cuEventQuery(event->raw);
    if (result != CUDA_ERROR_NOT_READY)
        code = cucore_cuda_result(&call, result, "cuEventQuery", cucore_raw(event->raw));
    if (!code)
        *done = result == CUDA_SUCCESS;
    return code;
}

int32_t cucore_event_synchronize(cucore_event *event, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, event, &cucore_event_class, "event");
    if (!code)
        code = cucore_expect_waitable(&call);
    return code ? code : CUCORE_CUDA(&call, cucore_raw(event->raw), cuEventSynchronize, (event->raw));
}

static int32_t expect_events(const cucore_call *call, const cucore_event *start, const cucore_event *end) {
    int32_t code = cucore_expect(call, start, &cucore_event_class, "start");
    if (!code)
        code = cucore_expect(call, end, &cucore_event_class, "end");
    if (!code && !(start->timing && end->timing))
        code = cucore_fail(call, CUCORE_INVALID_STATE, ": %s was made without timing; set options->timing to CUCORE_ON",
                           start->timing ? "end" : "start");
    return code ? code : expect_same_context(call, start->context, "start", end->context, "end");
}

/* The driver says INVALID_HANDLE of an event that was never recorded; all else that code could mean is ruled out before. */
static int32_t measure(const cucore_call *call, const cucore_event *start, const cucore_event *end, float *milliseconds) {
    CUresult result = cucore_cuda.cuEventElapsedTime(milliseconds, start->raw, end->raw);
    if (result == CUDA_SUCCESS)
        return CUCORE_OK;
    const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, "cuEventElapsedTime", cucore_raw(start->raw), NULL, 0};
    if (result != CUDA_ERROR_INVALID_HANDLE)
        return cucore_native_fail(call, &native);
    int32_t code = cucore_fail(call, CUCORE_INVALID_STATE, ": start or end was never recorded");
    cucore_note_failure(call, CUCORE_NOTE_CAUSE, cucore_native_status(&native));
    return code;
}

int32_t cucore_event_elapsed(cucore_event *start, cucore_event *end, float *milliseconds, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_events(&call, start, end);
    if (!code)
        code = cucore_expect_pointer(&call, milliseconds, "milliseconds");
    float measured = 0;
    if (!code)
        code = measure(&call, start, end, &measured);
    if (!code)
        *milliseconds = measured;
    return code;
}
