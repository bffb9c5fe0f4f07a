/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "context.h"

#include "call.h"
#include "capture.h"
#include "memory.h"
#include "pool.h"
#include "stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define STACK_MAX 128
#define API_VERSION 3020

static _Thread_local struct stack {
    unsigned generation; /* of the simulator that the rest is about */
    size_t depth;
    struct context *contexts[STACK_MAX];
} thread_stack;

static struct stack *stack(void) {
    if (thread_stack.generation != simulator.generation)
        context_forget_stack();
    return &thread_stack;
}

void context_forget_stack(void) {
    thread_stack.generation = simulator.generation;
    thread_stack.depth = 0;
}

static struct context *top(void) {
    const struct stack *mine = stack();
    return mine->depth ? mine->contexts[mine->depth - 1] : NULL;
}

static CUresult push(struct context *context) {
    struct stack *mine = stack();
    if (mine->depth == STACK_MAX)
        return refuse(CUDA_ERROR_OUT_OF_MEMORY, "The context stack holds no more than %d", STACK_MAX);
    mine->contexts[mine->depth++] = context;
    return CUDA_SUCCESS;
}

CUresult context_check(const struct context *context) {
    if (context->object.state != OBJECT_LIVE)
        return refuse(CUDA_ERROR_CONTEXT_IS_DESTROYED, "Context 0x%" PRIxPTR " was destroyed", (uintptr_t)context);
    CUresult fault = context->fault;
    return fault == CUDA_SUCCESS ? CUDA_SUCCESS : refuse(fault, "%s", context->fault_text);
}

CUresult context_current(struct context **context) {
    struct context *current = top();
    if (!current)
        return refuse(CUDA_ERROR_INVALID_CONTEXT, "No CUDA context is current to the calling thread");
    *context = current;
    return context_check(current);
}

CUresult context_allows_copies(void) {
    const struct context *current = top();
    return current && current->object.state != OBJECT_LIVE ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
}

void context_set_fault(struct context *context, CUresult fault, const char *text) {
    if (context->fault != CUDA_SUCCESS)
        return;
    context->fault = fault;
    snprintf(context->fault_text, sizeof(context->fault_text), "%s", text);
}

void contexts_set_fault(const struct device *device, CUresult fault, const char *text) {
    struct context *context;
    for (size_t position = 0; (context = object_next(OBJECT_CONTEXT, &position));) {
        if (context->device == device && context->object.state == OBJECT_LIVE)
            context_set_fault(context, fault, text);
    }
}

int context_reaches_peer(const struct context *context, const struct context *peer) {
    return context->peers[peer->device->ordinal] == peer;
}

CUresult context_end_object(enum object_kind kind, const void *raw) {
    struct object *object = NULL;
    CUresult result = object_find(kind, raw, &object);
    if (result != CUDA_SUCCESS)
        return result;
    result = context_check(object->context);
    object_end(object, OBJECT_DESTROYED);
    return result;
}

/* Brings a context to life: a new one, or a primary one that is retained again. */
static CUresult begin(struct context *context) {
    context->object.state = OBJECT_LIVE;
    context->fault = CUDA_SUCCESS;
    context->default_stream = stream_create(context, CU_STREAM_DEFAULT, 0);
    if (!context->default_stream)
        return CUDA_ERROR_OUT_OF_MEMORY;
    context->default_stream->object.listed = 0;
    context->default_stream->is_legacy = 1;
    context->id = simulator_next_id();
    limits_reset(&context->limits);
    memset(context->peers, 0, sizeof(context->peers));
    return CUDA_SUCCESS;
}

static CUresult create(struct device *device, struct context **created) {
    struct context *context = object_create(OBJECT_CONTEXT, NULL);
    if (!context)
        return CUDA_ERROR_OUT_OF_MEMORY;
    context->device = device;
    CUresult result = begin(context);
    if (result == CUDA_SUCCESS)
        *created = context;
    else
        object_end(&context->object, OBJECT_DESTROYED);
    return result;
}

static void end_objects_of(const struct context *context, enum object_kind kind) {
    struct object *object;
    for (size_t position = 0; (object = object_next(kind, &position));) {
        if (object->context == context && object->state == OBJECT_LIVE)
            object_end(object, OBJECT_ORPHANED);
    }
}

static void end(struct context *context) {
    object_end(&context->object, OBJECT_DESTROYED);
    end_objects_of(context, OBJECT_STREAM);
    end_objects_of(context, OBJECT_EVENT);
    end_objects_of(context, OBJECT_KERNEL);
    end_objects_of(context, OBJECT_MODULE);
    memory_context_ended(context);
}

