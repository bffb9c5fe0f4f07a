/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Opens the library itself by its file, knows nothing of it at link time, and closes it while something of it is left:
 * `test_reopen <libcucore.so.1> nothing|handles|thread|exit`. Then opens it again. Prints what it found, one fact a line. */
#define _GNU_SOURCE
#include <cucore_v1/cucore.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUNCTIONS(X) \
    X(cucore_version_text) \
    X(cucore_device_open) \
    X(cucore_device_release) \
    X(cucore_stream_create) \
    X(cucore_stream_synchronize) \
    X(cucore_stream_close) \
    X(cucore_stream_release) \
    X(cucore_warning_sink_register) \
    X(cucore_warning_sink_release) \
    X(cucore_callback_enter) \
    X(cucore_callback_leave) \
    X(cucore_deferred_drain)

static struct functions {
#define X(name) __typeof__(&name) name;
    FUNCTIONS(X)
#undef X
} library;

static void *open_library(const char *path) {
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    memset(&library, 0, sizeof library);
    if (!opened) {
        printf("open: %s\n", dlerror());
        exit(3);
    }
#define X(name) *(void **)&library.name = dlsym(opened, #name);
    FUNCTIONS(X)
#undef X
    return opened;
}

static void close_library(void *opened) {
    if (dlclose(opened))
        printf("close: %s\n", dlerror());
    memset(&library, 0, sizeof library); /* whoever calls one of them now crashes */
}

static int32_t count_warning(const cucore_status *warning, void *count) {
    (void)warning;
    ++*(int *)count;
    return 0;
}

/* The library is opened and closed before it was used for anything. */
static void close_unused(const char *path) {
    for (int round = 0; round < 20; round++) {
        void *opened = open_library(path);
        if (!library.cucore_version_text()[0])
            printf("no version\n");
        close_library(opened);
    }
}

/* Handles and a sink are alive while it is closed, and are used and given up with the functions of the library opened then. */
static void close_with_handles(const char *path) {
    int warnings = 0;
    void *opened = open_library(path);
    cucore_warning_sink *sink = library.cucore_warning_sink_register(count_warning, &warnings, NULL, NULL);
    cucore_device *device = library.cucore_device_open(0, NULL);
    cucore_stream *stream = library.cucore_stream_create(device, NULL, NULL);
    close_library(opened);
    opened = open_library(path);
    printf("synchronize: %d\n", library.cucore_stream_synchronize(stream, NULL));
    printf("close: %d\n", library.cucore_stream_close(stream, NULL, NULL));
    library.cucore_device_release(device);
    library.cucore_warning_sink_release(sink);
    printf("warnings: %d\n", warnings);
    close_library(opened);
}

/* Its thread is started, and has work, while it is closed. */
static void close_with_thread(const char *path) {
    for (int round = 0; round < 20; round++) {
        void *opened = open_library(path);
        cucore_device *device = library.cucore_device_open(0, NULL);
        cucore_stream *stream = library.cucore_stream_create(device, NULL, NULL);
        library.cucore_callback_enter(NULL);
        library.cucore_stream_release(stream); /* left to the thread */
        library.cucore_device_release(device);
        library.cucore_callback_leave();
        close_library(opened);
        usleep(1000);
    }
    void *opened = open_library(path);
    printf("drain: %d\n", library.cucore_deferred_drain(NULL));
    close_library(opened);
}

/* The process ends after it was closed with everything alive. */
static void end_after_close(const char *path) {
    static int warnings;
    static cucore_stream *volatile alive; /* where LeakSanitizer finds it */
    void *opened = open_library(path);
    cucore_device *device = library.cucore_device_open(0, NULL);
    library.cucore_warning_sink_register(count_warning, &warnings, NULL, NULL);
    alive = library.cucore_stream_create(device, NULL, NULL);
    library.cucore_callback_enter(NULL);
    library.cucore_callback_leave();
    close_library(opened);
    exit(alive ? 42 : 1);
}

int main(int count, char **arguments) {
    static const struct state {
        const char *name;
        void (*run)(const char *path);
    } states[] = {
        {"nothing", close_unused}, {"handles", close_with_handles}, {"thread", close_with_thread}, {"exit", end_after_close}};
    for (size_t i = 0; count == 3 && i < sizeof states / sizeof states[0]; i++) {
        if (strcmp(arguments[2], states[i].name) == 0) {
            states[i].run(arguments[1]);
            printf("done\n");
            return 0;
        }
    }
    return 2;
}
