/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_WARNING_H
#define CUCORE_BASE_WARNING_H

#include "cucore_v1/warning.h"

#include <stdbool.h>

/* cucore_warning_emit gives a warning, whose reference it takes, to every sink, or to stderr. errno is preserved. No lock is held,
 * and the caller's context is current. Works without memory. */
void cucore_warning_emit(cucore_status *warning);

/* cucore_warning_in_sink tells whether this thread is inside a sink. */
bool cucore_warning_in_sink(void);

#endif