CUresult sim_cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    struct device *owner = NULL;
    CUresult result = context ? device_find(device, &owner) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS && !owner->primary)
        result = create(owner, &owner->primary);
    else if (result == CUDA_SUCCESS && owner->primary_retained == 0)
        result = begin(owner->primary);
    if (result != CUDA_SUCCESS)
        return result;
    if (owner->primary_retained++ == 0)
        owner->primary->flags = owner->primary_flags;
    *context = (CUcontext)owner->primary;
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    struct device *owner = NULL;
    CUresult result = device_find(device, &owner);
    if (result != CUDA_SUCCESS)
        return result;
    if (owner->primary_retained == 0)
        return refuse(CUDA_ERROR_INVALID_CONTEXT, "The primary context of device %d is not retained", device);
    if (--owner->primary_retained == 0)
        end(owner->primary);
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *active) {
    struct device *owner = NULL;
    CUresult result = flags && active ? device_find(device, &owner) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    *flags = owner->primary_flags;
    *active = owner->primary_retained > 0;
    return CUDA_SUCCESS;
}

/* Valid flags: how to wait, in the lowest three bits, and host memory, local memory, core dumps and memory operations above. */
static CUresult check_flags(unsigned int flags) {
    static const unsigned int all = 0xff;
    unsigned int waits = flags & 7;
    if (flags > all || (waits & (waits - 1)) != 0)
        return refuse(CUDA_ERROR_INVALID_VALUE, "A context has no flags 0x%x", flags);
    return CUDA_SUCCESS;
}

CUresult sim_cuDevicePrimaryCtxSetFlags_v2(CUdevice device, unsigned int flags) {
    struct device *owner = NULL;
    CUresult result = device_find(device, &owner);
    if (result == CUDA_SUCCESS)
        result = check_flags(flags);
    if (result != CUDA_SUCCESS)
        return result;
    owner->primary_flags = flags;
    if (owner->primary_retained)
        owner->primary->flags = flags;
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device) {
    struct device *owner = NULL;
    struct context *created = NULL;
    CUresult result = context ? device_find(device, &owner) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        result = create(owner, &created);
    if (result != CUDA_SUCCESS)
        return result;
    created->flags = flags;
    result = push(created);
    if (result == CUDA_SUCCESS)
        *context = (CUcontext)created;
    else
        end(created);
    return result;
}

CUresult sim_cuCtxCreate_v3(CUcontext *context, CUexecAffinityParam *affinity, int affinities, unsigned int flags,
                            CUdevice device) {
    if (affinity || affinities)
        return refuse(CUDA_ERROR_NOT_SUPPORTED, "The simulated device has no execution affinity");
    return sim_cuCtxCreate_v2(context, flags, device);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): CUDA's signature */
CUresult sim_cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags, CUdevice device) {
    if (parameters && parameters->cigParams)
        return refuse(CUDA_ERROR_NOT_SUPPORTED, "The simulated device shares no context with graphics");
    return parameters
               ? sim_cuCtxCreate_v3(context, parameters->execAffinityParams, parameters->numExecAffinityParams, flags, device)
               : sim_cuCtxCreate_v2(context, flags, device);
}

