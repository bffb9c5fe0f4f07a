/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_MACHINE_CODE_H
#define CUSIM_MACHINE_CODE_H

/* The machine code of the simulated device: an ELF file for CUDA whose section ".cusim.ptx" holds PTX. */

#include <stddef.h>

/* machine_code_wrap makes such a file of PTX; the caller frees it. NULL if there is no memory. */
void *machine_code_wrap(const char *ptx, size_t *size);

int machine_code_is_one(const void *image);

/* machine_code_ptx gives the NUL-terminated PTX in such a file; NULL for one that is not of the simulated device. No more is read than the
 * file says that it has, nor more than `size` bytes. */
const char *machine_code_ptx(const void *image, size_t size);

#endif
