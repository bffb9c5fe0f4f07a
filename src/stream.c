/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "stream.h"

#include "base/argument.h"
#include "driver/scope.h"

static int64_t destroy(const void *object) {
    return cucore_cuda.cuStreamDestroy(((const cucore_stream *)object)->raw);
}

static const cucore_destroy stream_destroy = {CUCORE_DOMAIN_DRIVER, "cuStreamDestroy", destroy, false};

static void teardown(void *object, cucore_channel *channel) {
    cucore_stream *stream = object;
    cucore_destroy_in_teardown(&stream_destroy, stream, cucore_raw(stream->raw), channel);
    cucore_object_drop(stream->device, channel);
}

const cucore_class cucore_stream_class = {"stream", teardown};

CUCORE_HANDLE(stream)

static int32_t read_options(const cucore_call *call, const cucore_stream_options *options, cucore_stream_options *known) {
    int32_t code = cucore_read_options(call, options, known, sizeof *known, sizeof *known);
    if (!code && known->has_priority != 0 && known->has_priority != 1)
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": options->has_priority is %d, not 0 or 1", (int)known->has_priority);
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

static int32_t create(const cucore_call *call, cucore_stream *stream, cucore_device *device, const cucore_stream_options *options) {
    int32_t code = cucore_device_bind(call, device, &stream->context);
    if (!code)
        code = create_in_context(call, stream, options);
    if (!code)
        stream->device = cucore_device_retain(device);
    return code;
}

cucore_stream *cucore_stream_create(cucore_device *device, const cucore_stream_options *options, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_stream_options known;
    if (cucore_expect(&call, device, &cucore_device_class, "device") || read_options(&call, options, &known))
        return NULL;
    cucore_stream *stream = cucore_object_allocate(&call, &cucore_stream_class, sizeof *stream);
    if (stream && create(&call, stream, device, &known)) {
        cucore_object_discard(stream);
        return NULL;
    }
    return stream;
}

CUstream cucore_stream_raw(const cucore_stream *stream) {
    return cucore_object_is(stream, &cucore_stream_class) ? stream->raw : NULL;
}

CUCORE_PARENT(stream, device, device)

CUCORE_PARENT(stream, context, context)

int32_t cucore_stream_synchronize(cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    return code ? code : CUCORE_CUDA(&call, cucore_raw(stream->raw), cuStreamSynchronize, (stream->raw));
}
