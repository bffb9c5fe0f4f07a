/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

/* Hints for caches, of which the simulated device has none. Addresses are not checked, as a device does not either. */

static void take_hint(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)thread;
    (void)instruction;
}

/* A policy is opaque, and whoever takes one forgets it. */
static void create_policy(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, 1);
}

#define PRIMARY "<L2::evict_last|L2::evict_normal|L2::evict_first|L2::evict_unchanged>"
#define SECONDARY "<L2::evict_first|L2::evict_unchanged>"

static const ptx_form forms[] = {
    {"prefetch{.<space>}.<L1|L2>", "m", take_hint, NULL},
    {"prefetch{.global}.<L2::evict_last|L2::evict_normal>", "m", take_hint, NULL},
    {"prefetchu.L1", "m", take_hint, NULL},
    {"applypriority{.global}.L2::evict_normal", "mu", take_hint, NULL},
    {"discard{.global}.L2", "mu", take_hint, NULL},
    {"createpolicy.fractional." PRIMARY "{." SECONDARY "}.b64", "W", create_policy, NULL},
    {"createpolicy.fractional." PRIMARY "{." SECONDARY "}.b64", "Wf", create_policy, NULL},
    {"createpolicy.range{.global}." PRIMARY "{." SECONDARY "}.b64", "Wmuu", create_policy, NULL},
    {"createpolicy.cvt.L2.b64", "WN", create_policy, NULL},
};

const ptx_forms ptx_cache_forms = {forms, sizeof forms / sizeof *forms};
