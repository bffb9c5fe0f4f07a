/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/argument.h"
#include "base/deferred.h"
#include "base/owner.h"
#include "driver/capture.h"
#include "driver/native.h"
#include "stream.h"

/* Functions that CUDA runs when a stream gets there. cuStreamAddCallback, not cuLaunchHostFunc, whose functions never run after a
 * fault. What the caller gave with one is dropped by the library's thread: CUDA's must not be kept waiting. */

typedef struct stream_callback {
    cucore_object object;
    cucore_stream_function function;
    cucore_owner owner;
} stream_callback;

static bool teardown(void *object, cucore_channel *channel) {
    (void)channel;
    cucore_owner_drop(&((stream_callback *)object)->owner);
    return true;
}

static const cucore_class stream_callback_class = {"stream callback", teardown, false};

/* NULL if the work went well. */
static cucore_status *outcome_of(CUstream raw, CUresult result) {
    const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, "cuStreamAddCallback", cucore_raw(raw), NULL, 0};
    if (result == CUDA_SUCCESS)
        return NULL;
    cucore_status *outcome = cucore_native_status(&native);
    cucore_status_note_text(outcome, CUCORE_NOTE_CAUSE, "work put on the stream before the callback failed");
    return outcome;
}

/* On a thread of CUDA's. At the process's end the function is not called any more, and what was given stays. */
static void run(CUstream raw, CUresult result, void *data) {
    stream_callback *callback = data;
    if (!cucore_process_begin_work())
        return;
    cucore_deferred_enter_callback();
    cucore_status *outcome = outcome_of(raw, result);
    callback->function(outcome, callback->owner.user_data);
    cucore_status_release(outcome);
    cucore_deferred_leave_callback();
    cucore_deferred_add(&callback->object);
    cucore_process_end_work();
}

/* *taken: CUDA has the callback and will run it, also if the caller's context could then not be restored. */
static int32_t put(const cucore_call *call, const cucore_stream *stream, stream_callback *callback, bool *taken) {
    cucore_scope scope;
    int32_t code = cucore_stream_enter(stream, call, &scope);
    if (code)
        return code;
    code = cucore_capture_refuse(call, stream->raw, "a callback");
    if (!code)
        code = CUCORE_CUDA(call, cucore_raw(stream->raw), cuStreamAddCallback, (stream->raw, run, callback, 0));
    *taken = code == CUCORE_OK;
    return cucore_scope_leave(&scope, call, code);
}

static int32_t add(const cucore_call *call, const cucore_stream *stream, cucore_stream_function function, const cucore_owner *owner,
                   bool *taken) {
    int32_t code = cucore_deferred_start(call);
    if (code)
        return code;
    stream_callback *callback = cucore_object_allocate(call, &stream_callback_class, sizeof *callback);
    if (!callback)
        return CUCORE_OUT_OF_MEMORY;
    callback->function = function;
    callback->owner = *owner;
    code = put(call, stream, callback, taken);
    if (!*taken)
        cucore_object_discard(callback);
    return code; /* NOLINT(clang-analyzer-unix.Malloc): what was taken is CUDA's */
}

int32_t cucore_stream_add_callback(cucore_stream *stream, cucore_stream_function function, void *user_data,
                                   cucore_drop_function drop, cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    const cucore_owner owner = {user_data, drop};
    bool taken = false;
    int32_t code = cucore_expect(&call, stream, &cucore_stream_class, "stream");
    if (!code && !function)
        code = cucore_fail(&call, CUCORE_INVALID_ARGUMENT, ": function is NULL");
    if (!code)
        code = add(&call, stream, function, &owner, &taken);
    if (!taken)
        cucore_owner_drop(&owner);
    return code;
}
