/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_CALLBACK_H
#define CUSIM_CALLBACK_H

#include <stdint.h>

/* Host functions and stream callbacks run on a thread of the driver's own, where driver calls are not permitted. */

/* callback_thread_calls whether the calling thread is that one, and if so counts a call. */
int callback_thread_calls(void);

uint64_t callback_calls_counted(void);
void callback_reset(void);

#endif
