/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "object.h"

#include "call.h"
#include "context.h"
#include "event.h"
#include "graph.h"
#include "library.h"
#include "linker.h"
#include "pool.h"
#include "stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SLAB_SLOTS 256
#define DESTROYED_KEPT 4096

union slot {
    struct object object;
    struct context context;
    struct stream stream;
    struct event event;
    struct pool pool;
    struct library library;
    struct module module;
    struct kernel kernel;
    struct graph graph;
    struct link link;
};

static union slot **slabs;
static size_t slab_count;
static size_t slots_used;

/* The destroyed objects, oldest first: beyond DESTROYED_KEPT they are used again. */
static struct object *oldest;
static struct object *newest;
static size_t destroyed_count;

static const char *const kind_names[] = {
    [OBJECT_CONTEXT] = "context", [OBJECT_STREAM] = "stream",   [OBJECT_EVENT] = "event",
    [OBJECT_POOL] = "pool",       [OBJECT_LIBRARY] = "library", [OBJECT_MODULE] = "module",
    [OBJECT_KERNEL] = "kernel",   [OBJECT_GRAPH] = "graph",     [OBJECT_LINK] = "link",
};

static union slot *slot_at(size_t index) {
    return &slabs[index / SLAB_SLOTS][index % SLAB_SLOTS];
}

static int add_slab(void) {
    union slot **grown = realloc(slabs, (slab_count + 1) * sizeof(*slabs));
    if (!grown)
        return 0;
    slabs = grown;
    slabs[slab_count] = calloc(SLAB_SLOTS, sizeof(union slot));
    if (!slabs[slab_count])
        return 0;
    slab_count++;
    return 1;
}

static void keep_destroyed(struct object *object) {
    object->next_destroyed = NULL;
    if (newest)
        newest->next_destroyed = object;
    else
        oldest = object;
    newest = object;
    destroyed_count++;
}

static struct object *take_oldest(void) {
    struct object *object = oldest;
    oldest = object->next_destroyed;
    if (!oldest)
        newest = NULL;
    destroyed_count--;
    return object;
}

static struct object *take_slot(void) {
    for (size_t tries = 0; destroyed_count > DESTROYED_KEPT && tries < DESTROYED_KEPT; tries++) {
        struct object *object = take_oldest();
        if (!object->busy)
            return object;
        keep_destroyed(object);
    }
    if (slots_used == slab_count * SLAB_SLOTS && !add_slab())
        return NULL;
    return &slot_at(slots_used++)->object;
}

void *object_create(enum object_kind kind, struct context *context) {
    struct object *object = take_slot();
    if (!object)
        return NULL;
    memset(object, 0, sizeof(union slot));
    object->kind = kind;
    object->state = OBJECT_LIVE;
    object->listed = 1;
    object->context = context;
    return object;
}

void object_end(struct object *object, enum object_state state) {
    object->state = state;
    if (object->ended)
        object->ended(object);
    if (object->kind != OBJECT_CONTEXT) /* threads remember contexts for as long as they like */
        keep_destroyed(object);
}

static struct object *object_at(const void *raw) {
    uintptr_t address = (uintptr_t)raw;
    for (size_t i = 0; i < slab_count; i++) {
        uintptr_t offset = address - (uintptr_t)slabs[i];
        size_t index = i * SLAB_SLOTS + offset / sizeof(union slot);
        if (address >= (uintptr_t)slabs[i] && offset < SLAB_SLOTS * sizeof(union slot))
            return offset % sizeof(union slot) == 0 && index < slots_used ? &slabs[i][offset / sizeof(union slot)].object : NULL;
    }
    return NULL;
}

static CUresult not_live(enum object_kind kind, const struct object *object) {
    uintptr_t address = (uintptr_t)object;
    if (kind == OBJECT_CONTEXT)
        return violation(CUDA_ERROR_CONTEXT_IS_DESTROYED, "Context 0x%" PRIxPTR " was destroyed", address);
    if (object->state == OBJECT_ORPHANED)
        return refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED, "The context of %s 0x%" PRIxPTR " was destroyed", kind_names[kind], address);
    return violation(CUDA_ERROR_INVALID_HANDLE, "Invalid handle: %s 0x%" PRIxPTR " was destroyed", kind_names[kind], address);
}

CUresult object_find(enum object_kind kind, const void *raw, void *found) {
    if (!raw)
        return refuse(kind == OBJECT_CONTEXT ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_HANDLE,
                      "Invalid handle: NULL is no %s", kind_names[kind]);
    struct object *object = object_at(raw);
    if (!object || object->kind != kind)
        return violation(CUDA_ERROR_INVALID_HANDLE, "Invalid handle: 0x%" PRIxPTR " is no %s", (uintptr_t)raw, kind_names[kind]);
    if (object->state != OBJECT_LIVE)
        return not_live(kind, object);
    memcpy(found, &object, sizeof(object)); /* into a pointer to the noun's struct, which begins with the object */
    return CUDA_SUCCESS;
}

void *object_next(enum object_kind kind, size_t *position) {
    while (*position < slots_used) {
        struct object *object = &slot_at((*position)++)->object;
        if (object->kind == kind)
            return object;
    }
    return NULL;
}

static int is_counted(const struct object *object) {
    return object->state == OBJECT_LIVE && object->listed;
}

size_t objects_count(const char *kind) {
    size_t count = 0;
    for (size_t i = 0; i < slots_used; i++) {
        const struct object *object = &slot_at(i)->object;
        count += is_counted(object) && (!kind || strcmp(kind, kind_names[object->kind]) == 0);
    }
    return count;
}

void objects_list(struct writer *list) {
    for (size_t i = 0; i < slots_used; i++) {
        const struct object *object = &slot_at(i)->object;
        if (!is_counted(object))
            continue;
        writer_add(list, "%s 0x%" PRIxPTR, kind_names[object->kind], (uintptr_t)object);
        if (object->context)
            writer_add(list, " of context 0x%" PRIxPTR, (uintptr_t)object->context);
        writer_add(list, "\n");
    }
}

void objects_reset(void) {
    for (size_t i = 0; i < slots_used; i++) {
        struct object *object = &slot_at(i)->object;
        object->state = OBJECT_ORPHANED;
        if (object->ended)
            object->ended(object);
    }
    for (size_t i = 0; i < slab_count; i++)
        free(slabs[i]);
    free(slabs);
    slabs = NULL;
    slab_count = slots_used = destroyed_count = 0;
    oldest = newest = NULL;
}
