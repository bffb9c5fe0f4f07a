/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* Copies and fills. Host memory is read and written when the stream gets there, as late as the real driver might. */

#include "allocation.h"
#include "call.h"
#include "context.h"
#include "memory.h"
#include "stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One side of a copy: device memory if `device`, else host memory. */
struct side {
    int device;
    CUdeviceptr address;
};

struct copy_work {
    struct work work;
    struct side destination;
    struct side source;
    size_t size;
};

/* What is filled: rows of values. */
struct area {
    CUdeviceptr address;
    size_t unit;   /* the bytes of a value */
    size_t width;  /* the values of a row */
    size_t pitch;  /* the bytes from one row to the next */
    size_t height; /* how many rows */
};

struct fill_work {
    struct work work;
    struct area area;
    unsigned int value;
};

static struct side on_device(CUdeviceptr address) {
    return (struct side){1, address};
}

static struct side on_host(const void *address) {
    return (struct side){0, (uintptr_t)address};
}

static struct side anywhere(CUdeviceptr address) {
    return (struct side){memory_is_known(address), address};
}

static void free_work(struct work *work) {
    free(work);
}

/* Memory that was live when the work was put in may be freed by now: on a real device that is a fault at best. */
static void *bytes_or_fault(CUdeviceptr address, size_t size, struct stream *stream) {
    void *bytes = memory_bytes(address, size);
    if (!bytes) {
        char text[128];
        snprintf(text, sizeof(text), "%zu bytes at 0x%llx were freed before the stream got to use them", size, address);
        context_set_fault(stream->object.context, violation(CUDA_ERROR_ILLEGAL_ADDRESS, "%s", text), text);
    }
    return bytes;
}

static void *side_bytes(const struct side *side, size_t size, struct stream *stream) {
    return side->device ? bytes_or_fault(side->address, size, stream) : (void *)(uintptr_t)side->address;
}

static void run_copy(struct work *work, struct stream *stream) {
    const struct copy_work *copy = (const struct copy_work *)work;
    void *destination = side_bytes(&copy->destination, copy->size, stream);
    const void *source = side_bytes(&copy->source, copy->size, stream);
    if (!destination || !source)
        return;
    memmove(destination, source, copy->size);
    if (copy->destination.device)
        allocation_note_written(copy->destination.address, copy->source.device ? copy->source.address : 0, copy->size);
}

static CUresult check_side(const struct side *side, size_t size) {
    if (side->device)
        return memory_check(side->address, size);
    return side->address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static int touches(const struct side *side, size_t side_size, uint64_t address, size_t size) {
    return side->address < address + size && address < side->address + side_size;
}

static int copy_uses(const struct work *work, uint64_t address, size_t size) {
    const struct copy_work *copy = (const struct copy_work *)work;
    return touches(&copy->destination, copy->size, address, size) || touches(&copy->source, copy->size, address, size);
}

static CUresult put_copy(struct side destination, struct side source, size_t size, struct stream *stream) {
    if (size == 0)
        return CUDA_SUCCESS;
    CUresult result = check_side(&destination, size);
    if (result == CUDA_SUCCESS)
        result = check_side(&source, size);
    if (result != CUDA_SUCCESS)
        return result;
    struct copy_work *copy = calloc(1, sizeof(*copy));
    if (!copy)
        return CUDA_ERROR_OUT_OF_MEMORY;
    copy->work = (struct work){.node_type = CU_GRAPH_NODE_TYPE_MEMCPY, .run = run_copy, .drop = free_work, .uses = copy_uses};
    copy->destination = destination;
    copy->source = source;
    copy->size = size;
    stream_put(stream, &copy->work);
    return CUDA_SUCCESS;
}

static CUresult copy_async(struct side destination, struct side source, size_t size, CUstream stream) {
    struct stream *on = NULL;
    CUresult result = context_allows_copies();
    if (result == CUDA_SUCCESS)
        result = stream_find_to_use(stream, &on);
    return result == CUDA_SUCCESS ? put_copy(destination, source, size, on) : result;
}

static CUresult copy_and_wait(struct side destination, struct side source, size_t size) {
    struct stream *on = NULL;
    CUresult result = stream_find_to_use(CU_STREAM_LEGACY, &on);
    if (result == CUDA_SUCCESS)
        result = put_copy(destination, source, size, on);
    return result == CUDA_SUCCESS ? stream_wait(on) : result;
}

CUresult sim_cuMemcpy(CUdeviceptr destination, CUdeviceptr source, size_t size) {
    return copy_and_wait(anywhere(destination), anywhere(source), size);
}

CUresult sim_cuMemcpyHtoD_v2(CUdeviceptr destination, const void *source, size_t size) {
    return copy_and_wait(on_device(destination), on_host(source), size);
}

CUresult sim_cuMemcpyDtoH_v2(void *destination, CUdeviceptr source, size_t size) {
    return copy_and_wait(on_host(destination), on_device(source), size);
}

CUresult sim_cuMemcpyDtoD_v2(CUdeviceptr destination, CUdeviceptr source, size_t size) {
    return copy_and_wait(on_device(destination), on_device(source), size);
}

CUresult sim_cuMemcpyAsync(CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream) {
    return copy_async(anywhere(destination), anywhere(source), size, stream);
}

CUresult sim_cuMemcpyHtoDAsync_v2(CUdeviceptr destination, const void *source, size_t size, CUstream stream) {
    return copy_async(on_device(destination), on_host(source), size, stream);
}

CUresult sim_cuMemcpyDtoHAsync_v2(void *destination, CUdeviceptr source, size_t size, CUstream stream) {
    return copy_async(on_host(destination), on_device(source), size, stream);
}

CUresult sim_cuMemcpyDtoDAsync_v2(CUdeviceptr destination, CUdeviceptr source, size_t size, CUstream stream) {
    return copy_async(on_device(destination), on_device(source), size, stream);
}

static CUresult check_contexts(CUcontext to, CUcontext from) {
    struct context *found = NULL;
    CUresult result = object_find(OBJECT_CONTEXT, to, &found);
    if (result == CUDA_SUCCESS)
        result = context_check(found);
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_CONTEXT, from, &found);
    return result == CUDA_SUCCESS ? context_check(found) : result;
}

