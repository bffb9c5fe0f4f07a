/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/integer.h"

/* Bits that are counted, found, reversed, masked, and fields of them. */

#define WORD(operand) ((uint32_t)ptx_operand_bits(thread, instruction, operand))
#define BYTE(operand) (WORD(operand) & 0xff)

INSTRUCTION(count_ones_32, uint32_t, __builtin_popcount(a))
INSTRUCTION(count_ones_64, uint64_t, __builtin_popcountll(a))
INSTRUCTION(count_leading_zeros_32, uint32_t, a ? __builtin_clz(a) : 32)
INSTRUCTION(count_leading_zeros_64, uint64_t, a ? __builtin_clzll(a) : 64)

static uint64_t reverse(uint64_t bits) {
    static const uint64_t halves[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                      0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
    for (unsigned i = 0; i < sizeof halves / sizeof *halves; i++) {
        bits = (bits & halves[i]) << (1u << i) | (bits >> (1u << i) & halves[i]);
    }
    return bits;
}

INSTRUCTION(reverse_32, uint32_t, reverse(a) >> 32)
INSTRUCTION(reverse_64, uint64_t, reverse(a))

/* The highest bit that is not the sign. */
static uint32_t highest_bit(uint64_t bits) {
    return bits ? 63 - (uint32_t)__builtin_clzll(bits) : UINT32_MAX;
}

static uint32_t shift_to_top(uint64_t bits, uint32_t top) {
    return bits ? top - highest_bit(bits) : UINT32_MAX;
}

#define MAGNITUDE_BITS ((uint64_t)(a < 0 ? ~a : a))
INSTRUCTION(find_highest_u32, uint32_t, highest_bit(a))
INSTRUCTION(find_highest_s32, int32_t, highest_bit(MAGNITUDE_BITS))
INSTRUCTION(find_highest_u64, uint64_t, highest_bit(a))
INSTRUCTION(find_highest_s64, int64_t, highest_bit(MAGNITUDE_BITS))
INSTRUCTION(find_shift_u32, uint32_t, shift_to_top(a, 31))
INSTRUCTION(find_shift_s32, int32_t, shift_to_top(MAGNITUDE_BITS, 31))
INSTRUCTION(find_shift_u64, uint64_t, shift_to_top(a, 63))
INSTRUCTION(find_shift_s64, int64_t, shift_to_top(MAGNITUDE_BITS, 63))

/* The bit of `mask` that is number `offset` from `base` on, upwards or, if negative, downwards. */
static uint32_t find_nth(uint32_t mask, uint32_t base, int32_t offset) {
    uint32_t left = offset < 0 ? 0 - (uint32_t)offset : (uint32_t)offset;
    if (left == 0) {
        return base < 32 && mask >> base & 1 ? base : UINT32_MAX;
    }
    for (uint32_t position = base; position < 32; position += offset < 0 ? UINT32_MAX : 1) {
        left -= mask >> position & 1;
        if (left == 0) {
            return position;
        }
    }
    return UINT32_MAX;
}

INSTRUCTION(find_nth_set, uint32_t, find_nth(a, b, (int32_t)c))

static uint64_t low_bits(uint32_t count) {
    return count < 64 ? (UINT64_C(1) << count) - 1 : UINT64_MAX;
}

/* Positions and lengths of more than 255, which PTX leaves open, are cut for 32-bit fields and large for 64-bit ones, as on a
 * device.
 *
 * bfe: a field that begins above the last bit is all sign; one that ends above it is filled with the sign. */
static uint64_t field(uint64_t a, uint32_t position, uint32_t length, uint32_t last) {
    return position > last ? 0 : a >> position & low_bits(length);
}

static uint64_t signed_field(int64_t a, uint32_t position, uint32_t length, uint32_t last) {
    const uint64_t from = (uint64_t)(a >> (position < last ? position : last));
    const uint32_t above = length < 64 ? 64 - length : 0;
    return length == 0 ? 0 : (uint64_t)((int64_t)(from << above) >> above);
}

INSTRUCTION(extract_u32, uint32_t, field(a, BYTE(2), BYTE(3), 31))
INSTRUCTION(extract_s32, int32_t, signed_field(a, BYTE(2), BYTE(3), 31))
INSTRUCTION(extract_u64, uint64_t, field(a, WORD(2), WORD(3), 63))
INSTRUCTION(extract_s64, int64_t, signed_field(a, WORD(2), WORD(3), 63))

static uint64_t insert(uint64_t field_bits, uint64_t into, uint32_t position, uint32_t length, uint32_t last) {
    if (position > last) {
        return into;
    }
    const uint64_t mask = low_bits(length) << position;
    return (into & ~mask) | (field_bits << position & mask);
}

INSTRUCTION(insert_32, uint32_t, insert(a, b, BYTE(3), BYTE(4), 31))
INSTRUCTION(insert_64, uint64_t, insert(a, b, WORD(3), WORD(4), 63))

INSTRUCTION(mask_clamped, uint32_t, a < 32 ? low_bits(b) << a : 0)
INSTRUCTION(mask_wrapped, uint32_t, low_bits(b & 31) << (a & 31))

/* szext: of no bits it is zero, of all bits the value itself. */
INSTRUCTION(extend_clamped_u32, uint32_t, field(a, 0, b < 32 ? b : 32, 31))
INSTRUCTION(extend_clamped_s32, int32_t, signed_field(a, 0, WORD(2) < 32 ? WORD(2) : 32, 31))
INSTRUCTION(extend_wrapped_u32, uint32_t, field(a, 0, b & 31, 31))
INSTRUCTION(extend_wrapped_s32, int32_t, signed_field(a, 0, WORD(2) & 31, 31))

static const ptx_form forms[] = {
    {"popc.b32", "va", count_ones_32, NULL},
    {"popc.b64", "va", count_ones_64, NULL},
    {"clz.b32", "va", count_leading_zeros_32, NULL},
    {"clz.b64", "va", count_leading_zeros_64, NULL},
    {"brev.b32", "da", reverse_32, NULL},
    {"brev.b64", "da", reverse_64, NULL},
    {"bfind.u32", "va", find_highest_u32, NULL},
    {"bfind.s32", "va", find_highest_s32, NULL},
    {"bfind.u64", "va", find_highest_u64, NULL},
    {"bfind.s64", "va", find_highest_s64, NULL},
    {"bfind.shiftamt.u32", "va", find_shift_u32, NULL},
    {"bfind.shiftamt.s32", "va", find_shift_s32, NULL},
    {"bfind.shiftamt.u64", "va", find_shift_u64, NULL},
    {"bfind.shiftamt.s64", "va", find_shift_s64, NULL},
    {"fns.b32", "dauu", find_nth_set, NULL},
    {"bfe.u32", "dauu", extract_u32, NULL},
    {"bfe.s32", "dauu", extract_s32, NULL},
    {"bfe.u64", "dauu", extract_u64, NULL},
    {"bfe.s64", "dauu", extract_s64, NULL},
    {"bfi.b32", "daauu", insert_32, NULL},
    {"bfi.b64", "daauu", insert_64, NULL},
    {"bmsk.clamp.b32", "dau", mask_clamped, NULL},
    {"bmsk.wrap.b32", "dau", mask_wrapped, NULL},
    {"szext.clamp.u32", "dau", extend_clamped_u32, NULL},
    {"szext.clamp.s32", "dau", extend_clamped_s32, NULL},
    {"szext.wrap.u32", "dau", extend_wrapped_u32, NULL},
    {"szext.wrap.s32", "dau", extend_wrapped_s32, NULL},
};

const ptx_forms ptx_fields_forms = {forms, sizeof forms / sizeof *forms};
