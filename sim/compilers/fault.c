/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "fault.h"

#include <stdlib.h>
#include <string.h>

struct fault {
    struct fault *next;
    uint64_t calls_left; /* the call that brings it to 0 fails */
    int result;
    int sticky;
    int after;
    char function[64]; /* empty: any */
};

static struct fault *armed;
static const char **names;
static uint64_t count;

/* A test that goes on without its fault, or without its record, would prove nothing. */
static void *grow(void *memory, size_t size) {
    void *grown = realloc(memory, size);
    if (!grown)
        abort();
    return grown;
}

/* Counts a call for a fault, and says whether the call is to fail. */
static int fault_is_due(struct fault *fault, const char *name, int after) {
    if (fault->after != after || (fault->function[0] && strcmp(fault->function, name) != 0))
        return 0;
    if (fault->calls_left == 0)
        return fault->sticky;
    return --fault->calls_left == 0;
}

/* Every fault counts the call; of those that are due the one armed last decides. */
static int due_result(const char *name, int after) {
    int result = 0;
    for (struct fault *fault = armed; fault; fault = fault->next)
        if (fault_is_due(fault, name, after) && !result)
            result = fault->result;
    return result;
}

static int inject(const char *name, int result) {
    names = grow(names, (count + 1) * sizeof(*names));
    names[count++] = name;
    return result;
}

int fault_before(const char *name) {
    int result = due_result(name, 0);
    return result ? inject(name, result) : 0;
}

int fault_after(const char *name, int result) {
    int instead = due_result(name, 1);
    return instead && !result ? inject(name, instead) : result;
}

void fault_arm(const char *function, uint64_t nth, int result, int sticky, int after) {
    struct fault *fault = grow(NULL, sizeof(*fault));
    *fault = (struct fault){.next = armed, .calls_left = nth ? nth : 1, .result = result, .sticky = sticky, .after = after};
    if (function)
        strncpy(fault->function, function, sizeof(fault->function) - 1);
    armed = fault;
}

void fault_disarm_all(void) {
    while (armed) {
        struct fault *next = armed->next;
        free(armed);
        armed = next;
    }
    free(names);
    names = NULL;
    count = 0;
}

uint64_t fault_count(void) {
    return count;
}

const char *fault_name(uint64_t index) {
    return index < count ? names[index] : NULL;
}
