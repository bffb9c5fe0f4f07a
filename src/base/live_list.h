/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_LIVE_LIST_H
#define CUCORE_BASE_LIVE_LIST_H

/* The objects that are alive, if a program wants to know. */

#include "base/status.h"

#include <stdatomic.h>

typedef struct cucore_object cucore_object;
typedef struct cucore_live_entry cucore_live_entry;

extern _Atomic bool cucore_live_list_enabled;

/* cucore_live_list_add lists a new object; CUCORE_OUT_OF_MEMORY, and the call failed, with no memory. */
int32_t cucore_live_list_add(const cucore_call *call, cucore_object *object) CUCORE_RARE;

/* cucore_live_list_remove takes out what add put in. */
void cucore_live_list_remove(cucore_live_entry *entry) CUCORE_RARE;

/* cucore_live_list_keep says that one of the references to `object` is the library's own. Where there is no other the object is not
 * in the list. */
void cucore_live_list_keep(cucore_object *object);

#endif
