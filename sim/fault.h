/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_FAULT_H
#define CUSIM_FAULT_H

/* Injected failures. */

#include "call.h"

/* fault_before counts a call that begins, and returns what it is to fail with instead of being done. fault_after returns what a
 * call that was done with `result` is to say. */
CUresult fault_before(const struct function *function);
CUresult fault_after(const struct function *function, CUresult result);

/* fault_arm is cusim_fail, and cusim_fail_after if `after`. */
void fault_arm(const char *function, uint64_t nth, int result, int sticky, int after);
void fault_disarm_all(void);
void fault_reset(void);
uint64_t fault_injected(void);
uint64_t fault_fallible_calls(void);

#endif
