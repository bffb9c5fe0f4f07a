/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "buffer.h"

#include "base/argument.h"
#include "driver/scope.h"
#include "staging.h"

#include <string.h>

static int64_t free_memory(const void *object) {
    const cucore_buffer *buffer = object;
    return cucore_cuda.cuMemFreeAsync(buffer->address, buffer->stream->raw);
}

static const cucore_destroy memory_free = {CUCORE_DOMAIN_DRIVER, "cuMemFreeAsync", free_memory, true};

/* Memory that some stream may still be using is leaked: freeing it early would hand it to somebody else. */
static void free_after_uses(cucore_buffer *buffer, cucore_channel *channel) {
    cucore_status *failure = NULL;
    cucore_channel later = {.returns = true};
    cucore_use_join join = {{"cucore_buffer_release", &failure}, buffer->stream->raw, &later, NULL};
    if (cucore_use_set_join(&buffer->uses, &join) == CUCORE_OK)
        failure = cucore_destroy_run(&memory_free, buffer, buffer->address);
    else
        cucore_note(&join.call, CUCORE_NOTE_CONSEQUENCE,
                    "buffer 0x%llx of %zu bytes is leaked: work that uses it cannot be waited for", buffer->address, buffer->size);
    cucore_status *const in_order[] = {failure, later.status, join.restoring};
    for (size_t i = 0; i < sizeof in_order / sizeof in_order[0]; i++)
        if (in_order[i])
            cucore_channel_report(channel, in_order[i]);
}

static void teardown(void *object, cucore_channel *channel) {
    cucore_buffer *buffer = object;
    if (buffer->address)
        free_after_uses(buffer, channel);
    cucore_use_set_drop(&buffer->uses, channel);
    cucore_object_drop(buffer->stream, channel);
    cucore_object_drop(buffer->resource, channel);
}

const cucore_class cucore_buffer_class = {"buffer", teardown};

CUCORE_HANDLE(buffer)

static int32_t allocate(const cucore_call *call, cucore_buffer *buffer, const cucore_memory_resource *resource,
                        const cucore_stream *stream) {
    if (!buffer->size)
        return CUCORE_OK;
    return CUCORE_CUDA(call, 0, cuMemAllocFromPoolAsync, (&buffer->address, buffer->size, resource->pool, stream->raw));
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
    if (allocate(&call, buffer, resource, stream)) {
        cucore_object_discard(buffer);
        return NULL;
    }
    buffer->resource = cucore_memory_resource_retain(resource);
    buffer->stream = cucore_stream_retain(stream);
    return buffer;
}

uint64_t cucore_buffer_raw(const cucore_buffer *buffer) {
    return cucore_object_is(buffer, &cucore_buffer_class) ? buffer->address : 0;
}

size_t cucore_buffer_size(const cucore_buffer *buffer) {
    return cucore_object_is(buffer, &cucore_buffer_class) ? buffer->size : 0;
}

CUCORE_PARENT(buffer, resource, memory_resource)

CUCORE_PARENT(buffer, stream, stream)

int32_t cucore_buffer_use(const cucore_call *call, cucore_buffer *buffer, cucore_stream *stream) {
    if (stream == buffer->stream)
        return CUCORE_OK;
    int32_t code = cucore_expect_same_device(call, buffer->resource->device, "buffer", stream->device, "stream");
    return code || !buffer->address ? code : cucore_use_set_add(call, &buffer->uses, stream);
}

static int32_t expect_work(const cucore_call *call, const cucore_buffer *buffer, const cucore_stream *stream, size_t offset,
                           size_t size) {
    int32_t code = cucore_expect(call, buffer, &cucore_buffer_class, "buffer");
    if (!code)
        code = cucore_expect(call, stream, &cucore_stream_class, "stream");
    return code ? code : cucore_expect_range(call, offset, size, buffer->size, "buffer");
}

/* A copy between a buffer and plain host memory: one of the two host pointers is set. */
typedef struct host_copy {
    cucore_buffer *buffer;
    cucore_stream *stream;
    size_t offset;
    size_t size;
    const char *source;
    char *destination;
} host_copy;

static int32_t enqueue(const cucore_call *call, const host_copy *copy, void *block, size_t done, size_t size) {
    CUdeviceptr address = copy->buffer->address + copy->offset + done;
    uint64_t stream = cucore_raw(copy->stream->raw);
    if (!copy->source)
        return CUCORE_CUDA(call, stream, cuMemcpyDtoHAsync, (block, address, size, copy->stream->raw));
    memcpy(block, copy->source + done, size);
    return CUCORE_CUDA(call, stream, cuMemcpyHtoDAsync, (address, block, size, copy->stream->raw));
}

