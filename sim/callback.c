/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "callback.h"

#include "call.h"
#include "capture.h"
#include "stream.h"

#include <stdlib.h>
#include <unistd.h>

struct callback_work {
    struct work work;
    CUhostFn host_function; /* one of the two */
    CUstreamCallback callback;
    CUstream stream;
    CUresult status; /* that the callback is told */
    void *data;
};

/* One callback at a time is handed to the thread, and waited for. */
static struct callback_thread {
    pthread_mutex_t turn; /* of whoever hands one over */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const struct callback_work *next; /* NULL: none is under way */
    pid_t process;                    /* in which the thread was started: a forked child has none */
} callback_thread = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};

static _Thread_local int is_callback_thread;
static uint64_t calls_counted;

static void call_back(const struct callback_work *work) {
    if (work->host_function)
        work->host_function(work->data);
    else
        work->callback(work->stream, work->status, work->data);
}

static void *serve(void *unused) {
    (void)unused;
    is_callback_thread = 1;
    pthread_mutex_lock(&callback_thread.mutex);
    for (;;) {
        while (!callback_thread.next)
            pthread_cond_wait(&callback_thread.changed, &callback_thread.mutex);
        const struct callback_work *work = callback_thread.next;
        pthread_mutex_unlock(&callback_thread.mutex);
        call_back(work);
        pthread_mutex_lock(&callback_thread.mutex);
        callback_thread.next = NULL;
        pthread_cond_broadcast(&callback_thread.changed);
    }
    return NULL;
}

static void start_thread(void) {
    pthread_t thread;
    if (callback_thread.process == getpid())
        return;
    if (pthread_create(&thread, NULL, serve, NULL) != 0)
        abort(); /* a test whose callbacks never run would wait for ever */
    pthread_detach(thread);
    callback_thread.process = getpid();
}

static void hand_over(const struct callback_work *work) {
    if (is_callback_thread) { /* a callback let a held stream go */
        call_back(work);
        return;
    }
    pthread_mutex_lock(&callback_thread.turn);
    start_thread();
    pthread_mutex_lock(&callback_thread.mutex);
    callback_thread.next = work;
    pthread_cond_broadcast(&callback_thread.changed);
    while (callback_thread.next)
        pthread_cond_wait(&callback_thread.changed, &callback_thread.mutex);
    pthread_mutex_unlock(&callback_thread.mutex);
    pthread_mutex_unlock(&callback_thread.turn);
}

static void run_callback(struct work *work, struct stream *stream) {
    struct callback_work *mine = (struct callback_work *)work;
    mine->status = context_check(stream->object.context);
    simulator_unlock();
    hand_over(mine);
    simulator_lock();
}

static void free_work(struct work *work) {
    free(work);
}

int callback_thread_calls(void) {
    calls_counted += (uint64_t)is_callback_thread;
    return is_callback_thread;
}

uint64_t callback_calls_counted(void) {
    return calls_counted;
}

void callback_reset(void) {
    calls_counted = 0;
}

static CUresult put_callback(const struct callback_work *wanted, struct stream *stream) {
    struct callback_work *work = malloc(sizeof(*work));
    if (!work)
        return CUDA_ERROR_OUT_OF_MEMORY;
    *work = *wanted;
    stream_put(stream, &work->work);
    return CUDA_SUCCESS;
}

/* After a fault a host function is never run. */
CUresult sim_cuLaunchHostFunc(CUstream stream, CUhostFn function, void *userData) {
    struct stream *on = NULL;
    CUresult result = function ? stream_find_to_use(stream, &on) : CUDA_ERROR_INVALID_VALUE;
    const struct callback_work wanted = {
        .work = {.node_type = CU_GRAPH_NODE_TYPE_HOST, .run = run_callback, .drop = free_work},
        .host_function = function,
        .data = userData,
    };
    return result == CUDA_SUCCESS ? put_callback(&wanted, on) : result;
}

/* After a fault a callback is told of it. */
CUresult sim_cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *userData, unsigned int flags) {
    struct stream *on = NULL;
    CUresult result = callback && flags == 0 ? stream_find_to_use(stream, &on) : CUDA_ERROR_INVALID_VALUE;
    const struct callback_work wanted = {
        .work = {.run = run_callback, .drop = free_work, .runs_after_fault = 1},
        .callback = callback,
        .stream = stream,
        .data = userData,
    };
    if (result == CUDA_SUCCESS && on->capture)
        return capture_refuse(on, "Stream callbacks cannot be captured");
    return result == CUDA_SUCCESS ? put_callback(&wanted, on) : result;
}
