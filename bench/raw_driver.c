/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "raw_driver.h"

#include <dlfcn.h>
#include <stdio.h>

struct raw_driver raw;

typedef CUresult (*entry_function)(const char *symbol, void **function, int version, cuuint64_t flags,
                                   CUdriverProcAddressQueryResult *result);

static void find(entry_function entry, const char *name, int version, void *function) {
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    (void)entry(name, function, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &found);
}

bool raw_driver_load(const char *path) {
    entry_function entry = NULL;
    void *library = path ? dlopen(path, RTLD_NOW) : NULL;
    if (library)
        *(void **)(void *)&entry = dlsym(library, "cuGetProcAddress_v2");
    if (!entry) {
        fprintf(stderr, "bench: %s cannot be used: %s\n", path ? path : "no driver library", library ? "too old" : dlerror());
        return false;
    }
#define X(name, version, parameters) find(entry, #name, version, &raw.name);
    CUCORE_CUDA_ALL(X)
#undef X
    return true;
}
