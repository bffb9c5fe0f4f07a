/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_STAGING_H
#define CUCORE_STAGING_H

/* Host memory of the library's own that copies from and to plain host memory go through. A copy whose completion cannot be
 * proved leaks its block, so that the caller's memory is never in use after the call. Blocks are reused. */

#include "base/status.h"

enum { CUCORE_STAGING_SIZE = 1 << 20 };

/* cucore_staging_take gives a block of CUCORE_STAGING_SIZE bytes; NULL, and the call failed, with no memory. */
void *cucore_staging_take(const cucore_call *call);

/* cucore_staging_give takes a block back that nothing uses any more. */
void cucore_staging_give(void *block);

#endif
