/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "call.h"
#include "library.h"
#include "memory_map.h"
#include "stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct launch {
    struct work work;
    struct image *image;
    const ptx_kernel *entry;
    ptx_grid grid;
    unsigned char *parameters;
    size_t parameters_size;
};

static CUresult fault_of(ptx_outcome outcome) {
    switch (outcome) {
    case PTX_RAN:
        return CUDA_SUCCESS;
    case PTX_ILLEGAL_ADDRESS:
        return CUDA_ERROR_ILLEGAL_ADDRESS;
    case PTX_MISALIGNED_ADDRESS:
        return CUDA_ERROR_MISALIGNED_ADDRESS;
    case PTX_ILLEGAL_INSTRUCTION:
        return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case PTX_INVALID_PC:
        return CUDA_ERROR_INVALID_PC;
    case PTX_ASSERTED:
        return CUDA_ERROR_ASSERT;
    case PTX_TIMED_OUT:
        return CUDA_ERROR_LAUNCH_TIMEOUT;
    case PTX_RAN_OUT_OF_MEMORY:
        return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    case PTX_TRAPPED:
        break;
    }
    return CUDA_ERROR_LAUNCH_FAILED;
}

static void print(void *data, const char *text, size_t size) {
    (void)data;
    fwrite(text, 1, size, stdout);
    fflush(stdout);
}

/* The kernel runs without the lock: other threads can use other streams meanwhile. */
static void run_launch(struct work *work, struct stream *stream) {
    const struct launch *launch = (const struct launch *)work;
    struct context *context = stream->object.context;
    char log[sizeof(context->fault_text)] = "";
    struct memory_map *map = memory_map_create(context);
    if (!map) {
        context_set_fault(context, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "No memory to run the kernel");
        return;
    }
    const ptx_device device = {.find = memory_map_find,
                               .describe = memory_map_describe,
                               .print = print,
                               .allocate = memory_map_allocate,
                               .release = memory_map_release,
                               .data = map};
    uint64_t steps = 0;
    ptx_grid grid = launch->grid;
    grid.step_limit = simulator.step_limit;
    grid.workers = simulator.workers;
    grid.finds_unwritten = simulator.finds_unwritten;
    grid.finds_races = simulator.finds_races;
    grid.steps = &steps;
    simulator_unlock();
    ptx_outcome outcome = ptx_run(launch->entry, &grid, &device, log, sizeof(log));
    simulator_lock();
    memory_map_free(map);
    simulator.instructions_run += steps;
    if (outcome == PTX_ILLEGAL_ADDRESS)
        call_violate("%s", log);
    if (outcome != PTX_RAN)
        context_set_fault(context, fault_of(outcome), log);
}

static void drop_launch(struct work *work) {
    struct launch *launch = (struct launch *)work;
    image_release(launch->image);
    free(launch->parameters);
    free(launch);
}

/* A parameter that is an address of that memory, or holds one, is taken to mean that the kernel uses it. */
static int launch_uses(const struct work *work, uint64_t address, size_t size) {
    const struct launch *launch = (const struct launch *)work;
    uint64_t word;
    for (size_t at = 0; at + sizeof(word) <= launch->parameters_size; at += sizeof(word)) {
        memcpy(&word, launch->parameters + at, sizeof(word));
        if (word >= address && word - address < size)
            return 1;
    }
    return 0;
}

static CUresult check_block(const uint32_t block[3]) {
    if (block[0] > MAX_BLOCK_XY || block[1] > MAX_BLOCK_XY || block[2] > MAX_BLOCK_Z)
        return refuse(CUDA_ERROR_INVALID_VALUE,
                      "One or more of block dimensions of (%u,%u,%u) exceeds correspsonding maximum value of (%d,%d,%d)", block[0],
                      block[1], block[2], MAX_BLOCK_XY, MAX_BLOCK_XY, MAX_BLOCK_Z);
    if (block[0] * block[1] * block[2] > MAX_THREADS_PER_BLOCK)
        return refuse(CUDA_ERROR_INVALID_VALUE, "The block dimensions of (%u,%u,%u) make more than %d threads", block[0], block[1],
                      block[2], MAX_THREADS_PER_BLOCK);
    if (block[0] * block[1] * block[2] == 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "One or more of block dimensions of (%u,%u,%u) is 0", block[0], block[1], block[2]);
    return CUDA_SUCCESS;
}

