/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Runs a batch of random kernels on the device and on the host, and compares.
 *
 *   run_batch FOLDER --compile ARCHITECTURE [OPTION...]    makes FOLDER/batch.ptx of FOLDER/batch.cu, with NVRTC
 *   run_batch FOLDER                                       runs batch.ptx, and batch.so, the same source made for the host
 *
 * Exits with 0 if all agree, 1 if some do not, 2 if something failed. */
#include <cucore_v1/cucore.h>

#include <dlfcn.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 64, BLOCK = 32, INPUTS = 8, OUTPUTS = 8, REPORTED = 3, MAX_OPTIONS = 16 };
enum { AGREED = 0, DIFFERED = 1, FAILED = 2 };

typedef void (*host_kernel)(const uint64_t *in, uint64_t *out);

/* What batch.so defines. */
struct batch {
    const uint32_t *count;
    const uint64_t *inputs;
    const host_kernel *kernels;
};

struct session {
    cucore_status *status;
    cucore_device *device;
    cucore_stream *stream;
    cucore_memory_resource *pool;
    cucore_buffer *in;
    cucore_buffer *out;
    cucore_library *library;
    struct batch batch;
};

static void print_status(const cucore_status *status) {
    fprintf(stderr, "%s\n", cucore_status_message(status, NULL));
    for (size_t i = 0; i < cucore_status_note_count(status); i++) {
        fprintf(stderr, "  %s\n", cucore_status_message(cucore_status_note(status, i), NULL));
    }
    fputs(cucore_status_log(status, NULL), stderr);
}

static void path_in(char path[4096], const char *folder, const char *file) {
    snprintf(path, 4096, "%s/%s", folder, file);
}

static char *read_file(const char *folder, const char *file, size_t *size) {
    char path[4096];
    path_in(path, folder, file);
    FILE *stream = fopen(path, "rb");
    char *text = NULL;
    if (stream && fseek(stream, 0, SEEK_END) == 0) {
        *size = (size_t)ftell(stream);
        rewind(stream);
        text = malloc(*size + 1);
        if (text && fread(text, 1, *size, stream) != *size) {
            free(text);
            text = NULL;
        }
    }
    if (stream) {
        fclose(stream);
    }
    if (!text) {
        perror(path);
    }
    return text;
}

static bool write_file(const char *folder, const char *file, const char *text, size_t size) {
    char path[4096];
    path_in(path, folder, file);
    FILE *stream = fopen(path, "wb");
    bool written = stream && fwrite(text, 1, size, stream) == size;
    if (stream && fclose(stream)) {
        written = false;
    }
    if (!written) {
        perror(path);
    }
    return written;
}

/* ---- compiling ---- */

static cucore_text text_of(const char *text) {
    return (cucore_text){text, strlen(text)};
}

/* Without fused multiply-adds, which the host's source does not ask for either. */
static cucore_program *create_program(struct session *session, const char *source, size_t size, char **arguments, int count) {
    cucore_text options[MAX_OPTIONS] = {text_of("--device-as-default-execution-space"), text_of("--device-int128"),
                                        text_of("--disable-warnings")};
    const cucore_program_options chosen = {.struct_size = sizeof chosen,
                                           .name = text_of("batch.cu"),
                                           .arch = text_of(arguments[0]),
                                           .std = text_of("c++17"),
                                           .fma = CUCORE_OFF,
                                           .options = options,
                                           .option_count = 2 + (size_t)count};
    for (int i = 1; i < count && i + 2 < MAX_OPTIONS; i++) {
        options[i + 2] = text_of(arguments[i]);
    }
    return cucore_program_create(NULL, source, size, &chosen, &session->status);
}

static bool compile(struct session *session, const char *folder, char **arguments, int count) {
    size_t size = 0;
    char *source = read_file(folder, "batch.cu", &size);
    cucore_program *program = source ? create_program(session, source, size, arguments, count) : NULL;
    cucore_object_code *code = program ? cucore_program_compile(program, CUCORE_OBJECT_CODE_PTX, &session->status) : NULL;
    bool written = false;
    if (code) {
        const char *ptx = cucore_object_code_raw(code, &size);
        written = write_file(folder, "batch.ptx", ptx, size);
    }
    cucore_object_code_release(code);
    cucore_program_release(program);
    free(source);
    return written;
}

/* ---- running ---- */

static bool load_host(struct session *session, const char *folder) {
    char path[4096];
    path_in(path, folder, "batch.so");
    void *library = dlopen(path, RTLD_NOW);
    struct batch *batch = &session->batch;
    if (library) {
        batch->count = dlsym(library, "batch_count");
        batch->inputs = dlsym(library, "batch_inputs");
        batch->kernels = dlsym(library, "batch_kernels");
    }
    if (!batch->count || !batch->inputs || !batch->kernels) {
        fprintf(stderr, "%s\n", dlerror());
        return false;
    }
    return true;
}

