/* SPDX-License-Identifier: MIT OR Apache-2.0 */

/* The control interface, cusim.h. */

#include "cusim.h"

#include "allocation.h"
#include "callback.h"
#include "capture.h"
#include "context.h"
#include "environment.h"
#include "fault.h"
#include "hook.h"
#include "log.h"
#include "stream.h"

#include <string.h>

void cusim_reset(void) {
    simulator_lock();
    captures_reset();
    objects_reset();
    allocations_reset();
    devices_reset();
    context_forget_stack();
    fault_reset();
    hooks_clear();
    callback_reset();
    log_reset();
    for (size_t i = 0; i < functions_count; i++)
        functions[i].hidden = 0;
    simulator_reset();
    simulator_unlock();
    environment_apply();
}

void cusim_set_driver_version(int version) {
    simulator_lock();
    simulator.driver_version = version;
    simulator_unlock();
}

void cusim_set_device_count(int count) {
    simulator_lock();
    simulator.device_count = count < 0 ? 0 : count > DEVICES_MAX ? DEVICES_MAX : count;
    simulator_unlock();
}

int cusim_set_compute_capability(int major, int minor) {
    simulator_lock();
    int is_known = devices_set_architecture(major, minor);
    simulator_unlock();
    return is_known;
}

static void set_hidden(const char *function, int hidden) {
    simulator_lock();
    for (size_t i = 0; i < functions_count; i++) {
        if (strcmp(functions[i].name, function) == 0)
            functions[i].hidden = hidden;
    }
    simulator_unlock();
}

void cusim_hide(const char *function) {
    set_hidden(function, 1);
}

void cusim_show(const char *function) {
    set_hidden(function, 0);
}

static void arm(const char *function, uint64_t nth, int result, int sticky, int after) {
    simulator_lock();
    fault_arm(function, nth, result, sticky, after);
    simulator_unlock();
}

void cusim_fail(const char *function, uint64_t nth, int result, int sticky) {
    arm(function, nth, result, sticky, 0);
}

void cusim_fail_after(const char *function, uint64_t nth, int result, int sticky) {
    arm(function, nth, result, sticky, 1);
}

void cusim_fail_nothing(void) {
    simulator_lock();
    fault_disarm_all();
    simulator_unlock();
}

void cusim_hook(const char *function, uint64_t nth, void (*hook)(void *data), void *data) {
    simulator_lock();
    hook_set(function, nth, hook, data);
    simulator_unlock();
}

void cusim_unhook(void) {
    simulator_lock();
    hooks_clear();
    simulator_unlock();
}

void cusim_sticky_fault(int device, int result) {
    struct device *faulted = NULL;
    simulator_lock();
    if (device_find(device, &faulted) == CUDA_SUCCESS)
        contexts_set_fault(faulted, (CUresult)result, "The device was made to fail by cusim_sticky_fault");
    simulator_unlock();
}

uint64_t cusim_callback_thread_calls(void) {
    simulator_lock();
    uint64_t count = callback_calls_counted();
    simulator_unlock();
    return count;
}

uint64_t cusim_failures_injected(void) {
    simulator_lock();
    uint64_t count = fault_injected();
    simulator_unlock();
    return count;
}

uint64_t cusim_fallible_calls(void) {
    simulator_lock();
    uint64_t count = fault_fallible_calls();
    simulator_unlock();
    return count;
}

uint64_t cusim_call_count(const char *function) {
    uint64_t count = 0;
    simulator_lock();
    for (size_t i = 0; i < functions_count; i++) {
        if (!function || strcmp(functions[i].name, function) == 0)
            count += functions[i].calls;
    }
    simulator_unlock();
    return count;
}

size_t cusim_log_size(void) {
    simulator_lock();
    size_t size = log_calls()->count;
    simulator_unlock();
    return size;
}

int cusim_log_entry(size_t index, char *text, size_t size) {
    simulator_lock();
    const struct lines *calls = log_calls();
    int exists = index < calls->count;
    struct writer entry = writer_on(text, size);
    if (exists)
        writer_add(&entry, "%s", calls->texts[index]);
    simulator_unlock();
    return exists;
}

void cusim_log_clear(void) {
    simulator_lock();
    log_clear_calls();
    simulator_unlock();
}

size_t cusim_live_count(const char *kind) {
    simulator_lock();
    size_t count = objects_count(kind) + allocations_count(kind);
    simulator_unlock();
    return count;
}

size_t cusim_live_list(char *text, size_t size) {
    struct writer list = writer_on(text, size);
    simulator_lock();
    objects_list(&list);
    allocations_list(&list);
    simulator_unlock();
    return list.length;
}

uint64_t cusim_violations(void) {
    simulator_lock();
    uint64_t count = log_violations()->count;
    simulator_unlock();
    return count;
}

size_t cusim_violation_list(char *text, size_t size) {
    struct writer list = writer_on(text, size);
    simulator_lock();
    for (size_t i = 0; i < log_violations()->count; i++)
        writer_add(&list, "%s\n", log_violations()->texts[i]);
    simulator_unlock();
    return list.length;
}

void cusim_hold(void *stream) {
    simulator_lock();
    stream_hold(stream);
    simulator_unlock();
}

void cusim_release(void *stream) {
    simulator_lock();
    stream_release(stream);
    simulator_unlock();
}

uint64_t cusim_log_callback_count(void) {
    simulator_lock();
    uint64_t count = log_words_count();
    simulator_unlock();
    return count;
}

void cusim_set_step_limit(uint64_t instructions) {
    simulator_lock();
    simulator.step_limit = instructions;
    simulator_unlock();
}

void cusim_set_workers(int threads) {
    simulator_lock();
    simulator.workers = threads < 1 ? 1 : (unsigned)threads;
    simulator_unlock();
}

void cusim_find_unwritten(int on) {
    simulator_lock();
    simulator.finds_unwritten = on;
    simulator_unlock();
}

void cusim_find_races(int on) {
    simulator_lock();
    simulator.finds_races = on;
    simulator_unlock();
}

uint64_t cusim_instructions_run(void) {
    simulator_lock();
    uint64_t count = simulator.instructions_run;
    simulator_unlock();
    return count;
}
