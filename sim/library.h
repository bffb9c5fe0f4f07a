/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_LIBRARY_H
#define CUSIM_LIBRARY_H

#include "context.h"
#include "ptx.h"

/* Code that was loaded. Launches hold on to it, so that it can be unloaded while they wait. */
struct image {
    size_t references;
    ptx_module *module;
};

void image_retain(struct image *image);
void image_release(struct image *image);

/* Where the program wants the JIT's error log: its own buffer, and its own option value, which is to receive the log's length. */
struct jit_log {
    char *buffer;
    size_t size;
    void **length;
};

struct library {
    struct object object;
    char *ptx; /* until it is loaded */
    struct image *image;
    CUresult load_result;
    struct jit_log log;
    int is_loaded; /* or was tried to be */
};

struct module {
    struct object object;
    int owns_library; /* made by cuModuleLoadData */
};

struct kernel {
    struct object object;
    const ptx_kernel *entry;
};

#endif
