/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "buffer.h"

#include "base/argument.h"
#include "driver/capture.h"
#include "join.h"

static int64_t free_from_pool(const void *object) {
    const cucore_buffer *buffer = object;
    return cucore_cuda.cuMemFreeAsync(buffer->address, buffer->stream->raw);
}

static const cucore_destroy pool_free = {CUCORE_DOMAIN_DRIVER, "cuMemFreeAsync", free_from_pool, true, false};
static const cucore_destroy pool_free_in_context = {CUCORE_DOMAIN_DRIVER, "cuMemFreeAsync", free_from_pool, true, true};

static int64_t free_host(const void *object) {
    return cucore_cuda.cuMemFreeHost((void *)(uintptr_t)((const cucore_buffer *)object)->address);
}

static const cucore_destroy host_free = {CUCORE_DOMAIN_DRIVER, "cuMemFreeHost", free_host, true, false};

/* The free of a buffer's memory under way. */
typedef struct freeing {
    const cucore_buffer *buffer;
    bool may_wait;            /* it can be tried again on the library's thread */
    cucore_call call;         /* fails with `failure` */
    cucore_status *failure;   /* why it is not freed */
    cucore_channel beside;    /* failures that did not hinder it */
    cucore_status *restoring; /* a failure to restore the caller's context */
    bool captured;            /* a stream is being captured, so it has to wait */
    bool refused;             /* the driver must not be called on this thread, so it has to wait */
} freeing;

/* The driver refuses to free memory of a pool on a stream that is being captured, and lets the capture be: with one of these
 * codes, as was seen. That is rare, so that it is not asked before. */
static bool is_captured(freeing *memory, int64_t result) {
    if (result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED &&
        result != CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
        return false;
    cucore_status *unknown = NULL;
    cucore_capture_is_active(&(cucore_call){memory->call.function, &unknown}, memory->buffer->stream->raw, &memory->captured);
    if (unknown)
        cucore_channel_report(&memory->beside, unknown);
    return memory->captured;
}

static void settle(freeing *memory, const cucore_destroy *how, cucore_destroyed destroyed) {
    memory->refused = destroyed.refused;
    if (destroyed.mode_failure)
        cucore_channel_report(&memory->beside, destroyed.mode_failure);
    if (destroyed.result && !is_captured(memory, destroyed.result))
        memory->failure = cucore_destroy_failure(how, memory->buffer->address, destroyed.result);
}

static int32_t look_for_capture(void *user_data, const cucore_stream *stream) {
    freeing *memory = user_data;
    cucore_scope scope;
    bool active = false;
    int32_t code = cucore_stream_enter(stream, &memory->call, &scope);
    if (code)
        return code;
    code = cucore_capture_is_active(&memory->call, stream->raw, &active);
    cucore_scope_leave_cleanup(&scope, &memory->restoring);
    memory->captured |= active;
    return code;
}

static int32_t look_for_captures(freeing *memory) {
    int32_t code = look_for_capture(memory, memory->buffer->stream);
    return code ? code : cucore_use_set_each(&memory->buffer->uses, look_for_capture, memory);
}

static int32_t join_stream(void *user_data, const cucore_stream *stream) {
    freeing *memory = user_data;
    const cucore_join join = {memory->call, &memory->beside, &memory->restoring};
    return cucore_join_streams(&join, memory->buffer->stream, stream);
}

/* Waits for a stream's work without disturbing a capture that this thread has begun on another. */
static int32_t wait_relaxed(const cucore_call *call, const cucore_stream *stream) {
    CUstreamCaptureMode mode;
    int32_t code = cucore_capture_relax(call, &mode);
    if (code)
        return code;
    code = cucore_stream_wait(call, stream);
    return cucore_capture_restore(call, mode, code);
}

static int32_t free_after_uses(freeing *memory) {
    const cucore_buffer *buffer = memory->buffer;
    int32_t code = look_for_captures(memory);
    if (code || memory->captured)
        return code;
    code = cucore_use_set_each(&buffer->uses, join_stream, memory);
    if (!code && !buffer->resource->pool) /* it is not freed in the order of the stream */
        code = wait_relaxed(&memory->call, buffer->stream);
    const cucore_destroy *how = buffer->resource->pool ? &pool_free : &host_free;
    if (!code)
        settle(memory, how, cucore_destroy_run(how, buffer, memory->may_wait));
    return code;
}

/* Memory that some stream may still be using is leaked: freeing it early would hand it to somebody else. */
static void leak(freeing *memory) {
    memory->refused = memory->may_wait && cucore_destroy_is_refusal(memory->failure);
    cucore_note(&memory->call, CUCORE_NOTE_CONSEQUENCE,
                "buffer 0x%llx of %zu bytes is leaked: work that uses it cannot be waited for", memory->buffer->address,
                memory->buffer->size);
}

static void free_in_context(freeing *memory) {
    cucore_scope scope;
    int32_t code = cucore_scope_enter_cleanup(&scope, &memory->call, memory->buffer->stream->context->raw);
    if (!code) {
        code = free_after_uses(memory);
        cucore_scope_leave_cleanup(&scope, &memory->restoring);
    }
    if (code)
        leak(memory);
}

/* The common case: memory of a pool that was used on its own stream alone, and is not waiting already. */
static bool needs_nothing(const cucore_buffer *buffer, const cucore_channel *channel) {
    return buffer->resource->pool && !buffer->stream->is_default && cucore_use_set_is_empty(&buffer->uses) && !channel->final;
}

/* Reports what there is. False if the free has to wait: then what kept it from being done is no failure. */
static bool report(freeing *memory, cucore_channel *channel) {
    bool waits = memory->captured || memory->refused;
    if (waits)
        cucore_status_release(memory->failure);
    cucore_status *const in_order[] = {waits ? NULL : memory->failure, memory->beside.status, memory->restoring};
    for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++)
        if (in_order[i])
            cucore_destroy_report(channel, in_order[i]);
    return !waits;
}

