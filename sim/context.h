/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_CONTEXT_H
#define CUSIM_CONTEXT_H

#include "device.h"
#include "limit.h"
#include "object.h"

struct stream;

struct context {
    struct object object;
    struct device *device;
    struct stream *default_stream;
    unsigned int flags;
    struct limits limits;
    uint64_t id;
    struct context *peers[DEVICES_MAX]; /* by device: whose memory kernels may use too */
    CUresult fault;                     /* that all its work answers since a kernel faulted, or CUDA_SUCCESS */
    char fault_text[512];
};

/* context_current gives the calling thread's current context, if it can do work; context_check says whether a context can. */
CUresult context_current(struct context **context);
CUresult context_check(const struct context *context);

/* context_allows_copies: copies need no current context, but fail if a destroyed one is current. */
CUresult context_allows_copies(void);
void context_set_fault(struct context *context, CUresult fault, const char *text);

/* contexts_set_fault is that for all contexts of a device. */
void contexts_set_fault(const struct device *device, CUresult fault, const char *text);

int context_reaches_peer(const struct context *context, const struct context *peer);

/* context_end_object destroys the stream or event behind a raw handle, in a faulted context too: that fault is then returned. */
CUresult context_end_object(enum object_kind kind, const void *raw);

/* context_forget_stack empties the calling thread's stack. */
void context_forget_stack(void);

#endif
