/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Times calls of the raw driver and of libcucore side by side, and tells what libcucore adds: docs/benchmarks.md. */

#include "cases.h"
#include "raw_driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Between two waits for the device the calls are few enough for their work to fit into the driver's queue of launches: in a full
 * one a call waits for the device. */
enum { RUNS = 25, PAIRS = 2001, PAIRS_BETWEEN_WAITS = 64 };

/* A shared machine's processors may be slow for a while, and what libcucore adds then takes up to twice as long. The limits are
 * for the full speed, at which a timing is if the raw driver took at most a tenth longer than in the fastest: the median of
 * those counts, of five or more. As long as there are fewer, or it misses the limit, the case is timed again, a second later:
 * full speed may be to come. */
enum { LEAST = 5, ATTEMPTS = 40, PAUSE_SECONDS = 1 };

static const char usage[] = "usage: bench [--check] [--no-context]   times all cases\n"
                            "         --check       exit status 1 if libcucore adds more than its limit in any case: the median of "
                            "5 or more at full speed\n"
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

/* The times of one call of a case in each run, in nanoseconds. */
struct times {
    double raw[RUNS];
    double added[RUNS];
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

static bool time_call(struct bench *bench, const struct bench_case *which, bool is_ours, double *nanoseconds) {
    operation call = is_ours ? which->ours : which->raw;
    bool no_context = is_ours && bench->no_context;
    if (no_context)
        raw.cuCtxSetCurrent(NULL);
    double start = now();
    int32_t code = call(&bench->objects);
    *nanoseconds = now() - start;
    if (no_context)
        raw.cuCtxSetCurrent(cucore_context_raw(bench->objects.context));
    return succeeded(which, is_ours ? "ours" : "raw", code, &bench->objects);
}

static int compare(const void *first, const void *second) {
    double difference = *(const double *)first - *(const double *)second;
    return (difference > 0) - (difference < 0);
}

/* quantile sorts the values and gives the one that so large a part of them is below. */
static double quantile(double *values, size_t count, double part) {
    qsort(values, count, sizeof *values, compare);
    return values[(size_t)((double)(count - 1) * part + 0.5)];
}

/* Draws lots (Marsaglia's xorshift): the same in each run of the program. */
static bool draw(void) {
    static uint32_t state = 2463534242;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state >> 31;
}

/* Which side goes first is drawn by lot: what the driver does every so many calls would else always meet the same one. */
static bool time_pair(struct bench *bench, const struct bench_case *which, double *raw_time, double *our_time) {
    bool ours_first = draw();
    return time_call(bench, which, ours_first, ours_first ? our_time : raw_time) &&
           time_call(bench, which, !ours_first, ours_first ? raw_time : our_time);
}

/* For both sides' work so far, so that none piles up in the driver's queues. */
static bool wait(struct bench *bench, const struct bench_case *which) {
    struct objects *objects = &bench->objects;
    int32_t code = cucore_stream_synchronize(objects->theirs.stream, &objects->status);
    if (!code)
        code = cucore_stream_synchronize(objects->ours.stream, &objects->status);
    return succeeded(which, "wait", code, objects);
}

/* The difference of the medians: an interrupt spoils a call, not the run. */
static bool run_once(struct bench *bench, const struct bench_case *which, double *raw_time, double *added) {
    double raw_times[PAIRS];
    double our_times[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        if ((i % PAIRS_BETWEEN_WAITS == 0 && !wait(bench, which)) || !time_pair(bench, which, &raw_times[i], &our_times[i]))
            return false;
    }
    *raw_time = quantile(raw_times, PAIRS, 0.5);
    *added = quantile(our_times, PAIRS, 0.5) - *raw_time;
    return true;
}

static bool run_case(struct bench *bench, const struct bench_case *which, struct times *times) {
    for (int run = 0; run < RUNS; run++)
        if (!run_once(bench, which, &times->raw[run], &times->added[run]))
            return false;
    return true;
}

static void print_heading(const struct bench *bench) {
    int32_t version = 0;
    cucore_driver_version(&version, NULL);
    printf("device   %s, %s\n", cucore_device_name(bench->objects.device, NULL), cucore_device_arch(bench->objects.device, NULL));
    printf("driver   CUDA %d.%d, from %s\n", (int)version / 1000, (int)version % 1000 / 10, cucore_driver_path(NULL));
    printf("library  libcucore %s\n", cucore_version_text());
    printf("times    ns a call; medians of %d runs of %d calls of each\n", RUNS, PAIRS);
    printf("context  %s\n\n", bench->no_context ? "none is current in our calls" : "the device's is current");
    printf("%-22s %9s %9s   %-22s %7s\n", "case", "raw", "adds", "in half of the runs", "at most");
}

/* One timing of a case, in nanoseconds a call. */
struct timing {
    double raw;
    double added;
};

/* Prints a case's times, and gives their medians. */
static struct timing print_times(const struct bench_case *which, struct times *times) {
    struct timing timing = {quantile(times->raw, RUNS, 0.5), quantile(times->added, RUNS, 0.5)};
    printf("%-22s %9.1f %9.1f   %8.1f to %8.1f  ", which->name, timing.raw, timing.added, quantile(times->added, RUNS, 0.25),
           quantile(times->added, RUNS, 0.75));
    printf(which->at_most ? " %7d\n" : "\n", which->at_most);
    return timing;
}

static bool time_case(struct bench *bench, const struct bench_case *which, struct timing *timing) {
    struct times times;
    if (!run_case(bench, which, &times))
        return false;
    *timing = print_times(which, &times);
    fflush(stdout);
    return true;
}

/* at_full_speed gives the median of what libcucore added in those timings, and how many they are. */
static double at_full_speed(const struct timing *timings, size_t count, size_t *found) {
    double added[ATTEMPTS] = {0};
    double fastest = timings[0].raw;
    *found = 0;
    for (size_t i = 1; i < count; i++)
        fastest = timings[i].raw < fastest ? timings[i].raw : fastest;
    for (size_t i = 0; i < count; i++)
        if (timings[i].raw <= 1.1 * fastest)
            added[(*found)++] = timings[i].added;
    return quantile(added, *found, 0.5);
}

static bool check_case(struct bench *bench, const struct bench_case *which) {
    struct timing timings[ATTEMPTS];
    double added = 0;
    size_t found = 0;
    for (size_t i = 0; i < ATTEMPTS; i++) {
        if (i >= LEAST)
            nanosleep(&(struct timespec){PAUSE_SECONDS, 0}, NULL);
        if (!time_case(bench, which, &timings[i]))
            return false;
        added = at_full_speed(timings, i + 1, &found);
        if (found >= LEAST && added <= which->at_most)
            return true;
    }
    fprintf(stderr, "bench: %s: libcucore adds %.1f ns, the median of %zu timings at full speed; at most %d are allowed\n",
            which->name, added, found, which->at_most);
    return false;
}

static bool time_all(struct bench *bench) {
    bool good = true;
    print_heading(bench);
    for (size_t i = 0; i < bench_case_count; i++) {
        const struct bench_case *which = &bench_cases[i];
        struct timing timing;
        good &= bench->check && which->at_most ? check_case(bench, which) : time_case(bench, which, &timing);
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
