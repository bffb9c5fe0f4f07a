/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/cuda.h"

#include "base/process.h"
#include "driver/dlopen_note.h"
#include "driver/shared_library.h"
#include "driver/words.h"

#include <dlfcn.h>
#include <stdlib.h>

static const char soname[] = "libcuda.so.1";
static const char library_variable[] = "CUCORE_DRIVER_LIBRARY";
CUCORE_DLOPEN_NOTE(note, "driver", "The CUDA driver", "recommended", "libcuda.so.1");

cucore_cuda_table cucore_cuda;

/* Written under CUCORE_LOCK_LOADING; the stages only ever go up, and are read without it. */
enum { UNTRIED, LOADED, STARTED };
static _Atomic int stage = UNTRIED;
static cucore_status *remembered; /* why the next stage cannot be reached */
static int driver_version;
static char *driver_path;
static char *chosen_path;              /* cucore_driver_use_library */
static cucore_cuda_entry chosen_entry; /* cucore_driver_use_entry */

static int current_stage(void) {
    return atomic_load_explicit(&stage, memory_order_acquire);
}

int32_t cucore_cuda_version(void) {
    return current_stage() >= LOADED ? driver_version : 0;
}

const char *cucore_cuda_path(void) {
    return current_stage() >= LOADED ? driver_path : NULL;
}

int32_t cucore_cuda_fail(const cucore_call *call, CUresult result, const char *function, uint64_t resource) {
    const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, function, resource, NULL, 0};
    return cucore_native_fail(call, &native);
}

int32_t cucore_cuda_lacks(const cucore_call *call, const char *function, int32_t version) {
    return cucore_fail(call, CUCORE_NOT_SUPPORTED,
                       ": needs %s, which this driver (CUDA %d.%d) does not have; it came with CUDA %d.%d", function,
                       driver_version / 1000, driver_version % 1000 / 10, version / 1000, version % 1000 / 10);
}

int32_t cucore_cuda_expect_version(const cucore_call *call, const char *what, int32_t version) {
    return driver_version >= version ? CUCORE_OK : cucore_cuda_lacks(call, what, version);
}

/* The rows of cuda_functions.h as data. `field` is where the pointer goes; function pointers and void * share a representation on
 * every POSIX system (dlsym depends on it). */
typedef struct row {
    void **field;
    const char *name;
    int version;
    bool core;
} row;

#define CORE(name, version, parameters) {(void **)(void *)&cucore_cuda.name, #name, version, true},
#define OPTIONAL(name, version, parameters) {(void **)(void *)&cucore_cuda.name, #name, version, false},
static const row rows[] = {CUCORE_CUDA_CORE(CORE) CUCORE_CUDA_OPTIONAL(OPTIONAL)};

/* Leaves *function NULL for what the driver does not have. A driver refuses to be asked for versions newer than its own. */
static CUresult look_up(cucore_cuda_entry entry, const row *wanted, int version, void **function) {
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    *function = NULL;
    if (wanted->version > version)
        return CUDA_SUCCESS;
    CUresult result = entry(wanted->name, function, wanted->version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &found);
    if (result != CUDA_SUCCESS || found != CU_GET_PROC_ADDRESS_SUCCESS)
        *function = NULL;
    return result;
}

static bool call_failed(cucore_search *search, CUresult result, const char *function) {
    if (result == CUDA_SUCCESS)
        return false;
    const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, function, 0, NULL, 0};
    cucore_status *failure = cucore_native_status(&native);
    if (search->path)
        cucore_status_note_text(failure, CUCORE_NOTE_CAUSE, "the driver was loaded from %s", search->path);
    cucore_search_fail(search, failure);
    return true;
}

static bool ask_version(cucore_search *search, cucore_cuda_entry entry, int *version) {
    CUresult (*get_version)(int *) = NULL;
    const row wanted = {(void **)(void *)&get_version, "cuDriverGetVersion", cucore_version_of_cuDriverGetVersion, true};
    if (call_failed(search, look_up(entry, &wanted, wanted.version, wanted.field), "cuGetProcAddress"))
        return false;
    if (get_version)
        return !call_failed(search, get_version(version), wanted.name);
    cucore_search_refuse(search, CUCORE_NOT_SUPPORTED, "the driver has no %s", wanted.name);
    return false;
}

static bool fill_table(cucore_search *search, cucore_cuda_entry entry, int version) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (call_failed(search, look_up(entry, &rows[i], version, rows[i].field), "cuGetProcAddress"))
            return false;
        if (rows[i].core && !*rows[i].field) {
            cucore_search_refuse(search, CUCORE_NOT_SUPPORTED, "the driver (CUDA %d.%d) has no %s", version / 1000,
                                 version % 1000 / 10, rows[i].name);
            return false;
        }
    }
    return true;
}

static bool use_entry(cucore_search *search, cucore_cuda_entry entry) {
    int version = 0;
    if (!ask_version(search, entry, &version))
        return false;
    if (version < 12000) {
        cucore_search_refuse(search, CUCORE_NOT_SUPPORTED, "the driver's CUDA version is %d.%d; 12.0 is needed", version / 1000,
                             version % 1000 / 10);
        return false;
    }
    if (!fill_table(search, entry, version))
        return false;
    driver_version = version;
    driver_path = search->path;
    return true;
}

