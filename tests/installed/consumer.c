/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program in C that uses the library where it is installed: compiles a kernel, runs it, and looks at what it made. */
#include "doubled.h"

#include <cucore_v1/cucore.h>
#include <stdio.h>
#include <stdlib.h>

static cucore_status *status;

static void *checked(void *handle) {
    if (!status)
        return handle;
    fprintf(stderr, "%s\n%s", cucore_status_message(status, NULL), cucore_status_log(status, NULL));
    exit(1);
}

static void run(cucore_device *device, cucore_kernel *kernel, float values[4]) {
    const size_t size = 4 * sizeof values[0];
    cucore_stream *stream = checked(cucore_stream_create(device, NULL, &status));
    cucore_memory_resource *pool = checked(cucore_memory_resource_device_pool(device, &status));
    cucore_buffer *buffer = checked(cucore_memory_resource_allocate(pool, size, stream, &status));
    cucore_launch_options options = {sizeof options, {1, 1, 1}, {4, 1, 1}, 0, 0};
    cucore_argument argument = {.kind = CUCORE_ARGUMENT_OBJECT, .object = buffer};
    cucore_buffer_copy_from_host(buffer, 0, values, size, stream, &status), checked(NULL);
    cucore_kernel_launch(kernel, stream, &options, &argument, 1, &status), checked(NULL);
    cucore_buffer_copy_to_host(buffer, 0, values, size, stream, &status), checked(NULL);
    cucore_buffer_release(buffer);
    cucore_memory_resource_release(pool);
    cucore_stream_release(stream);
}

int main(void) {
    float values[4] = {1, 2, 3, 4};
    cucore_device *device = checked(cucore_device_open(0, &status));
    cucore_program *program = checked(cucore_program_create(device, doubled_source, sizeof doubled_source - 1, NULL, &status));
    cucore_object_code *ptx = checked(cucore_program_compile(program, CUCORE_OBJECT_CODE_PTX, &status));
    cucore_library *library = checked(cucore_library_load(device, ptx, &status));
    cucore_kernel *kernel = checked(cucore_library_kernel(library, "doubled", 7, &status));
    run(device, kernel, values);
    cucore_kernel_release(kernel);
    cucore_library_release(library);
    cucore_object_code_release(ptx);
    cucore_program_release(program);
    cucore_device_release(device);
    printf("%g %g %g %g\n", values[0], values[1], values[2], values[3]);
    return 0;
}
