/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "driver/compilers.h"

#include "base/process.h"
#include "driver/cuda.h"
#include "driver/dlopen_note.h"
#include "driver/shared_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CUCORE_DLOPEN_NOTE(nvrtc_note, "compiler", "Compiles CUDA C++ when a program runs", "suggested", "libnvrtc.so.13",
                   "libnvrtc.so.12");
CUCORE_DLOPEN_NOTE(nvjitlink_note, "linker", "Links object code when a program runs", "suggested", "libnvJitLink.so.13",
                   "libnvJitLink.so.12");

cucore_nvrtc_table cucore_nvrtc;
cucore_nvjitlink_table cucore_nvjitlink;

typedef struct row {
    void **field;
    const char *name;
    bool core;
} row;

#define CORE(name, parameters) {(void **)(void *)&cucore_nvrtc.name, #name, true},
#define OPTIONAL(name, parameters) {(void **)(void *)&cucore_nvrtc.name, #name, false},
static const row nvrtc_rows[] = {CUCORE_NVRTC_CORE(CORE) CUCORE_NVRTC_OPTIONAL(OPTIONAL)};
#undef CORE
#undef OPTIONAL

#define CORE(name, parameters) {(void **)(void *)&cucore_nvjitlink.name, #name, true},
#define OPTIONAL(name, parameters) {(void **)(void *)&cucore_nvjitlink.name, #name, false},
static const row nvjitlink_rows[] = {CUCORE_NVJITLINK_CORE(CORE) CUCORE_NVJITLINK_OPTIONAL(OPTIONAL)};
#undef CORE
#undef OPTIONAL

static bool ask_nvrtc_version(int *major, int *minor) {
    return cucore_nvrtc.nvrtcVersion(major, minor) == NVRTC_SUCCESS;
}

/* Before CUDA 12.3 nvJitLink does not tell its version. */
static bool ask_nvjitlink_version(int *major, int *minor) {
    unsigned int known_major = 12;
    unsigned int known_minor = 0;
    if (cucore_nvjitlink.nvJitLinkVersion && cucore_nvjitlink.nvJitLinkVersion(&known_major, &known_minor) != NVJITLINK_SUCCESS)
        return false;
    *major = (int)known_major;
    *minor = (int)known_minor;
    return true;
}

/* What tells one compiler from another, and what is known of it. The last part is written under CUCORE_LOCK_LOADING. */
static struct compiler {
    const char *name;
    const char *soname; /* the major version follows */
    const char *variable;
    const char *wheel_folder; /* of the wheels for CUDA 12; those for CUDA 13 and later share one */
    const char *companion;    /* what it opens itself, by name; NULL if nothing */
    const char *not_found;
    const row *rows;
    size_t row_count;
    bool (*ask_version)(int *major, int *minor);

    _Atomic bool loaded;
    cucore_status *remembered;
    char *path;
    char *chosen_path;
    int major;
    int minor;
} compilers[] = {
    [CUCORE_COMPILER_NVRTC] = {.name = "NVRTC",
                               .soname = "libnvrtc.so",
                               .variable = "CUCORE_NVRTC_LIBRARY",
                               .wheel_folder = "nvidia/cuda_nvrtc/lib",
                               .companion = "libnvrtc-builtins.so",
                               .not_found = "no usable NVRTC; install it, or name it with CUCORE_NVRTC_LIBRARY or CUCORE_WHEELS",
                               .rows = nvrtc_rows,
                               .row_count = sizeof nvrtc_rows / sizeof nvrtc_rows[0],
                               .ask_version = ask_nvrtc_version},
    [CUCORE_COMPILER_NVJITLINK] = {.name = "nvJitLink",
                                   .soname = "libnvJitLink.so",
                                   .variable = "CUCORE_NVJITLINK_LIBRARY",
                                   .wheel_folder = "nvidia/nvjitlink/lib",
                                   .not_found =
                                       "no usable nvJitLink; install it, or name it with CUCORE_NVJITLINK_LIBRARY or CUCORE_WHEELS",
                                   .rows = nvjitlink_rows,
                                   .row_count = sizeof nvjitlink_rows / sizeof nvjitlink_rows[0],
                                   .ask_version = ask_nvjitlink_version},
};

static char *wheels; /* cucore_compiler_use_wheels */

