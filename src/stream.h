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
};

/* cucore_stream_is_same tells whether two handles are of one stream. */
static inline bool cucore_stream_is_same(const cucore_stream *one, const cucore_stream *other) {
    return one == other || (one->raw == other->raw && one->context->raw == other->context->raw);
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
