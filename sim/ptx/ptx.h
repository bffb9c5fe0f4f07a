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

/* ptx_find_variable gives where the .global or .const variable of this name lies; 0 if there is none. */
uint64_t ptx_find_variable(const ptx_module *module, const char *name, uint64_t *size);

size_t ptx_parameter_count(const ptx_kernel *kernel);
size_t ptx_parameter_offset(const ptx_kernel *kernel, size_t index);
size_t ptx_parameter_size(const ptx_kernel *kernel, size_t index);

/* ptx_memory tells the interpreter which addresses are live: it returns a host pointer for `size` bytes at `address`, or NULL. */
typedef struct ptx_memory {
    void *(*resolve)(void *data, uint64_t address, size_t size, int writes);
    void *data;
} ptx_memory;

typedef enum ptx_outcome { PTX_RAN, PTX_ILLEGAL_ADDRESS, PTX_MISALIGNED_ADDRESS, PTX_TRAPPED, PTX_RAN_OUT_OF_MEMORY } ptx_outcome;

/* ptx_run runs a kernel to its end. `parameters` is its parameter space, laid out by the offsets above. On a fault `log` says
 * where: "kernel saxpy, block (3,0,0), thread (17,0,0), ptx line 40: 4-byte load at 0x10". */
ptx_outcome ptx_run(const ptx_kernel *kernel, const uint32_t grid[3], const uint32_t block[3], uint32_t shared_bytes,
                    const void *parameters, const ptx_memory *memory, char *log, size_t log_size);

#endif
