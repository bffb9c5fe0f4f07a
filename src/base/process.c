/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "base/process.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

_Atomic int cucore_process_state_kept = CUCORE_PROCESS_RUNNING;
static _Atomic bool children_tainted;
static _Atomic bool fork_is_watched;
static _Atomic bool exit_is_watched;
static _Atomic unsigned int generation;
static _Atomic unsigned int works; /* begun and not ended */

#define LOCK \
    { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER }
static struct lock {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
} locks[CUCORE_LOCK_COUNT] = {LOCK, LOCK, LOCK, LOCK, LOCK, LOCK, LOCK, LOCK, LOCK};

/* Another thread of the parent may have held a lock at the fork; in the child nobody will ever leave it. */
static void start_child(void) {
    for (int i = 0; i < CUCORE_LOCK_COUNT; i++) {
        pthread_mutex_init(&locks[i].mutex, NULL);
        pthread_cond_init(&locks[i].condition, NULL);
    }
    atomic_store(&fork_is_watched, true); /* or this would not run */
    atomic_fetch_add(&generation, 1);
    atomic_store(&works, 0);
    if (atomic_load(&children_tainted))
        atomic_store(&cucore_process_state_kept, CUCORE_PROCESS_FORKED);
}

static void exit_begins(void) {
    int running = CUCORE_PROCESS_RUNNING;
    if (!atomic_compare_exchange_strong(&cucore_process_state_kept, &running, CUCORE_PROCESS_EXITING))
        return;
    const struct timespec millisecond = {0, 1000000};
    for (int waited = 0; waited < 100 && atomic_load(&works); waited++)
        nanosleep(&millisecond, NULL);
}

bool cucore_process_begin_work(void) {
    atomic_fetch_add(&works, 1);
    if (atomic_load(&cucore_process_state_kept) == CUCORE_PROCESS_RUNNING) /* in one order with the exit handler's store and load */
        return true;
    cucore_process_end_work();
    return false;
}

void cucore_process_end_work(void) {
    atomic_fetch_sub(&works, 1);
}

unsigned int cucore_process_generation(void) {
    return atomic_load(&generation);
}

static pthread_mutex_t watch_mutex = PTHREAD_MUTEX_INITIALIZER;

static int watch_fork(void) {
    if (atomic_load(&fork_is_watched))
        return 0;
    int error = cucore_process_pin() ? pthread_atfork(NULL, NULL, start_child) : ENOMEM;
    atomic_store(&fork_is_watched, error == 0);
    return error;
}

int cucore_process_watch_fork(void) {
    if (atomic_load_explicit(&fork_is_watched, memory_order_acquire))
        return 0;
    pthread_mutex_lock(&watch_mutex);
    int error = watch_fork();
    pthread_mutex_unlock(&watch_mutex);
    return error;
}

void cucore_process_taint_children(void) {
    atomic_store(&children_tainted, true);
}

bool cucore_process_watch_exit(bool again) {
    if (atomic_load(&exit_is_watched) && !again)
        return true;
    bool watched = atexit(exit_begins) == 0;
    if (watched)
        atomic_store(&exit_is_watched, true);
    return watched;
}

bool cucore_process_pin(void) {
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1((void *)locks, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return false;
    if (map->l_name[0] == '\0') /* the main program, which nobody unloads */
        return true;
    return dlopen(map->l_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE) != NULL;
}

/* Whoever must know that the fork handler is there asks cucore_process_watch_fork; to a lock it is a help. */
void cucore_lock_enter(cucore_lock lock) {
    cucore_process_watch_fork();
    pthread_mutex_lock(&locks[lock].mutex);
}

void cucore_lock_leave(cucore_lock lock) {
    pthread_mutex_unlock(&locks[lock].mutex);
}

void cucore_lock_wait(cucore_lock lock) {
    pthread_cond_wait(&locks[lock].condition, &locks[lock].mutex);
}

void cucore_lock_wait_for(cucore_lock lock, unsigned int milliseconds) {
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_nsec += (long)milliseconds * 1000000;
    end.tv_sec += end.tv_nsec / 1000000000;
    end.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&locks[lock].condition, &locks[lock].mutex, &end);
}

void cucore_lock_wake(cucore_lock lock) {
    pthread_cond_broadcast(&locks[lock].condition);
}
