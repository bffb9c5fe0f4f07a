/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_STATE_H
#define CUSIM_STATE_H

/* What holds for the whole simulated driver. Its mutex guards every file's state: a driver call holds it from begin to end, save
 * while a kernel or one of the program's own functions runs. */

#include <pthread.h>
#include <stdint.h>

struct simulator {
    pthread_mutex_t mutex;
    pthread_cond_t stream_stopped;
    int driver_version;
    int device_count;
    uint64_t step_limit; /* of a launch; 0: none */
    unsigned workers;    /* that run a launch's blocks */
    int finds_unwritten;
    int finds_races;
    uint64_t instructions_run;
    int initialised;
    int deinitialised;   /* the process is exiting, and the driver's exit handler ran */
    unsigned generation; /* counts resets: what threads remember from before is void */
    uint64_t last_id;    /* of contexts, streams, captures and memory: none is given twice */
};

extern struct simulator simulator;

void simulator_lock(void);
void simulator_unlock(void);
void simulator_reset(void);

uint64_t simulator_next_id(void);

/* simulator_thread names the calling thread. */
const void *simulator_thread(void);

#endif
