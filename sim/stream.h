/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_STREAM_H
#define CUSIM_STREAM_H

#include "context.h"

/* A stream is a queue of work, done in order by whichever thread puts work in or takes a hindrance away. The calling thread does
 * its own work at once, unless the stream is held, waits for an event, or is being run by another thread. */

struct stream;

struct work {
    struct work *next;
    int (*is_ready)(const struct work *work);              /* NULL: always */
    void (*run)(struct work *work, struct stream *stream); /* NULL: nothing but the drop; not called after a fault */
    void (*drop)(struct work *work);                       /* always called, and last: ends and frees the work */
};

struct stream {
    struct object object;
    unsigned int flags;
    int priority;
    int held;
    int running;
    struct work *first;
    struct work **end;
};

struct stream *stream_create(struct context *context, unsigned int flags, int priority);

/* stream_find gives the stream behind a raw handle if work can be put on it: NULL and the like are the current context's default
 * stream. If it is its context that stands in the way, *stream is given all the same. */
CUresult stream_find(CUstream raw, struct stream **stream);

/* stream_put takes the work over. */
void stream_put(struct stream *stream, struct work *work);

/* These wait for the work of a stream, or of all of a context. */
CUresult stream_wait(struct stream *stream);
CUresult streams_wait(const struct context *context);

/* stream_yield_until_stopped waits until some stream that another thread runs has stopped; 0 if none is run, so that nothing will
 * change. */
int stream_yield_until_stopped(void);

int streams_are_running(void);

/* cusim_hold and cusim_release, of a destroyed stream with work left too. */
void stream_hold(const void *raw);
void stream_release(const void *raw);

#endif
