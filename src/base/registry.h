/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_REGISTRY_H
#define CUCORE_BASE_REGISTRY_H

/* Which object owns a raw handle. The last reference to a registered object is dropped under the registry's lock, so that no dying
 * object is ever found, and an object is taken out by its identity, so that a newer owner of the same raw value stays. */

#include "base/object.h"

typedef struct cucore_registered cucore_registered;

/* The first member of every handle of a registered class. */
struct cucore_registered {
    cucore_object object;
    uint64_t raw; /* 0: not registered, which a borrowed raw handle is not */
    cucore_registered *next;
};

/* cucore_registry_add says that `object` owns `raw`; false, and nothing is changed, if another object of its class does. */
bool cucore_registry_add(cucore_registered *object, uint64_t raw);

/* cucore_registry_find gives a new reference to the object of `class` that owns `raw`, or NULL. */
void *cucore_registry_find(const cucore_class *class, uint64_t raw);

/* cucore_registry_drop gives a reference up; if it was the last, which it returns, the object can no longer be found. */
bool cucore_registry_drop(cucore_object *object);

/* cucore_registry_take makes an object that can no longer be found of one with a single reference; false, and nothing is changed,
 * if it has more. */
bool cucore_registry_take(cucore_registered *object);

#endif