/* One block's worth. `*settled` says whether the driver is known to be through with the block. */
static int32_t copy_block(const cucore_call *call, const host_copy *copy, void *block, size_t done, size_t size, bool *settled) {
    int32_t code = enqueue(call, copy, block, done, size);
    *settled = code != CUCORE_OK;
    if (!code)
        code = CUCORE_CUDA(call, cucore_raw(copy->stream->raw), cuStreamSynchronize, (copy->stream->raw));
    *settled |= code == CUCORE_OK;
    if (!code && copy->destination)
        memcpy(copy->destination + done, block, size);
    return code;
}

static int32_t copy_through(const cucore_call *call, const host_copy *copy, void *block, bool *settled) {
    int32_t code = CUCORE_OK;
    for (size_t done = 0; done < copy->size && !code;) {
        size_t size = copy->size - done < CUCORE_STAGING_SIZE ? copy->size - done : CUCORE_STAGING_SIZE;
        code = copy_block(call, copy, block, done, size, settled);
        done += size;
    }
    return code;
}

/* A copy fails if the caller's current context is one that was destroyed, though it needs none to be current. */
static int32_t copy_in_context(const cucore_call *call, const host_copy *copy, void *block, bool *settled) {
    cucore_scope scope;
    int32_t code = cucore_scope_enter(&scope, call, copy->stream->context->raw);
    if (code)
        return code;
    code = copy_through(call, copy, block, settled);
    return cucore_scope_leave(&scope, call, code);
}

static int32_t copy_staged(const cucore_call *call, const host_copy *copy) {
    int32_t code = cucore_buffer_use(call, copy->buffer, copy->stream);
    if (code || !copy->size)
        return code;
    void *block = cucore_staging_take(call);
    if (!block)
        return CUCORE_OUT_OF_MEMORY;
    bool settled = true;
    code = copy_in_context(call, copy, block, &settled);
    if (settled)
        cucore_staging_give(block);
    else
        cucore_note(call, CUCORE_NOTE_CONSEQUENCE,
                    "%d bytes of the library's staging memory are leaked: the copy may still use them", CUCORE_STAGING_SIZE);
    return code;
}

int32_t cucore_buffer_copy_from_host(cucore_buffer *buffer, size_t offset, const void *source, size_t size, cucore_stream *stream,
                                     cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_work(&call, buffer, stream, offset, size);
    if (!code && size)
        code = cucore_expect_pointer(&call, source, "source");
    return code ? code : copy_staged(&call, &(host_copy){buffer, stream, offset, size, source, NULL});
}

int32_t cucore_buffer_copy_to_host(cucore_buffer *buffer, size_t offset, void *destination, size_t size, cucore_stream *stream,
                                   cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_work(&call, buffer, stream, offset, size);
    if (!code && size)
        code = cucore_expect_pointer(&call, destination, "destination");
    return code ? code : copy_staged(&call, &(host_copy){buffer, stream, offset, size, NULL, destination});
}

static int32_t expect_pattern(const cucore_call *call, size_t offset, size_t size, uint32_t pattern_size) {
    if (pattern_size != 1 && pattern_size != 2 && pattern_size != 4)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": pattern_size is %u, not 1, 2 or 4", (unsigned int)pattern_size);
    if (offset % pattern_size || size % pattern_size)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": offset %zu and size %zu are not both multiples of pattern_size %u",
                           offset, size, (unsigned int)pattern_size);
    return CUCORE_OK;
}

static int32_t fill(const cucore_call *call, CUdeviceptr address, size_t size, uint32_t pattern, uint32_t pattern_size,
                    CUstream stream) {
    switch (pattern_size) {
    case 1:
        return CUCORE_CUDA(call, address, cuMemsetD8Async, (address, (unsigned char)pattern, size, stream));
    case 2:
        return CUCORE_CUDA(call, address, cuMemsetD16Async, (address, (unsigned short)pattern, size / 2, stream));
    default:
        return CUCORE_CUDA(call, address, cuMemsetD32Async, (address, pattern, size / 4, stream));
    }
}

int32_t cucore_buffer_fill(cucore_buffer *buffer, size_t offset, size_t size, uint32_t pattern, uint32_t pattern_size,
                           cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_work(&call, buffer, stream, offset, size);
    if (!code)
        code = expect_pattern(&call, offset, size, pattern_size);
    if (!code)
        code = cucore_buffer_use(&call, buffer, stream);
    return code || !size ? code : fill(&call, buffer->address + offset, size, pattern, pattern_size, stream->raw);
}
