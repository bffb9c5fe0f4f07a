/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_BASE_REFERENCES_H
#define CUCORE_BASE_REFERENCES_H

/* Counts of references. One that ever gets half as high as it can stays there, and what it is of is never freed: those who forget
 * references without end, as safe Rust may, would otherwise bring it round to 0. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define CUCORE_REFERENCES_MOST 0x80000000u

static inline void cucore_references_add(_Atomic uint32_t *references) {
    if ((int32_t)(atomic_fetch_add_explicit(references, 1, memory_order_relaxed) + 1) < 0) /* one instruction tells */
        atomic_store_explicit(references, CUCORE_REFERENCES_MOST, memory_order_relaxed);
}

/* Gives one up; true if there is no other, in which case it may still be counted. Only who has a reference can make another, so
 * that the only one there is need not be counted down atomically. */
static inline bool cucore_references_drop(_Atomic uint32_t *references) {
    uint32_t count = atomic_load_explicit(references, memory_order_acquire);
    return count == 1 || (count < CUCORE_REFERENCES_MOST && atomic_fetch_sub_explicit(references, 1, memory_order_acq_rel) == 1);
}

#endif
