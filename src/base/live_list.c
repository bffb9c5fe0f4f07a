/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/live_list.h"

#include "base/object.h"
#include "base/process.h"
#include "cucore_v1/live_list.h"

#include <stdio.h>

/* Under CUCORE_LOCK_LIVE_LIST, in a circle: `ends` lies between the newest and the oldest, which is the first newer than it. */
struct cucore_live_entry {
    cucore_live_entry *older;
    cucore_live_entry *newer;
    const cucore_object *object;
    const char *function;
    uint32_t kept; /* references that the library keeps for itself */
};

_Atomic bool cucore_live_list_enabled;
static cucore_live_entry ends = {.older = &ends, .newer = &ends};

typedef struct live_handle {
    const char *type;
    const char *function;
    uint32_t references;
} live_handle;

struct cucore_live_list {
    char *text;
    size_t text_size;
    size_t count;
    live_handle handles[];
};

int32_t cucore_live_list_add(const cucore_call *call, cucore_object *object) {
    cucore_live_entry *entry = malloc(sizeof *entry);
    if (!entry)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory to list the %s", object->class->name);
    cucore_lock_enter(CUCORE_LOCK_LIVE_LIST);
    *entry = (cucore_live_entry){.older = ends.older, .newer = &ends, .object = object, .function = call->function};
    entry->older->newer = entry;
    ends.older = entry;
    object->listed = entry;
    cucore_lock_leave(CUCORE_LOCK_LIVE_LIST);
    return CUCORE_OK;
}

void cucore_live_list_remove(cucore_live_entry *entry) {
    cucore_lock_enter(CUCORE_LOCK_LIVE_LIST);
    entry->older->newer = entry->newer;
    entry->newer->older = entry->older;
    cucore_lock_leave(CUCORE_LOCK_LIVE_LIST);
    free(entry);
}

void cucore_live_list_keep(cucore_object *object) {
    cucore_lock_enter(CUCORE_LOCK_LIVE_LIST);
    if (object->listed)
        object->listed->kept++;
    cucore_lock_leave(CUCORE_LOCK_LIVE_LIST);
}

void cucore_live_list_enable(void) {
    atomic_store(&cucore_live_list_enabled, true);
}

/* Both under the lock. Counted anew, since in a forked child a count may be of before or after what another thread was about. */
static size_t count_entries(void) {
    size_t count = 0;
    for (const cucore_live_entry *entry = ends.newer; entry != &ends; entry = entry->newer)
        count++;
    return count;
}

static cucore_live_list *copy_entries(void) {
    cucore_live_list *list = calloc(1, sizeof *list + count_entries() * sizeof(live_handle));
    if (!list)
        return NULL;
    for (const cucore_live_entry *entry = ends.newer; entry != &ends; entry = entry->newer) {
        uint32_t references = atomic_load(&entry->object->references) - entry->kept;
        if (references || !entry->kept)
            list->handles[list->count++] = (live_handle){entry->object->class->name, entry->function, references};
    }
    return list;
}

/* Writes as much as fits and returns the size of all. */
static size_t write_text(const cucore_live_list *list, char *text, size_t room) {
    size_t size = 0;
    for (size_t i = 0; i < list->count; i++) {
        const live_handle *handle = &list->handles[i];
        int written = snprintf(text ? text + size : NULL, room > size ? room - size : 0, "%s, made by %s, %u reference%s\n",
                               handle->type, handle->function, handle->references, handle->references == 1 ? "" : "s");
        size += written > 0 ? (size_t)written : 0;
    }
    return size;
}

static bool add_text(cucore_live_list *list) {
    list->text_size = write_text(list, NULL, 0);
    list->text = calloc(1, list->text_size + 1);
    if (list->text)
        write_text(list, list->text, list->text_size + 1);
    return list->text;
}

cucore_live_list *cucore_live_list_create(cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (!atomic_load(&cucore_live_list_enabled)) {
        cucore_fail(&call, CUCORE_INVALID_STATE, ": handles are not listed; call cucore_live_list_enable before they are made");
        return NULL;
    }
    cucore_lock_enter(CUCORE_LOCK_LIVE_LIST);
    cucore_live_list *list = copy_entries();
    cucore_lock_leave(CUCORE_LOCK_LIVE_LIST);
    if (list && add_text(list))
        return list;
    cucore_live_list_release(list);
    cucore_fail(&call, CUCORE_OUT_OF_MEMORY, ": no memory for the list");
    return NULL;
}

static const live_handle *handle_at(const cucore_live_list *list, size_t index) {
    static const live_handle none;
    return list && index < list->count ? &list->handles[index] : &none;
}

size_t cucore_live_list_count(const cucore_live_list *list) {
    return list ? list->count : 0;
}

const char *cucore_live_list_type(const cucore_live_list *list, size_t index, size_t *size) {
    return cucore_text_out(handle_at(list, index)->type, size);
}

const char *cucore_live_list_function(const cucore_live_list *list, size_t index, size_t *size) {
    return cucore_text_out(handle_at(list, index)->function, size);
}

uint32_t cucore_live_list_references(const cucore_live_list *list, size_t index) {
    return handle_at(list, index)->references;
}

const char *cucore_live_list_text(const cucore_live_list *list, size_t *size) {
    return cucore_bytes_out(list ? list->text : NULL, list ? list->text_size : 0, size);
}

void cucore_live_list_release(cucore_live_list *list) {
    if (!list)
        return;
    free(list->text);
    free(list);
}