/* Device addresses say whose memory they are, so that the contexts need only be alive. */
CUresult sim_cuMemcpyPeer(CUdeviceptr destination, CUcontext to, CUdeviceptr source, CUcontext from, size_t size) {
    CUresult result = check_contexts(to, from);
    return result == CUDA_SUCCESS ? sim_cuMemcpyDtoD_v2(destination, source, size) : result;
}

CUresult sim_cuMemcpyPeerAsync(CUdeviceptr destination, CUcontext to, CUdeviceptr source, CUcontext from, size_t size,
                               CUstream stream) {
    CUresult result = check_contexts(to, from);
    return result == CUDA_SUCCESS ? sim_cuMemcpyDtoDAsync_v2(destination, source, size, stream) : result;
}

/* The bytes from the first to the last value of an area that is not empty; 0 if they are too many to count. */
static size_t area_span(const struct area *area) {
    if (area->width > SIZE_MAX / area->unit)
        return 0;
    size_t row = area->width * area->unit;
    if (area->height > 1 && area->pitch > (SIZE_MAX - row) / (area->height - 1))
        return 0;
    return area->pitch * (area->height - 1) + row;
}

static int fill_uses(const struct work *work, uint64_t address, size_t size) {
    const struct fill_work *fill = (const struct fill_work *)work;
    const struct side filled = on_device(fill->area.address);
    return touches(&filled, area_span(&fill->area), address, size);
}

static void fill_row(unsigned char *row, const struct fill_work *fill) {
    size_t unit = fill->area.unit;
    for (size_t i = 0; i < fill->area.width; i++)
        memcpy(row + i * unit, &fill->value, unit); /* the low bytes: the machine is little-endian, as GPUs are */
}

static void run_fill(struct work *work, struct stream *stream) {
    const struct fill_work *fill = (const struct fill_work *)work;
    unsigned char *bytes = bytes_or_fault(fill->area.address, area_span(&fill->area), stream);
    for (size_t i = 0; bytes && i < fill->area.height; i++) {
        fill_row(bytes + i * fill->area.pitch, fill);
        allocation_note_written(fill->area.address + i * fill->area.pitch, 0, fill->area.width * fill->area.unit);
    }
}

static CUresult check_area(const struct area *area) {
    if (area->address % area->unit != 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "0x%llx is not aligned to the %zu bytes of a value", area->address, area->unit);
    if (area->height > 1 && (area->pitch % area->unit != 0 || area->pitch / area->unit < area->width))
        return refuse(CUDA_ERROR_INVALID_VALUE, "Rows of %zu values of %zu bytes cannot be %zu bytes apart", area->width,
                      area->unit, area->pitch);
    size_t span = area_span(area);
    return span ? memory_check(area->address, span) : CUDA_ERROR_INVALID_VALUE;
}

