/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_SOURCE_H
#define CUSIM_SOURCE_H

/* What the simulated NVRTC makes of CUDA C++. It reads no more of it than docs/simulated-compilers.md says. */

#include <stddef.h>
#include <stdio.h>

struct expression {
    struct expression *next;
    char *text;
    char *lowered; /* NULL before the program was compiled */
};

struct source {
    const char *name; /* in diagnostics */
    const char *text;
    int arch; /* 90 */
    struct expression *expressions;
};

/* Writes the PTX of a source and what is to be said of it, and gives the expressions their lowered names. Returns the number of
 * errors; -1 if there is no memory. */
int source_compile(const struct source *source, FILE *ptx, FILE *log);

/* Writes the first lines of PTX, of a version such as 80. */
void source_write_header(FILE *ptx, int version, int arch);

#endif
