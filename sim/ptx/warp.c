/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

/* Meetings: what several threads of a warp do together (shfl.sync, vote.sync, bar.warp.sync). A thread that comes waits until all
 * that it wants to meet are there, or have exited. */

void ptx_meet(ptx_thread *thread, const ptx_instruction *instruction, uint32_t lanes, ptx_meeting *meeting) {
    if (lanes && !(lanes >> ptx_lane(thread) & 1)) {
        ptx_fault(thread, instruction, PTX_ILLEGAL_INSTRUCTION, "the mask 0x%08x does not name the thread's own lane %u", lanes,
                  ptx_lane(thread));
        return;
    }
    thread->meeting = meeting;
    thread->lanes = lanes;
    thread->state = PTX_AT_MEETING;
    ptx_end_turn(thread);
}

/* Threads meet if they do the same with the same mask; those without a mask, if they are at the same instruction. */
static bool is_same_meeting(const ptx_thread *one, const ptx_thread *other) {
    return other->state == PTX_AT_MEETING && one->meeting == other->meeting && one->lanes == other->lanes &&
           (one->lanes || one->next == other->next);
}

static uint32_t lanes_present(const ptx_thread *first, uint32_t count, const ptx_thread *one) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        lanes |= (uint32_t)is_same_meeting(one, &first[lane]) << lane;
    }
    return lanes;
}

static uint32_t lanes_alive(const ptx_thread *first, uint32_t count) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < count; lane++) {
        lanes |= (uint32_t)(first[lane].state != PTX_EXITED) << lane;
    }
    return lanes;
}

static void hold(ptx_thread *first, uint32_t count, ptx_meeting *meeting, uint32_t lanes) {
    for (uint32_t lane = 0; lane < count; lane++) {
        if (lanes >> lane & 1) {
            first[lane].state = PTX_READY;
        }
    }
    meeting(first, lanes);
    if (first->block->watch) {
        ptx_watch_synchronize_warp(first->block->watch, first->rank / PTX_WARP_SIZE);
    }
}

bool ptx_hold_meetings(ptx_thread *first, uint32_t count) {
    const uint32_t alive = lanes_alive(first, count);
    bool held = false;
    for (uint32_t lane = 0; lane < count; lane++) {
        if (first[lane].state == PTX_AT_MEETING) {
            const uint32_t present = lanes_present(first, count, &first[lane]);
            if ((first[lane].lanes & alive & ~present) == 0) {
                hold(first, count, first[lane].meeting, present);
                held = true;
            }
        }
    }
    return held;
}

/* ---- what is done in meetings ---- */

static void go_on(ptx_thread *first, uint32_t lanes) {
    (void)first;
    (void)lanes;
}

static void synchronize_warp(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 0), go_on);
}

#define FOR_EACH_LANE(lanes, lane) \
    for (uint32_t lane = 0; lane < PTX_WARP_SIZE; lane++) \
        if ((lanes) >> lane & 1)

static void give_mask_to(ptx_thread *first, uint32_t lanes, uint32_t mask) {
    FOR_EACH_LANE(lanes, lane) {
        ptx_write(&first[lane], ptx_current(&first[lane]), mask);
    }
}

static void give_mask(ptx_thread *first, uint32_t lanes) {
    give_mask_to(first, lanes, lanes);
}

/* Those are active that come to the same activemask before they must wait for others. */
static void active_mask(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, 0, give_mask);
}

enum { SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_BUTTERFLY, SHUFFLE_INDEX };

/* The lane that a thread reads, and whether that is within its segment (PTX ISA, shfl.sync). */
static bool source_lane(const ptx_thread *thread, const ptx_instruction *instruction, uint32_t *source) {
    const uint32_t b = (uint32_t)ptx_operand_bits(thread, instruction, 3) & 31;
    const uint32_t c = (uint32_t)ptx_operand_bits(thread, instruction, 4);
    const uint32_t segment = c >> 8 & 31;
    const uint32_t own = ptx_lane(thread);
    const uint32_t last = (own & segment) | (c & 31 & ~segment);
    bool fits = true;
    switch (instruction->modifiers.choice) {
    case SHUFFLE_UP:
        *source = own - b;
        fits = (int32_t)*source >= (int32_t)last;
        break;
    case SHUFFLE_DOWN:
        *source = own + b;
        fits = *source <= last;
        break;
    case SHUFFLE_BUTTERFLY:
        *source = own ^ b;
        fits = *source <= last;
        break;
    default:
        *source = (own & segment) | (b & ~segment);
        fits = *source <= last;
        break;
    }
    *source = fits ? *source : own;
    return fits;
}

/* All read before any is written: a thread may write the register that another is to read. */
static void exchange(ptx_thread *first, uint32_t lanes) {
    uint64_t values[PTX_WARP_SIZE] = {0};
    FOR_EACH_LANE(lanes, lane) {
        values[lane] = ptx_operand_bits(&first[lane], ptx_current(&first[lane]), 2);
    }
    FOR_EACH_LANE(lanes, lane) {
        ptx_thread *thread = &first[lane];
        uint32_t source;
        const bool fits = source_lane(thread, ptx_current(thread), &source);
        thread->registers[ptx_current(thread)->slots[1]] = fits;
        ptx_write(thread, ptx_current(thread), values[source]);
    }
}

static void shuffle(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 5), exchange);
}

static bool holds(const ptx_thread *thread, const ptx_instruction *instruction, unsigned operand) {
    return (ptx_operand_bits(thread, instruction, operand) != 0) != instruction->negated;
}

static uint32_t collect_votes(const ptx_thread *first, uint32_t lanes) {
    uint32_t votes = 0;
    FOR_EACH_LANE(lanes, lane) {
        votes |= (uint32_t)holds(&first[lane], ptx_current(&first[lane]), 1) << lane;
    }
    return votes;
}

