/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/argument.h"
#include "buffer.h"
#include "driver/capture.h"
#include "staging.h"

#include <string.h>

static int32_t expect_work(const cucore_call *call, const cucore_buffer *buffer, const cucore_stream *stream, size_t offset,
                           size_t size) {
    int32_t code = cucore_expect(call, buffer, &cucore_buffer_class, "buffer");
    if (!code)
        code = cucore_expect(call, stream, &cucore_stream_class, "stream");
    return code ? code : cucore_expect_range(call, offset, size, buffer->size, "buffer");
}

static int32_t expect_host_work(const cucore_call *call, const cucore_buffer *buffer, const cucore_stream *stream, size_t offset,
                                size_t size, const void *host, const char *name) {
    int32_t code = expect_work(call, buffer, stream, offset, size);
    return code || !size ? code : cucore_expect_pointer(call, host, name);
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

/* The waiting is ours, and would invalidate a capture of this thread. */
static int32_t copy_relaxed(const cucore_call *call, const host_copy *copy, void *block, bool *settled) {
    CUstreamCaptureMode mode;
    int32_t code = cucore_capture_refuse(call, copy->stream->raw, "a copy of plain host memory");
    if (!code)
        code = cucore_capture_relax(call, &mode);
    if (code)
        return code;
    code = copy_through(call, copy, block, settled);
    return cucore_capture_restore(call, mode, code);
}

/* A copy fails if the caller's current context is one that was destroyed, though it needs none to be current. */
static int32_t copy_in_context(const cucore_call *call, const host_copy *copy, void *block, bool *settled) {
    cucore_scope scope;
    int32_t code = cucore_scope_enter(&scope, call, copy->stream->context->raw);
    if (code)
        return code;
    code = copy_relaxed(call, copy, block, settled);
    return cucore_scope_leave(&scope, call, code);
}

static int32_t copy_staged(const cucore_call *call, const host_copy *copy) {
    int32_t code = cucore_expect_waitable(call);
    if (!code)
        code = cucore_buffer_use(call, copy->buffer, copy->stream);
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
    int32_t code = expect_host_work(&call, buffer, stream, offset, size, source, "source");
    return code ? code : copy_staged(&call, &(host_copy){buffer, stream, offset, size, source, NULL});
}

int32_t cucore_buffer_copy_to_host(cucore_buffer *buffer, size_t offset, void *destination, size_t size, cucore_stream *stream,
                                   cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_host_work(&call, buffer, stream, offset, size, destination, "destination");
    return code ? code : copy_staged(&call, &(host_copy){buffer, stream, offset, size, NULL, destination});
}

static int32_t copy_unchecked(const cucore_call *call, const host_copy *copy) {
    CUdeviceptr address = copy->buffer->address + copy->offset;
    CUstream stream = copy->stream->raw;
    cucore_scope scope;
    int32_t code = cucore_buffer_use(call, copy->buffer, copy->stream);
    if (code || !copy->size)
        return code;
    code = cucore_scope_enter(&scope, call, copy->stream->context->raw);
    if (code)
        return code;
    if (copy->source)
        code = CUCORE_CUDA(call, cucore_raw(stream), cuMemcpyHtoDAsync, (address, copy->source, copy->size, stream));
    else
        code = CUCORE_CUDA(call, cucore_raw(stream), cuMemcpyDtoHAsync, (copy->destination, address, copy->size, stream));
    return cucore_scope_leave(&scope, call, code);
}

int32_t cucore_buffer_copy_from_host_unchecked(cucore_buffer *buffer, size_t offset, const void *source, size_t size,
                                               cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_host_work(&call, buffer, stream, offset, size, source, "source");
    return code ? code : copy_unchecked(&call, &(host_copy){buffer, stream, offset, size, source, NULL});
}

int32_t cucore_buffer_copy_to_host_unchecked(cucore_buffer *buffer, size_t offset, void *destination, size_t size,
                                             cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_host_work(&call, buffer, stream, offset, size, destination, "destination");
    return code ? code : copy_unchecked(&call, &(host_copy){buffer, stream, offset, size, NULL, destination});
}

static int32_t expect_side(const cucore_call *call, const cucore_buffer *buffer, size_t offset, size_t size, const char *side) {
    int32_t code = cucore_expect(call, buffer, &cucore_buffer_class, side);
    return code ? code : cucore_expect_range(call, offset, size, buffer->size, side);
}

static int32_t expect_apart(const cucore_call *call, CUdeviceptr destination, CUdeviceptr source, size_t size) {
    if (destination + size <= source || source + size <= destination)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": the %zu bytes to copy from 0x%llx overlap those to copy to, at 0x%llx",
                       size, source, destination);
}

static int32_t copy(const cucore_call *call, CUdeviceptr destination, CUdeviceptr source, size_t size,
                    const cucore_stream *stream) {
    cucore_scope scope;
    int32_t code = cucore_scope_enter(&scope, call, stream->context->raw);
    if (code)
        return code;
    code = CUCORE_CUDA(call, cucore_raw(stream->raw), cuMemcpyAsync, (destination, source, size, stream->raw));
    return cucore_scope_leave(&scope, call, code);
}

int32_t cucore_buffer_copy(cucore_buffer *destination, size_t destination_offset, cucore_buffer *source, size_t source_offset,
                           size_t size, cucore_stream *stream, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = expect_side(&call, destination, destination_offset, size, "destination");
    if (!code)
        code = expect_side(&call, source, source_offset, size, "source");
    if (!code)
        code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    if (code)
        return code;
    CUdeviceptr to = destination->address + destination_offset;
    CUdeviceptr from = source->address + source_offset;
    code = expect_apart(&call, to, from, size);
    if (!code)
        code = cucore_buffer_use(&call, destination, stream);
    if (!code)
        code = cucore_buffer_use(&call, source, stream);
    return code || !size ? code : copy(&call, to, from, size, stream);
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
    cucore_scope scope;
    int32_t code = expect_work(&call, buffer, stream, offset, size);
    if (!code)
        code = expect_pattern(&call, offset, size, pattern_size);
    if (!code)
        code = cucore_buffer_use(&call, buffer, stream);
    if (!code && size)
        code = cucore_stream_enter(stream, &call, &scope);
    if (code || !size)
        return code;
    code = fill(&call, buffer->address + offset, size, pattern, pattern_size, stream->raw);
    return cucore_scope_leave(&scope, &call, code);
}
