/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "cucore_v1/launch.h"

#include "base/argument.h"
#include "buffer.h"
#include "driver/cuda.h"
#include "kernel.h"

#include <stdlib.h>

/* What is launched, and where. */
typedef struct launching {
    const cucore_kernel *kernel;
    cucore_stream *stream;
    cucore_launch_options options;
} launching;

enum { INLINE_ARGUMENTS = 32 };

static int32_t expect_dimensions(const cucore_call *call, const uint32_t dimensions[3], const char *name) {
    if (dimensions[0] && dimensions[1] && dimensions[2])
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": options->%s is %u x %u x %u; no dimension may be 0", name, dimensions[0],
                       dimensions[1], dimensions[2]);
}

static int32_t read_options(const cucore_call *call, const cucore_launch_options *options, cucore_launch_options *known) {
    int32_t code = cucore_expect_pointer(call, options, "options");
    if (!code)
        code = cucore_read_options(call, options, known, sizeof *known, sizeof *known);
    if (!code)
        code = expect_dimensions(call, known->grid, "grid");
    if (!code)
        code = expect_dimensions(call, known->block, "block");
    return code ? code : cucore_expect_zero(call, known->reserved, "options->reserved");
}

static int32_t expect_count(const cucore_call *call, const cucore_kernel *kernel, const cucore_argument *arguments, size_t count) {
    int32_t code = count ? cucore_expect_pointer(call, arguments, "arguments") : CUCORE_OK;
    if (!code && kernel->knows_parameters && count != kernel->parameter_count)
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": kernel %s takes %zu arguments, not %zu", kernel->name,
                           kernel->parameter_count, count);
    return code;
}

static CUCORE_RARE int32_t bad_argument(const cucore_call *call, size_t index, const char *rule) {
    cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": arguments[%zu]: %s", index, rule);
    return CUCORE_INVALID_ARGUMENT;
}

static int32_t expect_device(const cucore_call *call, const cucore_buffer *buffer, size_t index, const cucore_stream *stream) {
    char name[CUCORE_ELEMENT_NAME];
    if (buffer->resource->device->ordinal == stream->device->ordinal)
        return CUCORE_OK;
    return cucore_expect_same_device(call, buffer->resource->device, cucore_name_element(name, "arguments", index), stream->device,
                                     "stream");
}

/* The driver takes the address of what it is to copy: of an object, that is kept in *address. */
static int32_t take_object(const cucore_call *call, const cucore_argument *argument, size_t index, cucore_stream *stream,
                           uint64_t *address) {
    cucore_buffer *buffer = argument->object;
    int32_t code = cucore_expect_element(call, buffer, &cucore_buffer_class, "arguments", index);
    if (!code && argument->value > buffer->size)
        code = bad_argument(call, index, "its offset lies outside the buffer");
    if (!code)
        code = expect_device(call, buffer, index, stream);
    if (!code)
        code = cucore_buffer_use(call, buffer, stream);
    if (!code)
        *address = buffer->address + argument->value;
    return code;
}

/* The driver only reads what parameters point to, but does not say so in its types. */
static void *unconst(const void *bytes) {
    return (void *)(uintptr_t)bytes;
}

/* What a kind does not use is 0, so that it can be given a meaning later. Gives the size of the argument through `size`. */
static int32_t take(const cucore_call *call, const cucore_argument *argument, size_t index, cucore_stream *stream,
                    uint64_t *address, void **pointer, size_t *size) {
    static const char unused[] = "what its kind does not use must be 0";
    *size = argument->size;
    switch (argument->kind) {
    case CUCORE_ARGUMENT_VALUE:
        *pointer = unconst(&argument->value);
        if (argument->bytes || argument->object)
            return bad_argument(call, index, unused);
        return argument->size >= 1 && argument->size <= sizeof argument->value
                   ? CUCORE_OK
                   : bad_argument(call, index, "a value's size is 1 to 8 bytes");
    case CUCORE_ARGUMENT_BYTES:
        *pointer = unconst(argument->bytes);
        if (argument->value || argument->object)
            return bad_argument(call, index, unused);
        return argument->bytes && argument->size ? CUCORE_OK : bad_argument(call, index, "its bytes are NULL or none");
    case CUCORE_ARGUMENT_OBJECT:
        *pointer = address;
        *size = sizeof *address;
        if (argument->size || argument->bytes)
            return bad_argument(call, index, unused);
        return take_object(call, argument, index, stream, address);
    default:
        return bad_argument(call, index, "its kind is no CUCORE_ARGUMENT_... number");
    }
}

