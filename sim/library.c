/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "library.h"

#include "allocation.h"
#include "call.h"
#include "file.h"
#include "machine_code.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FATBIN_MAGIC "\x50\xed\x55\xba"

void image_retain(struct image *image) {
    image->references++;
}

void image_release(struct image *image) {
    if (!image || --image->references > 0)
        return;
    memory_image_ended(image);
    ptx_unload(image->module);
    free(image);
}

static const char *skip_comment(const char *text) {
    const char *end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
    return end ? end + 1 : text + strlen(text);
}

/* PTX begins with comments and .version. Nothing beyond the first byte that says otherwise is read: other images have no end
 * that could be seen. */
int library_looks_like_ptx(const char *text) {
    if (text[0] == '/' && (text[1] == '/' || text[1] == '*'))
        return 1;
    while (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n')
        text++;
    if (text[0] == '/' && (text[1] == '/' || text[1] == '*'))
        return library_looks_like_ptx(skip_comment(text));
    return strncmp(text, ".version", strlen(".version")) == 0;
}

CUresult library_result_of(ptx_result result) {
    switch (result) {
    case PTX_OK:
        return CUDA_SUCCESS;
    case PTX_INVALID:
        return CUDA_ERROR_INVALID_PTX;
    case PTX_TOO_NEW:
        return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    case PTX_NOT_SUPPORTED:
        return CUDA_ERROR_NOT_SUPPORTED;
    case PTX_NO_MEMORY:
        break;
    }
    return CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult load_ptx(struct library *library, char *log, size_t log_size) {
    struct image *image = calloc(1, sizeof(*image));
    if (!image)
        return CUDA_ERROR_OUT_OF_MEMORY;
    image->references = 1;
    CUresult result = library_result_of(
        ptx_load(&image->module, library->ptx, strlen(library->ptx), devices_architecture()->number, log, log_size));
    if (result == CUDA_SUCCESS)
        library->image = image;
    else
        free(image);
    free(library->ptx);
    library->ptx = NULL;
    return result;
}

static CUresult load_code(struct library *library, char *log, size_t log_size) {
    if (library->ptx)
        return load_ptx(library, log, log_size);
    if (library->load_result == CUDA_ERROR_NO_BINARY_FOR_GPU)
        snprintf(log, log_size, "The simulated device runs PTX only, not machine code");
    return library->load_result;
}

CUresult library_load(struct library *library) {
    struct jit_log *log = &library->logs->error;
    if (!library->is_loaded) {
        library->load_result = load_code(library, log->text, sizeof(log->text));
        library->is_loaded = 1;
        jit_write_logs(library->logs);
    }
    return library->load_result == CUDA_SUCCESS ? CUDA_SUCCESS : refuse(library->load_result, "%s", log->text);
}

/* `size` is that of the code if it is known, else SIZE_MAX. */
static int read_image(struct library *library, const char *code, size_t size) {
    int is_ptx = library_looks_like_ptx(code);
    library->load_result = CUDA_ERROR_INVALID_IMAGE;
    if (machine_code_is_elf(code) || strncmp(code, FATBIN_MAGIC, 4) == 0)
        library->load_result = CUDA_ERROR_NO_BINARY_FOR_GPU;
    library->ptx = is_ptx ? strdup(code) : machine_code_ptx(code, size);
    return library->ptx || !is_ptx;
}

static void library_ended(struct object *object) {
    struct library *library = (struct library *)object;
    image_release(library->image);
    free(library->ptx);
    free(library->logs);
    library->image = NULL;
    library->ptx = NULL;
    library->logs = NULL;
}

struct library *library_create(const void *code, size_t size, const CUjit_option *options, void **values, unsigned int count) {
    struct library *library = object_create(OBJECT_LIBRARY, NULL);
    if (!library)
        return NULL;
    library->object.ended = library_ended;
    library->logs = calloc(1, sizeof(*library->logs));
    if (library->logs && read_image(library, code, size)) {
        jit_read_options(library->logs, options, values, count);
        return library;
    }
    object_end(&library->object, OBJECT_DESTROYED);
    return NULL;
}

static void end_parts(const struct library *library, enum object_kind kind) {
    struct object *object;
    for (size_t position = 0; (object = object_next(kind, &position));) {
        if (object->library == library && object->state == OBJECT_LIVE)
            object_end(object, OBJECT_DESTROYED);
    }
}

void library_end(struct library *library) {
    end_parts(library, OBJECT_KERNEL);
    end_parts(library, OBJECT_MODULE);
    object_end(&library->object, OBJECT_DESTROYED);
}

/* NOLINTBEGIN(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitOptionsValues,
                               unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                               unsigned int numLibraryOptions) {
    /* NOLINTEND(readability-non-const-parameter) */
    (void)libraryOptions;
    (void)libraryOptionValues;
    (void)numLibraryOptions;
    if (!library || !code)
        return CUDA_ERROR_INVALID_VALUE;
    struct library *created = library_create(code, SIZE_MAX, jitOptions, jitOptionsValues, numJitOptions);
    if (!created)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *library = (CUlibrary)created;
    return CUDA_SUCCESS;
}

/* NOLINTBEGIN(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jitOptions, void **jitOptionsValues,
                                   unsigned int numJitOptions, CUlibraryOption *libraryOptions, void **libraryOptionValues,
                                   unsigned int numLibraryOptions) {
    /* NOLINTEND(readability-non-const-parameter) */
    size_t size = 0;
    (void)libraryOptions;
    (void)libraryOptionValues;
    (void)numLibraryOptions;
    if (!library || !path)
        return CUDA_ERROR_INVALID_VALUE;
    char *code = file_read(path, &size);
    if (!code)
        return refuse(CUDA_ERROR_FILE_NOT_FOUND, "%s cannot be read", path);
    struct library *created = library_create(code, size, jitOptions, jitOptionsValues, numJitOptions);
    free(code);
    if (!created)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *library = (CUlibrary)created;
    return CUDA_SUCCESS;
}

