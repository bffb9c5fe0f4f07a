/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_STREAM_H
#define CUCORE_STREAM_H

#include "cucore_v1/stream.h"
#include "device.h"
#include "driver/scope.h"

extern const cucore_class cucore_stream_class;

struct cucore_stream {
    cucore_registered registered;
    CUstream raw;
    cucore_device *device;
    cucore_context *context; /* borrowed from the device */
    bool is_default;         /* `raw` means the legacy default stream of whatever context is current */
    _Atomic bool is_known;   /* somebody else knows `raw`, or the stream has waited for another: it can be part of a capture */
};

/* cucore_stream_is_same tells whether two handles are of one stream. */
static inline bool cucore_stream_is_same(const cucore_stream *one, const cucore_stream *other) {
    return one == other || (one->raw == other->raw && one->context->raw == other->context->raw);
}

/* cucore_stream_can_capture tells whether a stream can be part of a capture. A capture begins with a raw handle, which is had from
 * its maker or from cucore_stream_raw, and spreads to streams that wait; the default stream is drawn in by others. */
static inline bool cucore_stream_can_capture(const cucore_stream *stream) {
    return stream->is_default || atomic_load_explicit(&stream->is_known, memory_order_relaxed);
}

/* cucore_stream_make_known is to come before a stream's raw handle is given away, and before it is made to wait. */
static inline void cucore_stream_make_known(const cucore_stream *stream) {
    cucore_stream *changed = (cucore_stream *)(uintptr_t)stream; /* what const promises is not changed */
    atomic_store_explicit(&changed->is_known, true, memory_order_relaxed);
}

/* cucore_stream_enter begins work on a stream, which is ended with cucore_scope_leave: most streams need no context to be current,
 * but the default stream is its context's. */
static inline int32_t cucore_stream_enter(const cucore_stream *stream, const cucore_call *call, cucore_scope *scope) {
    scope->pushed = false;
    return stream->is_default ? cucore_scope_enter(scope, call, stream->context->raw) : CUCORE_OK;
}

/* cucore_stream_wait waits for the work put on a stream so far. */
int32_t cucore_stream_wait(const cucore_call *call, const cucore_stream *stream);

#endif
