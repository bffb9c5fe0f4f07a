/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_WARNING_H
#define CUCORE_BASE_WARNING_H

#include "cucore_v1/warning.h"

/* cucore_warning_emit gives a warning, whose reference it takes, to every sink, or to stderr. errno is preserved. No lock is held,
 * and the caller's context is current. Works without memory. */
void cucore_warning_emit(cucore_status *warning);

#endif
