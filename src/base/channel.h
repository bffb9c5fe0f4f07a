/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_CHANNEL_H
#define CUCORE_BASE_CHANNEL_H

#include "base/status.h"

/* Where the failures of a teardown go. Both channels see the same teardown; only this differs. */
typedef struct cucore_channel {
    bool returns;          /* true: close. false: release, where each failure is a warning. */
    bool final;            /* this is the library's own thread: what is not permitted here is not permitted anywhere */
    cucore_status *status; /* what close returns: the first failure, with the later ones as its notes */
} cucore_channel;

/* cucore_channel_report tells a failure, whose reference it takes. No lock is held, and the caller's context is current. */
void cucore_channel_report(cucore_channel *channel, cucore_status *failure) CUCORE_RARE;

#endif
