/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_LINK_H
#define CUSIM_LINK_H

/* What the simulated nvJitLink makes of its inputs: their PTX, joined. */

#include <stdio.h>

struct input {
    struct input *next;
    char *name;
    char *ptx; /* without comments */
    int is_lto;
};

/* Writes the PTX of all inputs as one, for an architecture such as 90, and what is wrong with them. Returns the number of errors.
 * It takes ".extern" off the inputs' functions. */
int link_inputs(struct input *inputs, int arch, FILE *ptx, FILE *log);

/* Writes a line for each kernel, as -verbose asks for. */
void link_describe(const char *ptx, FILE *log);

#endif
