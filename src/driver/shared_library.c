/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "driver/shared_library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char operation[] = "dlopen";

void cucore_search_begin(cucore_search *search, const char *what) {
    const cucore_failure failure = {.code = CUCORE_NOT_FOUND, .domain = CUCORE_DOMAIN_CUCORE, .operation = operation};
    *search = (cucore_search){.failure = cucore_status_make(&failure, ": %s", what)};
}

/* The library stays open: it may have left threads or handlers behind. */
void cucore_search_fail(cucore_search *search, cucore_status *failure) {
    cucore_status_release(search->failure);
    search->failure = failure;
    free(search->path);
    search->path = NULL;
    search->library = NULL;
}

static void out_of_memory(cucore_search *search) {
    const cucore_failure failure = {.code = CUCORE_OUT_OF_MEMORY, .domain = CUCORE_DOMAIN_CUCORE, .operation = operation};
    cucore_search_fail(search, cucore_status_make(&failure, ": out of memory while looking for a library"));
}

/* Where the loader found it; the name that was asked for where the loader does not say. */
static char *path_of(void *library, const char *file) {
    struct link_map *map = NULL;
    if (dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 && map && map->l_name[0])
        file = map->l_name;
    size_t size = strlen(file) + 1;
    char *path = malloc(size);
    return path ? memcpy(path, file, size) : NULL;
}

bool cucore_search_try(cucore_search *search, const char *file) {
    if (cucore_status_code(search->failure) == CUCORE_OUT_OF_MEMORY)
        return false;
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *reason = dlerror(); /* it begins with the file's name */
        cucore_status_note_text(search->failure, CUCORE_NOTE_CAUSE, "%s", reason ? reason : file);
        return false;
    }
    search->path = path_of(library, file);
    if (!search->path) {
        out_of_memory(search);
        return false;
    }
    search->library = library;
    return true;
}

bool cucore_search_try_in(cucore_search *search, const char *folder, const char *subfolder, const char *name) {
    size_t size = strlen(folder) + strlen(subfolder) + strlen(name) + 3;
    char *path = malloc(size);
    if (!path) {
        out_of_memory(search);
        return false;
    }
    snprintf(path, size, "%s/%s/%s", folder, subfolder, name);
    bool found = cucore_search_try(search, path);
    free(path);
    return found;
}

void cucore_search_refuse(cucore_search *search, int32_t code, const char *format, ...) {
    const cucore_failure failure = {.code = code, .domain = CUCORE_DOMAIN_CUCORE, .operation = operation};
    cucore_status *status = cucore_status_make(&failure, ": the library that was found cannot be used");
    va_list arguments;
    va_start(arguments, format);
    cucore_status_note_list(status, CUCORE_NOTE_CAUSE, format, arguments);
    va_end(arguments);
    cucore_search_fail(search, status);
}

const char *cucore_search_environment(cucore_search *search, const char *variable, bool *refused) {
    const char *path = secure_getenv(variable);
    *refused = path && path[0] && path[0] != '/';
    if (*refused)
        cucore_status_note_text(search->failure, CUCORE_NOTE_CAUSE, "%s=%s: not an absolute path", variable, path);
    return path && path[0] == '/' ? path : NULL;
}

void cucore_search_found(cucore_search *search) {
    cucore_status_release(search->failure);
}