static CUresult check_grid(const uint32_t grid[3]) {
    if (grid[0] > MAX_GRID_X || grid[1] > MAX_GRID_YZ || grid[2] > MAX_GRID_YZ)
        return refuse(CUDA_ERROR_INVALID_VALUE,
                      "One or more of grid dimensions of (%u,%u,%u) exceeds correspsonding maximum value of (%d,%d,%d)", grid[0],
                      grid[1], grid[2], MAX_GRID_X, MAX_GRID_YZ, MAX_GRID_YZ);
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "One or more of grid dimensions of (%u,%u,%u) is 0", grid[0], grid[1], grid[2]);
    return CUDA_SUCCESS;
}

static CUresult take_attribute(struct launch *launch, const CUlaunchAttribute *attribute) {
    if (attribute->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        memcpy(&launch->grid.is_cooperative, &attribute->value, sizeof(launch->grid.is_cooperative));
    else if (attribute->id != CU_LAUNCH_ATTRIBUTE_IGNORE)
        return refuse(CUDA_ERROR_NOT_SUPPORTED, "Launch attribute %d is not simulated", (int)attribute->id);
    return CUDA_SUCCESS;
}

static CUresult take_attributes(struct launch *launch, const CUlaunchConfig *config) {
    CUresult result = CUDA_SUCCESS;
    for (unsigned int i = 0; result == CUDA_SUCCESS && i < config->numAttrs; i++)
        result = take_attribute(launch, &config->attrs[i]);
    return result;
}

/* All blocks of a cooperative launch run at once. */
static CUresult check_cooperative(const struct launch *launch, const struct kernel *kernel) {
    size_t threads = (size_t)launch->grid.threads[0] * launch->grid.threads[1] * launch->grid.threads[2];
    uint64_t limit = (uint64_t)kernel_active_blocks(kernel, threads, launch->grid.shared_bytes) * MULTIPROCESSORS;
    uint64_t plane = (uint64_t)launch->grid.blocks[0] * launch->grid.blocks[1]; /* the product of all three could be too large */
    if (plane > limit || plane * launch->grid.blocks[2] > limit)
        return refuse(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "The device runs no more than %d blocks of the kernel at once",
                      (int)limit);
    return CUDA_SUCCESS;
}

static CUresult check_launch(const struct launch *launch, const struct kernel *kernel) {
    CUresult result = check_block(launch->grid.threads);
    if (result == CUDA_SUCCESS)
        result = check_grid(launch->grid.blocks);
    if (result == CUDA_SUCCESS && launch->grid.shared_bytes > kernel_shared_bytes_limit(kernel))
        return refuse(CUDA_ERROR_INVALID_VALUE, "%u bytes of dynamic shared memory are more than the %u of this kernel",
                      launch->grid.shared_bytes, kernel_shared_bytes_limit(kernel));
    return result == CUDA_SUCCESS && launch->grid.is_cooperative ? check_cooperative(launch, kernel) : result;
}

/* The buffer that `extra` names, and its size. */
static CUresult read_extra(void **extra, const void **buffer, size_t *size) {
    *buffer = NULL;
    *size = 0;
    for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
        if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
            *buffer = extra[1];
        else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE && extra[1])
            *size = *(const size_t *)extra[1];
        else
            return refuse(CUDA_ERROR_INVALID_VALUE, "0x%" PRIxPTR " is nothing that `extra` may have", (uintptr_t)extra[0]);
    }
    return CUDA_SUCCESS;
}

/* The buffer is the parameter space as the kernel sees it; programs pad its end. */
static CUresult copy_extra(struct launch *launch, void **extra) {
    const void *buffer = NULL;
    size_t size = 0;
    CUresult result = read_extra(extra, &buffer, &size);
    if (result != CUDA_SUCCESS)
        return result;
    if (!buffer || size < launch->parameters_size)
        return refuse(CUDA_ERROR_INVALID_VALUE, "The kernel's parameters take %zu bytes, %zu were given", launch->parameters_size,
                      buffer ? size : 0);
    memcpy(launch->parameters, buffer, launch->parameters_size);
    return CUDA_SUCCESS;
}

static CUresult copy_arguments(struct launch *launch, void **arguments) {
    size_t count = ptx_parameter_count(launch->entry);
    if (!arguments)
        return refuse(CUDA_ERROR_INVALID_VALUE, "The kernel has %zu parameters, no arguments were given", count);
    for (size_t i = 0; i < count; i++) {
        if (!arguments[i])
            return refuse(CUDA_ERROR_INVALID_VALUE, "Argument %zu is NULL", i);
        memcpy(launch->parameters + ptx_parameter_offset(launch->entry, i), arguments[i], ptx_parameter_size(launch->entry, i));
    }
    return CUDA_SUCCESS;
}

