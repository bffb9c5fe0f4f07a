/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The main job from end to end: two CUDA C++ translation units are compiled to LTO-IR, linked to PTX, loaded, launched on 2^20
 * elements, verified and torn down. On the simulated driver it then makes one destroy fail, to show how that arrives. */

#include <cucore_v1/cucore.h>

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1 << 20, BLOCK = 256 };

static const char multiply_add[] = "__device__ float multiply_add(float a, float x, float y) { return a * x + y; }";

static const char saxpy[] = "extern __device__ float multiply_add(float a, float x, float y);\n"
                            "extern \"C\" __global__ void saxpy(float a, const float *x, float *y, int n) {\n"
                            "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                            "    if (i < n) y[i] = multiply_add(a, x[i], y[i]);\n"
                            "}\n";

/* Everything the job makes. What was not made is NULL, which every release takes. */
struct job {
    cucore_status *status;
    cucore_device *device;
    cucore_stream *stream;
    cucore_event *start;
    cucore_event *end;
    cucore_memory_resource *pool;
    cucore_object_code *inputs[2];
    cucore_object_code *ptx;
    cucore_library *library;
    cucore_kernel *kernel;
    cucore_buffer *x;
    cucore_buffer *y;
};

static void print_status(const cucore_status *status) {
    fprintf(stderr, "%s\n", cucore_status_message(status, NULL));
    for (size_t i = 0; i < cucore_status_note_count(status); i++)
        fprintf(stderr, "  %s\n", cucore_status_message(cucore_status_note(status, i), NULL));
    fputs(cucore_status_log(status, NULL), stderr);
}

static bool print_compiler(int32_t compiler, const char *name, cucore_status **status) {
    int32_t major = 0;
    int32_t minor = 0;
    if (cucore_compiler_version(compiler, &major, &minor, status))
        return false;
    printf("compiler  %s %d.%d, from %s\n", name, (int)major, (int)minor, cucore_compiler_path(compiler, NULL));
    return true;
}

static bool open_device(struct job *job) {
    int32_t version = 0;
    job->device = cucore_device_open(0, &job->status);
    if (!job->device || cucore_driver_version(&version, &job->status))
        return false;
    printf("device    %s, %s\n", cucore_device_name(job->device, NULL), cucore_device_arch(job->device, NULL));
    printf("driver    CUDA %d.%d, from %s\n", (int)version / 1000, (int)version % 1000 / 10, cucore_driver_path(NULL));
    return print_compiler(CUCORE_COMPILER_NVRTC, "NVRTC", &job->status) &&
           print_compiler(CUCORE_COMPILER_NVJITLINK, "nvJitLink", &job->status);
}

static cucore_object_code *compile(struct job *job, const char *name, const char *source) {
    static const cucore_text relocatable = {"--relocatable-device-code=true", 30};
    const cucore_program_options options = {
        .struct_size = sizeof options, .name = {name, strlen(name)}, .options = &relocatable, .option_count = 1};
    cucore_program *program = cucore_program_create(job->device, source, strlen(source), &options, &job->status);
    if (!program)
        return NULL;
    cucore_object_code *code = cucore_program_compile(program, CUCORE_OBJECT_CODE_LTO_IR, &job->status);
    cucore_program_release(program);
    return code;
}

static bool link_units(struct job *job) {
    const cucore_linker_options options = {.struct_size = sizeof options, .kind = CUCORE_OBJECT_CODE_PTX};
    job->inputs[0] = compile(job, "multiply_add.cu", multiply_add);
    job->inputs[1] = job->inputs[0] ? compile(job, "saxpy.cu", saxpy) : NULL;
    if (!job->inputs[1])
        return false;
    cucore_linker *linker = cucore_linker_create(job->device, job->inputs, 2, &options, &job->status);
    if (!linker)
        return false;
    job->ptx = cucore_linker_link(linker, &job->status);
    cucore_linker_release(linker);
    return job->ptx != NULL;
}

static bool load(struct job *job) {
    job->library = cucore_library_load(job->device, job->ptx, &job->status);
    if (job->library)
        job->kernel = cucore_library_kernel(job->library, "saxpy", 5, &job->status);
    return job->kernel != NULL;
}

static bool prepare(struct job *job) {
    const cucore_event_options timing = {.struct_size = sizeof timing, .timing = CUCORE_ON};
    job->stream = cucore_stream_create(job->device, NULL, &job->status);
    if (job->stream)
        job->start = cucore_event_create(job->device, &timing, &job->status);
    if (job->start)
        job->end = cucore_event_create(job->device, &timing, &job->status);
    if (job->end)
        job->pool = cucore_memory_resource_device_pool(job->device, &job->status);
    if (job->pool)
        job->x = cucore_memory_resource_allocate(job->pool, COUNT * sizeof(float), job->stream, &job->status);
    if (job->x)
        job->y = cucore_memory_resource_allocate(job->pool, COUNT * sizeof(float), job->stream, &job->status);
    return job->y != NULL;
}

