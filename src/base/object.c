/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/object.h"

#include "base/deferred.h"
#include "base/process.h"
#include "base/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t live = 0x65726f63; /* "core" in memory */

/* Not calloc, which in glibc before 2.41 passes by the thread's cache and takes several times as long. */
void *cucore_object_allocate(const cucore_call *call, const cucore_class *class, size_t size) {
    cucore_object *object = malloc(size);
    if (!object) {
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for the handle of the %s", class->name);
        return NULL;
    }
    memset(object, 0, size);
    object->tag = live;
    object->class = class;
    atomic_init(&object->references, 1);
    return object;
}

void cucore_object_discard(void *object) {
    ((cucore_object *)object)->tag = 0;
    free(object);
}

bool cucore_object_is(const void *object, const cucore_class *class) {
    const cucore_object *header = object;
    return header && header->tag == live && header->class == class;
}

const char *cucore_object_class_name(const void *object) {
    const cucore_object *header = object;
    if (!header)
        return "NULL";
    return header->tag == live ? header->class->name : "not a handle";
}

int32_t cucore_expect_process(const cucore_call *call) {
    switch (cucore_process_state_now()) {
    case CUCORE_PROCESS_EXITING:
        return cucore_fail(call, CUCORE_INVALID_STATE, ": the process is exiting");
    case CUCORE_PROCESS_FORKED:
        return cucore_fail(call, CUCORE_INVALID_STATE,
                           ": this process is a fork of one that used CUDA, which does not survive a fork");
    case CUCORE_PROCESS_RUNNING:
        break;
    }
    cucore_deferred_revive();
    return CUCORE_OK;
}

int32_t cucore_expect_waitable(const cucore_call *call) {
    if (cucore_deferred_in_callback())
        return cucore_fail(call, CUCORE_INVALID_STATE, ": waiting is not allowed in a CUDA callback");
    return CUCORE_OK;
}

static int32_t bad_handle(const cucore_call *call, const void *object, const cucore_class *class, const char *parameter) {
    if (!object)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is NULL", parameter);
    return cucore_fail(call, CUCORE_INVALID_HANDLE, ": wrong handle for %s: needs %s, got %s", parameter, class->name,
                       cucore_object_class_name(object));
}

int32_t cucore_expect(const cucore_call *call, const void *object, const cucore_class *class, const char *parameter) {
    if (!cucore_object_is(object, class))
        return bad_handle(call, object, class, parameter);
    return cucore_expect_process(call);
}

int32_t cucore_expect_element(const cucore_call *call, const void *object, const cucore_class *class, const char *array,
                              size_t index) {
    char parameter[CUCORE_ELEMENT_NAME];
    if (cucore_object_is(object, class))
        return cucore_expect_process(call);
    return bad_handle(call, object, class, cucore_name_element(parameter, array, index));
}

const char *cucore_name_element(char name[CUCORE_ELEMENT_NAME], const char *array, size_t index) {
    snprintf(name, CUCORE_ELEMENT_NAME, "%s[%zu]", array, index);
    return name;
}

void *cucore_object_retain(const void *object, const cucore_class *class) {
    if (!cucore_object_is(object, class))
        return NULL;
    cucore_object *kept = (cucore_object *)(uintptr_t)object; /* the count is not part of what const promises */
    atomic_fetch_add_explicit(&kept->references, 1, memory_order_relaxed);
    return kept;
}

void cucore_object_finish(cucore_object *object, cucore_channel *channel) {
    if (!cucore_deferred_in_callback() && object->class->teardown(object, channel))
        cucore_object_discard(object);
    else
        cucore_deferred_add(object);
}

/* Whether this was the last reference; then the object is gone. */
static bool give_up(cucore_object *object, cucore_channel *channel) {
    bool last = object->class->registered ? cucore_registry_drop(object)
                                          : atomic_fetch_sub_explicit(&object->references, 1, memory_order_acq_rel) == 1;
    if (last)
        cucore_object_finish(object, channel);
    return last;
}

void cucore_object_drop(void *object, cucore_channel *channel) {
    if (object)
        give_up(object, channel);
}

/* In a forked child and once the process is ending the driver is out of bounds, so the object is left to the process's end. */
void cucore_object_release(void *object, const cucore_class *class) {
    cucore_channel warnings = {.returns = false};
    if (cucore_process_state_now() == CUCORE_PROCESS_RUNNING && cucore_object_is(object, class))
        give_up(object, &warnings);
}

int32_t cucore_object_close(const cucore_call *call, void *object, const cucore_class *class, int32_t *destroyed) {
    if (destroyed)
        *destroyed = 0;
    if (cucore_process_state_now() == CUCORE_PROCESS_EXITING && cucore_object_is(object, class))
        return CUCORE_OK;
    int32_t code = cucore_expect(call, object, class, class->name);
    if (code)
        return code;
    cucore_channel channel = {.returns = true};
    bool last = give_up(object, &channel);
    if (destroyed)
        *destroyed = last;
    return channel.status ? cucore_fail_with(call, channel.status) : CUCORE_OK;
}
