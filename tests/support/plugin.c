/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A plugin that uses the library: one build has the shared library beside it, another a static copy inside. */
#include <cucore_v1/cucore.h>

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
int plugin_use(void);

static int32_t keep_quiet(const cucore_status *warning, void *user_data) {
    (void)warning;
    (void)user_data;
    return 0;
}

static int use_device(cucore_device *device) {
    cucore_stream *stream = cucore_stream_create(device, NULL, NULL);
    cucore_memory_resource *pool = cucore_memory_resource_device_pool(device, NULL);
    cucore_buffer *buffer = cucore_memory_resource_allocate(pool, 64, stream, NULL);
    int failed = cucore_buffer_fill(buffer, 0, 64, 0, 1, stream, NULL) || cucore_stream_synchronize(stream, NULL);
    cucore_buffer_release(buffer);
    cucore_memory_resource_release(pool);
    cucore_stream_release(stream);
    return failed;
}

/* Does a bit of everything that leaves something in the process: a sink, the driver, the library's thread. Returns 0 if it
 * worked. */
int plugin_use(void) {
    cucore_warning_sink *sink = cucore_warning_sink_register(keep_quiet, NULL, NULL, NULL);
    cucore_device *device = cucore_device_open(0, NULL);
    int failed = !sink || !device || use_device(device) || cucore_callback_enter(NULL);
    cucore_callback_leave();
    failed = cucore_deferred_drain(NULL) || failed;
    cucore_device_release(device);
    cucore_warning_sink_release(sink);
    return failed;
}
