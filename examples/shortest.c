/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include <cucore_v1/cucore.h>
#include <stdio.h>
#include <stdlib.h>

static const char source[] = "extern \"C\" __global__ void doubled(float *x) { x[threadIdx.x] *= 2; }";

static cucore_status *status;

/* Passes on what a call returned; if the call failed, says why and ends. */
static void *checked(void *handle) {
    if (!status)
        return handle;
    fprintf(stderr, "%s\n%s", cucore_status_message(status, NULL), cucore_status_log(status, NULL));
    exit(1);
}

int main(void) {
    cucore_device *device = checked(cucore_device_open(0, &status));
    cucore_stream *stream = checked(cucore_stream_create(device, NULL, &status));
    cucore_memory_resource *pool = checked(cucore_memory_resource_device_pool(device, &status));
    cucore_program *program = checked(cucore_program_create(device, source, sizeof source - 1, NULL, &status));
    cucore_object_code *ptx = checked(cucore_program_compile(program, CUCORE_OBJECT_CODE_PTX, &status));
    cucore_library *library = checked(cucore_library_load(device, ptx, &status));
    cucore_kernel *kernel = checked(cucore_library_kernel(library, "doubled", 7, &status));

    float x[4] = {1, 2, 3, 4};
    cucore_buffer *buffer = checked(cucore_memory_resource_allocate(pool, sizeof x, stream, &status));
    cucore_launch_options options = {sizeof options, {1, 1, 1}, {4, 1, 1}, 0, 0};
    cucore_argument argument = {.kind = CUCORE_ARGUMENT_OBJECT, .object = buffer};
    cucore_buffer_copy_from_host(buffer, 0, x, sizeof x, stream, &status), checked(NULL);
    cucore_kernel_launch(kernel, stream, &options, &argument, 1, &status), checked(NULL);
    cucore_buffer_copy_to_host(buffer, 0, x, sizeof x, stream, &status), checked(NULL);
    printf("%g %g %g %g\n", x[0], x[1], x[2], x[3]); /* 2 4 6 8 */

    cucore_buffer_release(buffer); /* in any order: each handle keeps alive what it needs */
    cucore_kernel_release(kernel);
    cucore_library_release(library);
    cucore_object_code_release(ptx);
    cucore_program_release(program);
    cucore_memory_resource_release(pool);
    cucore_stream_release(stream);
    cucore_device_release(device);
    return 0;
}
