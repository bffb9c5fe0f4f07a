/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "recorder.h"

#include "fault.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* Guarded by the mutex. */
static int started; /* the environment was read */
static int version_major;
static int version_minor;
static void *real_library; /* never closed: handles of it may be alive */
static char *options_text;
static char *violation_text;
static uint64_t violation_count;
static struct handle *handles;

static void set_text(char **text, char *replacement) {
    free(*text);
    *text = replacement;
}

static int start_forwarding(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library || !take_real(library, path))
        return 0;
    real_library = library;
    return 1;
}

/* Who asks for forwarding and does not get it would test something else. */
static void start(void) {
    const char *version = getenv(CUSIM_VARIABLES "VERSION");
    const char *path = getenv(CUSIM_VARIABLES "FORWARD");
    started = 1;
    version_major = 13; /* as the simulated driver's */
    version_minor = 0;
    if (version && sscanf(version, "%d.%d", &version_major, &version_minor) != 2) { // NOLINT(cert-err34-c): two small numbers
        fprintf(stderr, "cusim: " CUSIM_VARIABLES "VERSION is %s, not of the form 13.0\n", version);
        abort();
    }
    if (path && *path && !start_forwarding(path)) {
        fprintf(stderr, "cusim: cannot forward to %s: %s\n", path, dlerror());
        abort();
    }
}

static void lock(void) {
    pthread_mutex_lock(&mutex);
    if (!started)
        start();
}

static void unlock(void) {
    pthread_mutex_unlock(&mutex);
}

int call_begin(struct function *function) {
    lock();
    function->calls++;
    return fault_before(function->name);
}

int call_end(const struct function *function, int result) {
    result = fault_after(function->name, result);
    unlock();
    return result;
}

void call_pause(void) {
    unlock();
}

void call_resume(void) {
    lock();
}

void handle_add(struct handle *handle) {
    handle->next = handles;
    handles = handle;
}

void handle_remove(struct handle *handle) {
    struct handle **place = &handles;
    while (*place != handle)
        place = &(*place)->next;
    *place = handle->next;
}

void violate(const char *format, ...) {
    va_list arguments;
    char *longer = NULL;
    size_t size = 0;
    violation_count++;
    FILE *file = open_memstream(&longer, &size);
    if (!file)
        return;
    fputs(violation_text ? violation_text : "", file);
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
    fclose(file);
    set_text(&violation_text, longer);
}

int handle_is_live(const void *raw, const char *noun) {
    for (const struct handle *handle = handles; handle; handle = handle->next)
        if (handle == raw)
            return 1;
    if (raw)
        violate("%p is no live %s", raw, noun);
    return 0;
}

int is_forwarding(void) {
    return real_library != NULL;
}

void record_options(size_t count, const char *const *options) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return;
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s\n", options[i]);
    fclose(file);
    set_text(&options_text, text);
}

void get_version(int *major, int *minor) {
    *major = version_major;
    *minor = version_minor;
}

void CONTROL(reset)(void) {
    lock();
    fault_disarm_all();
    for (size_t i = 0; i < function_count; i++)
        functions[i].calls = 0;
    set_text(&options_text, NULL);
    set_text(&violation_text, NULL);
    violation_count = 0;
    real_library = NULL;
    start();
    unlock();
}

void CONTROL(set_version)(int major, int minor) {
    lock();
    version_major = major;
    version_minor = minor;
    unlock();
}

int CONTROL(forward)(const char *path) {
    lock();
    real_library = NULL;
    int done = !path || start_forwarding(path);
    unlock();
    return done;
}

void CONTROL(fail)(const char *function, uint64_t nth, int result, int sticky) {
    lock();
    fault_arm(function, nth, result, sticky, 0);
    unlock();
}

void CONTROL(fail_after)(const char *function, uint64_t nth, int result, int sticky) {
    lock();
    fault_arm(function, nth, result, sticky, 1);
    unlock();
}

void CONTROL(fail_nothing)(void) {
    lock();
    fault_disarm_all();
    unlock();
}

uint64_t CONTROL(failures_injected)(void) {
    lock();
    uint64_t count = fault_count();
    unlock();
    return count;
}

const char *CONTROL(failed_call)(uint64_t index) {
    lock();
    const char *name = fault_name(index);
    unlock();
    return name;
}

uint64_t CONTROL(call_count)(const char *function) {
    uint64_t count = 0;
    lock();
    for (size_t i = 0; i < function_count; i++)
        if (!function || strcmp(functions[i].name, function) == 0)
            count += functions[i].calls;
    unlock();
    return count;
}

static size_t copy(char *out, size_t size, const char *text) {
    return (size_t)snprintf(out, size, "%s", text ? text : "");
}

size_t CONTROL(options)(char *text, size_t size) {
    lock();
    size_t length = copy(text, size, options_text);
    unlock();
    return length;
}

size_t CONTROL(live_count)(void) {
    size_t count = 0;
    lock();
    for (const struct handle *handle = handles; handle; handle = handle->next)
        count++;
    unlock();
    return count;
}

uint64_t CONTROL(violations)(void) {
    lock();
    uint64_t count = violation_count;
    unlock();
    return count;
}

size_t CONTROL(violation_list)(char *text, size_t size) {
    lock();
    size_t length = copy(text, size, violation_text);
    unlock();
    return length;
}
