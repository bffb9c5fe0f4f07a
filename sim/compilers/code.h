/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_CODE_H
#define CUSIM_CODE_H

/* The forms that code takes between the simulated compilers and the simulated driver. All of them hold PTX.
 *
 * A cubin is machine code of the simulated device (machine_code.h). LTO-IR begins as the real one does, then says "cusim", and the
 * PTX follows, without a NUL. */

#include <stddef.h>

/* Code of any form. NULL data: none. Of PTX the size does not count the NUL. */
struct code {
    char *data;
    size_t size;
};

/* These make code of a form from PTX. NULL data if there is no memory. */
struct code code_cubin(const char *ptx);
struct code code_lto(const char *ptx);

/* These give a copy of the PTX in code of a form; NULL data if it is not of that form (or if there is no memory). Text is PTX if it
 * has a .version directive. */
struct code code_of_cubin(const void *data, size_t size);
struct code code_of_lto(const void *data, size_t size);
struct code code_of_ptx(const void *data, size_t size);

void code_free(struct code *code);

#endif