static bool launch(struct job *job, float a, const float *x, const float *y) {
    const cucore_launch_options options = {.struct_size = sizeof options, .grid = {COUNT / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
    cucore_argument arguments[] = {{.kind = CUCORE_ARGUMENT_BYTES, .size = sizeof a, .bytes = &a},
                                   {.kind = CUCORE_ARGUMENT_OBJECT, .object = job->x},
                                   {.kind = CUCORE_ARGUMENT_OBJECT, .object = job->y},
                                   {.kind = CUCORE_ARGUMENT_VALUE, .size = sizeof(int32_t), .value = COUNT}};
    size_t size = COUNT * sizeof(float);
    return !cucore_buffer_copy_from_host(job->x, 0, x, size, job->stream, &job->status) &&
           !cucore_buffer_copy_from_host(job->y, 0, y, size, job->stream, &job->status) &&
           !cucore_event_record(job->start, job->stream, &job->status) &&
           !cucore_kernel_launch(job->kernel, job->stream, &options, arguments, 4, &job->status) &&
           !cucore_event_record(job->end, job->stream, &job->status) && !cucore_event_synchronize(job->end, &job->status);
}

static bool verify(struct job *job, float a, const float *x, const float *y, float *result) {
    float milliseconds = 0;
    double error = 0;
    if (cucore_buffer_copy_to_host(job->y, 0, result, COUNT * sizeof(float), job->stream, &job->status) ||
        cucore_event_elapsed(job->start, job->end, &milliseconds, &job->status))
        return false;
    for (int i = 0; i < COUNT; i++) {
        double off = fabs(result[i] - ((double)a * x[i] + y[i]));
        error = off > error || isnan(off) ? off : error;
    }
    printf("launch    %d elements in %.3f ms\n", COUNT, milliseconds);
    printf("verified  maximum error %g\n", error);
    if (error < 1e-5)
        return true;
    fprintf(stderr, "the results are wrong\n");
    return false;
}

static bool compute(struct job *job) {
    float *host = malloc(3 * sizeof(float) * COUNT);
    if (!host)
        return false;
    float *x = host;
    float *y = x + COUNT;
    float *result = y + COUNT;
    for (int i = 0; i < COUNT; i++) {
        x[i] = (float)(i % 1000) / 1000;
        y[i] = (float)(i % 77) / 77;
    }
    bool right = launch(job, 2.5f, x, y) && verify(job, 2.5f, x, y, result);
    free(host);
    return right;
}

static int32_t show_warning(const cucore_status *warning, void *user_data) {
    (void)user_data;
    printf("warning   %s\n", cucore_status_message(warning, NULL));
    return 0;
}

typedef void (*fail_function)(const char *function, uint64_t nth, int result, int sticky);

/* The simulated driver alone can be told to fail. */
static fail_function find_fail(void) {
    const char *path = cucore_driver_path(NULL);
    void *driver = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    fail_function fail = NULL;
    if (driver)
        *(void **)(void *)&fail = dlsym(driver, "cusim_fail");
    return fail;
}

/* A release has nobody to return a failure to. */
static bool show_failing_release(struct job *job) {
    const int launch_failed = 719;
    fail_function fail = find_fail();
    if (!fail)
        return true;
    cucore_warning_sink *sink = cucore_warning_sink_register(show_warning, NULL, NULL, &job->status);
    if (!sink)
        return false;
    fail("cuStreamDestroy", 1, launch_failed, 0);
    cucore_stream_release(cucore_stream_create(job->device, NULL, &job->status));
    cucore_warning_sink_release(sink);
    return true;
}

static void release(struct job *job) {
    cucore_buffer_release(job->y);
    cucore_buffer_release(job->x);
    cucore_kernel_release(job->kernel);
    cucore_library_release(job->library);
    cucore_object_code_release(job->ptx);
    cucore_object_code_release(job->inputs[1]);
    cucore_object_code_release(job->inputs[0]);
    cucore_memory_resource_release(job->pool);
    cucore_event_release(job->end);
    cucore_event_release(job->start);
    cucore_stream_release(job->stream);
    cucore_device_release(job->device);
    cucore_status_release(job->status);
}

int main(void) {
    struct job job = {0};
    bool done = open_device(&job) && link_units(&job) && load(&job) && prepare(&job) && compute(&job) && show_failing_release(&job);
    if (job.status)
        print_status(job.status);
    release(&job);
    return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
