/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_H
#define CUSIM_PTX_H

/* PTX: read, checked and run. Knows nothing of the driver API. */

#include <stddef.h>
#include <stdint.h>

typedef struct ptx_module ptx_module;
typedef struct ptx_kernel ptx_kernel;

typedef enum ptx_result {
    PTX_OK,
    PTX_INVALID,       /* not PTX, malformed, or for a .target that the device does not run */
    PTX_TOO_NEW,       /* a .version newer than the simulated driver's */
    PTX_NOT_SUPPORTED, /* well-formed, but has what this interpreter does not run */
    PTX_NO_MEMORY
} ptx_result;

/* ptx_load reads `size` bytes of PTX for a device of an architecture, 90 for compute capability 9.0. On failure `log` (of
 * `log_size` bytes, always NUL-terminated) says what and on which line: "ptx line 12: instruction 'mma.sync.aligned' is not
 * simulated". */
ptx_result ptx_load(ptx_module **module, const char *text, size_t size, unsigned architecture, char *log, size_t log_size);
void ptx_unload(ptx_module *module);

/* ptx_find gives the kernel (.entry) of this name, NULL if there is none. It lives as long as its module. */
ptx_kernel *ptx_find(ptx_module *module, const char *name);

/* ptx_kernel_at gives the kernel number `index` of ptx_kernel_count, in the order of the text. */
size_t ptx_kernel_count(const ptx_module *module);
ptx_kernel *ptx_kernel_at(const ptx_module *module, size_t index);

/* ptx_copy_name writes at most `size` bytes of a kernel's name, with the NUL. */
void ptx_copy_name(const ptx_kernel *kernel, char *name, size_t size);

/* The bytes of shared memory, without what a launch adds, and of local memory for a thread. */
uint32_t ptx_shared_size(const ptx_kernel *kernel);
uint32_t ptx_local_size(const ptx_kernel *kernel);

/* ptx_max_threads gives how many threads a block of the kernel may have; 0 if the PTX does not say. */
uint32_t ptx_max_threads(const ptx_kernel *kernel);

/* ptx_find_variable gives where the .global or .const variable of this name lies; 0 if there is none. */
uint64_t ptx_find_variable(const ptx_module *module, const char *name, uint64_t *size);

size_t ptx_parameter_count(const ptx_kernel *kernel);
size_t ptx_parameter_offset(const ptx_kernel *kernel, size_t index);
size_t ptx_parameter_size(const ptx_kernel *kernel, size_t index);

/* Memory that lies together. Device memory is host memory: an address is where the bytes are. */
typedef struct ptx_range {
    uint64_t start;
    uint64_t size;
    unsigned char *written; /* a bit for each byte that has been written; NULL: all count as written */
    int is_constant;        /* a store to it is a fault */
    int is_fleeting;        /* it may be freed before the launch ends: to be asked for anew each time */
} ptx_range;

/* What surrounds a launch. Functions may be called by several threads at once if the launch has several workers. */
typedef struct ptx_device {
    int (*find)(void *data, uint64_t address, ptx_range *range); /* 0: nothing is live there */
    /* Where an address lies that is not live, or whose access does not fit: ", 8 bytes after ...". May be NULL. */
    void (*describe)(void *data, uint64_t address, char *text, size_t size);
    void (*print)(void *data, const char *text, size_t size); /* what printf in a kernel says; NULL: forgotten */
    uint64_t (*allocate)(void *data, uint64_t size);          /* malloc in a kernel; 0: no memory left, or NULL: none at all */
    int (*release)(void *data, uint64_t address);             /* free in a kernel; 0: nothing to be freed is there */
    void *data;
} ptx_device;

/* A launch. */
typedef struct ptx_grid {
    uint32_t blocks[3];
    uint32_t threads[3]; /* of a block */
    uint32_t shared_bytes;
    const void *parameters; /* laid out by the offsets above */
    int is_cooperative;     /* all blocks take turns and may wait for each other; else each is run to its end before the next */
    uint64_t step_limit;    /* instructions, by all threads together; 0: no limit */
    uint64_t *steps;        /* to which those that were run are added; may be NULL */
    unsigned workers;       /* host threads that run blocks; 0 is 1, the calling thread */
    int finds_unwritten;    /* a read of memory that nobody wrote is a fault */
    int finds_races;        /* so are accesses to shared memory by several threads with no barrier between, one of them a store */
} ptx_grid;

typedef enum ptx_outcome {
    PTX_RAN,
    PTX_ILLEGAL_ADDRESS,
    PTX_MISALIGNED_ADDRESS,
    PTX_ILLEGAL_INSTRUCTION,
    PTX_INVALID_PC,
    PTX_TRAPPED,
    PTX_ASSERTED,
    PTX_TIMED_OUT,
    PTX_RAN_OUT_OF_MEMORY
} ptx_outcome;

/* ptx_run runs a kernel to its end. On a fault `log` says where: "kernel saxpy, block (3,0,0), thread (17,0,0), ptx line 40
 * (saxpy.cu:12): 4-byte load at 0x10". */
ptx_outcome ptx_run(const ptx_kernel *kernel, const ptx_grid *grid, const ptx_device *device, char *log, size_t log_size);

#endif
