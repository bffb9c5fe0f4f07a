/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_SHARED_LIBRARY_H
#define CUCORE_DRIVER_SHARED_LIBRARY_H

/* Finding and opening a shared library that may be in several places, with the reason why each place did not serve. */

#include "base/status.h"

/* A search under way. `failure` is what it fails with, with a CAUSE note for each place tried; it is made first, so that a search
 * that runs out of memory says so. */
typedef struct cucore_search {
    void *library; /* dlopen's, NULL until found; never closed */
    char *path;    /* where it was found, for the life of the process */
    cucore_status *failure;
} cucore_search;

/* cucore_search_begin begins a search for what messages call `what`: "no usable CUDA driver". */
void cucore_search_begin(cucore_search *search, const char *what);

/* cucore_search_try opens `file`: a path, or a name for the loader's own search. True if that worked, after which
 * nothing more is to be tried. */
bool cucore_search_try(cucore_search *search, const char *file);

/* cucore_search_try_in opens `name` in `folder`, which may be given in two parts. */
bool cucore_search_try_in(cucore_search *search, const char *folder, const char *subfolder, const char *name);

/* cucore_search_refuse ends a search that found a library which cannot be used: it fails with `code`, and this is why. */
void cucore_search_refuse(cucore_search *search, int32_t code, const char *format, ...) CUCORE_FORMAT(3, 4);

/* cucore_search_fail does so with a failure of another kind, whose reference it takes. */
void cucore_search_fail(cucore_search *search, cucore_status *failure);

/* cucore_search_environment gives the absolute path that a variable holds, NULL if it is not set. Privileged processes have none.
 * A relative path is refused, with a note. */
const char *cucore_search_environment(cucore_search *search, const char *variable, bool *refused);

/* cucore_search_found ends a search that found something. */
void cucore_search_found(cucore_search *search);

#endif
