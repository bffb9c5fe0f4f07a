/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "library.h"

#include "call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ELF_MAGIC "\177ELF"
#define FATBIN_MAGIC "\x50\xed\x55\xba"
#define LOG_SIZE 1024

void image_retain(struct image *image) {
    image->references++;
}

void image_release(struct image *image) {
    if (!image || --image->references > 0)
        return;
    ptx_unload(image->module);
    free(image);
}

static const char *skip_comment(const char *text) {
    const char *end = text[1] == '/' ? strchr(text, '\n') : strstr(text + 2, "*/");
    return end ? end + 1 : text + strlen(text);
}

/* PTX begins with comments and .version. Nothing beyond the first byte that says otherwise is read: other images have no end
 * that could be seen. */
static int looks_like_ptx(const char *text) {
    if (text[0] == '/' && (text[1] == '/' || text[1] == '*'))
        return 1;
    while (*text == ' ' || *text == '\t' || *text == '\r' || *text == '\n')
        text++;
    if (text[0] == '/' && (text[1] == '/' || text[1] == '*'))
        return looks_like_ptx(skip_comment(text));
    return strncmp(text, ".version", strlen(".version")) == 0;
}

static CUresult result_of(ptx_result result) {
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
    CUresult result = result_of(ptx_load(&image->module, library->ptx, strlen(library->ptx), log, log_size));
    if (result == CUDA_SUCCESS)
        library->image = image;
    else
        free(image);
    free(library->ptx);
    library->ptx = NULL;
    return result;
}

static void write_log(const struct jit_log *to, const char *log) {
    if (!to->buffer || !to->size)
        return;
    snprintf(to->buffer, to->size, "%s", log);
    if (to->length)
        *to->length = (void *)(uintptr_t)strlen(to->buffer);
}

/* Loading is lazy: it happens, or fails, when something of the library is first asked for. */
static CUresult load(struct library *library) {
    char log[LOG_SIZE] = "";
    if (!library->is_loaded && library->ptx) {
        library->load_result = load_ptx(library, log, sizeof(log));
        write_log(&library->log, log);
    } else if (!library->is_loaded) {
        if (library->load_result == CUDA_ERROR_NO_BINARY_FOR_GPU)
            snprintf(log, sizeof(log), "The simulated device runs PTX only, not machine code");
        write_log(&library->log, log);
    }
    library->is_loaded = 1;
    return library->load_result == CUDA_SUCCESS ? CUDA_SUCCESS : refuse(library->load_result, "%s", log);
}

static CUresult read_image(struct library *library, const char *code) {
    library->load_result = CUDA_ERROR_INVALID_IMAGE;
    if (strncmp(code, ELF_MAGIC, 4) == 0 || strncmp(code, FATBIN_MAGIC, 4) == 0)
        library->load_result = CUDA_ERROR_NO_BINARY_FOR_GPU;
    if (!looks_like_ptx(code))
        return CUDA_SUCCESS;
    library->ptx = strdup(code);
    return library->ptx ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static void read_options(struct jit_log *log, const CUjit_option *options, void **values, unsigned int count) {
    for (unsigned int i = 0; options && values && i < count; i++) {
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER) {
            log->buffer = values[i];
        } else if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES) {
            log->size = (unsigned int)(uintptr_t)values[i];
            log->length = &values[i];
        }
    }
}

static void library_ended(struct object *object) {
    struct library *library = (struct library *)object;
    image_release(library->image);
    free(library->ptx);
    library->image = NULL;
    library->ptx = NULL;
}

