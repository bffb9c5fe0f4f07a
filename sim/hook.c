/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "hook.h"

#include <stdlib.h>
#include <string.h>

struct hook {
    struct hook *next;
    uint64_t calls_left; /* the call that brings it to 0 is the one */
    void (*run)(void *data);
    void *data;
    char function[64]; /* empty: any that can fail */
};

static struct hook *hooks;

void hook_set(const char *function, uint64_t nth, void (*run)(void *data), void *data) {
    struct hook *hook = calloc(1, sizeof(*hook));
    if (!hook)
        abort(); /* a test that goes on without its hook would prove nothing */
    hook->calls_left = nth > 0 ? nth : 1;
    hook->run = run;
    hook->data = data;
    if (function)
        strncpy(hook->function, function, sizeof(hook->function) - 1);
    struct hook **end = &hooks;
    while (*end)
        end = &(*end)->next;
    *end = hook;
}

void hooks_clear(void) {
    while (hooks) {
        struct hook *next = hooks->next;
        free(hooks);
        hooks = next;
    }
}

static int counts(const struct hook *hook, const struct function *function) {
    return hook->function[0] == '\0' ? call_is_fallible(function) : strcmp(hook->function, function->name) == 0;
}

/* Counts the call for every hook, and takes the first that is due out of the list. */
static struct hook *take_due(const struct function *function) {
    struct hook **due = NULL;
    for (struct hook **place = &hooks; *place; place = &(*place)->next) {
        if (counts(*place, function) && (*place)->calls_left > 0)
            (*place)->calls_left--;
        if (!due && (*place)->calls_left == 0)
            due = place;
    }
    struct hook *hook = due ? *due : NULL;
    if (hook)
        *due = hook->next;
    return hook;
}

void hooks_run(const struct function *function) {
    struct hook *hook = take_due(function);
    if (!hook)
        return;
    simulator_unlock();
    hook->run(hook->data);
    simulator_lock();
    free(hook);
}
