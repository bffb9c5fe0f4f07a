/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_LINKER_H
#define CUSIM_LINKER_H

/* cuLink: several PTX texts become one. */

#include "jit.h"
#include "object.h"

#include <pthread.h>

struct link_input {
    struct link_input *next;
    char *ptx;
    char name[64];
};

struct link {
    struct object object;
    pthread_t maker;
    struct jit_logs *logs;
    struct link_input *first;
    struct link_input **end;
    size_t input_count;
    void *cubin; /* what cuLinkComplete gave out */
};

#endif
