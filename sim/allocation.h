/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_ALLOCATION_H
#define CUSIM_ALLOCATION_H

/* The memory that the driver knows of, by address. All of it is host memory: an address is where the bytes are. */

#include "context.h"

struct graph;
struct image;
struct pool;

enum allocation_kind {
    ALLOCATION_DEVICE,     /* of cuMemAlloc or of a pool */
    ALLOCATION_HOST,       /* of cuMemAllocHost and the like */
    ALLOCATION_REGISTERED, /* the program's own, of cuMemHostRegister */
    ALLOCATION_VARIABLE,   /* of code that is loaded */
    ALLOCATION_HEAP,       /* of malloc in a kernel */
};

enum allocation_state { ALLOCATION_LIVE, ALLOCATION_FREE_QUEUED, ALLOCATION_FREED };

struct allocation {
    CUdeviceptr address;
    size_t size;
    enum allocation_kind kind;
    enum allocation_state state;
    struct device *device;
    struct context *context; /* with which it ends, or NULL */
    struct pool *pool;       /* that it came from, or NULL */
    struct graph *graph;     /* that it was captured into and ends with, or NULL */
    struct image *image;     /* of whose code it is a variable, or NULL */
    unsigned int flags;      /* of cuMemHostAlloc or cuMemHostRegister */
    unsigned char *written;  /* a bit for each byte that was written, if that is watched, or NULL */
    uint64_t id;
    struct allocation *next_freed;
};

/* allocation_create makes an allocation as `wanted` says: with bytes of its own if it has no address, and room in its pool. */
CUresult allocation_create(const struct allocation *wanted, struct allocation **created);

/* allocation_end frees one, and counts a violation if work of a stream other than `stream` (which may be NULL) uses it still. */
void allocation_end(struct allocation *allocation, const struct stream *stream);

/* allocation_at gives the allocation that an address lies in: not a freed one. */
struct allocation *allocation_at(CUdeviceptr address);

/* allocation_before gives the last one that begins at an address or before it, freed or not. */
struct allocation *allocation_before(CUdeviceptr address);

/* allocation_next walks all that are not freed: *position is 0 at first; NULL after the last. */
struct allocation *allocation_next(size_t *position);

/* allocation_note_written notes that bytes were written: from `source` if that is device memory, whose unwritten bytes stay so;
 * else 0. */
void allocation_note_written(CUdeviceptr address, CUdeviceptr source, size_t size);

size_t allocations_count(const char *kind);
void allocations_list(struct writer *list);
void allocations_reset(void);

#endif
