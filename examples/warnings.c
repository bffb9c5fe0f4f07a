/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A test program that fails if any destruction failed, or any handle is left. */
#include <cucore_v1/cucore.h>
#include <stdatomic.h>
#include <stdio.h>

/* On the thread that met the failure, maybe on several at once. */
static int32_t count_warning(const cucore_status *warning, void *count) {
    fprintf(stderr, "warning: %s\n", cucore_status_message(warning, NULL));
    atomic_fetch_add((_Atomic unsigned int *)count, 1);
    return 0; /* delivered */
}

static int test_events(void) {
    cucore_device *device = cucore_device_open(0, NULL);
    cucore_event *event = cucore_event_create(device, NULL, NULL);
    int made = event != NULL;
    cucore_event_release(event);
    cucore_device_release(device);
    return made;
}

int main(void) {
    static _Atomic unsigned int warnings;
    cucore_live_list_enable();
    cucore_warning_sink *sink = cucore_warning_sink_register(count_warning, &warnings, NULL, NULL);
    int passed = sink && test_events();

    cucore_deferred_drain(NULL); /* what was released in CUDA callbacks */
    cucore_live_list *alive = cucore_live_list_create(NULL);
    if (!alive || cucore_live_list_count(alive) > 0) {
        fprintf(stderr, "alive:\n%s", alive ? cucore_live_list_text(alive, NULL) : "unknown\n");
        passed = 0;
    }
    cucore_live_list_release(alive);
    cucore_warning_sink_release(sink); /* after this no call of count_warning is under way */
    return passed && !atomic_load(&warnings) ? 0 : 1;
}
