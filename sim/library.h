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
    int cache_config;
};

int library_looks_like_ptx(const char *text);
CUresult library_result_of(ptx_result result);

/* library_load loads the code, if that was not tried yet: it happens, or fails, when something of the library is first wanted. */
CUresult library_load(struct library *library);

/* library_create makes one of code that is copied; `size` is that of the code, SIZE_MAX if it is not known. NULL if there is no
 * memory. */
struct library *library_create(const void *code, size_t size, const CUjit_option *options, void **values, unsigned int count);
void library_end(struct library *library);

/* These find a kernel by name, as the CUkernel or a context's CUfunction, and a variable. */
CUresult library_get_kernel(struct library *library, struct context *context, const char *name, struct kernel **kernel);
CUresult library_get_global(struct library *library, struct context *context, const char *name, CUdeviceptr *address, size_t *size);

/* module_of gives a context's module of a library, made when it is first asked for. */
struct module *module_of(struct library *library, struct context *context);

/* kernels_list gives the first `count` kernels of a library, or fewer if it has fewer. */
CUresult kernels_list(struct library *library, struct context *context, unsigned int count, void **kernels);

/* kernel_of gives the kernel of this entry in a library, made when it is first asked for: a CUkernel, or the CUfunction of a
 * context. */
struct kernel *kernel_of(struct library *library, struct context *context, const ptx_kernel *entry);

/* kernel_shared_bytes_limit: the dynamic shared memory that a launch may ask for. */
uint32_t kernel_shared_bytes_limit(const struct kernel *kernel);

/* kernel_active_blocks: how many of its blocks of so many threads a multiprocessor runs at once; 0 for a block that is too big. */
int kernel_active_blocks(const struct kernel *kernel, size_t block_size, size_t dynamic_bytes);

#endif
