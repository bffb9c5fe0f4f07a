/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Times calls of the raw driver and of libcucore in turn, and tells what libcucore adds. How to read it: docs/benchmarks.md. */

#include "cases.h"
#include "raw_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A batch is small enough for its work to fit into the driver's queue of launches: in a full one a call waits for the device. */
enum { RUNS = 5, ROUNDS = 20, BATCH = 500 };

static const char usage[] = "usage: bench [--check] [--no-context]   times all cases\n"
                            "         --check       exit status 1 if libcucore adds more than its limit in any case\n"
                            "         --no-context  libcucore's calls run with no current context\n"
                            "       bench --list                     the names of the cases\n"
                            "       bench --compiler                 what this build was compiled by, and for\n"
                            "       bench --run raw|ours CASE COUNT  makes the calls of one case, untimed\n";

struct bench {
    struct objects objects;
    bool no_context;
    bool check;
    const struct bench_case *only; /* only make `count` calls of this case */
    bool only_raw;
    long count;
};

/* A case's times of one call, in nanoseconds. */
struct times {
    double raw;
    double ours;
    double added;
    double least_added;
    double most_added;
};

static int32_t repeat(operation call, struct objects *objects, long count) {
    int32_t code = 0;
    for (long i = 0; i < count && !code; i++)
        code = call(objects);
    return code;
}

