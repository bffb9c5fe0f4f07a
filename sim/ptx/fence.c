/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

/* A fence of the host, which sanitizers understand too: of two that write to one place, the later sees what came before the
 * other. There are no proxies, as all memory is reached in the same way. */
static void fence(ptx_thread *thread, const ptx_instruction *instruction) {
    (void)instruction;
    atomic_fetch_add(&thread->block->launch->fences, 1);
    if (thread->block->watch) {
        ptx_watch_order(thread->block->watch, thread->rank, true, true);
    }
}

#define RESTRICTED "<sync_restrict::shared::cta|sync_restrict::shared::cluster>"

static const ptx_form forms[] = {
    {"membar.<cta|gl|sys>", "", fence, NULL},
    {"membar.proxy.<alias|async>{.<space>}", "", fence, NULL},
    {"fence{.<sc|acq_rel|acquire|release>}.<scope>", "", fence, NULL},
    {"fence.<scope>.<sc|acq_rel|acquire|release>", "", fence, NULL},
    {"fence.<acquire|release>." RESTRICTED ".cluster", "", fence, NULL},
    {"fence.mbarrier_init.release.cluster", "", fence, NULL},
    {"fence.proxy.<alias|async>{.<space>}", "", fence, NULL},
    {"fence.proxy.async::generic.<acquire|release>." RESTRICTED ".cluster", "", fence, NULL},
    {"fence.proxy.tensormap::generic.release.<scope>", "", fence, NULL},
    {"fence.proxy.tensormap::generic.acquire.<scope>", "mu", fence, NULL},
};

const ptx_forms ptx_fence_forms = {forms, sizeof forms / sizeof *forms};