/* What a free that is not just a success needs. */
static bool free_with_care(const cucore_buffer *buffer, cucore_channel *channel, const cucore_destroyed *destroyed) {
    freeing memory = {.buffer = buffer, .may_wait = !channel->final, .beside = {.returns = true, .final = true}};
    memory.call = (cucore_call){"cucore_buffer_release", &memory.failure};
    if (destroyed)
        settle(&memory, &pool_free, *destroyed);
    else
        free_in_context(&memory);
    return report(&memory, channel);
}

/* False if it has to wait. */
static bool free_memory(const cucore_buffer *buffer, cucore_channel *channel) {
    if (!needs_nothing(buffer, channel))
        return free_with_care(buffer, channel, NULL);
    const cucore_destroyed destroyed = cucore_destroy_run(&pool_free, buffer, true);
    return cucore_destroy_worked(&destroyed) || free_with_care(buffer, channel, &destroyed);
}

static bool teardown(void *object, cucore_channel *channel) {
    cucore_buffer *buffer = object;
    if (buffer->address && !free_memory(buffer, channel))
        return false;
    if (!cucore_use_set_is_empty(&buffer->uses))
        cucore_use_set_drop(&buffer->uses, channel);
    cucore_object_drop(buffer->stream, channel);
    cucore_object_drop(buffer->resource, channel);
    return true;
}

const cucore_class cucore_buffer_class = {"buffer", teardown, false};

CUCORE_HANDLE(buffer)

static int32_t allocate_from_pool(const cucore_call *call, cucore_buffer *buffer) {
    const cucore_stream *stream = buffer->stream;
    cucore_scope scope;
    int32_t code = cucore_stream_enter(stream, call, &scope);
    if (code)
        return code;
    if (cucore_stream_can_capture(stream))
        code = cucore_capture_refuse(call, stream->raw, "an allocation");
    if (!code)
        code = CUCORE_CUDA(call, 0, cuMemAllocFromPoolAsync, (&buffer->address, buffer->size, buffer->resource->pool, stream->raw));
    const cucore_destroy *undo = stream->is_default ? &pool_free_in_context : &pool_free;
    return cucore_scope_leave_created(&scope, call, code, undo, buffer, buffer->address);
}

/* Pinned memory has nothing to do with a capture of this thread, but would invalidate it. */
static int32_t allocate_relaxed(const cucore_call *call, cucore_buffer *buffer) {
    void *address = NULL;
    CUstreamCaptureMode mode;
    int32_t code = cucore_capture_relax(call, &mode);
    if (code)
        return code;
    code = CUCORE_CUDA(call, 0, cuMemAllocHost, (&address, buffer->size));
    buffer->address = (CUdeviceptr)(uintptr_t)address;
    int32_t restored = cucore_capture_restore(call, mode, code);
    if (restored && !code)
        cucore_destroy_as_undo(&host_free, buffer, buffer->address, call);
    return restored;
}

