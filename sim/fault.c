/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fault.h"

#include <stdlib.h>
#include <string.h>

struct fault {
    struct fault *next;
    uint64_t calls_left; /* the call that brings it to 0 fails */
    CUresult result;
    int sticky;
    int after;
    char function[64]; /* empty: any */
};

static struct fault *armed;
static uint64_t injected;
static uint64_t fallible_calls;

static int fault_matches(const struct fault *fault, const struct function *function) {
    return fault->function[0] == '\0' || strcmp(fault->function, function->name) == 0;
}

static int fault_is_spent(const struct fault *fault) {
    return fault->calls_left == 0 && !fault->sticky;
}

/* Counts the call for every fault of this side, and gives the result of the first that is due. */
static CUresult faults_count(const struct function *function, int after) {
    CUresult result = CUDA_SUCCESS;
    for (struct fault *fault = armed; fault; fault = fault->next) {
        if (fault->after != after || fault_is_spent(fault) || !fault_matches(fault, function))
            continue;
        if (fault->calls_left > 0)
            fault->calls_left--;
        if (fault->calls_left == 0 && result == CUDA_SUCCESS)
            result = fault->result;
    }
    return result;
}

CUresult fault_before(const struct function *function) {
    if (!call_is_fallible(function))
        return CUDA_SUCCESS;
    fallible_calls++;
    CUresult result = faults_count(function, 0);
    if (result == CUDA_SUCCESS)
        return CUDA_SUCCESS;
    injected++;
    return refuse(result, "Failure injected by cusim_fail");
}

CUresult fault_after(const struct function *function, CUresult result) {
    if (!call_is_fallible(function))
        return result;
    CUresult instead = faults_count(function, 1);
    if (result != CUDA_SUCCESS || instead == CUDA_SUCCESS)
        return result;
    injected++;
    return refuse(instead, "Failure injected by cusim_fail_after");
}

void fault_arm(const char *function, uint64_t nth, int result, int sticky, int after) {
    struct fault *fault = calloc(1, sizeof(*fault));
    if (!fault)
        abort(); /* a test that goes on without its fault would prove nothing */
    fault->calls_left = nth > 0 ? nth : 1;
    fault->result = (CUresult)result;
    fault->sticky = sticky;
    fault->after = after;
    if (function)
        strncpy(fault->function, function, sizeof(fault->function) - 1);
    struct fault **end = &armed;
    while (*end)
        end = &(*end)->next;
    *end = fault;
}

void fault_disarm_all(void) {
    while (armed) {
        struct fault *next = armed->next;
        free(armed);
        armed = next;
    }
}

void fault_reset(void) {
    fault_disarm_all();
    injected = 0;
    fallible_calls = 0;
}

uint64_t fault_injected(void) {
    return injected;
}

uint64_t fault_fallible_calls(void) {
    return fallible_calls;
}
