/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_HOOK_H
#define CUSIM_HOOK_H

/* The test's own functions, run before calls. */

#include "call.h"

void hook_set(const char *function, uint64_t nth, void (*run)(void *data), void *data);
void hooks_clear(void);

/* hooks_run runs those that are due before a call of a function. The lock is held, but given up meanwhile. */
void hooks_run(const struct function *function);

#endif
