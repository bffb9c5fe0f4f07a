/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* Modules: what a context has of a library, or a library that cuModuleLoad made for that context alone. */

#include "call.h"
#include "file.h"
#include "library.h"

#include <stdlib.h>

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

struct module *module_of(struct library *library, struct context *context) {
    struct module *module;
    for (size_t position = 0; (module = object_next(OBJECT_MODULE, &position));) {
        if (module->object.state == OBJECT_LIVE && module->object.library == library && module->object.context == context)
            return module;
    }
    return module_create(library, context, 0);
}

static CUresult make_module(struct library *library, struct context *context, struct module **module) {
    if (!library)
        return CUDA_ERROR_OUT_OF_MEMORY;
    library->object.listed = 0;
    CUresult result = library_load(library);
    *module = result == CUDA_SUCCESS ? module_create(library, context, 1) : NULL;
    if (*module)
        return CUDA_SUCCESS;
    library_end(library);
    return result == CUDA_SUCCESS ? CUDA_ERROR_OUT_OF_MEMORY : result;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int numOptions, CUjit_option *options,
                                void **optionValues) {
    struct context *context = NULL;
    struct module *made = NULL;
    CUresult result = module && image ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = make_module(library_create(image, SIZE_MAX, options, optionValues, numOptions), context, &made);
    if (result == CUDA_SUCCESS)
        *module = (CUmodule)made;
    return result;
}

CUresult sim_cuModuleLoadData(CUmodule *module, const void *image) {
    return sim_cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult sim_cuModuleLoadFatBinary(CUmodule *module, const void *image) {
    return sim_cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CUresult sim_cuModuleLoad(CUmodule *module, const char *path) {
    struct context *context = NULL;
    struct module *made = NULL;
    size_t size = 0;
    CUresult result = module && path ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    char *code = file_read(path, &size);
    if (!code)
        return refuse(CUDA_ERROR_FILE_NOT_FOUND, "%s cannot be read", path);
    result = make_module(library_create(code, size, NULL, NULL, 0), context, &made);
    free(code);
    if (result == CUDA_SUCCESS)
        *module = (CUmodule)made;
    return result;
}

CUresult sim_cuModuleGetLoadingMode(int *mode) {
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_LAZY_LOADING;
    return CUDA_SUCCESS;
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
        result = library_get_kernel(from->object.library, from->object.context, name, &found);
    if (result == CUDA_SUCCESS)
        *function = (CUfunction)found;
    return result;
}

CUresult sim_cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module, const char *name) {
    struct module *from = NULL;
    CUresult result = name ? object_find(OBJECT_MODULE, module, &from) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? library_get_global(from->object.library, from->object.context, name, address, size) : result;
}

CUresult sim_cuModuleGetFunctionCount(unsigned int *count, CUmodule module) {
    struct module *found = NULL;
    CUresult result = count ? object_find(OBJECT_MODULE, module, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *count = (unsigned int)ptx_kernel_count(found->object.library->image->module);
    return result;
}

CUresult sim_cuModuleEnumerateFunctions(CUfunction *list, unsigned int count, CUmodule module) {
    struct module *from = NULL;
    CUresult result = list ? object_find(OBJECT_MODULE, module, &from) : CUDA_ERROR_INVALID_VALUE;
    return result == CUDA_SUCCESS ? kernels_list(from->object.library, from->object.context, count, (void **)list) : result;
}

CUresult sim_cuFuncGetModule(CUmodule *module, CUfunction function) {
    struct kernel *kernel = NULL;
    CUresult result = module ? object_find(OBJECT_KERNEL, function, &kernel) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !kernel->object.context)
        return refuse(CUDA_ERROR_INVALID_HANDLE, "A CUkernel is part of a library, not of a module");
    if (result != CUDA_SUCCESS)
        return result;
    struct module *found = module_of(kernel->object.library, kernel->object.context);
    if (!found)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *module = (CUmodule)found;
    return CUDA_SUCCESS;
}

/* Functions are loaded with their module. */
CUresult sim_cuFuncIsLoaded(int *state, CUfunction function) {
    struct kernel *kernel = NULL;
    CUresult result = state ? object_find(OBJECT_KERNEL, function, &kernel) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *state = CU_FUNCTION_LOADING_STATE_LOADED;
    return result;
}

CUresult sim_cuFuncLoad(CUfunction function) {
    struct kernel *kernel = NULL;
    return object_find(OBJECT_KERNEL, function, &kernel);
}