static void give_ballot(ptx_thread *first, uint32_t lanes) {
    give_mask_to(first, lanes, collect_votes(first, lanes));
}

static void ballot(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 2), give_ballot);
}

enum { VOTE_ALL, VOTE_ANY, VOTE_UNIFORM };

static bool decide(unsigned kind, uint32_t lanes, uint32_t votes) {
    switch (kind) {
    case VOTE_ALL:
        return votes == lanes;
    case VOTE_ANY:
        return votes != 0;
    default:
        return votes == lanes || votes == 0;
    }
}

static void give_decision(ptx_thread *first, uint32_t lanes) {
    const uint32_t votes = collect_votes(first, lanes);
    FOR_EACH_LANE(lanes, lane) {
        const ptx_instruction *instruction = ptx_current(&first[lane]);
        ptx_write(&first[lane], instruction, decide(instruction->modifiers.choice, lanes, votes));
    }
}

static void vote(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 2), give_decision);
}

static uint64_t value_to_match(const ptx_thread *thread, unsigned operand) {
    const ptx_instruction *instruction = ptx_current(thread);
    const uint64_t value = ptx_operand_bits(thread, instruction, operand);
    return instruction->modifiers.type == PTX_U32 ? (uint32_t)value : value;
}

static void match_any_value(ptx_thread *first, uint32_t lanes) {
    uint32_t same[PTX_WARP_SIZE] = {0};
    FOR_EACH_LANE(lanes, lane) {
        FOR_EACH_LANE(lanes, other) {
            same[lane] |= (uint32_t)(value_to_match(&first[lane], 1) == value_to_match(&first[other], 1)) << other;
        }
    }
    FOR_EACH_LANE(lanes, lane) {
        ptx_write(&first[lane], ptx_current(&first[lane]), same[lane]);
    }
}

static void match_all_values(ptx_thread *first, uint32_t lanes) {
    uint64_t value = 0;
    uint32_t different = 0;
    uint32_t seen = 0;
    FOR_EACH_LANE(lanes, lane) {
        const uint64_t own = value_to_match(&first[lane], 2);
        different |= seen && own != value;
        value = own;
        seen = 1;
    }
    FOR_EACH_LANE(lanes, lane) {
        const ptx_instruction *instruction = ptx_current(&first[lane]);
        first[lane].registers[instruction->slots[1]] = !different;
        ptx_write(&first[lane], instruction, different ? 0 : lanes);
    }
}

static void match_any(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 2), match_any_value);
}

static void match_all(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 3), match_all_values);
}

/* The first lane of those that meet. */
static void name_leader(ptx_thread *first, uint32_t lanes) {
    uint32_t leader = 0;
    while (!(lanes >> leader & 1)) {
        leader++;
    }
    FOR_EACH_LANE(lanes, lane) {
        const ptx_instruction *instruction = ptx_current(&first[lane]);
        first[lane].registers[instruction->slots[1]] = lane == leader;
        ptx_write(&first[lane], instruction, leader);
    }
}

static void elect(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 2), name_leader);
}

enum { REDUCE_ADD, REDUCE_MIN, REDUCE_MAX, REDUCE_AND, REDUCE_OR, REDUCE_XOR };

static uint32_t reduce_two(const ptx_modifiers *modifiers, uint32_t a, uint32_t b) {
    const bool less = modifiers->type == PTX_S32 ? (int32_t)a < (int32_t)b : a < b;
    switch (modifiers->choice) {
    case REDUCE_ADD:
        return a + b;
    case REDUCE_MIN:
        return less ? a : b;
    case REDUCE_MAX:
        return less ? b : a;
    case REDUCE_AND:
        return a & b;
    case REDUCE_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static void reduce_values(ptx_thread *first, uint32_t lanes) {
    uint32_t result = 0;
    bool begun = false;
    FOR_EACH_LANE(lanes, lane) {
        const ptx_instruction *instruction = ptx_current(&first[lane]);
        const uint32_t own = (uint32_t)ptx_operand_bits(&first[lane], instruction, 1);
        result = begun ? reduce_two(&instruction->modifiers, result, own) : own;
        begun = true;
    }
    FOR_EACH_LANE(lanes, lane) {
        ptx_write(&first[lane], ptx_current(&first[lane]), result);
    }
}

static void reduce(ptx_thread *thread, const ptx_instruction *instruction) {
    ptx_meet(thread, instruction, (uint32_t)ptx_operand_bits(thread, instruction, 2), reduce_values);
}

static const ptx_form forms[] = {
    {"bar.warp.sync", "u", synchronize_warp, NULL},
    {"activemask.b32", "v", active_mask, NULL},
    {"shfl.sync.<up|down|bfly|idx>.b32", "Rauuu", shuffle, NULL},
    {"vote.sync.<all|any|uni>.pred", "oqu", vote, NULL},
    {"vote.sync.ballot.b32", "vqu", ballot, NULL},
    {"match.any.sync.b32", "vau", match_any, NULL},
    {"match.any.sync.b64", "vau", match_any, NULL},
    {"match.all.sync.b32", "Rau", match_all, NULL},
    {"match.all.sync.b64", "Rau", match_all, NULL},
    {"elect.sync", "Qu", elect, NULL},
    {"redux.sync.<add|min|max>.u32", "dau", reduce, NULL},
    {"redux.sync.<add|min|max>.s32", "dau", reduce, NULL},
    {"redux.sync.<add|min|max|and|or|xor>.b32", "dau", reduce, NULL},
};

const ptx_forms ptx_warp_forms = {forms, sizeof forms / sizeof *forms};
