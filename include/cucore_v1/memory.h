/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_MEMORY_H
#define CUCORE_V1_MEMORY_H

/* Memory resources allocate buffers. A buffer is allocated and, at its last release, freed in stream order on the stream
 * that it was allocated on, its deallocation stream, whose handle it keeps alive (a borrowed stream's maker must then keep the
 * stream: cucore_stream_from_raw's `drop` tells when it is no longer needed). Work that this library puts on other streams with
 * the buffer is noted, and the free waits for it. Other work can be noted with cucore_buffer_note_use. While one of those streams
 * is being captured into a graph, the free is put off until the capture has ended (callback.h).
 *
 * That is lifetime, not ordering. Work on two streams that uses the same buffer is ordered only by the caller:
 * cucore_stream_wait_event, cucore_stream_wait_stream. */

#include "types.h"

CUCORE_BEGIN

typedef struct cucore_memory_pool_options {
    size_t struct_size;
    uint64_t max_size;             /* in bytes; 0: no limit but the memory's. Needs CUDA 12.2. */
    uint64_t release_threshold;    /* bytes that the pool keeps, when they are free, past a synchronisation */
    int32_t has_release_threshold; /* 1: `release_threshold` is given. 0: the pool keeps all until it is trimmed or destroyed. */
    int32_t reserved;              /* 0 */
} cucore_memory_pool_options;

/* cucore_memory_resource_device_pool gives the device's default memory pool (cuDeviceGetDefaultMemPool). The pool itself is the
 * driver's and is never destroyed.
 * Fails with CUCORE_NOT_SUPPORTED if the device has no memory pools. */
CUCORE_API cucore_memory_resource *cucore_memory_resource_device_pool(cucore_device *device, cucore_status **status);

/* cucore_memory_resource_create_pool makes a pool of device memory (cuMemPoolCreate), destroyed after its last buffer.
 * Fails with CUCORE_NOT_SUPPORTED if the device has no memory pools. */
CUCORE_API cucore_memory_resource *
cucore_memory_resource_create_pool(cucore_device *device, const cucore_memory_pool_options *options, cucore_status **status);

/* cucore_memory_resource_create_pinned_pool makes a pool of host memory that the device can use too (cuMemPoolCreate of
 * CU_MEM_LOCATION_TYPE_HOST), destroyed after its last buffer.
 * Before CUDA 13.0 the pool is of NUMA node 0 (CU_MEM_LOCATION_TYPE_HOST_NUMA), where the driver has that.
 * Fails with CUCORE_NOT_SUPPORTED if the driver or the device has neither. */
CUCORE_API cucore_memory_resource *
cucore_memory_resource_create_pinned_pool(cucore_device *device, const cucore_memory_pool_options *options, cucore_status **status);

/* cucore_memory_resource_pinned gives a resource of host memory that the device can use too, an allocation of its own for each
 * buffer (cuMemAllocHost). That is slow, a millisecond, and works with every driver. The memory is there at once, whatever is on
 * the stream; the free waits, in the calling thread, until the work on the buffer's streams is done. */
CUCORE_API cucore_memory_resource *cucore_memory_resource_pinned(cucore_device *device, cucore_status **status);

/* cucore_memory_resource_retain gives a new reference. NULL gives NULL. */
CUCORE_API cucore_memory_resource *cucore_memory_resource_retain(cucore_memory_resource *resource);

/* cucore_memory_resource_release gives a reference up. Buffers keep their resource alive. NULL is fine. */
CUCORE_API void cucore_memory_resource_release(cucore_memory_resource *resource);

/* cucore_memory_resource_close does the same but returns a failure. The reference is given up either way. `destroyed` (may be
 * NULL) is set to 1 if it was the last one, else to 0. */
CUCORE_API int32_t cucore_memory_resource_close(cucore_memory_resource *resource, int32_t *destroyed, cucore_status **status);

/* cucore_memory_resource_raw gives the CUmemoryPool, NULL for a bad handle and for a resource that has none. */
CUCORE_API struct CUmemPoolHandle_st *cucore_memory_resource_raw(const cucore_memory_resource *resource);

