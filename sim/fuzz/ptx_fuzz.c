/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libFuzzer's target: any text is loaded, and what loads is run. No text may crash, leak or run for ever, and none is refused
 * without saying on which line and why. */
#include "ptx/ptx.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LIVE_SIZE = 256, MAX_PARAMETERS = 32764, MAX_SHARED = 1 << 20 };

/* All of device memory. */
static _Alignas(16) unsigned char live[LIVE_SIZE];

static void *resolve(void *data, uint64_t address, size_t size, int writes) {
    const uint64_t offset = address - (uint64_t)(uintptr_t)live;
    (void)data;
    (void)writes;
    return offset <= LIVE_SIZE && size <= LIVE_SIZE - offset ? live + offset : NULL;
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* "ptx line 12: why" */
static bool names_line(const char *log) {
    static const char prefix[] = "ptx line ";
    if (!begins(log, prefix)) {
        return false;
    }
    const char *digits = log + sizeof prefix - 1;
    const size_t count = strspn(digits, "0123456789");
    return count > 0 && digits[0] != '0' && begins(digits + count, ": ") && digits[count + 2] != '\0';
}

static ptx_module *load(const uint8_t *text, size_t size) {
    char log[256];
    ptx_module *module = NULL;
    memset(log, '?', sizeof log);
    const ptx_result result = ptx_load(&module, (const char *)text, size, log, sizeof log);
    if (result == PTX_OK) {
        assert(module);
        return module;
    }
    assert(!module);
    assert(memchr(log, '\0', sizeof log));
    assert(result == PTX_NO_MEMORY || names_line(log));
    return NULL;
}

/* Pointers to the live memory, and small integers. */
static void fill_parameters(const ptx_kernel *kernel, unsigned char *parameters) {
    for (size_t i = 0; i < ptx_parameter_count(kernel); i++) {
        const size_t offset = ptx_parameter_offset(kernel, i);
        const size_t size = ptx_parameter_size(kernel, i);
        const uint64_t pointer = (uint64_t)(uintptr_t)live;
        assert(offset <= MAX_PARAMETERS && size <= MAX_PARAMETERS - offset);
        if (size == sizeof pointer) {
            memcpy(parameters + offset, &pointer, sizeof pointer);
        } else if (size) {
            parameters[offset] = (unsigned char)(i + 3);
        }
    }
}

static void run(const ptx_kernel *kernel) {
    static const uint32_t grid[3] = {2, 1, 1};
    static const uint32_t block[3] = {3, 2, 1};
    const ptx_memory memory = {.resolve = resolve};
    unsigned char *parameters = calloc(1, MAX_PARAMETERS);
    char log[256];
    memset(log, '?', sizeof log);
    fill_parameters(kernel, parameters);
    const ptx_outcome outcome = ptx_run(kernel, grid, block, 64, parameters, &memory, log, sizeof log);
    assert(memchr(log, '\0', sizeof log));
    assert((outcome == PTX_RAN || outcome == PTX_RAN_OUT_OF_MEMORY) == !begins(log, "kernel "));
    free(parameters);
}

static bool holds(const uint8_t *text, size_t size, const char *word) {
    return memmem(text, size, word, strlen(word)) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size); /* what libFuzzer calls */

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size) {
    ptx_module *module = load(text, size);
    const bool may_loop = holds(text, size, "bra") || holds(text, size, "call") || holds(text, size, "brx");
    for (size_t i = 0; module && !may_loop && i < ptx_kernel_count(module); i++) {
        const ptx_kernel *kernel = ptx_kernel_at(module, i);
        if (ptx_shared_size(kernel) <= MAX_SHARED) {
            run(kernel);
        }
    }
    ptx_unload(module);
    return 0;
}
