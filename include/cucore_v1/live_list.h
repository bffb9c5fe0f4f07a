/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_V1_LIVE_LIST_H
#define CUCORE_V1_LIVE_LIST_H

/* Which handles are alive, and what made each: for tests that no handle is left, and for finding who leaks one. Off unless a
 * program asks for it, since it takes memory and a lock for every handle made.
 *
 * Listed are the handles that own or use something of CUDA's, from devices to kernels, and callbacks that were not called yet:
 * those of the caller, and those that other handles keep alive. A primary context that nothing uses any more is not, though the
 * library keeps it for the next user. Statuses, sinks and queues are plain memory, which tools such as LeakSanitizer find, and are
 * not listed. */

#include "types.h"

CUCORE_BEGIN

/* cucore_live_list_enable lists the handles that are made from now on; those made before never are. It stays on.
 * Callback-safe. */
CUCORE_API void cucore_live_list_enable(void);

/* cucore_live_list_create gives the handles alive now, the oldest first; what happens later does not change the list. A handle that
 * was released and is left to the library's thread is alive until that destroyed it: cucore_deferred_drain waits for that.
 * Fails with CUCORE_INVALID_STATE (not enabled) and CUCORE_OUT_OF_MEMORY. Callback-safe. */
CUCORE_API cucore_live_list *cucore_live_list_create(cucore_status **status);

/* cucore_live_list_count gives how many handles are in the list; 0 for NULL. */
CUCORE_API size_t cucore_live_list_count(const cucore_live_list *list);

/* cucore_live_list_type gives the type of a handle, "stream", and cucore_live_list_function the function called that made it,
 * "cucore_stream_create"; NULL for NULL and for an index of cucore_live_list_count or more. */
CUCORE_API const char *cucore_live_list_type(const cucore_live_list *list, size_t index, size_t *size);
CUCORE_API const char *cucore_live_list_function(const cucore_live_list *list, size_t index, size_t *size);

/* cucore_live_list_references gives the number of references to a handle, the caller's and those of other handles together; 0 for
 * one that is being destroyed, for NULL, and for an index of cucore_live_list_count or more. */
CUCORE_API uint32_t cucore_live_list_references(const cucore_live_list *list, size_t index);

/* cucore_live_list_text gives all of it for people, a line for each handle: "stream, made by cucore_stream_create, 1 reference"; ""
 * if there is none, NULL for NULL. */
CUCORE_API const char *cucore_live_list_text(const cucore_live_list *list, size_t *size);

/* cucore_live_list_release frees a list. NULL is fine. */
CUCORE_API void cucore_live_list_release(cucore_live_list *list);

CUCORE_END

#endif