/* cucore_memory_resource_device gives a new reference to the device it allocates on; NULL for a bad handle. */
CUCORE_API cucore_device *cucore_memory_resource_device(const cucore_memory_resource *resource);

/* cucore_memory_resource_is_host_accessible gives 1 if the host can use its buffers, else 0. */
CUCORE_API int32_t cucore_memory_resource_is_host_accessible(const cucore_memory_resource *resource);

/* Attributes of pools, numbered as CUmemPool_attribute (CUDA documentation, Driver API, Stream Ordered Memory Allocator). Sizes
 * are in bytes; choices are 0 or 1. */
#define CUCORE_POOL_ATTRIBUTE_REUSE_FOLLOW_EVENT_DEPENDENCIES 1
#define CUCORE_POOL_ATTRIBUTE_REUSE_ALLOW_OPPORTUNISTIC 2
#define CUCORE_POOL_ATTRIBUTE_REUSE_ALLOW_INTERNAL_DEPENDENCIES 3
#define CUCORE_POOL_ATTRIBUTE_RELEASE_THRESHOLD 4
#define CUCORE_POOL_ATTRIBUTE_RESERVED_CURRENT 5
#define CUCORE_POOL_ATTRIBUTE_RESERVED_HIGH 6
#define CUCORE_POOL_ATTRIBUTE_USED_CURRENT 7
#define CUCORE_POOL_ATTRIBUTE_USED_HIGH 8

/* cucore_memory_resource_attribute stores an attribute of the resource's pool (cuMemPoolGetAttribute).
 * Fails with CUCORE_INVALID_ARGUMENT if it is no CUCORE_POOL_ATTRIBUTE_... number, CUCORE_INVALID_STATE if the resource has no
 * pool. */
CUCORE_API int32_t cucore_memory_resource_attribute(cucore_memory_resource *resource, int32_t attribute, uint64_t *value,
                                                    cucore_status **status);

/* cucore_memory_resource_set_attribute sets one: a choice or the release threshold to any value, a _HIGH mark to 0
 * (cuMemPoolSetAttribute). Fails as cucore_memory_resource_attribute, and with CUCORE_INVALID_ARGUMENT for another value or an
 * attribute that cannot be set. */
CUCORE_API int32_t cucore_memory_resource_set_attribute(cucore_memory_resource *resource, int32_t attribute, uint64_t value,
                                                        cucore_status **status);

/* cucore_memory_resource_trim gives memory that is free in the pool back to the system until no more than `keep` bytes are
 * reserved, or no more can be given (cuMemPoolTrimTo). Fails with CUCORE_INVALID_STATE if the resource has no pool. */
CUCORE_API int32_t cucore_memory_resource_trim(cucore_memory_resource *resource, size_t keep, cucore_status **status);

/* cucore_memory_resource_allocate allocates `size` bytes in the order of `stream` (cuMemAllocFromPoolAsync), aligned to at least
 * 256; the contents are unspecified. A size of 0 gives a valid empty buffer.
 * Fails with CUCORE_OUT_OF_MEMORY; CUCORE_INVALID_HANDLE if the stream is on another device than the resource;
 * CUCORE_INVALID_STATE if it is being captured. */
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

/* cucore_buffer_host_pointer gives the address by which the host uses the memory; NULL if it cannot, for an empty buffer or a bad
 * handle. Whoever reads or writes there first waits for the work on streams that uses the buffer. */
CUCORE_API void *cucore_buffer_host_pointer(const cucore_buffer *buffer);

/* cucore_buffer_device gives a new reference to the device of its resource; NULL for a bad handle. */
CUCORE_API cucore_device *cucore_buffer_device(const cucore_buffer *buffer);

/* cucore_buffer_resource gives a new reference to the resource it came from; NULL for a bad handle. */
CUCORE_API cucore_memory_resource *cucore_buffer_resource(const cucore_buffer *buffer);

/* cucore_buffer_stream gives a new reference to the deallocation stream; NULL for a bad handle. */
CUCORE_API cucore_stream *cucore_buffer_stream(const cucore_buffer *buffer);

