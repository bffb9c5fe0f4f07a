/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_OBJECT_H
#define CUCORE_BASE_OBJECT_H

/* What all handles have in common: a type, a count of references, and one way to end. A handle is one allocation, made before the
 * driver is called, so that running out of memory never leaves a driver resource without an owner. */

#include "base/channel.h"
#include "base/deferred.h"
#include "base/live_list.h"
#include "base/process.h"
#include "base/references.h"

#include <stdlib.h>
#include <string.h>

typedef struct cucore_object cucore_object;

typedef struct cucore_class {
    const char *name; /* as messages say it: "stream" */
    /* Destroys what the object owns and lets go of what it depends on, itself first; the memory stays. Returns false if that
     * must wait: then nothing was done, and the library's thread tries again later (deferred.h). */
    bool (*teardown)(void *object, cucore_channel *channel);
    bool registered; /* its objects are cucore_registered (registry.h) */
} cucore_class;

enum { CUCORE_OBJECT_LIVE = 0x65726f63 }; /* "core" in memory */

/* The first member of every handle. */
struct cucore_object {
    uint32_t tag; /* CUCORE_OBJECT_LIVE tells a handle from other memory; 0 when it is freed. A help, not a promise. */
    _Atomic uint32_t references;
    const cucore_class *class;
    cucore_object *next;       /* among those that wait for the library's thread */
    cucore_live_entry *listed; /* NULL unless live objects are listed */
};

/* cucore_object_allocate gives a zeroed object of `size` bytes with one reference; NULL, and the call failed, with no memory.
 * Inline, since most sizes are constants. Not calloc, which in glibc before 2.41 passes by the thread's cache and takes several
 * times as long. */
void *cucore_object_no_memory(const cucore_call *call, const cucore_class *class) CUCORE_RARE;
void *cucore_object_list(const cucore_call *call, cucore_object *object) CUCORE_RARE;
static inline void *cucore_object_allocate(const cucore_call *call, const cucore_class *class, size_t size) {
    cucore_object *object = malloc(size);
    if (!object)
        return cucore_object_no_memory(call, class);
    *object = (cucore_object){.tag = CUCORE_OBJECT_LIVE, .references = 1, .class = class};
    memset(object + 1, 0, size - sizeof *object);
    if (atomic_load_explicit(&cucore_live_list_enabled, memory_order_relaxed))
        return cucore_object_list(call, object);
    return object;
}

/* cucore_object_discard frees an object that did not come to own anything. */
void cucore_object_discard(void *object);

/* cucore_object_is tells whether `object` is a handle of this class. */
static inline bool cucore_object_is(const void *object, const cucore_class *class) {
    const cucore_object *header = object;
    return header && header->tag == CUCORE_OBJECT_LIVE && header->class == class;
}

/* The checks of handles, which fail the call with a message that names the parameter and the rule. */

/* cucore_expect_process: neither a forked child nor a process at its end. For functions that take no handle. */
int32_t cucore_expect_ended_process(const cucore_call *call) CUCORE_RARE;
static inline int32_t cucore_expect_process(const cucore_call *call) {
    if (cucore_process_state_now() != CUCORE_PROCESS_RUNNING)
        return cucore_expect_ended_process(call);
    cucore_deferred_revive();
    return CUCORE_OK;
}

/* cucore_expect: `object` is a handle of `class`, and the process is one in which handles can be used. Inline down to the code, so
 * that what follows is known to be one. */
void cucore_refuse_handle(const cucore_call *call, const void *object, const cucore_class *class,
                          const char *parameter) CUCORE_RARE;
static inline int32_t cucore_refusal(const void *object) {
    return object ? CUCORE_INVALID_HANDLE : CUCORE_INVALID_ARGUMENT;
}
static inline int32_t cucore_expect(const cucore_call *call, const void *object, const cucore_class *class, const char *parameter) {
    if (cucore_object_is(object, class))
        return cucore_expect_process(call);
    cucore_refuse_handle(call, object, class, parameter);
    return cucore_refusal(object);
}

/* cucore_expect_element: the same for one handle in an array. */
void cucore_refuse_element(const cucore_call *call, const void *object, const cucore_class *class, const char *array,
                           size_t index) CUCORE_RARE;
static inline int32_t cucore_expect_element(const cucore_call *call, const void *object, const cucore_class *class,
                                            const char *array, size_t index) {
    if (cucore_object_is(object, class))
        return cucore_expect_process(call);
    cucore_refuse_element(call, object, class, array, index);
    return cucore_refusal(object);
}

/* cucore_name_element gives the name of one element of an array, "inputs[2]", for messages. */
enum { CUCORE_ELEMENT_NAME = 48 };
const char *cucore_name_element(char name[CUCORE_ELEMENT_NAME], const char *array, size_t index);

/* cucore_expect_waitable: this thread may wait, which it may not in a CUDA callback. */
int32_t cucore_expect_waitable(const cucore_call *call);

/* cucore_object_retain gives a new reference; NULL for what is not of this class. */
void *cucore_object_retain(const void *object, const cucore_class *class);

/* cucore_object_count adds a reference to what is known to be a handle. */
static inline void cucore_object_count(cucore_object *object) {
    cucore_references_add(&object->references);
}

/* cucore_object_release gives a reference up; if it was the last the object is torn down, with failures as warnings. */
void cucore_object_release(void *object, const cucore_class *class);

/* cucore_object_close does the same with failures returned; *destroyed says whether it was the last. */
int32_t cucore_object_close(const cucore_call *call, void *object, const cucore_class *class, int32_t *destroyed);

/* cucore_object_finish ends an object that has no references any more: now, or on the library's thread. */
void cucore_object_finish(cucore_object *object, cucore_channel *channel);

/* cucore_object_drop gives a reference up within a teardown: failures go where those of the whole teardown go. */
void cucore_object_drop(void *object, cucore_channel *channel);

/* CUCORE_PARENT defines the accessor that gives a new reference to a parent: cucore_<noun>_<parent>. */
#define CUCORE_PARENT(noun, parent, type) \
    cucore_##type *cucore_##noun##_##parent(const cucore_##noun *handle) { \
        return cucore_object_is(handle, &cucore_##noun##_class) ? cucore_##type##_retain(handle->parent) : NULL; \
    }

/* CUCORE_HANDLE defines what the handles of every family have alike: cucore_<noun>_retain, _release and _close. */
#define CUCORE_HANDLE(noun) \
    cucore_##noun *cucore_##noun##_retain(cucore_##noun *handle) { \
        return cucore_object_retain(handle, &cucore_##noun##_class); \
    } \
    void cucore_##noun##_release(cucore_##noun *handle) { \
        cucore_object_release(handle, &cucore_##noun##_class); \
    } \
    int32_t cucore_##noun##_close(cucore_##noun *handle, int32_t *destroyed, cucore_status **status) { \
        const cucore_call call = cucore_call_begin("cucore_" #noun "_close", status); \
        return cucore_object_close(&call, handle, &cucore_##noun##_class, destroyed); \
    }

#endif
