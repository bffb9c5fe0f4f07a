/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_CAPTURE_H
#define CUSIM_CAPTURE_H

/* Stream capture: what is put on a captured stream becomes a node of a graph. Some calls must not be made meanwhile, and make the
 * capture invalid. */

#include "call.h"
#include "stream.h"

#define CAPTURE_STREAMS_MAX 32

/* A place in a capture, which an event recorded there stands for: how many steps of each stream come before it. */
struct capture_point {
    uint64_t capture; /* its id, 0 if it is of none */
    uint32_t steps[CAPTURE_STREAMS_MAX];
};

/* capture_allows says whether a function may be called while captures go on: no argument is looked at. */
CUresult capture_allows(const struct function *function);

/* These look at what one call is about: work put on a stream, a wait for a stream, for a point of an event, or for a context, a
 * free of ordinary memory on a stream. What is refused makes the captures concerned invalid, but not that free on a captured
 * stream. */
CUresult capture_allows_work(const struct stream *stream);
CUresult capture_allows_wait(const struct stream *stream);
CUresult capture_allows_wait_for_point(const struct capture_point *point);
CUresult capture_allows_wait_for_context(const struct context *context);
CUresult capture_allows_free(const struct stream *stream);

/* capture_refuse says that this call cannot be captured on a stream, which makes the capture invalid. */
CUresult capture_refuse(const struct stream *stream, const char *what);

struct graph *capture_graph(const struct stream *stream);
void capture_take_work(struct stream *stream, struct work *work);
void capture_add_node(struct stream *stream, int type);

/* capture_record gives the place where a captured stream is. capture_wait makes a stream go on after a place: it becomes part of
 * that capture, if it is not yet. */
void capture_record(struct stream *stream, struct capture_point *point);
CUresult capture_wait(struct stream *stream, const struct capture_point *point);

/* capture_isolates refuses to make a captured stream wait for what is not captured. */
CUresult capture_isolates(const struct stream *stream);

void capture_stream_ended(struct stream *stream);
void captures_reset(void);

#endif
