/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How fast the simulated device runs kernels: a naive matrix product and a saxpy, through libcucore. How to read it:
 * docs/benchmarks.md. */

#include <cucore_v1/cucore.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS = 3, SIDE = 256, COUNT = 1 << 20 };

static const char usage[] = "usage: bench_interpreter [--check]   times kernels on the simulated device, one host thread each\n"
                            "         --check   exit status 1 if one is slower than its limit\n";

struct kernel_case {
    const char *name; /* of the kernel, and of its file of PTX in bench/ */
    uint32_t grid[3];
    uint32_t block[3];
    int32_t n;
    double least_rate;   /* million instructions a second; 0: no limit */
    double most_seconds; /* 0: no limit */
};

static const struct kernel_case cases[] = {
    {"matmul", {SIDE / 16, SIDE / 16, 1}, {16, 16, 1}, SIDE, 40, 0},
    {"saxpy", {COUNT / 256, 1, 1}, {256, 1, 1}, COUNT, 0, 0.5},
};

struct bench {
    cucore_status *status;
    cucore_device *device;
    cucore_stream *stream;
    cucore_memory_resource *pool;
    cucore_buffer *buffers[3];
    uint64_t (*instructions_run)(void);
};

/* What the simulated driver has counted; no other driver can say. */
static bool find_counter(struct bench *bench) {
    void *driver = dlopen(cucore_driver_path(NULL), RTLD_NOW | RTLD_NOLOAD);
    void *found = driver ? dlsym(driver, "cusim_instructions_run") : NULL;
    memcpy(&bench->instructions_run, &found, sizeof found);
    if (!found)
        fprintf(stderr, "bench_interpreter: %s is not the simulated driver; set CUCORE_DRIVER_LIBRARY to it\n",
                cucore_driver_path(NULL));
    return found;
}

static int32_t fill_with_ones(struct bench *bench, cucore_buffer *buffer) {
    return cucore_buffer_fill(buffer, 0, COUNT * sizeof(float), 0x3f800000, sizeof(float), bench->stream, &bench->status);
}

static bool create(struct bench *bench) {
    bench->device = cucore_device_open(0, &bench->status);
    if (bench->device)
        bench->stream = cucore_stream_create(bench->device, NULL, &bench->status);
    if (bench->stream)
        bench->pool = cucore_memory_resource_device_pool(bench->device, &bench->status);
    for (int i = 0; i < 3 && bench->pool; i++) {
        bench->buffers[i] = cucore_memory_resource_allocate(bench->pool, COUNT * sizeof(float), bench->stream, &bench->status);
        if (!bench->buffers[i] || fill_with_ones(bench, bench->buffers[i]))
            return false;
    }
    return bench->pool;
}

static void release(struct bench *bench) {
    for (int i = 0; i < 3; i++)
        cucore_buffer_release(bench->buffers[i]);
    cucore_memory_resource_release(bench->pool);
    cucore_stream_release(bench->stream);
    cucore_device_release(bench->device);
    cucore_status_release(bench->status);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static bool read_file(const char *name, char *text, size_t size) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s.ptx", BENCH_FOLDER, name);
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    else
        fprintf(stderr, "bench_interpreter: %s cannot be read\n", path);
    return length > 0;
}

static cucore_kernel *load(struct bench *bench, const char *name) {
    char text[4096];
    cucore_object_code *code = NULL;
    cucore_library *library = NULL;
    cucore_kernel *kernel = NULL;
    if (read_file(name, text, sizeof text))
        code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, text, strlen(text), name, strlen(name), &bench->status);
    if (code)
        library = cucore_library_load(bench->device, code, &bench->status);
    if (library)
        kernel = cucore_library_kernel(library, name, strlen(name), &bench->status);
    cucore_library_release(library);
    cucore_object_code_release(code);
    return kernel;
}

static int32_t launch(struct bench *bench, const struct kernel_case *which, cucore_kernel *kernel) {
    cucore_launch_options options = {.struct_size = sizeof options};
    memcpy(options.grid, which->grid, sizeof options.grid);
    memcpy(options.block, which->block, sizeof options.block);
    const cucore_argument arguments[] = {
        {.kind = CUCORE_ARGUMENT_OBJECT, .object = bench->buffers[0]},
        {.kind = CUCORE_ARGUMENT_OBJECT, .object = bench->buffers[1]},
        {.kind = CUCORE_ARGUMENT_OBJECT, .object = bench->buffers[2]},
        {.kind = CUCORE_ARGUMENT_VALUE, .size = sizeof(int32_t), .value = (uint64_t)which->n},
    };
    int32_t code = cucore_kernel_launch(kernel, bench->stream, &options, arguments, 4, &bench->status);
    return code ? code : cucore_stream_synchronize(bench->stream, &bench->status);
}

/* The fastest of the runs: what else the machine does can only slow one down. */
static bool time_kernel(struct bench *bench, const struct kernel_case *which, double *seconds, double *rate) {
    cucore_kernel *kernel = load(bench, which->name);
    bool good = kernel;
    for (int run = 0; run < RUNS && good; run++) {
        uint64_t before = bench->instructions_run();
        double start = now();
        good = launch(bench, which, kernel) == 0;
        double taken = now() - start;
        if (run == 0 || taken < *seconds) {
            *seconds = taken;
            *rate = (double)(bench->instructions_run() - before) / taken / 1e6;
        }
    }
    cucore_kernel_release(kernel);
    return good;
}

static bool within_limits(const struct kernel_case *which, double seconds, double rate) {
    bool good = rate >= which->least_rate && (which->most_seconds <= 0 || seconds <= which->most_seconds);
    if (!good)
        fprintf(stderr, "bench_interpreter: %s is too slow\n", which->name);
    return good;
}

static bool time_all(struct bench *bench, bool check) {
    bool good = true;
    printf("%-8s %10s %28s\n", "kernel", "seconds", "million instructions/second");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds = 0;
        double rate = 0;
        if (!time_kernel(bench, &cases[i], &seconds, &rate))
            return false;
        printf("%-8s %10.3f %28.0f\n", cases[i].name, seconds, rate);
        good &= !check || within_limits(&cases[i], seconds, rate);
    }
    return good;
}

int main(int count, char **arguments) {
    struct bench bench = {0};
    bool check = count == 2 && !strcmp(arguments[1], "--check");
    if (count > 1 && !check) {
        fputs(usage, stderr);
        return 2;
    }
    bool created = create(&bench);
    bool good = created && find_counter(&bench) && time_all(&bench, check);
    if (cucore_status_code(bench.status))
        fprintf(stderr, "bench_interpreter: %s\n", cucore_status_message(bench.status, NULL));
    release(&bench);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
