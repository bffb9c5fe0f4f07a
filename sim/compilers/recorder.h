/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_RECORDER_H
#define CUSIM_RECORDER_H

/* What both simulated compilers have in common: one lock around every call, counts, injected failures, what is recorded, the
 * handles alive. Each library has a copy of it; CUSIM_PREFIX (the controls') and CUSIM_VARIABLES (the environment's) say which. */

#include <stddef.h>

#include "../cusim_compilers.h"

#define CUSIM_JOIN(a, b) a##b
#define CUSIM_JOINED(a, b) CUSIM_JOIN(a, b)
#define CONTROL(name) CUSIM_JOINED(CUSIM_PREFIX, name)

struct function {
    const char *name;
    uint64_t calls;
};

/* What the library itself says: its functions, and how it takes the ones of the real library, which it was handed open. The latter
 * returns 0 if one that is always there is missing. */
extern struct function functions[];
extern const size_t function_count;
int take_real(void *library, const char *path);

/* call_begin takes the lock, and returns what the call must fail with instead of being done, or 0. call_end returns what the call
 * is to say. Between call_pause and call_resume the lock is given up. */
int call_begin(struct function *function);
int call_end(const struct function *function, int result);
void call_pause(void);
void call_resume(void);

/* A program or link: the first member of its struct. */
struct handle {
    struct handle *next;
    void *real; /* what the real library made for it, to which calls are forwarded, or NULL */
};

void handle_add(struct handle *handle);
void handle_remove(struct handle *handle);

/* Whether a raw handle is alive. It is not followed; what is neither alive nor NULL is a violation. */
int handle_is_live(const void *raw, const char *noun);

/* Adds a sentence to the list of violations. */
__attribute__((format(printf, 1, 2))) void violate(const char *format, ...);

/* All of these are asked during a call. */
int is_forwarding(void);
void record_options(size_t count, const char *const *options);
void get_version(int *major, int *minor);

#endif