CUresult sim_cuLibraryUnload(CUlibrary library) {
    struct library *found = NULL;
    CUresult result = object_find(OBJECT_LIBRARY, library, &found);
    if (result != CUDA_SUCCESS)
        return result;
    jit_write_logs(found->logs);
    library_end(found);
    return CUDA_SUCCESS;
}

CUresult library_get_kernel(struct library *library, struct context *context, const char *name, struct kernel **kernel) {
    CUresult result = library_load(library);
    if (result != CUDA_SUCCESS)
        return result;
    const ptx_kernel *entry = ptx_find(library->image->module, name);
    if (!entry)
        return refuse(CUDA_ERROR_NOT_FOUND, "Kernel (%s) cannot be found in library", name);
    *kernel = kernel_of(library, context, entry);
    return *kernel ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult sim_cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    struct library *from = NULL;
    struct kernel *found = NULL;
    CUresult result = kernel && name ? object_find(OBJECT_LIBRARY, library, &from) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = library_get_kernel(from, NULL, name, &found);
    if (result == CUDA_SUCCESS)
        *kernel = (CUkernel)found;
    return result;
}

CUresult sim_cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    struct library *from = NULL;
    struct context *context = NULL;
    CUresult result = module ? object_find(OBJECT_LIBRARY, library, &from) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = context_current(&context);
    if (result == CUDA_SUCCESS)
        result = library_load(from);
    if (result != CUDA_SUCCESS)
        return result;
    struct module *found = module_of(from, context);
    if (!found)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *module = (CUmodule)found;
    return CUDA_SUCCESS;
}

/* A variable's memory becomes known to the driver when it is first asked for, and stays until the code is unloaded. */
CUresult library_get_global(struct library *library, struct context *context, const char *name, CUdeviceptr *address,
                            size_t *size) {
    struct allocation *allocation = NULL;
    uint64_t variable_size = 0;
    CUresult result = library_load(library);
    if (result != CUDA_SUCCESS)
        return result;
    uint64_t variable = ptx_find_variable(library->image->module, name, &variable_size);
    if (!variable)
        return refuse(CUDA_ERROR_NOT_FOUND, "Variable (%s) cannot be found in library", name);
    const struct allocation wanted = {.address = variable,
                                      .size = variable_size,
                                      .kind = ALLOCATION_VARIABLE,
                                      .device = context->device,
                                      .image = library->image};
    if (!allocation_at(variable))
        result = allocation_create(&wanted, &allocation);
    if (result == CUDA_SUCCESS && address)
        *address = variable;
    if (result == CUDA_SUCCESS && size)
        *size = variable_size;
    return result;
}

CUresult sim_cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library, const char *name) {
    struct library *from = NULL;
    struct context *context = NULL;
    CUresult result = name ? object_find(OBJECT_LIBRARY, library, &from) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = context_current(&context);
    return result == CUDA_SUCCESS ? library_get_global(from, context, name, address, size) : result;
}
