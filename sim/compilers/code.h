/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_CODE_H
#define CUSIM_CODE_H

/* The forms that code takes between the simulated compilers and the simulated driver. All of them hold PTX.
 *
 * A cubin is an ELF file for CUDA's machine (190) with one section of its own, ".cusim.ptx": the PTX, without a NUL. LTO-IR begins
 * as the real one does, then says "cusim", and the PTX follows, without a NUL. */

#include <stddef.h>

/* Code of any form, with a NUL behind its size. NULL data: none. */
struct code {
    char *data;
    size_t size;
};

/* These make code of a form from PTX, for an architecture such as 90. NULL data if there is no memory. */
struct code code_cubin(const char *ptx, int arch);
struct code code_lto(const char *ptx);

/* These give a copy of the PTX in code of a form; NULL data if it is not of that form (or if there is no memory). Text is PTX if it
 * has a .version directive. */
struct code code_of_cubin(const void *data, size_t size);
struct code code_of_lto(const void *data, size_t size);
struct code code_of_ptx(const void *data, size_t size);

void code_free(struct code *code);

#endif
