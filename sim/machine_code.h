/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_MACHINE_CODE_H
#define CUSIM_MACHINE_CODE_H

/* The machine code of the simulated device: an ELF file for CUDA whose section ".cusim.ptx" holds PTX, without a NUL. The simulated
 * compilers make such files too. */

#include <stddef.h>

/* machine_code_wrap makes such a file of PTX, for an architecture, 90 for sm_90; the caller frees it. NULL if there is no
 * memory. */
void *machine_code_wrap(const char *ptx, unsigned architecture, size_t *size);

/* machine_code_is_elf: whether this begins as an ELF file of any device does. */
int machine_code_is_elf(const void *image);

/* machine_code_ptx gives a NUL-terminated copy of the PTX in such a file, for the caller to free; NULL for a file of another
 * device. No more is read than the file says that it has, nor more than `size` bytes. */
char *machine_code_ptx(const void *image, size_t size);

#endif
