/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"
#include "ptx/run.h"

#define WARP_SIZE 32u

typedef enum special { TID, NTID, CTAID, NCTAID, LANE, WARP, WARPS } special;

static const struct {
    const char *name;
    special kind;
    unsigned axis;
} specials[] = {
    {"%tid.x", TID, 0},       {"%tid.y", TID, 1},       {"%tid.z", TID, 2},     {"%ntid.x", NTID, 0},   {"%ntid.y", NTID, 1},
    {"%ntid.z", NTID, 2},     {"%ctaid.x", CTAID, 0},   {"%ctaid.y", CTAID, 1}, {"%ctaid.z", CTAID, 2}, {"%nctaid.x", NCTAID, 0},
    {"%nctaid.y", NCTAID, 1}, {"%nctaid.z", NCTAID, 2}, {"%laneid", LANE, 0},   {"%warpid", WARP, 0},   {"%nwarpid", WARPS, 0},
};

bool ptx_find_special(const ptx_token *name, uint32_t *index) {
    for (uint32_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (ptx_token_is(name, specials[i].name)) {
            *index = i;
            return true;
        }
    }
    return false;
}

uint64_t ptx_special_value(const ptx_thread *thread, uint64_t index) {
    const ptx_launch *launch = thread->launch;
    const unsigned axis = specials[index].axis;
    switch (specials[index].kind) {
    case TID:
        return thread->index[axis];
    case NTID:
        return launch->block[axis];
    case CTAID:
        return launch->block_index[axis];
    case NCTAID:
        return launch->grid[axis];
    case LANE:
        return thread->rank % WARP_SIZE;
    case WARP:
        return thread->rank / WARP_SIZE;
    case WARPS:
        return (launch->thread_count + WARP_SIZE - 1) / WARP_SIZE;
    }
    return 0;
}
