/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"
#include "ptx/run.h"

#include <time.h>

/* What a device of which each block is a cluster says; processors are as many as an H100 has. */
#define PROCESSORS 132u

typedef enum special {
    TID,
    NTID,
    CTAID,
    NCTAID,
    LANE,
    WARP,
    WARPS,
    MASK_EQ,
    MASK_LE,
    MASK_LT,
    MASK_GE,
    MASK_GT,
    PROCESSOR,
    CONSTANT,
    WORKSPACE,
    DYNAMIC_SHARED,
    TOTAL_SHARED,
    STEPS,
    NANOSECONDS
} special;

/* `part`: an axis, a number of bits to shift the value right by, or the constant. */
static const struct {
    const char *name;
    special kind;
    unsigned part;
    ptx_type type;
} specials[] = {
    {"%tid.x", TID, 0, PTX_U32},
    {"%tid.y", TID, 1, PTX_U32},
    {"%tid.z", TID, 2, PTX_U32},
    {"%ntid.x", NTID, 0, PTX_U32},
    {"%ntid.y", NTID, 1, PTX_U32},
    {"%ntid.z", NTID, 2, PTX_U32},
    {"%ctaid.x", CTAID, 0, PTX_U32},
    {"%ctaid.y", CTAID, 1, PTX_U32},
    {"%ctaid.z", CTAID, 2, PTX_U32},
    {"%nctaid.x", NCTAID, 0, PTX_U32},
    {"%nctaid.y", NCTAID, 1, PTX_U32},
    {"%nctaid.z", NCTAID, 2, PTX_U32},
    {"%clusterid.x", CTAID, 0, PTX_U32},
    {"%clusterid.y", CTAID, 1, PTX_U32},
    {"%clusterid.z", CTAID, 2, PTX_U32},
    {"%nclusterid.x", NCTAID, 0, PTX_U32},
    {"%nclusterid.y", NCTAID, 1, PTX_U32},
    {"%nclusterid.z", NCTAID, 2, PTX_U32},
    {"%cluster_ctaid.x", CONSTANT, 0, PTX_U32},
    {"%cluster_ctaid.y", CONSTANT, 0, PTX_U32},
    {"%cluster_ctaid.z", CONSTANT, 0, PTX_U32},
    {"%cluster_nctaid.x", CONSTANT, 1, PTX_U32},
    {"%cluster_nctaid.y", CONSTANT, 1, PTX_U32},
    {"%cluster_nctaid.z", CONSTANT, 1, PTX_U32},
    {"%cluster_ctarank", CONSTANT, 0, PTX_U32},
    {"%cluster_nctarank", CONSTANT, 1, PTX_U32},
    {"%is_explicit_cluster", CONSTANT, 0, PTX_PREDICATE},
    {"%laneid", LANE, 0, PTX_U32},
    {"%warpid", WARP, 0, PTX_U32},
    {"%nwarpid", WARPS, 0, PTX_U32},
    {"%lanemask_eq", MASK_EQ, 0, PTX_U32},
    {"%lanemask_le", MASK_LE, 0, PTX_U32},
    {"%lanemask_lt", MASK_LT, 0, PTX_U32},
    {"%lanemask_ge", MASK_GE, 0, PTX_U32},
    {"%lanemask_gt", MASK_GT, 0, PTX_U32},
    {"%smid", PROCESSOR, 0, PTX_U32},
    {"%nsmid", CONSTANT, PROCESSORS, PTX_U32},
    {"%gridid", CONSTANT, 1, PTX_U64},
    {"%envreg1", WORKSPACE, 32, PTX_U32},
    {"%envreg2", WORKSPACE, 0, PTX_U32},
    {"%dynamic_smem_size", DYNAMIC_SHARED, 0, PTX_U32},
    {"%total_smem_size", TOTAL_SHARED, 0, PTX_U32},
    {"%aggr_smem_size", TOTAL_SHARED, 0, PTX_U32},
    {"%reserved_smem_offset_begin", CONSTANT, PTX_RESERVED_OFFSET, PTX_U32},
    {"%reserved_smem_offset_end", CONSTANT, PTX_RESERVED_OFFSET + PTX_RESERVED_SIZE, PTX_U32},
    {"%reserved_smem_offset_cap", CONSTANT, PTX_RESERVED_SIZE, PTX_U32},
    {"%reserved_smem_offset_0", CONSTANT, PTX_RESERVED_OFFSET, PTX_U32},
    {"%reserved_smem_offset_1", CONSTANT, PTX_RESERVED_OFFSET, PTX_U32},
    {"%clock", STEPS, 0, PTX_U32},
    {"%clock_hi", STEPS, 32, PTX_U32},
    {"%clock64", STEPS, 0, PTX_U64},
    {"%globaltimer", NANOSECONDS, 0, PTX_U64},
    {"%globaltimer_lo", NANOSECONDS, 0, PTX_U32},
    {"%globaltimer_hi", NANOSECONDS, 32, PTX_U32},
};

