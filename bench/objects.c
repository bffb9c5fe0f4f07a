/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "objects.h"

#include <string.h>

static const char nothing[] = ".version 7.0\n.target sm_52\n.address_size 64\n"
                              ".visible .entry nothing(.param .u64 address, .param .u32 value)\n{\n    ret;\n}\n";

static bool load(struct objects *objects) {
    cucore_object_code *code =
        cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, nothing, strlen(nothing), "nothing", 7, &objects->status);
    if (code)
        objects->library = cucore_library_load(objects->device, code, &objects->status);
    cucore_object_code_release(code);
    if (objects->library)
        objects->kernel = cucore_library_kernel(objects->library, "nothing", 7, &objects->status);
    return objects->kernel != NULL;
}

static bool open_device(struct objects *objects) {
    objects->device = cucore_device_open(0, &objects->status);
    if (objects->device)
        objects->context = cucore_device_context(objects->device, &objects->status);
    return objects->context && !cucore_context_set_current(objects->context, NULL, &objects->status);
}

/* The buffer stays allocated, so that the pool keeps its memory when a stream is synchronised between the batches: a batch would
 * else begin with getting it from the system anew. */
static bool create_work(struct objects *objects) {
    objects->stream = cucore_stream_create(objects->device, NULL, &objects->status);
    if (objects->stream)
        objects->recorded = cucore_event_create(objects->device, NULL, &objects->status);
    if (objects->recorded)
        objects->finished = cucore_event_create(objects->device, NULL, &objects->status);
    if (objects->finished)
        objects->pool = cucore_memory_resource_device_pool(objects->device, &objects->status);
    if (objects->pool)
        objects->buffer = cucore_memory_resource_allocate(objects->pool, BUFFER_SIZE, objects->stream, &objects->status);
    return objects->buffer && !cucore_event_record(objects->finished, objects->stream, &objects->status) &&
           !cucore_stream_synchronize(objects->stream, &objects->status);
}

static void take_raw(struct objects *objects) {
    objects->raw_stream = cucore_stream_raw(objects->stream);
    objects->raw_recorded = cucore_event_raw(objects->recorded);
    objects->raw_finished = cucore_event_raw(objects->finished);
    objects->raw_pool = cucore_memory_resource_raw(objects->pool);
    objects->raw_buffer = cucore_buffer_raw(objects->buffer);
    objects->raw_kernel = (CUfunction)(void *)cucore_kernel_raw(objects->kernel);
}

bool objects_create(struct objects *objects) {
    if (!open_device(objects) || !create_work(objects) || !load(objects))
        return false;
    take_raw(objects);
    return true;
}

void objects_release(struct objects *objects) {
    cucore_kernel_release(objects->kernel);
    cucore_library_release(objects->library);
    cucore_buffer_release(objects->buffer);
    cucore_memory_resource_release(objects->pool);
    cucore_event_release(objects->finished);
    cucore_event_release(objects->recorded);
    cucore_stream_release(objects->stream);
    cucore_context_release(objects->context);
    cucore_device_release(objects->device);
    cucore_status_release(objects->status);
}
