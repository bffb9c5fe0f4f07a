/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_COMPILER_FAULT_H
#define CUSIM_COMPILER_FAULT_H

/* Injected failures of a simulated compiler. */

#include <stdint.h>

/* fault_before counts a call that begins, and returns what it is to fail with instead of being done. fault_after returns what a
 * call that was done with `result` is to say. `name` must stay. */
int fault_before(const char *name);
int fault_after(const char *name, int result);

/* Arms a failure of the nth call from now of a function (NULL: of any), after its work if `after`. */
void fault_arm(const char *function, uint64_t nth, int result, int sticky, int after);
void fault_disarm_all(void);

/* The failures caused since all were disarmed, and the names of what they hit. */
uint64_t fault_count(void);
const char *fault_name(uint64_t index);

#endif