static int32_t allocate_host(const cucore_call *call, cucore_buffer *buffer) {
    cucore_scope scope;
    int32_t code = cucore_scope_enter(&scope, call, buffer->stream->context->raw);
    if (code)
        return code;
    code = allocate_relaxed(call, buffer);
    return cucore_scope_leave_created(&scope, call, code, &host_free, buffer, buffer->address);
}

static int32_t allocate(const cucore_call *call, cucore_buffer *buffer) {
    if (!buffer->size)
        return CUCORE_OK;
    int32_t code = buffer->resource->pool ? allocate_from_pool(call, buffer) : allocate_host(call, buffer);
    if (code)
        cucore_note(call, CUCORE_NOTE_CAUSE, "allocating %zu bytes for device %d (%s)", buffer->size,
                    (int)buffer->resource->device->ordinal, buffer->resource->device->name);
    return code;
}

cucore_buffer *cucore_memory_resource_allocate(cucore_memory_resource *resource, size_t size, cucore_stream *stream,
                                               cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (cucore_expect(&call, resource, &cucore_memory_resource_class, "resource") ||
        cucore_expect(&call, stream, &cucore_stream_class, "stream") ||
        cucore_expect_same_device(&call, resource->device, "resource", stream->device, "stream"))
        return NULL;
    cucore_buffer *buffer = cucore_object_allocate(&call, &cucore_buffer_class, sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->size = size;
    buffer->resource = resource;
    buffer->stream = stream;
    if (allocate(&call, buffer)) {
        cucore_object_discard(buffer);
        return NULL;
    }
    cucore_object_count(&resource->object);
    cucore_object_count(&stream->registered.object);
    return buffer;
}

uint64_t cucore_buffer_raw(const cucore_buffer *buffer) {
    return cucore_object_is(buffer, &cucore_buffer_class) ? buffer->address : 0;
}

size_t cucore_buffer_size(const cucore_buffer *buffer) {
    return cucore_object_is(buffer, &cucore_buffer_class) ? buffer->size : 0;
}

/* With unified addressing, which all devices of today have, host and device use one address. */
void *cucore_buffer_host_pointer(const cucore_buffer *buffer) {
    bool usable = cucore_object_is(buffer, &cucore_buffer_class) && buffer->resource->host_accessible;
    return usable ? (void *)(uintptr_t)buffer->address : NULL;
}

CUCORE_PARENT(buffer, resource, memory_resource)

CUCORE_PARENT(buffer, stream, stream)

cucore_device *cucore_buffer_device(const cucore_buffer *buffer) {
    return cucore_object_is(buffer, &cucore_buffer_class) ? cucore_device_retain(buffer->resource->device) : NULL;
}

int32_t cucore_buffer_use(const cucore_call *call, cucore_buffer *buffer, cucore_stream *stream) {
    if (cucore_stream_is_same(stream, buffer->stream))
        return CUCORE_OK;
    int32_t code = cucore_expect_same_device(call, buffer->resource->device, "buffer", stream->device, "stream");
    return code || !buffer->address ? code : cucore_use_set_add(call, &buffer->uses, stream);
}

int32_t cucore_buffer_note_use(cucore_buffer *buffer, cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, buffer, &cucore_buffer_class, "buffer");
    if (!code)
        code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    return code ? code : cucore_buffer_use(&call, buffer, stream);
}

/* A wait would invalidate the capture of a stream that the caller may not be thinking of. */
static int32_t wait_for_stream(void *user_data, const cucore_stream *stream) {
    const cucore_call *call = user_data;
    cucore_scope scope;
    int32_t code = cucore_stream_enter(stream, call, &scope);
    if (code)
        return code;
    code = cucore_capture_refuse(call, stream->raw, "waiting");
    if (!code)
        code = wait_relaxed(call, stream);
    return cucore_scope_leave(&scope, call, code);
}

int32_t cucore_buffer_synchronize(cucore_buffer *buffer, cucore_status **status) {
    cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect(&call, buffer, &cucore_buffer_class, "buffer");
    if (!code)
        code = cucore_expect_waitable(&call);
    if (!code)
        code = wait_for_stream(&call, buffer->stream);
    return code ? code : cucore_use_set_each(&buffer->uses, wait_for_stream, &call);
}
