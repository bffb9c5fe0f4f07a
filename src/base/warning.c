/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "base/warning.h"

#include "base/process.h"
#include "base/status.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* A list in order of registration. A sink that is being called is pinned by `calls`: it stays linked until the last call of it
 * returns, so the list can be left and entered again around each call. */
struct cucore_warning_sink {
    cucore_warning_function function;
    void *user_data;
    cucore_drop_function drop;
    cucore_warning_sink *previous;
    cucore_warning_sink *next;
    uint64_t sequence;
    uint32_t calls;
    bool released; /* called no more */
    bool orphaned; /* nobody waits for the calls to end: the last one disposes of it */
};

static cucore_warning_sink *first;
static cucore_warning_sink *last;
static uint64_t next_sequence = 1;

static unsigned int generation; /* of the process that the calls are of */

static _Thread_local unsigned int depth __attribute__((tls_model("initial-exec"))); /* sinks this thread is inside */

bool cucore_warning_in_sink(void) {
    return depth != 0;
}

static void link_sink(cucore_warning_sink *sink) {
    sink->sequence = next_sequence++;
    sink->previous = last;
    *(last ? &last->next : &first) = sink;
    last = sink;
}

static void unlink_sink(cucore_warning_sink *sink) {
    *(sink->previous ? &sink->previous->next : &first) = sink->next;
    *(sink->next ? &sink->next->previous : &last) = sink->previous;
}

/* In a forked child the calls that other threads of the parent had under way never return. Before the child has any of its own. */
static void forget_the_parents_calls(void) {
    if (generation == cucore_process_generation() || depth)
        return;
    generation = cucore_process_generation();
    for (cucore_warning_sink *sink = first; sink; sink = sink->next)
        sink->calls = 0;
}

static void dispose(cucore_warning_sink *sink) {
    if (sink->drop)
        sink->drop(sink->user_data);
    free(sink);
}

static int32_t register_sink(const cucore_call *call, cucore_warning_sink *sink) {
    if (!sink->function)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": function is NULL");
    cucore_lock_enter(CUCORE_LOCK_SINKS);
    link_sink(sink);
    cucore_lock_leave(CUCORE_LOCK_SINKS);
    return CUCORE_OK;
}

cucore_warning_sink *cucore_warning_sink_register(cucore_warning_function function, void *user_data, cucore_drop_function drop,
                                                  cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    cucore_warning_sink *sink = malloc(sizeof *sink);
    if (!sink) {
        cucore_fail(&call, CUCORE_OUT_OF_MEMORY, ": out of memory");
        if (drop)
            drop(user_data);
        return NULL;
    }
    *sink = (cucore_warning_sink){.function = function, .user_data = user_data, .drop = drop};
    if (register_sink(&call, sink)) {
        dispose(sink);
        return NULL;
    }
    return sink;
}

/* Inside a sink nobody waits: two sinks that release each other on two threads would wait for ever. */
void cucore_warning_sink_release(cucore_warning_sink *sink) {
    if (!sink || cucore_process_state_now() != CUCORE_PROCESS_RUNNING)
        return;
    cucore_lock_enter(CUCORE_LOCK_SINKS);
    forget_the_parents_calls();
    sink->released = true;
    sink->orphaned = sink->calls && depth;
    while (sink->calls && !sink->orphaned)
        cucore_lock_wait(CUCORE_LOCK_SINKS);
    bool ours = !sink->orphaned;
    if (ours)
        unlink_sink(sink);
    cucore_lock_leave(CUCORE_LOCK_SINKS);
    if (ours)
        dispose(sink);
}

/* Calls a sink with the lock left meanwhile; returns whether it delivered. */
static bool call_sink(cucore_warning_sink *sink, const cucore_status *warning) {
    sink->calls++;
    cucore_lock_leave(CUCORE_LOCK_SINKS);
    bool delivered = sink->function(warning, sink->user_data) == 0;
    cucore_lock_enter(CUCORE_LOCK_SINKS);
    sink->calls--;
    return delivered;
}

/* After a call of it: hands a released sink to whoever is to dispose of it. */
static void settle(cucore_warning_sink *sink, cucore_warning_sink **garbage) {
    if (!sink->released || sink->calls)
        return;
    if (!sink->orphaned) {
        cucore_lock_wake(CUCORE_LOCK_SINKS);
        return;
    }
    unlink_sink(sink);
    sink->previous = *garbage;
    *garbage = sink;
}

static bool call_sinks(const cucore_status *warning) {
    bool delivered = false;
    cucore_warning_sink *garbage = NULL;
    cucore_lock_enter(CUCORE_LOCK_SINKS);
    forget_the_parents_calls();
    depth++;
    uint64_t end = next_sequence; /* a sink registered meanwhile does not get this one */
    for (cucore_warning_sink *sink = first, *next; sink && sink->sequence < end; sink = next) {
        bool called = !sink->released;
        if (called)
            delivered |= call_sink(sink, warning);
        next = sink->next;
        if (called)
            settle(sink, &garbage);
    }
    cucore_lock_leave(CUCORE_LOCK_SINKS);
    for (cucore_warning_sink *previous; garbage; garbage = previous) {
        previous = garbage->previous;
        dispose(garbage);
    }
    depth--;
    return delivered;
}

static void print_warning(const cucore_status *warning) {
    fprintf(stderr, "cucore: warning: %s", cucore_status_message(warning, NULL));
    for (size_t i = 0; i < cucore_status_note_count(warning); i++)
        fprintf(stderr, "; %s", cucore_status_message(cucore_status_note(warning, i), NULL));
    fputc('\n', stderr);
    fflush(stderr);
}

/* A closed pipe at stderr must not end the process: SIGPIPE is held back, and taken away if we raised it. */
static void print_without_signal(const cucore_status *warning) {
    sigset_t pipe_signal;
    sigset_t before;
    sigset_t pending;
    sigemptyset(&pipe_signal);
    sigaddset(&pipe_signal, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &pipe_signal, &before);
    flockfile(stderr);
    print_warning(warning);
    funlockfile(stderr);
    if (!sigismember(&pending, SIGPIPE))
        sigtimedwait(&pipe_signal, NULL, &(struct timespec){0, 0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* At the process's end there is nobody left to tell. */
void cucore_warning_emit(cucore_status *warning) {
    int saved_errno = errno;
    bool delivered = cucore_process_state_now() != CUCORE_PROCESS_RUNNING;
    if (!delivered && !depth)
        delivered = call_sinks(warning);
    if (!delivered)
        print_without_signal(warning);
    cucore_status_release(warning);
    errno = saved_errno;
}
