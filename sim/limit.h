/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_LIMIT_H
#define CUSIM_LIMIT_H

/* The limits of a context by their numbers in CUlimit, and cache configurations. */

#include <stddef.h>

enum { LIMIT_STACK_SIZE, LIMIT_PRINTF_FIFO_SIZE, LIMIT_MALLOC_HEAP_SIZE, LIMITS_SETTABLE };

struct limits {
    size_t values[LIMITS_SETTABLE];
    int cache_config;
};

/* limits_reset puts those of a new context in. */
void limits_reset(struct limits *limits);

/* cache_config_exists: whether a number is one of CUfunc_cache. */
int cache_config_exists(int config);

#endif
