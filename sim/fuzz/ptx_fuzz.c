/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libFuzzer's target: any text is loaded, and what loads is run. No text may crash, leak or run for ever, and none is refused
 * without saying on which line and why. */
#include "ptx/ptx.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LIVE_SIZE = 256, HEAP_SIZE = 64, MAX_PARAMETERS = 32764, MAX_SHARED = 1 << 20, STEPS = 20000, ARCHITECTURE = 90 };

/* All of device memory: what parameters point to, and what malloc in a kernel gives. */
static _Alignas(16) unsigned char live[LIVE_SIZE];
static _Alignas(16) unsigned char heap[HEAP_SIZE];
static unsigned char written[LIVE_SIZE / 8];

static uint64_t address_of(const void *memory) {
    return (uint64_t)(uintptr_t)memory;
}

static int find(void *data, uint64_t address, ptx_range *range) {
    (void)data;
    if (address - address_of(live) < LIVE_SIZE) {
        *range = (ptx_range){.start = address_of(live), .size = LIVE_SIZE, .written = written};
        return 1;
    }
    *range = (ptx_range){.start = address_of(heap), .size = HEAP_SIZE, .is_fleeting = 1};
    return address - range->start < HEAP_SIZE;
}

static void print(void *data, const char *text, size_t size) {
    (void)data;
    assert(strnlen(text, size) <= size);
}

static uint64_t allocate(void *data, uint64_t size) {
    (void)data;
    return size <= HEAP_SIZE ? address_of(heap) : 0;
}

static int release(void *data, uint64_t address) {
    (void)data;
    return address == address_of(heap);
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
    const ptx_result result = ptx_load(&module, (const char *)text, size, ARCHITECTURE, log, sizeof log);
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
        const uint64_t pointer = address_of(live);
        assert(offset <= MAX_PARAMETERS && size <= MAX_PARAMETERS - offset);
        if (size == sizeof pointer) {
            memcpy(parameters + offset, &pointer, sizeof pointer);
        } else if (size) {
            parameters[offset] = (unsigned char)(i + 3);
        }
    }
}

/* What a launch looks for, and whether its blocks take turns, differ by the text. */
static void run(const ptx_kernel *kernel, size_t variant) {
    unsigned char *parameters = calloc(1, MAX_PARAMETERS);
    const ptx_device device = {.find = find, .print = print, .allocate = allocate, .release = release};
    const ptx_grid grid = {.blocks = {2, 1, 1},
                           .threads = {3, 2, 1},
                           .shared_bytes = 64,
                           .parameters = parameters,
                           .is_cooperative = variant & 1,
                           .finds_unwritten = (variant & 2) != 0,
                           .finds_races = (variant & 4) != 0,
                           .step_limit = STEPS};
    char log[256];
    memset(log, '?', sizeof log);
    memset(written, 0, sizeof written);
    fill_parameters(kernel, parameters);
    const ptx_outcome outcome = ptx_run(kernel, &grid, &device, log, sizeof log);
    assert(memchr(log, '\0', sizeof log));
    assert(outcome == PTX_RAN || outcome == PTX_RAN_OUT_OF_MEMORY || begins(log, "kernel "));
    free(parameters);
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size); /* what libFuzzer calls */

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size) {
    ptx_module *module = load(text, size);
    for (size_t i = 0; module && i < ptx_kernel_count(module); i++) {
        const ptx_kernel *kernel = ptx_kernel_at(module, i);
        if (ptx_shared_size(kernel) <= MAX_SHARED) {
            run(kernel, size);
        }
    }
    ptx_unload(module);
    return 0;
}
