/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cases.h"

#include "raw_driver.h"

/* What makes a handle returns NULL on failure; only then is the status looked at. */
static int32_t code_of(const void *handle, const struct objects *objects) {
    return handle ? CUCORE_OK : cucore_status_code(objects->status);
}

static int32_t raw_event_create(struct objects *objects) {
    (void)objects;
    CUevent event = NULL;
    CUresult result = raw.cuEventCreate(&event, CU_EVENT_DISABLE_TIMING);
    return (int32_t)(result ? result : raw.cuEventDestroy(event));
}

static int32_t event_create(struct objects *objects) {
    cucore_event *event = cucore_event_create(objects->device, NULL, &objects->status);
    int32_t code = code_of(event, objects);
    cucore_event_release(event);
    return code;
}

static int32_t raw_event_record(struct objects *objects) {
    return (int32_t)raw.cuEventRecord(objects->raw_recorded, objects->raw_stream);
}

static int32_t event_record(struct objects *objects) {
    return cucore_event_record(objects->ours.recorded, objects->ours.stream, &objects->status);
}

static int32_t raw_event_query(struct objects *objects) {
    return (int32_t)raw.cuEventQuery(objects->raw_finished);
}

static int32_t event_query(struct objects *objects) {
    int32_t done = 0;
    return cucore_event_is_done(objects->ours.finished, &done, &objects->status);
}

static int32_t raw_event_synchronize(struct objects *objects) {
    return (int32_t)raw.cuEventSynchronize(objects->raw_finished);
}

static int32_t event_synchronize(struct objects *objects) {
    return cucore_event_synchronize(objects->ours.finished, &objects->status);
}

static int32_t raw_stream_create(struct objects *objects) {
    (void)objects;
    CUstream stream = NULL;
    CUresult result = raw.cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0);
    return (int32_t)(result ? result : raw.cuStreamDestroy(stream));
}

static int32_t stream_create(struct objects *objects) {
    cucore_stream *stream = cucore_stream_create(objects->device, NULL, &objects->status);
    int32_t code = code_of(stream, objects);
    cucore_stream_release(stream);
    return code;
}

static int32_t raw_pool_allocate(struct objects *objects) {
    CUdeviceptr address = 0;
    CUresult result = raw.cuMemAllocFromPoolAsync(&address, BUFFER_SIZE, objects->raw_pool, objects->raw_stream);
    return (int32_t)(result ? result : raw.cuMemFreeAsync(address, objects->raw_stream));
}

static int32_t pool_allocate(struct objects *objects) {
    cucore_buffer *buffer =
        cucore_memory_resource_allocate(objects->ours.pool, BUFFER_SIZE, objects->ours.stream, &objects->status);
    int32_t code = code_of(buffer, objects);
    cucore_buffer_release(buffer);
    return code;
}

static int32_t raw_fill(struct objects *objects) {
    return (int32_t)raw.cuMemsetD32Async(objects->raw_buffer, 1, BUFFER_SIZE / sizeof(uint32_t), objects->raw_stream);
}

static int32_t fill(struct objects *objects) {
    return cucore_buffer_fill(objects->ours.buffer, 0, BUFFER_SIZE, 1, sizeof(uint32_t), objects->ours.stream, &objects->status);
}

static int32_t raw_launch(struct objects *objects) {
    CUdeviceptr address = objects->raw_buffer;
    uint32_t value = 1;
    void *parameters[] = {&address, &value};
    const CUlaunchConfig config = {.gridDimX = 1,
                                   .gridDimY = 1,
                                   .gridDimZ = 1,
                                   .blockDimX = 1,
                                   .blockDimY = 1,
                                   .blockDimZ = 1,
                                   .hStream = objects->raw_stream};
    return (int32_t)raw.cuLaunchKernelEx(&config, objects->raw_kernel, parameters, NULL);
}

static int32_t launch(struct objects *objects) {
    const cucore_launch_options options = {.struct_size = sizeof options, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    const cucore_argument arguments[] = {{.kind = CUCORE_ARGUMENT_OBJECT, .object = objects->ours.buffer},
                                         {.kind = CUCORE_ARGUMENT_VALUE, .size = sizeof(uint32_t), .value = 1}};
    return cucore_kernel_launch(objects->kernel, objects->ours.stream, &options, arguments, 2, &objects->status);
}

const struct bench_case bench_cases[] = {
    {"event-create-destroy", raw_event_create, event_create, 60},
    {"event-record", raw_event_record, event_record, 15},
    {"event-query", raw_event_query, event_query, 0},
    {"event-synchronize", raw_event_synchronize, event_synchronize, 0},
    {"stream-create-destroy", raw_stream_create, stream_create, 150},
    {"buffer-fill", raw_fill, fill, 0},
    {"launch-two-arguments", raw_launch, launch, 60},
    {"pool-allocate-free", raw_pool_allocate, pool_allocate, 80},
};

const size_t bench_case_count = sizeof bench_cases / sizeof bench_cases[0];
