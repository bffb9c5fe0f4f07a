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

/* The buffer stays allocated, so that the pool keeps its memory when the stream is synchronised: it would else be got from the
 * system anew. */
static bool create_side(struct objects *objects, struct side *side) {
    side->stream = cucore_stream_create(objects->device, NULL, &objects->status);
    if (side->stream)
        side->recorded = cucore_event_create(objects->device, NULL, &objects->status);
    if (side->recorded)
        side->finished = cucore_event_create(objects->device, NULL, &objects->status);
    if (side->finished)
        side->pool = cucore_memory_resource_create_pool(objects->device, NULL, &objects->status);
    if (side->pool)
        side->buffer = cucore_memory_resource_allocate(side->pool, BUFFER_SIZE, side->stream, &objects->status);
    return side->buffer && !cucore_event_record(side->finished, side->stream, &objects->status) &&
           !cucore_stream_synchronize(side->stream, &objects->status);
}

static void release_side(const struct side *side) {
    cucore_buffer_release(side->buffer);
    cucore_memory_resource_release(side->pool);
    cucore_event_release(side->finished);
    cucore_event_release(side->recorded);
    cucore_stream_release(side->stream);
}

static void take_raw(struct objects *objects) {
    const struct side *side = &objects->theirs;
    objects->raw_stream = cucore_stream_raw(side->stream);
    objects->raw_recorded = cucore_event_raw(side->recorded);
    objects->raw_finished = cucore_event_raw(side->finished);
    objects->raw_pool = cucore_memory_resource_raw(side->pool);
    objects->raw_buffer = cucore_buffer_raw(side->buffer);
    objects->raw_kernel = (CUfunction)(void *)cucore_kernel_raw(objects->kernel);
}

bool objects_create(struct objects *objects) {
    if (!open_device(objects) || !create_side(objects, &objects->ours) || !create_side(objects, &objects->theirs) || !load(objects))
        return false;
    take_raw(objects);
    return true;
}

void objects_release(struct objects *objects) {
    cucore_kernel_release(objects->kernel);
    cucore_library_release(objects->library);
    release_side(&objects->theirs);
    release_side(&objects->ours);
    cucore_context_release(objects->context);
    cucore_device_release(objects->device);
    cucore_status_release(objects->status);
}