static bool is_loaded(const struct compiler *compiler) {
    return atomic_load_explicit(&compiler->loaded, memory_order_acquire);
}

static bool search_wheels(cucore_search *search, const struct compiler *compiler, const char *root, int major, const char *name) {
    char folder[32];
    snprintf(folder, sizeof folder, "nvidia/cu%d/lib", major);
    return cucore_search_try_in(search, root, major > 12 ? folder : compiler->wheel_folder, name);
}

/* Looks in every place for the library of one major version. */
static bool search_major(cucore_search *search, const struct compiler *compiler, int major) {
    static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
    char name[32];
    bool refused = false;
    snprintf(name, sizeof name, "%s.%d", compiler->soname, major);
    if (cucore_search_try(search, name))
        return true;
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        const char *home = cucore_search_environment(search, homes[i], &refused);
        if (home && cucore_search_try_in(search, home, "lib64", name))
            return true;
    }
    if (cucore_search_try_in(search, "/usr/local/cuda", "lib64", name))
        return true;
    const char *root = wheels ? wheels : cucore_search_environment(search, "CUCORE_WHEELS", &refused);
    return root && search_wheels(search, compiler, root, major, name);
}

/* The driver's own major version first: it takes what that compiler makes. */
static bool search_all(cucore_search *search, const struct compiler *compiler) {
    static const int newest = 13;
    static const int oldest = 12;
    int preferred = cucore_cuda_version() / 1000;
    if (preferred && search_major(search, compiler, preferred))
        return true;
    for (int major = newest; major >= oldest; major--)
        if (major != preferred && search_major(search, compiler, major))
            return true;
    return false;
}

/* Whoever names a library wants that one: there is no falling back to the search. */
static bool find_library(cucore_search *search, const struct compiler *compiler) {
    bool refused = false;
    const char *named =
        compiler->chosen_path ? compiler->chosen_path : cucore_search_environment(search, compiler->variable, &refused);
    if (refused)
        return false;
    return named ? cucore_search_try(search, named) : search_all(search, compiler);
}

/* Before CUDA 12.3 nvJitLink exports its functions only under the names of the version that brought them. */
static void *look_up(void *library, const char *name) {
    char first_name[64];
    void *function = dlsym(library, name);
    if (function)
        return function;
    snprintf(first_name, sizeof first_name, "__%s_12_0", name);
    return dlsym(library, first_name);
}

static const char *fill_table(const struct compiler *compiler, void *library) {
    for (size_t i = 0; i < compiler->row_count; i++) {
        *compiler->rows[i].field = look_up(library, compiler->rows[i].name);
        if (compiler->rows[i].core && !*compiler->rows[i].field)
            return compiler->rows[i].name;
    }
    return NULL;
}

/* NVRTC opens its builtins by name, and outside the loader's own folders does not find them beside itself (seen with the wheels
 * of 12.9 and 13.0). Once they are open the name is enough. Where they are not beside it, NVRTC says so when it compiles. */