static struct library *library_create(const void *code, const CUjit_option *options, void **values, unsigned int count) {
    struct library *library = object_create(OBJECT_LIBRARY, NULL);
    if (!library)
        return NULL;
    library->object.ended = library_ended;
    read_options(&library->log, options, values, count);
    if (read_image(library, code) == CUDA_SUCCESS)
        return library;
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

static void library_end(struct library *library) {
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
    struct library *created = library_create(code, jitOptions, jitOptionsValues, numJitOptions);
    if (!created)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *library = (CUlibrary)created;
    return CUDA_SUCCESS;
}

CUresult sim_cuLibraryUnload(CUlibrary library) {
    struct library *found = NULL;
    CUresult result = object_find(OBJECT_LIBRARY, library, &found);
    if (result == CUDA_SUCCESS)
        library_end(found);
    return result;
}

/* The kernel of this entry in a library, made when it is first asked for: a CUkernel, or the CUfunction of a context. */
static struct kernel *kernel_of(struct library *library, struct context *context, const ptx_kernel *entry) {
    struct kernel *kernel;
    for (size_t position = 0; (kernel = object_next(OBJECT_KERNEL, &position));) {
        const struct object *object = &kernel->object;
        if (object->state == OBJECT_LIVE && object->library == library && object->context == context && kernel->entry == entry)
            return kernel;
    }
    kernel = object_create(OBJECT_KERNEL, context);
    if (!kernel)
        return NULL;
    kernel->object.listed = 0;
    kernel->object.library = library;
    kernel->entry = entry;
    return kernel;
}

static CUresult get_kernel(struct library *library, struct context *context, const char *name, struct kernel **kernel) {
    CUresult result = load(library);
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
        result = get_kernel(from, NULL, name, &found);
    if (result == CUDA_SUCCESS)
        *kernel = (CUkernel)found;
    return result;
}

static void owner_ended(struct object *object) {
    if (object->library->object.state == OBJECT_LIVE)
        library_end(object->library);
}

static struct module *module_create(struct library *library, struct context *context, int owns_library) {
    struct module *module = object_create(OBJECT_MODULE, context);
    if (!module)
        return NULL;
    module->object.listed = owns_library;
    module->object.library = library;
    module->object.ended = owns_library ? owner_ended : NULL;
    module->owns_library = owns_library;
    return module;
}

static struct module *module_of(struct library *library, struct context *context) {
    struct module *module;
    for (size_t position = 0; (module = object_next(OBJECT_MODULE, &position));) {
        if (module->object.state == OBJECT_LIVE && module->object.library == library && module->object.context == context)
            return module;
    }
    return module_create(library, context, 0);
}

CUresult sim_cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    struct library *from = NULL;
    struct context *context = NULL;
    CUresult result = module ? object_find(OBJECT_LIBRARY, library, &from) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = context_current(&context);
    if (result == CUDA_SUCCESS)
        result = load(from);
    if (result != CUDA_SUCCESS)
        return result;
    struct module *found = module_of(from, context);
    if (!found)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *module = (CUmodule)found;
    return CUDA_SUCCESS;
}

CUresult sim_cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
    struct context *context = NULL;
    struct kernel *found = NULL;
    CUresult result = offset ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_KERNEL, kernel, &found);
    if (result != CUDA_SUCCESS)
        return result;
    size_t count = ptx_parameter_count(found->entry);
    if (index >= count)
        return refuse(CUDA_ERROR_INVALID_VALUE, "paramIndex %zu outside of kernel parameter count %zu", index, count);
    *offset = ptx_parameter_offset(found->entry, index);
    if (size)
        *size = ptx_parameter_size(found->entry, index);
    return CUDA_SUCCESS;
}

CUresult sim_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
                                void **optionValues) {
    struct context *context = NULL;
    CUresult result = module && image ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    struct library *library = library_create(image, options, optionValues, numOptions);
    if (!library)
        return CUDA_ERROR_OUT_OF_MEMORY;
    library->object.listed = 0;
    result = load(library);
    struct module *created = result == CUDA_SUCCESS ? module_create(library, context, 1) : NULL;
    if (!created) {
        library_end(library);
        return result == CUDA_SUCCESS ? CUDA_ERROR_OUT_OF_MEMORY : result;
    }
    *module = (CUmodule)created;
    return CUDA_SUCCESS;
}

CUresult sim_cuModuleLoadData(CUmodule *module, const void *image) {
    return sim_cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult sim_cuModuleUnload(CUmodule module) {
    struct module *found;
    CUresult result = object_find(OBJECT_MODULE, module, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (!found->owns_library)
        return refuse(CUDA_ERROR_NOT_PERMITTED, "The module is part of a library");
    object_end(&found->object, OBJECT_DESTROYED);
    return context_check(found->object.context);
}

CUresult sim_cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    struct module *from = NULL;
    struct kernel *found = NULL;
    CUresult result = function && name ? object_find(OBJECT_MODULE, module, &from) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = get_kernel(from->object.library, from->object.context, name, &found);
    if (result == CUDA_SUCCESS)
        *function = (CUfunction)found;
    return result;
}
