/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_STREAM_H
#define CUSIM_STREAM_H

#include "context.h"

/* A stream is a queue of work, done in order by whichever thread puts work in or takes a hindrance away. The calling thread does
 * its own work at once, unless the stream is held, waits for another, or is being run by another thread. */

struct capture;
struct stream;

struct work {
    struct work *next;
    uint64_t order; /* of all works, in time */
    int node_type;  /* a CUgraphNodeType, should it be captured */
    int runs_after_fault;
    int (*is_ready)(const struct work *work);                            /* NULL: always */
    void (*run)(struct work *work, struct stream *stream);               /* NULL: nothing but the drop; not called after a fault */
    void (*drop)(struct work *work);                                     /* always called, and last: ends and frees the work */
    int (*uses)(const struct work *work, uint64_t address, size_t size); /* some of that memory; NULL: uses none */
};

struct stream {
    struct object object;
    unsigned int flags;
    int priority;
    uint64_t id;
    int is_legacy;      /* its context's default stream: it and the blocking streams wait for each other */
    const void *thread; /* whose per-thread default stream it is, or NULL */
    int held;
    int running;
    struct work *current; /* that is being run */
    struct work *first;
    struct work **end;
    struct stream *next_busy;
    struct capture *capture; /* that it is part of, or NULL */
    size_t capture_index;
};

struct stream *stream_create(struct context *context, unsigned int flags, int priority);

/* stream_find gives the stream behind a raw handle: NULL and the like are default streams of the current context. If it is its
 * context that stands in the way, *stream is given all the same. stream_find_to_use gives it if work can be put on it too. */
CUresult stream_find(CUstream raw, struct stream **stream);
CUresult stream_find_to_use(CUstream raw, struct stream **stream);

/* stream_put takes the work over: to be done, or as a part of the graph that is captured. */
void stream_put(struct stream *stream, struct work *work);

/* stream_is_blocking: whether the stream and its context's legacy default stream wait for each other. */
int stream_is_blocking(const struct stream *stream);

/* These wait for the work of a stream, or of all of a context. */
CUresult stream_wait(struct stream *stream);
CUresult streams_wait(const struct context *context);

/* stream_using gives a stream other than `except` whose unfinished work uses some of that memory, or NULL. */
const struct stream *stream_using(uint64_t address, size_t size, const struct stream *except);

/* stream_yield_until_stopped waits until some stream that another thread runs has stopped; 0 if none is run, so that nothing will
 * change. */
int stream_yield_until_stopped(void);

int streams_are_running(void);

/* streams_leave_memory waits until no stream that is being run uses some of that memory. */
void streams_leave_memory(uint64_t address, size_t size);

/* cusim_hold and cusim_release, of a destroyed stream with work left too. */
void stream_hold(const void *raw);
void stream_release(const void *raw);

#endif