static void open_companion(const struct compiler *compiler) {
    const char *slash = strrchr(compiler->path, '/');
    if (!compiler->companion || !slash)
        return;
    char path[PATH_MAX];
    int size = snprintf(path, sizeof path, "%.*s/%s.%d.%d", (int)(slash - compiler->path), compiler->path, compiler->companion,
                        compiler->major, compiler->minor);
    if (size > 0 && (size_t)size < sizeof path)
        dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static bool use_library(cucore_search *search, struct compiler *compiler) {
    const char *missing = fill_table(compiler, search->library);
    if (missing) {
        cucore_search_refuse(search, CUCORE_NOT_SUPPORTED, "%s has no %s", search->path, missing);
        return false;
    }
    if (!compiler->ask_version(&compiler->major, &compiler->minor)) {
        cucore_search_refuse(search, CUCORE_NOT_SUPPORTED, "%s does not tell its version", search->path);
        return false;
    }
    compiler->path = search->path;
    open_companion(compiler);
    return true;
}

static int32_t fail_load(const cucore_call *call, struct compiler *compiler, cucore_status *failure) {
    if (cucore_status_code(failure) != CUCORE_OUT_OF_MEMORY && !cucore_status_is_static(failure))
        compiler->remembered = cucore_status_retain(failure);
    return cucore_fail_with(call, failure);
}

static int32_t load(const cucore_call *call, struct compiler *compiler) {
    if (compiler->remembered)
        return cucore_fail_with(call, cucore_status_retain(compiler->remembered));
    cucore_search search;
    cucore_search_begin(&search, compiler->not_found);
    if (!find_library(&search, compiler) || !use_library(&search, compiler))
        return fail_load(call, compiler, search.failure);
    cucore_search_found(&search);
    atomic_store_explicit(&compiler->loaded, true, memory_order_release);
    return CUCORE_OK;
}

int32_t cucore_compiler_load(const cucore_call *call, int32_t number) {
    struct compiler *compiler = &compilers[number];
    const cucore_call quiet = {call->function, NULL};
    int32_t code = cucore_expect_process(call);
    if (code || is_loaded(compiler))
        return code;
    cucore_cuda_load(&quiet); /* its version decides which compiler suits; without a driver any does */
    cucore_lock_enter(CUCORE_LOCK_LOADING);
    if (!is_loaded(compiler))
        code = load(call, compiler);
    cucore_lock_leave(CUCORE_LOCK_LOADING);
    return code;
}

int32_t cucore_compiler_lacks(const cucore_call *call, int32_t number, const char *function) {
    const struct compiler *compiler = &compilers[number];
    return cucore_fail(call, CUCORE_NOT_SUPPORTED, ": needs %s, which %s %d.%d (%s) does not have", function, compiler->name,
                       compiler->major, compiler->minor, compiler->path);
}

int32_t cucore_compiler_expect_driver_major(const cucore_call *call, int32_t number) {
    const struct compiler *compiler = &compilers[number];
    int32_t driver = cucore_cuda_version();
    if (compiler->major >= driver / 1000)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_NOT_SUPPORTED, ": %s %d.%d (%s) is older than the driver's CUDA %d.%d", compiler->name,
                       compiler->major, compiler->minor, compiler->path, driver / 1000, driver % 1000 / 10);
}

void cucore_compiler_note(const cucore_call *call, int32_t number) {
    const struct compiler *compiler = &compilers[number];
    cucore_note(call, CUCORE_NOTE_CAUSE, "%s %d.%d, from %s", compiler->name, compiler->major, compiler->minor, compiler->path);
}

const char *cucore_compiler_file(int32_t number) {
    return is_loaded(&compilers[number]) ? compilers[number].path : NULL;
}

void cucore_compiler_numbers(int32_t number, int32_t *major, int32_t *minor) {
    *major = compilers[number].major;
    *minor = compilers[number].minor;
}

/* A choice also lifts what made an earlier search fail. */
static void forget_failure(struct compiler *compiler) {
    cucore_status_release(compiler->remembered);
    compiler->remembered = NULL;
}

static int32_t choose(const cucore_call *call, struct compiler *compiler, char *path) {
    if (is_loaded(compiler)) {
        free(path);
        return cucore_fail(call, CUCORE_INVALID_STATE, ": %s is already loaded from %s; call this first", compiler->name,
                           compiler->path);
    }
    free(compiler->chosen_path);
    compiler->chosen_path = path;
    forget_failure(compiler);
    return CUCORE_OK;
}

int32_t cucore_compiler_choose(const cucore_call *call, int32_t number, const char *path, size_t size) {
    char *copy = cucore_copy_text(call, path, size);
    if (!copy)
        return CUCORE_OUT_OF_MEMORY;
    cucore_lock_enter(CUCORE_LOCK_LOADING);
    int32_t code = choose(call, &compilers[number], copy);
    cucore_lock_leave(CUCORE_LOCK_LOADING);
    return code;
}

int32_t cucore_compiler_choose_wheels(const cucore_call *call, const char *root, size_t size) {
    char *copy = cucore_copy_text(call, root, size);
    if (!copy)
        return CUCORE_OUT_OF_MEMORY;
    cucore_lock_enter(CUCORE_LOCK_LOADING);
    free(wheels);
    wheels = copy;
    forget_failure(&compilers[CUCORE_COMPILER_NVRTC]);
    forget_failure(&compilers[CUCORE_COMPILER_NVJITLINK]);
    cucore_lock_leave(CUCORE_LOCK_LOADING);
    return CUCORE_OK;
}
