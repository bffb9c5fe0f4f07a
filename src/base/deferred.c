/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "base/deferred.h"

#include "base/object.h"
#include "base/process.h"
#include "base/warning.h"
#include "cucore_v1/callback.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

typedef struct list {
    cucore_object *first;
    cucore_object **end; /* where the next one goes */
} list;

/* All under CUCORE_LOCK_DEFERRED. The thread goes through the objects in passes, oldest first; those that still have to wait
 * are put back in front. */
static list queue = {NULL, &queue.first};
static bool started;
static unsigned int generation; /* of the process in which it was started */
static uint64_t passes_begun;
static uint64_t passes_ended;

_Atomic bool cucore_deferred_stranded;

static _Thread_local unsigned int callbacks __attribute__((tls_model("initial-exec"))); /* CUDA callbacks this thread is inside */
static _Thread_local bool is_ours __attribute__((tls_model("initial-exec")));           /* this is the library's thread */

enum { RETRY_INTERVAL = 5 }; /* how long what still waits is left alone, in milliseconds */

bool cucore_deferred_in_callback(void) {
    return callbacks != 0;
}

static void append(list *to, cucore_object *object) {
    object->next = NULL;
    *to->end = object;
    to->end = &object->next;
}

/* Moves all of `from` to the end of `to`. */
static void append_all(list *to, list *from) {
    if (!from->first)
        return;
    *to->end = from->first;
    to->end = from->end;
    *from = (list){NULL, &from->first};
}

static bool end_object(cucore_object *object) {
    cucore_channel warnings = {.final = true};
    if (!cucore_process_begin_work())
        return true; /* the process is ending, and its objects with it */
    bool ended = object->class->teardown(object, &warnings);
    if (ended)
        cucore_object_discard(object);
    cucore_process_end_work();
    return ended;
}

static void end_objects(cucore_object *objects, list *waiting) {
    for (cucore_object *object = objects, *next; object; object = next) {
        next = object->next;
        if (!end_object(object))
            append(waiting, object);
    }
}

/* The lock is left meanwhile. Returns whether anything still waits. */
static bool run_pass(void) {
    cucore_object *objects = queue.first;
    list waiting = {NULL, &waiting.first};
    queue = (list){NULL, &queue.first};
    passes_begun++;
    cucore_lock_leave(CUCORE_LOCK_DEFERRED);
    end_objects(objects, &waiting);
    cucore_lock_enter(CUCORE_LOCK_DEFERRED);
    bool waits = waiting.first != NULL;
    append_all(&queue, &waiting);
    passes_ended++;
    cucore_lock_wake(CUCORE_LOCK_DEFERRED);
    return waits;
}

static void *work(void *unused) {
    (void)unused;
    is_ours = true;
    cucore_lock_enter(CUCORE_LOCK_DEFERRED);
    while (cucore_process_state_now() == CUCORE_PROCESS_RUNNING) {
        if (!queue.first)
            cucore_lock_wait(CUCORE_LOCK_DEFERRED);
        else if (run_pass())
            cucore_lock_wait_for(CUCORE_LOCK_DEFERRED, RETRY_INTERVAL);
    }
    cucore_lock_leave(CUCORE_LOCK_DEFERRED);
    return NULL;
}

/* The thread takes no signals: they are for the caller's own threads. Returns 0 or an errno. */
static int create_thread(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all;
    sigset_t before;
    int error = pthread_attr_init(&attributes);
    if (error)
        return error;
    sigfillset(&all);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    error = pthread_create(&thread, &attributes, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

/* Threads do not survive a fork; what they were to do stays with the parent. */
static void forget_the_parents_thread(void) {
    if (generation == cucore_process_generation())
        return;
    generation = cucore_process_generation();
    started = false;
    passes_begun = 0;
    passes_ended = 0;
    queue = (list){NULL, &queue.first};
}

static int start_locked(void) {
    if (started)
        return 0;
    int error = cucore_process_watch_fork();         /* which pins the library; mostly that was done long ago */
    if (!error && !cucore_process_watch_exit(false)) /* cuInit may not have been called */
        error = ENOMEM;
    if (!error)
        error = create_thread();
    started = error == 0;
    atomic_store(&cucore_deferred_stranded, !started && queue.first);
    return error;
}

static int start(void) {
    cucore_lock_enter(CUCORE_LOCK_DEFERRED);
    forget_the_parents_thread();
    int error = start_locked();
    cucore_lock_leave(CUCORE_LOCK_DEFERRED);
    return error;
}

int32_t cucore_deferred_start(const cucore_call *call) {
    int error = start();
    if (!error)
        return CUCORE_OK;
    const cucore_failure failure = {.code = error == ENOMEM ? CUCORE_OUT_OF_MEMORY : CUCORE_OS,
                                    .domain = CUCORE_DOMAIN_OS,
                                    .native_code = error,
                                    .operation = "pthread_create"};
    return cucore_fail_with(call, cucore_status_make(&failure, ": the library's thread could not be started (errno %d)", error));
}

void cucore_deferred_revive_now(void) {
    start();
}

void cucore_deferred_add(cucore_object *object) {
    cucore_lock_enter(CUCORE_LOCK_DEFERRED);
    forget_the_parents_thread();
    append(&queue, object);
    start_locked();
    cucore_lock_wake(CUCORE_LOCK_DEFERRED);
    cucore_lock_leave(CUCORE_LOCK_DEFERRED);
}

void cucore_deferred_enter_callback(void) {
    callbacks++;
}

void cucore_deferred_leave_callback(void) {
    if (callbacks)
        callbacks--;
}

int32_t cucore_callback_enter(cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect_process(&call);
    if (!code)
        code = cucore_deferred_start(&call);
    if (!code)
        cucore_deferred_enter_callback();
    return code;
}

void cucore_callback_leave(void) {
    cucore_deferred_leave_callback();
}

static bool has_work(void) {
    return queue.first || passes_ended < passes_begun;
}

/* A pass that is under way may be past what the caller means, so the next one counts. At the process's end there is none. */
static void wait_for_a_pass(void) {
    uint64_t wanted = passes_begun + 1;
    while (passes_ended < wanted && has_work() && cucore_process_state_now() == CUCORE_PROCESS_RUNNING) {
        cucore_lock_wake(CUCORE_LOCK_DEFERRED);
        cucore_lock_wait_for(CUCORE_LOCK_DEFERRED, RETRY_INTERVAL);
    }
}

static int32_t expect_drainable(const cucore_call *call) {
    if (cucore_warning_in_sink() || is_ours)
        return cucore_fail(call, CUCORE_INVALID_STATE, ": called inside a warning sink or a drop, which may be what is waited for");
    return cucore_expect_waitable(call);
}

/* Waits for a pass, for which the thread must be running. */
static int32_t drain(const cucore_call *call) {
    cucore_lock_enter(CUCORE_LOCK_DEFERRED);
    forget_the_parents_thread();
    bool needed = has_work();
    cucore_lock_leave(CUCORE_LOCK_DEFERRED);
    int32_t code = needed ? cucore_deferred_start(call) : CUCORE_OK;
    if (code || !needed)
        return code;
    cucore_lock_enter(CUCORE_LOCK_DEFERRED);
    wait_for_a_pass();
    cucore_lock_leave(CUCORE_LOCK_DEFERRED);
    return cucore_expect_process(call);
}

int32_t cucore_deferred_drain(cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    int32_t code = cucore_expect_process(&call);
    if (!code)
        code = expect_drainable(&call);
    return code ? code : drain(&call);
}