static bool load_device(struct session *session, const char *folder) {
    size_t size = 0;
    char *ptx = read_file(folder, "batch.ptx", &size);
    cucore_object_code *code =
        ptx ? cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, ptx, size, "batch.ptx", 9, &session->status) : NULL;
    if (code) {
        session->library = cucore_library_load(session->device, code, &session->status);
    }
    cucore_object_code_release(code);
    free(ptx);
    return session->library != NULL;
}

static bool open_device(struct session *session) {
    session->device = cucore_device_open(0, &session->status);
    if (session->device) {
        session->stream = cucore_stream_create(session->device, NULL, &session->status);
    }
    if (session->stream) {
        session->pool = cucore_memory_resource_device_pool(session->device, &session->status);
    }
    return session->pool != NULL;
}

static bool prepare_buffers(struct session *session) {
    const size_t in_size = THREADS * INPUTS * sizeof(uint64_t);
    const size_t out_size = THREADS * OUTPUTS * sizeof(uint64_t);
    session->in = cucore_memory_resource_allocate(session->pool, in_size, session->stream, &session->status);
    if (session->in) {
        session->out = cucore_memory_resource_allocate(session->pool, out_size, session->stream, &session->status);
    }
    return session->out &&
           !cucore_buffer_copy_from_host(session->in, 0, session->batch.inputs, in_size, session->stream, &session->status);
}

static bool launch(struct session *session, cucore_kernel *kernel, uint64_t *results) {
    const cucore_launch_options options = {.struct_size = sizeof options, .grid = {THREADS / BLOCK, 1, 1}, .block = {BLOCK, 1, 1}};
    const cucore_argument arguments[] = {{.kind = CUCORE_ARGUMENT_OBJECT, .object = session->in},
                                         {.kind = CUCORE_ARGUMENT_OBJECT, .object = session->out}};
    const size_t size = THREADS * OUTPUTS * sizeof(uint64_t);
    return !cucore_kernel_launch(kernel, session->stream, &options, arguments, 2, &session->status) &&
           !cucore_buffer_copy_to_host(session->out, 0, results, size, session->stream, &session->status);
}

static bool run_on_device(struct session *session, uint32_t index, uint64_t *results) {
    char name[32];
    const int size = snprintf(name, sizeof name, "k%" PRIu32, index);
    cucore_kernel *kernel = cucore_library_kernel(session->library, name, (size_t)size, &session->status);
    const bool ran = kernel && launch(session, kernel, results);
    cucore_kernel_release(kernel);
    return ran;
}

static void print_difference(const struct session *session, uint32_t index, size_t at, uint64_t device, uint64_t host) {
    const uint64_t *inputs = session->batch.inputs + at / OUTPUTS * INPUTS;
    printf("kernel k%" PRIu32 ", thread %zu, output %zu: device 0x%" PRIx64 ", host 0x%" PRIx64 "; inputs", index, at / OUTPUTS,
           at % OUTPUTS, device, host);
    for (size_t i = 0; i < INPUTS; i++) {
        printf(" 0x%" PRIx64, inputs[i]);
    }
    printf("\n");
}

static int run_kernel(struct session *session, uint32_t index) {
    uint64_t results[THREADS * OUTPUTS] = {0};
    uint64_t expected[OUTPUTS];
    unsigned differences = 0;
    if (!run_on_device(session, index, results)) {
        printf("kernel k%" PRIu32 " did not run\n", index);
        return FAILED;
    }
    for (size_t thread = 0; thread < THREADS; thread++) {
        session->batch.kernels[index](session->batch.inputs + thread * INPUTS, expected);
        for (size_t i = 0; i < OUTPUTS; i++) {
            const size_t at = thread * OUTPUTS + i;
            if (results[at] != expected[i] && differences++ < REPORTED) {
                print_difference(session, index, at, results[at], expected[i]);
            }
        }
    }
    return differences ? DIFFERED : AGREED;
}

/* Kernels that differ do not keep the rest from running; one that faults does, since a device is then lost. */
static int run(struct session *session, const char *folder) {
    int result = AGREED;
    if (!load_host(session, folder) || !open_device(session) || !load_device(session, folder) || !prepare_buffers(session)) {
        return FAILED;
    }
    for (uint32_t i = 0; i < *session->batch.count && result != FAILED; i++) {
        const int one = run_kernel(session, i);
        result = one > result ? one : result;
    }
    return result;
}

static void release(struct session *session) {
    if (session->status) {
        print_status(session->status);
    }
    cucore_library_release(session->library);
    cucore_buffer_release(session->out);
    cucore_buffer_release(session->in);
    cucore_memory_resource_release(session->pool);
    cucore_stream_release(session->stream);
    cucore_device_release(session->device);
    cucore_status_release(session->status);
}

int main(int argc, char **argv) {
    struct session session = {0};
    int result = FAILED;
    if (argc >= 4 && argc < MAX_OPTIONS && strcmp(argv[2], "--compile") == 0) {
        result = compile(&session, argv[1], argv + 3, argc - 3) ? AGREED : FAILED;
    } else if (argc == 2) {
        result = run(&session, argv[1]);
    } else {
        fprintf(stderr, "usage: run_batch FOLDER [--compile ARCHITECTURE [OPTION...]]\n");
    }
    release(&session);
    return result;
}