/* Copies what the kernel is given into its parameter space: the program may forget it when the launch returns. */
static CUresult copy_parameters(struct launch *launch, void **arguments, void **extra) {
    size_t count = ptx_parameter_count(launch->entry);
    if (arguments && extra)
        return refuse(CUDA_ERROR_INVALID_VALUE, "Arguments are given both as kernelParams and in `extra`");
    if (count == 0)
        return CUDA_SUCCESS;
    launch->parameters_size = ptx_parameter_offset(launch->entry, count - 1) + ptx_parameter_size(launch->entry, count - 1);
    launch->parameters = calloc(1, launch->parameters_size);
    if (!launch->parameters)
        return CUDA_ERROR_OUT_OF_MEMORY;
    launch->grid.parameters = launch->parameters;
    return extra ? copy_extra(launch, extra) : copy_arguments(launch, arguments);
}

static struct launch *create_launch(const struct kernel *kernel, const CUlaunchConfig *config) {
    struct launch *launch = calloc(1, sizeof(*launch));
    if (!launch)
        return NULL;
    *launch = (struct launch){
        .work = {.node_type = CU_GRAPH_NODE_TYPE_KERNEL, .run = run_launch, .drop = drop_launch, .uses = launch_uses},
        .image = kernel->object.library->image,
        .entry = kernel->entry,
        .grid = {.blocks = {config->gridDimX, config->gridDimY, config->gridDimZ},
                 .threads = {config->blockDimX, config->blockDimY, config->blockDimZ},
                 .shared_bytes = config->sharedMemBytes}};
    image_retain(launch->image);
    return launch;
}

static CUresult find_kernel_and_stream(CUfunction function, CUstream raw, struct kernel **kernel, struct stream **stream) {
    CUresult result = object_find(OBJECT_KERNEL, function, kernel);
    if (result == CUDA_SUCCESS)
        result = stream_find_to_use(raw, stream);
    if (result != CUDA_SUCCESS)
        return result;
    const struct context *context = (*kernel)->object.context;
    if (context && context != (*stream)->object.context)
        return refuse(CUDA_ERROR_INVALID_HANDLE, "The function and the stream are of different contexts");
    return CUDA_SUCCESS;
}

CUresult sim_cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **kernelParams, void **extra) {
    struct kernel *kernel = NULL;
    struct stream *stream = NULL;
    if (!config || (config->numAttrs && !config->attrs))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = find_kernel_and_stream(function, config->hStream, &kernel, &stream);
    if (result != CUDA_SUCCESS)
        return result;
    struct launch *launch = create_launch(kernel, config);
    if (!launch)
        return CUDA_ERROR_OUT_OF_MEMORY;
    result = take_attributes(launch, config);
    if (result == CUDA_SUCCESS)
        result = check_launch(launch, kernel);
    if (result == CUDA_SUCCESS)
        result = copy_parameters(launch, kernelParams, extra);
    if (result == CUDA_SUCCESS)
        stream_put(stream, &launch->work);
    else
        drop_launch(&launch->work);
    return result;
}

CUresult sim_cuLaunchKernel(CUfunction function, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                            unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ, unsigned int sharedMemBytes,
                            CUstream stream, void **kernelParams, void **extra) {
    const CUlaunchConfig config = {.gridDimX = gridDimX,
                                   .gridDimY = gridDimY,
                                   .gridDimZ = gridDimZ,
                                   .blockDimX = blockDimX,
                                   .blockDimY = blockDimY,
                                   .blockDimZ = blockDimZ,
                                   .sharedMemBytes = sharedMemBytes,
                                   .hStream = stream};
    return sim_cuLaunchKernelEx(&config, function, kernelParams, extra);
}

CUresult sim_cuLaunchCooperativeKernel(CUfunction function, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                       unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                       unsigned int sharedMemBytes, CUstream stream, void **kernelParams) {
    static const int on = 1;
    CUlaunchAttribute cooperative = {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE};
    memcpy(&cooperative.value, &on, sizeof(on));
    const CUlaunchConfig config = {.gridDimX = gridDimX,
                                   .gridDimY = gridDimY,
                                   .gridDimZ = gridDimZ,
                                   .blockDimX = blockDimX,
                                   .blockDimY = blockDimY,
                                   .blockDimZ = blockDimZ,
                                   .sharedMemBytes = sharedMemBytes,
                                   .hStream = stream,
                                   .attrs = &cooperative,
                                   .numAttrs = 1};
    return sim_cuLaunchKernelEx(&config, function, kernelParams, NULL);
}
