/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_CAPTURE_H
#define CUCORE_DRIVER_CAPTURE_H

/* Driver calls that would invalidate a capture of this thread that they have nothing to do with (docs/driver-behaviour.md). */

#include "driver/cuda.h"

/* cucore_destroy_relaxed is cucore_destroy_run with the thread's capture mode relaxed meanwhile. A failure to relax it, or to set
 * it back, is told too: the destroy runs all the same. */
cucore_status *cucore_destroy_relaxed(const cucore_destroy *destroy, const void *object, uint64_t resource);

#endif
