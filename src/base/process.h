/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_PROCESS_H
#define CUCORE_BASE_PROCESS_H

/* The state of the process: whether it is ending or was forked, and the process-wide locks. */

#include <stdatomic.h>
#include <stdbool.h>

typedef enum cucore_process_state {
    CUCORE_PROCESS_RUNNING,
    CUCORE_PROCESS_EXITING, /* our exit handler ran: no driver call, no sink, no message from now on */
    CUCORE_PROCESS_FORKED   /* a child of a process that used the driver: CUDA does not work here */
} cucore_process_state;

extern _Atomic int cucore_process_state_kept;
static inline cucore_process_state cucore_process_state_now(void) {
    return (cucore_process_state)atomic_load_explicit(&cucore_process_state_kept, memory_order_relaxed);
}

/* cucore_process_pin keeps the code that this library is linked into from being unloaded. It comes before anything that can call
 * back into it: exit and fork handlers, driver callbacks. Returns false if that could not be arranged. */
bool cucore_process_pin(void);

/* cucore_process_watch_fork makes a child process of this one start with fresh locks, and know that it is one. The first use of
 * a lock does so too. Returns 0 or an errno. */
int cucore_process_watch_fork(void);

/* cucore_process_taint_children marks children forked from now on as unable to use CUDA. It comes before cuInit. */
void cucore_process_taint_children(void);

/* cucore_process_watch_exit sets the exit flag when the process exits. To be set before the driver's own exit handler runs it comes
 * `again` after cuInit, if it came before. Returns false if that could not be arranged. */
bool cucore_process_watch_exit(bool again);

/* cucore_process_begin_work asks whether a thread of the library's may work on something; if so, the exit handler gives it up to
 * 100 ms to come to cucore_process_end_work. */
bool cucore_process_begin_work(void);
void cucore_process_end_work(void);

/* cucore_process_generation counts the forks that led to this process from the one that loaded the library. Threads do not
 * survive them. */
unsigned int cucore_process_generation(void);

/* The process-wide locks. None is held across user code or a report; where two are held the later in this list is taken last. */
typedef enum cucore_lock {
    CUCORE_LOCK_SINKS,
    CUCORE_LOCK_QUEUES,
    CUCORE_LOCK_DEFERRED,
    CUCORE_LOCK_LOADING,
    CUCORE_LOCK_CONTEXTS,
    CUCORE_LOCK_REGISTRY,
    CUCORE_LOCK_STAGING,
    CUCORE_LOCK_DRIVER_WORDS,
    CUCORE_LOCK_LIVE_LIST,
    CUCORE_LOCK_COUNT
} cucore_lock;

void cucore_lock_enter(cucore_lock lock);
void cucore_lock_leave(cucore_lock lock);

/* cucore_lock_wait leaves the lock, waits for a cucore_lock_wake of it, and enters it again; cucore_lock_wait_for waits no longer
 * than so many milliseconds. */
void cucore_lock_wait(cucore_lock lock);
void cucore_lock_wait_for(cucore_lock lock, unsigned int milliseconds);
void cucore_lock_wake(cucore_lock lock);

#endif
