/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_REGISTRY_H
#define CUCORE_BASE_REGISTRY_H

/* Which object owns a raw handle that others may come with. A registered object ends under the registry's lock, so that no dying
 * object is ever found, and an object is taken out by its identity, so that a newer owner of the same raw value stays. */

#include "base/object.h"
#include "base/owner.h"

typedef struct cucore_registered cucore_registered;

/* The first member of every handle of a registered class. */
struct cucore_registered {
    cucore_object object;
    bool owned;           /* the raw handle is destroyed with the object */
    _Atomic uint64_t raw; /* 0: not registered: a borrowed raw handle, or one that nobody else was told */
    cucore_registered *next;
    cucore_registered *lender; /* of a borrowed raw handle: the object that owns it, if there is one */
    cucore_owner owner;        /* what the raw handle's maker gave to be kept */
};

/* cucore_registry_add says that `object` owns `raw`, by which it is found from now on; false, and nothing is changed, if an object
 * of its class is known to own it already. */
bool cucore_registry_add(cucore_registered *object, uint64_t raw);

/* cucore_registry_claim makes `object` a handle of a raw handle that the caller has: its owner (CUCORE_ADOPT), which fails with
 * INVALID_STATE if another is that, or a borrower (CUCORE_BORROW), which keeps the owner alive if there is one. */
int32_t cucore_registry_claim(const cucore_call *call, cucore_registered *object, uint64_t raw, int32_t ownership);

/* cucore_registry_keep keeps what came with a raw handle as long as the object; without an object it is dropped. */
void cucore_registry_keep(cucore_registered *object, void *user_data, cucore_drop_function drop);

/* cucore_registry_let_go drops it, and the owner that was kept alive: in the object's teardown. */
void cucore_registry_let_go(cucore_registered *object, cucore_channel *channel);

/* cucore_registry_find gives a new reference to the object of `class` that owns `raw`, or NULL. */
void *cucore_registry_find(const cucore_class *class, uint64_t raw);

/* cucore_registry_has tells whether an object is registered: to whoever has the last reference, or as a hint. */
static inline bool cucore_registry_has(const cucore_registered *object) {
    return atomic_load_explicit(&object->raw, memory_order_relaxed) != 0;
}

/* cucore_registry_drop ends a registered object whose last reference was given up, unless it was found since: true if not, and then
 * it can no longer be found. Only with the registry's lock is a reference made by who has none. */
bool cucore_registry_drop(cucore_object *object) CUCORE_RARE;

/* cucore_registry_take makes an object that can no longer be found of one with a single reference; false, and nothing is changed,
 * if it has more. */
bool cucore_registry_take(cucore_registered *object);

#endif