static bool succeeded(const struct bench_case *which, const char *side, int32_t code, const struct objects *objects) {
    if (code)
        fprintf(stderr, "bench: %s, %s: failed with %d. %s\n", which->name, side, (int)code,
                cucore_status_message(objects->status, NULL));
    return code == 0;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

/* What the batch left to the device is waited for here, so that it does not slow the next one down. */
static int32_t time_batch(operation call, struct objects *objects, double *nanoseconds) {
    double start = now();
    int32_t code = repeat(call, objects, BATCH);
    *nanoseconds = (now() - start) / BATCH;
    return code ? code : (int32_t)raw.cuStreamSynchronize(objects->raw_stream);
}

static int32_t time_ours(const struct bench *bench, const struct bench_case *which, struct objects *objects, double *nanoseconds) {
    CUcontext context = cucore_context_raw(objects->context);
    if (bench->no_context)
        raw.cuCtxSetCurrent(NULL);
    int32_t code = time_batch(which->ours, objects, nanoseconds);
    raw.cuCtxSetCurrent(context);
    return code;
}

static int compare(const void *first, const void *second) {
    double difference = *(const double *)first - *(const double *)second;
    return (difference > 0) - (difference < 0);
}

static double median(double *values, size_t count) {
    qsort(values, count, sizeof *values, compare);
    return values[count / 2];
}

/* The median batch of each side: an interrupt spoils a batch, not the run. The first round only warms up. */
static bool run_once(struct bench *bench, const struct bench_case *which, double *raw_time, double *our_time) {
    double raw_times[ROUNDS + 1];
    double our_times[ROUNDS + 1];
    for (int i = 0; i <= ROUNDS; i++) {
        int32_t code = time_batch(which->raw, &bench->objects, &raw_times[i]);
        if (!succeeded(which, "raw", code, &bench->objects))
            return false;
        code = time_ours(bench, which, &bench->objects, &our_times[i]);
        if (!succeeded(which, "ours", code, &bench->objects))
            return false;
    }
    *raw_time = median(raw_times + 1, ROUNDS);
    *our_time = median(our_times + 1, ROUNDS);
    return true;
}

static bool run_case(struct bench *bench, const struct bench_case *which, struct times *times) {
    double raw_times[RUNS];
    double our_times[RUNS];
    double added[RUNS];
    for (int i = 0; i < RUNS; i++) {
        if (!run_once(bench, which, &raw_times[i], &our_times[i]))
            return false;
        added[i] = our_times[i] - raw_times[i];
    }
    times->raw = median(raw_times, RUNS);
    times->ours = median(our_times, RUNS);
    times->added = median(added, RUNS);
    times->least_added = added[0];
    times->most_added = added[RUNS - 1];
    return true;
}

static void print_heading(const struct bench *bench) {
    int32_t version = 0;
    cucore_driver_version(&version, NULL);
    printf("device   %s, %s\n", cucore_device_name(bench->objects.device, NULL), cucore_device_arch(bench->objects.device, NULL));
    printf("driver   CUDA %d.%d, from %s\n", (int)version / 1000, (int)version % 1000 / 10, cucore_driver_path(NULL));
    printf("library  libcucore %s\n", cucore_version_text());
    printf("times    ns a call; medians of %d runs of %d batches of %d calls, raw and ours in turn\n", RUNS, ROUNDS, BATCH);
    printf("context  %s\n\n", bench->no_context ? "none is current in our calls" : "the device's is current");
    printf("%-22s %9s %9s %9s   %-18s %7s\n", "case", "raw", "ours", "adds", "in the runs", "at most");
}

static void print_times(const struct bench_case *which, const struct times *times) {
    printf("%-22s %9.1f %9.1f %9.1f   %7.1f to %7.1f", which->name, times->raw, times->ours, times->added, times->least_added,
           times->most_added);
    printf(which->at_most ? " %7d\n" : "\n", which->at_most);
}

static bool within_limit(const struct bench_case *which, const struct times *times) {
    if (!which->at_most || times->added <= which->at_most)
        return true;
    fprintf(stderr, "bench: %s: libcucore adds %.1f ns, at most %d are allowed\n", which->name, times->added, which->at_most);
    return false;
}

static bool time_all(struct bench *bench) {
    bool good = true;
    print_heading(bench);
    for (size_t i = 0; i < bench_case_count; i++) {
        struct times times;
        if (!run_case(bench, &bench_cases[i], &times))
            return false;
        print_times(&bench_cases[i], &times);
        fflush(stdout);
        good &= !bench->check || within_limit(&bench_cases[i], &times);
    }
    return good;
}

static bool make_calls(struct bench *bench) {
    operation call = bench->only_raw ? bench->only->raw : bench->only->ours;
    int32_t code = repeat(call, &bench->objects, bench->count);
    return succeeded(bench->only, bench->only_raw ? "raw" : "ours", code, &bench->objects);
}

static bool work(struct bench *bench) {
    bool good = objects_create(&bench->objects);
    if (!good)
        fprintf(stderr, "bench: %s\n", cucore_status_message(bench->objects.status, NULL));
    good = good && raw_driver_load(cucore_driver_path(NULL)) && (bench->only ? make_calls(bench) : time_all(bench));
    objects_release(&bench->objects);
    return good;
}

static void print_cases(void) {
    for (size_t i = 0; i < bench_case_count; i++)
        puts(bench_cases[i].name);
}

/* How many instructions a call takes depends on it: bench/instructions has figures for each. */
static void print_compiler(void) {
#if defined(__clang__)
    const char *compiler = "clang";
    int version = __clang_major__;
#else
    const char *compiler = "gcc";
    int version = __GNUC__;
#endif
#if defined(__aarch64__)
    printf("%s-%d-aarch64\n", compiler, version);
#else
    printf("%s-%d-x86_64\n", compiler, version);
#endif
}

/* The options that only print something. */
static bool answer(const char *option) {
    if (!strcmp(option, "--list"))
        print_cases();
    else if (!strcmp(option, "--compiler"))
        print_compiler();
    else
        return false;
    return true;
}

/* arguments: raw|ours CASE COUNT */
static bool take_run(struct bench *bench, char **arguments) {
    for (size_t i = 0; i < bench_case_count; i++)
        if (!strcmp(bench_cases[i].name, arguments[1]))
            bench->only = &bench_cases[i];
    bench->only_raw = !strcmp(arguments[0], "raw");
    bench->count = strtol(arguments[2], NULL, 10);
    return bench->only && (bench->only_raw || !strcmp(arguments[0], "ours"));
}

static bool take_options(struct bench *bench, int count, char **options) {
    if (count == 4 && !strcmp(options[0], "--run"))
        return take_run(bench, options + 1);
    for (; *options; options++) {
        if (!strcmp(*options, "--check"))
            bench->check = true;
        else if (!strcmp(*options, "--no-context"))
            bench->no_context = true;
        else
            return false;
    }
    return true;
}

int main(int count, char **arguments) {
    struct bench bench = {0};
    if (count == 2 && answer(arguments[1]))
        return EXIT_SUCCESS;
    if (!take_options(&bench, count - 1, arguments + 1)) {
        fputs(usage, stderr);
        return 2;
    }
    return work(&bench) ? EXIT_SUCCESS : EXIT_FAILURE;
}
