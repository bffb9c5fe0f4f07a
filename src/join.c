/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "join.h"

#include "event.h"

static int32_t enter(const cucore_join *join, const cucore_stream *stream, cucore_scope *scope) {
    return join->restoring ? cucore_scope_enter_cleanup(scope, &join->call, stream->context->raw)
                           : cucore_scope_enter(scope, &join->call, stream->context->raw);
}

static int32_t leave(const cucore_join *join, const cucore_scope *scope, int32_t code) {
    if (!join->restoring)
        return cucore_scope_leave(scope, &join->call, code);
    cucore_scope_leave_cleanup(scope, join->restoring);
    return code;
}

static int32_t record(const cucore_join *join, const cucore_stream *awaited, CUevent *event) {
    cucore_scope scope;
    int32_t code = enter(join, awaited, &scope);
    if (code)
        return code;
    code = CUCORE_CUDA(&join->call, 0, cuEventCreate, (event, CU_EVENT_DISABLE_TIMING));
    if (!code)
        code = CUCORE_CUDA(&join->call, cucore_raw(*event), cuEventRecord, (*event, awaited->raw));
    return leave(join, &scope, code);
}

static int32_t wait_for(const cucore_join *join, const cucore_stream *waiter, CUevent event) {
    cucore_scope scope = {.pushed = false};
    int32_t code = waiter->is_default ? enter(join, waiter, &scope) : CUCORE_OK;
    if (code)
        return code;
    cucore_stream_make_known(waiter);
    code = CUCORE_CUDA(&join->call, cucore_raw(waiter->raw), cuStreamWaitEvent, (waiter->raw, event, 0));
    return leave(join, &scope, code);
}

/* The waiter goes on waiting when the event is destroyed (CUDA documentation, cuEventDestroy). */
int32_t cucore_join_streams(const cucore_join *join, const cucore_stream *waiter, const cucore_stream *awaited) {
    CUevent event = NULL;
    int32_t code = record(join, awaited, &event);
    if (!code)
        code = wait_for(join, waiter, event);
    if (code && event)
        cucore_destroy_as_undo(&cucore_event_destroy, &event, cucore_raw(event), &join->call);
    if (!code)
        cucore_destroy_in_teardown(&cucore_event_destroy, &event, cucore_raw(event), join->channel);
    return code;
}

int32_t cucore_stream_wait_stream(cucore_stream *stream, cucore_stream *awaited, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_channel warnings = {.final = true};
    int32_t code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    if (!code)
        code = cucore_expect(&call, awaited, &cucore_stream_class, "awaited");
    if (code || cucore_stream_is_same(stream, awaited))
        return code;
    return cucore_join_streams(&(cucore_join){call, &warnings, NULL}, stream, awaited);
}
