/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "base/channel.h"

#include "base/warning.h"

void cucore_channel_report(cucore_channel *channel, cucore_status *failure) {
    if (!channel->returns)
        cucore_warning_emit(failure);
    else if (!channel->status)
        channel->status = failure;
    else
        cucore_status_add_note(channel->status, CUCORE_NOTE_CONSEQUENCE, failure);
}
