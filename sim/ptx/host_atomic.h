/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_HOST_ATOMIC_H
#define CUSIM_PTX_HOST_ATOMIC_H

/* The host's atomic operations on a kernel's memory: sequentially consistent, of 1, 2, 4, 8 or 16 bytes at an address that is a
 * multiple of the size. Blocks of one launch may run on several host threads. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As many bytes as an operation is of; the others are 0. */
typedef struct ptx_value {
    uint64_t low;
    uint64_t high;
} ptx_value;

ptx_value ptx_load_value(const unsigned char *at, size_t size);
void ptx_store_value(unsigned char *at, size_t size, ptx_value value);
/* ptx_replace_value stores `next` if `expected` is there; else it gives what is there in its place. */
bool ptx_replace_value(unsigned char *at, size_t size, ptx_value *expected, ptx_value next);

/* Copies of a whole vector: in one piece up to 16 bytes, as devices do and programs count on. */
void ptx_load_bytes(void *to, const unsigned char *from, size_t size);
void ptx_store_bytes(unsigned char *to, const void *from, size_t size);

#endif
