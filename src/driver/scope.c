/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "driver/scope.h"

#include <inttypes.h>

int32_t cucore_scope_enter_anew(cucore_scope *scope, const cucore_call *call, CUcontext target) {
    int32_t code = CUCORE_CUDA(call, cucore_raw(target), cuCtxPushCurrent, (target));
    scope->target = target;
    scope->pushed = code == CUCORE_OK;
    return code;
}

int32_t cucore_scope_enter_cleanup(cucore_scope *scope, const cucore_call *call, CUcontext target) {
    int32_t code = cucore_scope_enter(scope, call, target);
    if (code)
        cucore_note(call, CUCORE_NOTE_CONSEQUENCE, "skipped (context activation failed; resource leaked)");
    return code;
}

/* Told as a number: the context may be any, and need not be one of ours. */
static void tell_current(const cucore_call *call, const char *when) {
    CUcontext current = NULL;
    if (cucore_cuda.cuCtxGetCurrent(&current) == CUDA_SUCCESS)
        cucore_note(call, CUCORE_NOTE_CONSEQUENCE, "the caller's context could not be restored%s; current is now 0x%" PRIx64, when,
                    cucore_raw(current));
    else
        cucore_note(call, CUCORE_NOTE_CONSEQUENCE, "the caller's context could not be restored%s; which is current is not known",
                    when);
    cucore_note(call, CUCORE_NOTE_ADVICE, "call cucore_context_set_current to choose this thread's context again");
}

/* NULL if the caller's context is current again. */
static cucore_status *pop(void) {
    CUcontext popped = NULL;
    CUresult result = cucore_cuda.cuCtxPopCurrent(&popped);
    const cucore_native native = {CUCORE_DOMAIN_DRIVER, result, "cuCtxPopCurrent", 0, NULL, 0};
    return result == CUDA_SUCCESS ? NULL : cucore_native_status(&native);
}

int32_t cucore_scope_pop(const cucore_call *call, int32_t code) {
    cucore_status *failure = pop();
    if (!failure)
        return code;
    if (code) {
        cucore_note_failure(call, CUCORE_NOTE_CONSEQUENCE, failure);
        tell_current(call, " after this failure");
        return code;
    }
    code = cucore_fail_with(call, failure);
    tell_current(call, "");
    return code;
}

int32_t cucore_scope_return_to(const cucore_call *call, CUcontext before) {
    CUcontext current = NULL;
    int32_t code = CUCORE_CUDA(call, 0, cuCtxGetCurrent, (&current));
    if (code || current == before)
        return code;
    code =
        before ? CUCORE_CUDA(call, cucore_raw(before), cuCtxPushCurrent, (before)) : CUCORE_CUDA(call, 0, cuCtxSetCurrent, (NULL));
    if (code)
        tell_current(call, "");
    return code;
}

void cucore_scope_leave_cleanup(const cucore_scope *scope, cucore_status **failure) {
    cucore_channel kept = {.returns = true, .status = *failure};
    cucore_status *left = scope->pushed ? pop() : NULL;
    if (!left)
        return;
    cucore_status_note_text(left, CUCORE_NOTE_CONSEQUENCE, "failed while restoring the caller's context");
    cucore_destroy_report(&kept, left);
    *failure = kept.status;
}

static bool is_target_current(const cucore_scope *scope) {
    CUcontext current = NULL;
    return cucore_cuda.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == scope->target;
}

int32_t cucore_scope_pop_created(const cucore_scope *scope, const cucore_call *call, int32_t code, const cucore_destroy *destroy,
                                 const void *object, uint64_t resource) {
    int32_t left = cucore_scope_pop(call, code);
    if (!left || code)
        return left;
    if (!destroy->needs_context || is_target_current(scope))
        cucore_destroy_as_undo(destroy, object, resource, call);
    else
        cucore_note(call, CUCORE_NOTE_CONSEQUENCE, "0x%" PRIx64 " is leaked: %s needs a context to be current that no longer is",
                    resource, destroy->operation);
    return left;
}