/* cucore_buffer_note_use says that the caller is about to put work on `stream` that uses the buffer: its memory is not freed before
 * all that will be on the stream when the last reference is released. For the deallocation stream there is nothing to note.
 * Fails with CUCORE_INVALID_HANDLE if the stream is on another device; CUCORE_OUT_OF_MEMORY. */
CUCORE_API int32_t cucore_buffer_note_use(cucore_buffer *buffer, cucore_stream *stream, cucore_status **status);

/* cucore_buffer_synchronize waits until the work is done that was put so far on the deallocation stream and on every stream that
 * was noted. Fails as cucore_stream_synchronize, and with CUCORE_INVALID_STATE if one of them is being captured. */
CUCORE_API int32_t cucore_buffer_synchronize(cucore_buffer *buffer, cucore_status **status);

/* cucore_buffer_copy copies `size` bytes from one buffer to another, or within one, in the order of `stream`; it does not wait
 * (cuMemcpyAsync).
 * Fails with CUCORE_INVALID_ARGUMENT if a range lies outside its buffer or the two overlap; CUCORE_INVALID_HANDLE if the three are
 * not on one device. */
CUCORE_API int32_t cucore_buffer_copy(cucore_buffer *destination, size_t destination_offset, cucore_buffer *source,
                                      size_t source_offset, size_t size, cucore_stream *stream, cucore_status **status);

/* cucore_buffer_copy_from_host copies `size` bytes from `source`, plain host memory, to `offset` bytes into the buffer, in the
 * order of `stream`, and waits until that is done. When it returns, `source` is no longer in use, on failure too.
 * Fails with CUCORE_INVALID_ARGUMENT if the range lies outside the buffer, CUCORE_INVALID_HANDLE if the stream is on another
 * device, CUCORE_INVALID_STATE if it is being captured or in a CUDA callback, CUCORE_OUT_OF_MEMORY before anything was copied. */
CUCORE_API int32_t cucore_buffer_copy_from_host(cucore_buffer *buffer, size_t offset, const void *source, size_t size,
                                                cucore_stream *stream, cucore_status **status);

/* cucore_buffer_copy_to_host copies `size` bytes from `offset` bytes into the buffer to `destination`, plain host memory, in the
 * order of `stream`, and waits until that is done. When it returns, `destination` is no longer in use, on failure too; what it
 * then holds is unspecified. Fails as cucore_buffer_copy_from_host. */
CUCORE_API int32_t cucore_buffer_copy_to_host(cucore_buffer *buffer, size_t offset, void *destination, size_t size,
                                              cucore_stream *stream, cucore_status **status);

/* cucore_buffer_copy_from_host_unchecked puts such a copy on the stream and does not wait (cuMemcpyHtoDAsync): the caller keeps
 * `source` alive and unchanged until it is done, which nothing checks. For pinned memory that the library did not allocate.
 * Fails as cucore_buffer_copy. */
CUCORE_API int32_t cucore_buffer_copy_from_host_unchecked(cucore_buffer *buffer, size_t offset, const void *source, size_t size,
                                                          cucore_stream *stream, cucore_status **status);

/* cucore_buffer_copy_to_host_unchecked does the same in the other direction (cuMemcpyDtoHAsync): the caller keeps `destination`
 * alive and does not touch it until the copy is done. */
CUCORE_API int32_t cucore_buffer_copy_to_host_unchecked(cucore_buffer *buffer, size_t offset, void *destination, size_t size,
                                                        cucore_stream *stream, cucore_status **status);

/* cucore_buffer_fill sets `size` bytes from `offset` on to the low `pattern_size` (1, 2 or 4) bytes of `pattern`, repeated, in the
 * order of `stream`; it does not wait. `offset` and `size` are multiples of `pattern_size`.
 * Fails with CUCORE_INVALID_ARGUMENT if they are not, or if the range lies outside the buffer; CUCORE_INVALID_HANDLE if the
 * stream is on another device. */
CUCORE_API int32_t cucore_buffer_fill(cucore_buffer *buffer, size_t offset, size_t size, uint32_t pattern, uint32_t pattern_size,
                                      cucore_stream *stream, cucore_status **status);

CUCORE_END

#endif
