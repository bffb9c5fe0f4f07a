/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/object.h"

#include "base/registry.h"

#include <stdio.h>

void *cucore_object_no_memory(const cucore_call *call, const cucore_class *class) {
    cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for the handle of the %s", class->name);
    return NULL;
}

void *cucore_object_list(const cucore_call *call, cucore_object *object) {
    if (cucore_live_list_add(call, object) == CUCORE_OK)
        return object;
    cucore_object_discard(object);
    return NULL;
}

void cucore_object_discard(void *object) {
    cucore_object *header = object;
    if (header->listed)
        cucore_live_list_remove(header->listed);
    *(volatile uint32_t *)&header->tag = 0; /* which the compiler would else leave out, since it knows free */
    free(header);
}

/* Of what may be a handle. */
static const char *class_name(const void *object) {
    const cucore_object *header = object;
    return header->tag == CUCORE_OBJECT_LIVE ? header->class->name : "not a handle";
}

int32_t cucore_expect_ended_process(const cucore_call *call) {
    if (cucore_process_state_now() == CUCORE_PROCESS_EXITING)
        return cucore_fail(call, CUCORE_INVALID_STATE, ": the process is exiting");
    return cucore_fail(call, CUCORE_INVALID_STATE, ": this process is a fork of one that used CUDA, which does not survive a fork");
}

int32_t cucore_expect_waitable(const cucore_call *call) {
    if (cucore_deferred_in_callback())
        return cucore_fail(call, CUCORE_INVALID_STATE, ": waiting is not allowed in a CUDA callback");
    return CUCORE_OK;
}

void cucore_refuse_handle(const cucore_call *call, const void *object, const cucore_class *class, const char *parameter) {
    if (object)
        cucore_fail(call, CUCORE_INVALID_HANDLE, ": wrong handle for %s: needs %s, got %s", parameter, class->name,
                    class_name(object));
    else
        cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is NULL", parameter);
}

void cucore_refuse_element(const cucore_call *call, const void *object, const cucore_class *class, const char *array,
                           size_t index) {
    char parameter[CUCORE_ELEMENT_NAME];
    cucore_refuse_handle(call, object, class, cucore_name_element(parameter, array, index));
}

const char *cucore_name_element(char name[CUCORE_ELEMENT_NAME], const char *array, size_t index) {
    snprintf(name, CUCORE_ELEMENT_NAME, "%s[%zu]", array, index);
    return name;
}

void *cucore_object_retain(const void *object, const cucore_class *class) {
    if (!cucore_object_is(object, class))
        return NULL;
    cucore_object *kept = (cucore_object *)(uintptr_t)object; /* the count is not part of what const promises */
    cucore_object_count(kept);
    return kept;
}

void cucore_object_finish(cucore_object *object, cucore_channel *channel) {
    if (!cucore_deferred_in_callback() && object->class->teardown(object, channel))
        cucore_object_discard(object);
    else
        cucore_deferred_add(object);
}

/* Whether this was the last reference. */
static inline bool give_up(cucore_object *object) {
    if (!cucore_references_drop(&object->references))
        return false;
    if (object->class->registered && cucore_registry_has((cucore_registered *)object) && !cucore_registry_drop(object))
        return false;
    atomic_store_explicit(&object->references, 0, memory_order_relaxed);
    return true;
}

void cucore_object_drop(void *object, cucore_channel *channel) {
    if (object && give_up(object))
        cucore_object_finish(object, channel);
}

/* In a forked child and once the process is ending the driver is out of bounds, so the object is left to the process's end. */
void cucore_object_release(void *object, const cucore_class *class) {
    cucore_channel warnings = {.returns = false};
    if (cucore_process_state_now() == CUCORE_PROCESS_RUNNING && cucore_object_is(object, class) && give_up(object))
        cucore_object_finish(object, &warnings);
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
    bool last = give_up(object);
    if (last)
        cucore_object_finish(object, &channel);
    if (destroyed)
        *destroyed = last;
    return channel.status ? cucore_fail_with(call, channel.status) : CUCORE_OK;
}
