/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/registry.h"

#include "base/process.h"

/* Chains through the objects themselves, so that being registered costs no memory. Under CUCORE_LOCK_REGISTRY. */
enum { BUCKETS = 1024 };
static cucore_registered *buckets[BUCKETS];

/* Raw handles are mostly addresses, whose low bits say little. */
static cucore_registered **bucket_of(uint64_t raw) {
    return &buckets[(raw * 0x9e3779b97f4a7c15u) >> 54];
}

static cucore_registered *find(const cucore_class *class, uint64_t raw) {
    cucore_registered *object = *bucket_of(raw);
    while (object && (object->raw != raw || object->object.class != class))
        object = object->next;
    return object;
}

static void unregister(cucore_registered *object) {
    cucore_registered **link = bucket_of(object->raw);
    while (*link && *link != object)
        link = &(*link)->next;
    if (*link)
        *link = object->next;
}

bool cucore_registry_add(cucore_registered *object, uint64_t raw) {
    cucore_lock_enter(CUCORE_LOCK_REGISTRY);
    bool is_free = !find(object->object.class, raw);
    if (is_free) {
        cucore_registered **bucket = bucket_of(raw);
        object->raw = raw;
        object->next = *bucket;
        *bucket = object;
    }
    cucore_lock_leave(CUCORE_LOCK_REGISTRY);
    return is_free;
}

/* An object whose last reference was given up, without the lock, stays ended. */
static bool count_unless_ended(cucore_object *object) {
    uint32_t references = atomic_load(&object->references);
    while (references && references < CUCORE_REFERENCES_MOST)
        if (atomic_compare_exchange_weak(&object->references, &references, references + 1))
            return true;
    return references != 0;
}

void *cucore_registry_find(const cucore_class *class, uint64_t raw) {
    cucore_lock_enter(CUCORE_LOCK_REGISTRY);
    cucore_registered *found = find(class, raw);
    if (found && !count_unless_ended(&found->object))
        found = NULL;
    cucore_lock_leave(CUCORE_LOCK_REGISTRY);
    return found;
}

int32_t cucore_registry_claim(const cucore_call *call, cucore_registered *object, uint64_t raw, int32_t ownership) {
    const cucore_class *class = object->object.class;
    if (ownership == CUCORE_BORROW) {
        object->lender = cucore_registry_find(class, raw);
        return CUCORE_OK;
    }
    object->owned = cucore_registry_add(object, raw);
    if (object->owned)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_STATE, ": the %s 0x%llx is already owned by a handle of this library", class->name,
                       (unsigned long long)raw);
}

void cucore_registry_keep(cucore_registered *object, void *user_data, cucore_drop_function drop) {
    const cucore_owner owner = {user_data, drop};
    if (object)
        object->owner = owner;
    else
        cucore_owner_drop(&owner);
}

void cucore_registry_let_go(cucore_registered *object, cucore_channel *channel) {
    cucore_owner_drop(&object->owner);
    cucore_object_drop(object->lender, channel);
}

bool cucore_registry_drop(cucore_object *object) {
    cucore_lock_enter(CUCORE_LOCK_REGISTRY);
    bool last = atomic_load(&object->references) == 0 || cucore_references_drop(&object->references);
    if (last)
        unregister((cucore_registered *)object);
    cucore_lock_leave(CUCORE_LOCK_REGISTRY);
    return last;
}

bool cucore_registry_take(cucore_registered *object) {
    cucore_lock_enter(CUCORE_LOCK_REGISTRY);
    bool taken = atomic_load(&object->object.references) == 1;
    if (taken)
        unregister(object);
    cucore_lock_leave(CUCORE_LOCK_REGISTRY);
    return taken;
}