static int32_t take_checked(const cucore_call *call, const launching *launch, const cucore_argument *argument, size_t index,
                            uint64_t *address, void **pointer) {
    const cucore_kernel *kernel = launch->kernel;
    size_t size = 0;
    if (argument->reserved[0] || argument->reserved[1])
        return bad_argument(call, index, "what is reserved must be 0");
    int32_t code = take(call, argument, index, launch->stream, address, pointer, &size);
    if (!code && kernel->knows_parameters && size != kernel->parameter_sizes[index])
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": arguments[%zu] has %zu bytes; parameter %zu of kernel %s has %zu",
                           index, size, index, kernel->name, kernel->parameter_sizes[index]);
    return code;
}

static CUCORE_RARE int32_t fail(const cucore_call *call, const launching *launch, CUresult result) {
    const cucore_launch_options *options = &launch->options;
    int32_t code = cucore_cuda_fail(call, result, "cuLaunchKernelEx", cucore_raw(launch->kernel->raw));
    cucore_note(call, CUCORE_NOTE_CAUSE, "kernel %s, grid %u x %u x %u, block %u x %u x %u, %u bytes of dynamic shared memory",
                launch->kernel->name, options->grid[0], options->grid[1], options->grid[2], options->block[0], options->block[1],
                options->block[2], options->shared_bytes);
    return code;
}

static int32_t run(const cucore_call *call, const launching *launch, void **pointers) {
    const cucore_launch_options *options = &launch->options;
    const CUlaunchConfig config = {
        .gridDimX = options->grid[0],
        .gridDimY = options->grid[1],
        .gridDimZ = options->grid[2],
        .blockDimX = options->block[0],
        .blockDimY = options->block[1],
        .blockDimZ = options->block[2],
        .sharedMemBytes = options->shared_bytes,
        .hStream = launch->stream->raw,
    };
    /* The driver takes a kernel in place of a function (CUDA documentation, cuLaunchKernelEx). */
    CUkernel kernel = launch->kernel->raw;
    cucore_scope scope;
    int32_t code = cucore_stream_enter(launch->stream, call, &scope);
    if (code)
        return code;
    CUresult result = cucore_cuda.cuLaunchKernelEx(&config, (CUfunction)(void *)kernel, pointers, NULL);
    return cucore_scope_leave(&scope, call, result == CUDA_SUCCESS ? CUCORE_OK : fail(call, launch, result));
}

static int32_t run_with(const cucore_call *call, const launching *launch, const cucore_argument *arguments, size_t count,
                        uint64_t *addresses, void **pointers) {
    for (size_t i = 0; i < count; i++) {
        int32_t code = take_checked(call, launch, &arguments[i], i, &addresses[i], &pointers[i]);
        if (code)
            return code;
    }
    return run(call, launch, pointers);
}

/* Few arguments need no memory but the stack's. */
static int32_t run_with_memory(const cucore_call *call, const launching *launch, const cucore_argument *arguments, size_t count) {
    uint64_t few_addresses[INLINE_ARGUMENTS];
    void *few_pointers[INLINE_ARGUMENTS];
    uint64_t *many = NULL;
    if (count > INLINE_ARGUMENTS) {
        many = calloc(count, sizeof many[0] + sizeof few_pointers[0]);
        if (!many)
            return cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": no memory for %zu arguments", count);
    }
    int32_t code = run_with(call, launch, arguments, count, many ? many : few_addresses,
                            many ? (void **)(void *)(many + count) : few_pointers);
    if (many)
        free(many);
    return code;
}

int32_t cucore_kernel_launch(cucore_kernel *kernel, cucore_stream *stream, const cucore_launch_options *options,
                             const cucore_argument *arguments, size_t count, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    launching launch = {.kernel = kernel, .stream = stream};
    int32_t code = cucore_expect(&call, kernel, &cucore_kernel_class, "kernel");
    if (!code)
        code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    if (!code)
        code = cucore_expect_same_device(&call, kernel->library->device, "kernel", stream->device, "stream");
    if (!code)
        code = read_options(&call, options, &launch.options);
    if (!code)
        code = expect_count(&call, kernel, arguments, count);
    return code ? code : run_with_memory(&call, &launch, arguments, count);
}
