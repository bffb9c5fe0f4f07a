/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "state.h"

#define DRIVER_VERSION 13000
#define DEVICE_COUNT 2
#define FIRST_ID 2 /* 1 and 2 are the default streams */

struct simulator simulator = {
    .mutex = PTHREAD_MUTEX_INITIALIZER,
    .stream_stopped = PTHREAD_COND_INITIALIZER,
    .driver_version = DRIVER_VERSION,
    .device_count = DEVICE_COUNT,
    .workers = 1,
    .last_id = FIRST_ID,
};

void simulator_lock(void) {
    pthread_mutex_lock(&simulator.mutex);
}

void simulator_unlock(void) {
    pthread_mutex_unlock(&simulator.mutex);
}

void simulator_reset(void) {
    simulator.driver_version = DRIVER_VERSION;
    simulator.device_count = DEVICE_COUNT;
    simulator.step_limit = 0;
    simulator.workers = 1;
    simulator.finds_unwritten = 0;
    simulator.finds_races = 0;
    simulator.instructions_run = 0;
    simulator.initialised = 0;
    simulator.generation++;
}

uint64_t simulator_next_id(void) {
    return ++simulator.last_id;
}

const void *simulator_thread(void) {
    static _Thread_local char mine;
    return &mine;
}
