/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_MEMORY_H
#define CUCORE_V1_MEMORY_H

/* Memory resources allocate buffers. A buffer is allocated and, at its last release, freed in stream order on the stream
 * that it was allocated on, its deallocation stream, which it keeps alive. Work that this library puts on other streams with
 * the buffer is noted, and the free waits for it.
 *
 * That is lifetime, not ordering. Work on two streams that uses the same buffer is ordered only by the caller:
 * cucore_stream_wait_event. */

#include "types.h"

CUCORE_BEGIN

/* cucore_memory_resource_device_pool gives the device's default memory pool (cuDeviceGetDefaultMemPool). The pool itself is the
 * driver's and is never destroyed.
 * Fails with CUCORE_NOT_SUPPORTED if the device has no memory pools. */
CUCORE_API cucore_memory_resource *cucore_memory_resource_device_pool(cucore_device *device, cucore_status **status);

/* cucore_memory_resource_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_memory_resource *cucore_memory_resource_retain(cucore_memory_resource *resource);

/* cucore_memory_resource_release gives a reference up. Buffers keep their resource alive. NULL is fine. */
CUCORE_API void cucore_memory_resource_release(cucore_memory_resource *resource);

/* cucore_memory_resource_close does the same but returns a failure. The reference is given up either way. `destroyed` (may be
 * NULL) is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_memory_resource_close(cucore_memory_resource *resource, int32_t *destroyed, cucore_status **status);

/* cucore_memory_resource_raw gives the CUmemoryPool, NULL for a bad handle. */
CUCORE_API struct CUmemPoolHandle_st *cucore_memory_resource_raw(const cucore_memory_resource *resource);

/* cucore_memory_resource_device gives a new reference to the device it allocates on; NULL for a bad handle. */
CUCORE_API cucore_device *cucore_memory_resource_device(const cucore_memory_resource *resource);

/* cucore_memory_resource_allocate allocates `size` bytes in the order of `stream` (cuMemAllocFromPoolAsync), aligned to at least
 * 256; the contents are unspecified. A size of 0 gives a valid empty buffer.
 * Fails with CUCORE_OUT_OF_MEMORY, CUCORE_INVALID_HANDLE if the stream is on another device than the resource. */
CUCORE_API cucore_buffer *cucore_memory_resource_allocate(cucore_memory_resource *resource, size_t size, cucore_stream *stream,
                                                          cucore_status **status);

/* cucore_buffer_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_buffer *cucore_buffer_retain(cucore_buffer *buffer);

/* cucore_buffer_release gives a reference up; the last one frees the memory on its deallocation stream after all work that the
 * library put on any stream with it. A failure of that is a warning. NULL is fine. */
CUCORE_API void cucore_buffer_release(cucore_buffer *buffer);

/* cucore_buffer_close does the same but returns the failure. The reference is given up either way. `destroyed` (may be NULL)
 * is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_buffer_close(cucore_buffer *buffer, int32_t *destroyed, cucore_status **status);

/* cucore_buffer_raw gives the device address, 0 for an empty buffer or a bad handle. Work that the caller puts on a stream with
 * it is not known to the library. */
CUCORE_API uint64_t cucore_buffer_raw(const cucore_buffer *buffer);

/* cucore_buffer_size gives the size in bytes, 0 for a bad handle. */
CUCORE_API size_t cucore_buffer_size(const cucore_buffer *buffer);

/* cucore_buffer_resource gives a new reference to the resource it came from; NULL for a bad handle. */
CUCORE_API cucore_memory_resource *cucore_buffer_resource(const cucore_buffer *buffer);

/* cucore_buffer_stream gives a new reference to the deallocation stream; NULL for a bad handle. */
CUCORE_API cucore_stream *cucore_buffer_stream(const cucore_buffer *buffer);

/* cucore_buffer_copy_from_host copies `size` bytes from `source`, plain host memory, to `offset` bytes into the buffer, in the
 * order of `stream`, and waits until that is done. When it returns, `source` is no longer in use, on failure too.
 * Fails with CUCORE_INVALID_ARGUMENT if the range lies outside the buffer, CUCORE_INVALID_HANDLE if the stream is on another
 * device, CUCORE_OUT_OF_MEMORY before anything was copied. */
CUCORE_API int32_t cucore_buffer_copy_from_host(cucore_buffer *buffer, size_t offset, const void *source, size_t size,
                                                cucore_stream *stream, cucore_status **status);

/* cucore_buffer_copy_to_host copies `size` bytes from `offset` bytes into the buffer to `destination`, plain host memory, in the
 * order of `stream`, and waits until that is done. When it returns, `destination` is no longer in use, on failure too; what it
 * then holds is unspecified. Fails as cucore_buffer_copy_from_host. */
CUCORE_API int32_t cucore_buffer_copy_to_host(cucore_buffer *buffer, size_t offset, void *destination, size_t size,
                                              cucore_stream *stream, cucore_status **status);

/* cucore_buffer_fill sets `size` bytes from `offset` on to the low `pattern_size` (1, 2 or 4) bytes of `pattern`, repeated, in the
 * order of `stream`; it does not wait. `offset` and `size` are multiples of `pattern_size`.
 * Fails with CUCORE_INVALID_ARGUMENT if they are not, or if the range lies outside the buffer; CUCORE_INVALID_HANDLE if the
 * stream is on another device. */
CUCORE_API int32_t cucore_buffer_fill(cucore_buffer *buffer, size_t offset, size_t size, uint32_t pattern, uint32_t pattern_size,
                                      cucore_stream *stream, cucore_status **status);

CUCORE_END

#endif