static CUresult put_fill(const struct area *area, unsigned int value, struct stream *stream) {
    if (area->width == 0 || area->height == 0)
        return CUDA_SUCCESS;
    CUresult result = check_area(area);
    if (result != CUDA_SUCCESS)
        return result;
    struct fill_work *fill = calloc(1, sizeof(*fill));
    if (!fill)
        return CUDA_ERROR_OUT_OF_MEMORY;
    fill->work = (struct work){.node_type = CU_GRAPH_NODE_TYPE_MEMSET, .run = run_fill, .drop = free_work, .uses = fill_uses};
    fill->area = *area;
    fill->value = value;
    stream_put(stream, &fill->work);
    return CUDA_SUCCESS;
}

static CUresult fill_async(const struct area *area, unsigned int value, CUstream stream) {
    struct stream *on = NULL;
    CUresult result = stream_find_to_use(stream, &on);
    return result == CUDA_SUCCESS ? put_fill(area, value, on) : result;
}

static CUresult fill_and_wait(const struct area *area, unsigned int value) {
    struct stream *on = NULL;
    CUresult result = stream_find_to_use(CU_STREAM_LEGACY, &on);
    if (result == CUDA_SUCCESS)
        result = put_fill(area, value, on);
    return result == CUDA_SUCCESS ? stream_wait(on) : result;
}

static struct area one_row(CUdeviceptr address, size_t unit, size_t count) {
    return (struct area){.address = address, .unit = unit, .width = count, .height = 1};
}

CUresult sim_cuMemsetD8_v2(CUdeviceptr destination, unsigned char value, size_t count) {
    const struct area area = one_row(destination, sizeof(value), count);
    return fill_and_wait(&area, value);
}

CUresult sim_cuMemsetD8Async(CUdeviceptr destination, unsigned char value, size_t count, CUstream stream) {
    const struct area area = one_row(destination, sizeof(value), count);
    return fill_async(&area, value, stream);
}

CUresult sim_cuMemsetD2D8_v2(CUdeviceptr destination, size_t pitch, unsigned char value, size_t width, size_t height) {
    const struct area area = {destination, sizeof(value), width, pitch, height};
    return fill_and_wait(&area, value);
}

CUresult sim_cuMemsetD2D8Async(CUdeviceptr destination, size_t pitch, unsigned char value, size_t width, size_t height,
                               CUstream stream) {
    const struct area area = {destination, sizeof(value), width, pitch, height};
    return fill_async(&area, value, stream);
}

CUresult sim_cuMemsetD16_v2(CUdeviceptr destination, unsigned short value, size_t count) {
    const struct area area = one_row(destination, sizeof(value), count);
    return fill_and_wait(&area, value);
}

CUresult sim_cuMemsetD16Async(CUdeviceptr destination, unsigned short value, size_t count, CUstream stream) {
    const struct area area = one_row(destination, sizeof(value), count);
    return fill_async(&area, value, stream);
}

CUresult sim_cuMemsetD2D16_v2(CUdeviceptr destination, size_t pitch, unsigned short value, size_t width, size_t height) {
    const struct area area = {destination, sizeof(value), width, pitch, height};
    return fill_and_wait(&area, value);
}

CUresult sim_cuMemsetD2D16Async(CUdeviceptr destination, size_t pitch, unsigned short value, size_t width, size_t height,
                                CUstream stream) {
    const struct area area = {destination, sizeof(value), width, pitch, height};
    return fill_async(&area, value, stream);
}

CUresult sim_cuMemsetD32_v2(CUdeviceptr destination, unsigned int value, size_t count) {
    const struct area area = one_row(destination, sizeof(value), count);
    return fill_and_wait(&area, value);
}

CUresult sim_cuMemsetD32Async(CUdeviceptr destination, unsigned int value, size_t count, CUstream stream) {
    const struct area area = one_row(destination, sizeof(value), count);
    return fill_async(&area, value, stream);
}

CUresult sim_cuMemsetD2D32_v2(CUdeviceptr destination, size_t pitch, unsigned int value, size_t width, size_t height) {
    const struct area area = {destination, sizeof(value), width, pitch, height};
    return fill_and_wait(&area, value);
}

CUresult sim_cuMemsetD2D32Async(CUdeviceptr destination, size_t pitch, unsigned int value, size_t width, size_t height,
                                CUstream stream) {
    const struct area area = {destination, sizeof(value), width, pitch, height};
    return fill_async(&area, value, stream);
}