CUresult sim_cuCtxDestroy_v2(CUcontext context) {
    struct context *found = NULL;
    CUresult result = object_find(OBJECT_CONTEXT, context, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (found == found->device->primary)
        return refuse(CUDA_ERROR_INVALID_CONTEXT, "Cannot destroy a primary context");
    if (found == top())
        stack()->depth--;
    end(found);
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetCurrent(CUcontext *context) {
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    *context = (CUcontext)top();
    return CUDA_SUCCESS;
}

static void pop(void) {
    if (stack()->depth)
        stack()->depth--;
}

CUresult sim_cuCtxSetCurrent(CUcontext context) {
    struct context *found = NULL;
    if (!context) {
        pop();
        return CUDA_SUCCESS;
    }
    CUresult result = object_find(OBJECT_CONTEXT, context, &found);
    if (result != CUDA_SUCCESS)
        return result;
    pop();
    return push(found);
}

CUresult sim_cuCtxPushCurrent_v2(CUcontext context) {
    struct context *found = NULL;
    CUresult result = object_find(OBJECT_CONTEXT, context, &found);
    return result == CUDA_SUCCESS ? push(found) : result;
}

CUresult sim_cuCtxPopCurrent_v2(CUcontext *context) {
    struct context *current = top();
    if (!current)
        return refuse(CUDA_ERROR_INVALID_CONTEXT, "No CUDA context is current to the calling thread");
    pop();
    if (context)
        *context = (CUcontext)current;
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxGetDevice(CUdevice *device) {
    const struct context *context = top();
    if (!context)
        return refuse(CUDA_ERROR_INVALID_CONTEXT, "No CUDA context is current to the calling thread");
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    *device = context->device->ordinal; /* of a destroyed or faulted one too */
    return CUDA_SUCCESS;
}

/* The context behind a handle, or the current one for NULL, if it is alive. */
static CUresult find_or_current(CUcontext raw, struct context **context) {
    if (!raw)
        return context_current(context);
    CUresult result = object_find(OBJECT_CONTEXT, raw, context);
    return result == CUDA_SUCCESS ? context_check(*context) : result;
}

CUresult sim_cuCtxGetDevice_v2(CUdevice *device, CUcontext context) {
    struct context *found = NULL;
    if (!context)
        return sim_cuCtxGetDevice(device);
    CUresult result = device ? object_find(OBJECT_CONTEXT, context, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *device = found->device->ordinal;
    return result;
}

CUresult sim_cuCtxGetApiVersion(CUcontext context, unsigned int *version) {
    struct context *found = NULL;
    CUresult result = version ? find_or_current(context, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *version = API_VERSION;
    return result;
}

CUresult sim_cuCtxGetFlags(unsigned int *flags) {
    struct context *context = NULL;
    CUresult result = flags ? context_current(&context) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *flags = context->flags;
    return result;
}

CUresult sim_cuCtxSetFlags(unsigned int flags) {
    struct context *context = NULL;
    CUresult result = context_current(&context);
    if (result == CUDA_SUCCESS)
        context->flags = flags;
    return result;
}

CUresult sim_cuCtxGetId(CUcontext context, unsigned long long *id) {
    struct context *found = NULL;
    CUresult result = id ? find_or_current(context, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result == CUDA_SUCCESS)
        *id = found->id;
    return result;
}

static CUresult find_peer(CUcontext raw, struct context **current, struct context **peer) {
    CUresult result = context_current(current);
    if (result == CUDA_SUCCESS)
        result = object_find(OBJECT_CONTEXT, raw, peer);
    if (result == CUDA_SUCCESS && (*peer)->device == (*current)->device)
        return refuse(CUDA_ERROR_INVALID_DEVICE, "A device is no peer of its own");
    return result;
}

CUresult sim_cuCtxEnablePeerAccess(CUcontext peer, unsigned int flags) {
    struct context *current = NULL;
    struct context *found = NULL;
    CUresult result = flags == 0 ? find_peer(peer, &current, &found) : CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS)
        return result;
    if (context_reaches_peer(current, found))
        return refuse(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "Peer access is enabled already");
    current->peers[found->device->ordinal] = found;
    return CUDA_SUCCESS;
}

CUresult sim_cuCtxDisablePeerAccess(CUcontext peer) {
    struct context *current = NULL;
    struct context *found = NULL;
    CUresult result = find_peer(peer, &current, &found);
    if (result != CUDA_SUCCESS)
        return result;
    if (!context_reaches_peer(current, found))
        return refuse(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "Peer access is not enabled");
    current->peers[found->device->ordinal] = NULL;
    return CUDA_SUCCESS;
}

static CUresult synchronize(const struct context *context) {
    CUresult result = capture_allows_wait_for_context(context);
    if (result == CUDA_SUCCESS)
        result = streams_wait(context);
    if (result == CUDA_SUCCESS)
        pools_release_unused();
    return result;
}

CUresult sim_cuCtxSynchronize(void) {
    struct context *context = NULL;
    CUresult result = context_current(&context);
    return result == CUDA_SUCCESS ? synchronize(context) : result;
}

CUresult sim_cuCtxSynchronize_v2(CUcontext context) {
    struct context *found = NULL;
    CUresult result = find_or_current(context, &found);
    return result == CUDA_SUCCESS ? synchronize(found) : result;
}

/* No profiler listens. */
CUresult sim_cuProfilerStart(void) {
    struct context *context = NULL;
    return context_current(&context);
}

CUresult sim_cuProfilerStop(void) {
    struct context *context = NULL;
    return context_current(&context);
}
