/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_LIBRARY_H
#define CUSIM_LIBRARY_H

#include "context.h"
#include "jit.h"
#include "ptx/ptx.h"

/* Code that was loaded. Launches hold on to it, so that it can be unloaded while they wait. */
struct image {
    size_t references;
    ptx_module *module;
};

void image_retain(struct image *image);
void image_release(struct image *image);

struct library {
    struct object object;
    char *ptx; /* until it is loaded */
    struct image *image;
    CUresult load_result;
    struct jit_logs *logs;
    int is_loaded; /* or was tried to be */
};

struct module {
    struct object object;
    int owns_library; /* made by cuModuleLoadData */
};

struct kernel {
    struct object object;
    const ptx_kernel *entry;
    char *name;                   /* once it was asked for */
    int max_dynamic_shared_bytes; /* 0: as the device has without asking for more */
    int carveout;
};

int library_looks_like_ptx(const char *text);
CUresult library_result_of(ptx_result result);

/* library_load loads the code, if that was not tried yet: it happens, or fails, when something of the library is first wanted. */
CUresult library_load(struct library *library);

/* kernel_of gives the kernel of this entry in a library, made when it is first asked for: a CUkernel, or the CUfunction of a
 * context. */
struct kernel *kernel_of(struct library *library, struct context *context, const ptx_kernel *entry);

/* kernel_shared_bytes_limit: the dynamic shared memory that a launch may ask for. */
uint32_t kernel_shared_bytes_limit(const struct kernel *kernel);

#endif
