/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_OBJECT_H
#define CUSIM_OBJECT_H

/* What stands behind raw handles. A raw handle is an object's address. Any pointer can be looked up without being followed, and
 * objects that were destroyed are kept for long, so that late uses of their handles are recognised. */

#include "driver_types.h"
#include "text.h"

struct context;
struct library;

enum object_kind {
    OBJECT_CONTEXT,
    OBJECT_STREAM,
    OBJECT_EVENT,
    OBJECT_POOL,
    OBJECT_LIBRARY,
    OBJECT_MODULE,
    OBJECT_KERNEL, /* a CUkernel, or a CUfunction if it has a context */
    OBJECT_GRAPH,
    OBJECT_LINK,
};

enum object_state {
    OBJECT_DESTROYED,
    OBJECT_ORPHANED, /* its context was destroyed */
    OBJECT_LIVE,
};

struct object {
    enum object_kind kind;
    enum object_state state;
    int listed;                     /* counted as live: not a part of something else */
    int busy;                       /* must not be reused yet, even if destroyed */
    struct context *context;        /* that it belongs to, or NULL */
    struct library *library;        /* that it is part of, or NULL */
    void (*ended)(struct object *); /* gives up what it holds, once it is destroyed or orphaned; may be NULL */
    struct object *next_destroyed;
};

/* object_create makes a live, listed object of a kind, zeroed beyond its `struct object`; NULL if there is no memory. */
void *object_create(enum object_kind kind, struct context *context);
void object_end(struct object *object, enum object_state state);

/* object_find gives the live object of a kind behind a raw handle; `found` points to a pointer to the noun's struct. What is none
 * is refused: a violation, unless it is NULL or died with its context. */
CUresult object_find(enum object_kind kind, const void *raw, void *found);

/* object_next walks the objects of a kind in every state: *position is 0 at first; NULL after the last. */
void *object_next(enum object_kind kind, size_t *position);

/* These are about live, listed objects: of the kind so named, or of all for NULL. */
size_t objects_count(const char *kind);
void objects_list(struct writer *list);

void objects_reset(void);

#endif