bool ptx_find_special(const ptx_token *name, uint32_t *index, ptx_type *type, bool *changes) {
    for (uint32_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (ptx_token_is(name, specials[i].name)) {
            *index = i;
            *type = specials[i].type;
            *changes = specials[i].kind >= STEPS;
            return true;
        }
    }
    return false;
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t mask_value(special kind, uint32_t lane) {
    const uint32_t below = (UINT32_C(1) << lane) - 1;
    switch (kind) {
    case MASK_EQ:
        return below + 1;
    case MASK_LE:
        return below << 1 | 1;
    case MASK_LT:
        return below;
    case MASK_GE:
        return ~below;
    default:
        return ~(below << 1 | 1);
    }
}

static uint64_t block_number(const ptx_block *block) {
    const uint32_t *blocks = block->launch->grid->blocks;
    return block->index[0] + blocks[0] * (block->index[1] + (uint64_t)blocks[1] * block->index[2]);
}

static uint64_t launch_value(special kind, const ptx_launch *launch) {
    switch (kind) {
    case WARPS:
        return (launch->threads_per_block + PTX_WARP_SIZE - 1) / PTX_WARP_SIZE;
    case WORKSPACE:
        return (uint64_t)(uintptr_t)launch->workspace;
    case DYNAMIC_SHARED:
        return launch->grid->shared_bytes;
    case TOTAL_SHARED:
        return launch->shared_size;
    case NANOSECONDS:
        return nanoseconds();
    default:
        return atomic_load_explicit(&launch->steps, memory_order_relaxed);
    }
}

uint64_t ptx_special_value(const ptx_thread *thread, uint64_t index) {
    const ptx_launch *launch = thread->block->launch;
    const unsigned part = specials[index].part;
    switch (specials[index].kind) {
    case TID:
        return thread->index[part];
    case NTID:
        return launch->grid->threads[part];
    case CTAID:
        return thread->block->index[part];
    case NCTAID:
        return launch->grid->blocks[part];
    case LANE:
        return ptx_lane(thread);
    case WARP:
        return thread->rank / PTX_WARP_SIZE;
    case MASK_EQ:
    case MASK_LE:
    case MASK_LT:
    case MASK_GE:
    case MASK_GT:
        return mask_value(specials[index].kind, ptx_lane(thread));
    case PROCESSOR:
        return block_number(thread->block) % PROCESSORS;
    case CONSTANT:
        return part;
    case STEPS: /* those of the other threads' turns that ended, and of its own turn */
        return (launch_value(STEPS, launch) + (PTX_STEPS_OF_TURN - thread->steps_left)) >> part;
    default:
        return launch_value(specials[index].kind, launch) >> part;
    }
}

void ptx_read_special(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_write(thread, instruction, ptx_special_value(thread, (uint64_t)instruction->offset));
}