/* The entry point came with CUDA 12.0, so that an older driver is known by having only its version to tell. */
static void refuse_without_entry(cucore_search *search) {
    CUresult (*get_version)(int *) = NULL;
    int version = 0;
    *(void **)(void *)&get_version = dlsym(search->library, "cuDriverGetVersion");
    if (get_version && get_version(&version) == CUDA_SUCCESS)
        cucore_search_refuse(search, CUCORE_NOT_SUPPORTED, "%s is a driver of CUDA %d.%d; 12.0 is needed", search->path,
                             version / 1000, version % 1000 / 10);
    else
        cucore_search_refuse(search, CUCORE_NOT_FOUND, "%s is no CUDA driver: it has no cuGetProcAddress_v2", search->path);
}

static bool use_library(cucore_search *search) {
    cucore_cuda_entry entry = NULL;
    *(void **)(void *)&entry = dlsym(search->library, "cuGetProcAddress_v2");
    if (entry)
        return use_entry(search, entry);
    refuse_without_entry(search);
    return false;
}

/* Whoever names a library wants that one: there is no falling back to the search. */
static bool find_driver(cucore_search *search) {
    if (chosen_entry)
        return use_entry(search, chosen_entry);
    bool refused = false;
    const char *named = chosen_path ? chosen_path : cucore_search_environment(search, library_variable, &refused);
    return !refused && cucore_search_try(search, named ? named : soname) && use_library(search);
}

static void hear(void *data, CUlogLevel level, char *message, size_t size) {
    (void)data;
    (void)level;
    cucore_words_heard(message, size);
}

/* Without it failures lack the driver's own sentence, which is all that is lost; so that this fails is no failure. */
static void listen(void) {
    CUlogsCallbackHandle handle = NULL;
    if (cucore_cuda.cuLogsRegisterCallback && cucore_process_pin())
        cucore_cuda.cuLogsRegisterCallback(hear, NULL, &handle);
}

/* Takes the reference to `failure`, which is what the call fails with, and the later ones too if it will not mend by itself. */
static int32_t fail_stage(const cucore_call *call, cucore_status *failure) {
    int64_t native_code = cucore_status_native_code(failure);
    bool passing = cucore_status_code(failure) == CUCORE_OUT_OF_MEMORY || native_code == CUDA_ERROR_SYSTEM_NOT_READY ||
                   cucore_status_is_static(failure);
    if (!passing)
        remembered = cucore_status_retain(failure);
    return cucore_fail_with(call, failure);
}

static int32_t load(const cucore_call *call) {
    cucore_search search;
    cucore_search_begin(&search, "no usable CUDA driver; is NVIDIA's driver installed?");
    if (!find_driver(&search))
        return fail_stage(call, search.failure);
    cucore_search_found(&search);
    listen();
    atomic_store_explicit(&stage, LOADED, memory_order_release);
    return CUCORE_OK;
}

/* CUDA does not survive a fork once it was initialised, or was tried to be. */
static int32_t start(const cucore_call *call) {
    cucore_process_taint_children();
    CUresult result = cucore_cuda.cuInit(0);
    if (result != CUDA_SUCCESS) {
        const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, "cuInit", 0, NULL, 0};
        return fail_stage(call, cucore_native_status(&native));
    }
    if (!cucore_process_watch_exit(true))
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no exit handler could be registered");
    atomic_store_explicit(&stage, STARTED, memory_order_release);
    return CUCORE_OK;
}

static int32_t reach_locked(const cucore_call *call, int target) {
    if (remembered && current_stage() < target)
        return cucore_fail_with(call, cucore_status_retain(remembered));
    int32_t code = current_stage() < LOADED ? load(call) : CUCORE_OK;
    if (!code && current_stage() < target)
        code = start(call);
    return code;
}

static int32_t reach(const cucore_call *call, int target) {
    int32_t code = cucore_expect_process(call);
    if (code || current_stage() >= target)
        return code;
    int error = cucore_process_watch_fork();
    if (error)
        return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no fork handler could be registered (errno %d)", error);
    cucore_lock_enter(CUCORE_LOCK_LOADING);
    code = reach_locked(call, target);
    cucore_lock_leave(CUCORE_LOCK_LOADING);
    return code;
}

int32_t cucore_cuda_load(const cucore_call *call) {
    return reach(call, LOADED);
}

int32_t cucore_cuda_start(const cucore_call *call) {
    return reach(call, STARTED);
}

/* A choice also lifts what made an earlier search fail. */
static int32_t choose(const cucore_call *call, char *path, cucore_cuda_entry entry) {
    if (current_stage() >= LOADED) {
        free(path);
        return cucore_fail(call, CUCORE_INVALID_STATE, ": the driver is already loaded from %s; call this first",
                           driver_path ? driver_path : "an entry point");
    }
    free(chosen_path);
    chosen_path = path;
    chosen_entry = entry;
    cucore_status_release(remembered);
    remembered = NULL;
    return CUCORE_OK;
}

static int32_t choose_in_lock(const cucore_call *call, char *path, cucore_cuda_entry entry) {
    cucore_lock_enter(CUCORE_LOCK_LOADING);
    int32_t code = choose(call, path, entry);
    cucore_lock_leave(CUCORE_LOCK_LOADING);
    return code;
}

int32_t cucore_cuda_use_library(const cucore_call *call, const char *path, size_t size) {
    char *copy = cucore_copy_text(call, path, size);
    return copy ? choose_in_lock(call, copy, NULL) : CUCORE_OUT_OF_MEMORY;
}

int32_t cucore_cuda_use_entry(const cucore_call *call, cucore_cuda_entry entry) {
    return choose_in_lock(call, NULL, entry);
}
