/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/arithmetic.h"
#include "ptx/run.h"

/* Conversions between pairs: of halves, and of formats of 8, 6 and 4 bits, which are made in pairs alone. */

static uint64_t join(ptx_type type, uint64_t high, uint64_t low) {
    return high << ptx_element_bits(type) | low;
}

static uint64_t convert(const ptx_modifiers *modifiers, double value) {
    const ptx_format *format = &ptx_formats[modifiers->type];
    return ptx_finish(format, modifiers, ptx_encode(format, value, modifiers->rounding));
}

static void two_singles(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const uint64_t high = convert(modifiers, (double)ptx_as_f32(ptx_operand_bits(thread, instruction, 1)));
    const uint64_t low = convert(modifiers, (double)ptx_as_f32(ptx_operand_bits(thread, instruction, 2)));
    ptx_write(thread, instruction, join(modifiers->type, high, low));
}

static void pair_to_pair(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const ptx_format *from = &ptx_formats[modifiers->source_type];
    const uint64_t pair = ptx_operand_bits(thread, instruction, 1);
    const uint64_t high = convert(modifiers, ptx_decode(from, pair >> ptx_element_bits(modifiers->source_type)));
    const uint64_t low = convert(modifiers, ptx_decode(from, pair));
    ptx_write(thread, instruction, join(modifiers->type, high, low));
}

/* ---- .ue8m0: an exponent, and neither sign nor fraction ---- */

/* Of an .f32. There is no 0: what is too small becomes 2^-127. */
static uint64_t exponent_of(const ptx_modifiers *modifiers, uint64_t bits) {
    const ptx_format *format = &ptx_formats[PTX_F32];
    const uint64_t magnitude = ptx_magnitude(format, bits);
    const uint64_t smallest = UINT64_C(1) << (format->fraction_bits - 1);
    const bool is_whole = (magnitude & (smallest * 2 - 1)) == 0;
    const bool goes_up = modifiers->rounding == PTX_UP && !is_whole && magnitude > smallest && magnitude < format->infinity;
    const uint64_t exponent = (magnitude >> format->fraction_bits) + goes_up;
    const bool is_too_large = exponent == 0xff && magnitude <= format->infinity;
    return exponent - (modifiers->finite && is_too_large);
}

static void singles_to_exponents(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const uint64_t high = exponent_of(modifiers, ptx_operand_bits(thread, instruction, 1));
    const uint64_t low = exponent_of(modifiers, ptx_operand_bits(thread, instruction, 2));
    ptx_write(thread, instruction, join(PTX_UE8M0X2, high, low));
}

/* A .bf16 is the upper half of an .f32. */
static void halves_to_exponents(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const uint64_t pair = ptx_operand_bits(thread, instruction, 1);
    const uint64_t high = exponent_of(modifiers, pair & 0xffff0000);
    const uint64_t low = exponent_of(modifiers, pair << 16);
    ptx_write(thread, instruction, join(PTX_UE8M0X2, high, low));
}

static uint64_t power_of_two(uint64_t exponent) {
    const ptx_format *format = &ptx_formats[PTX_BF16];
    const uint64_t smallest = UINT64_C(1) << (format->fraction_bits - 1);
    return exponent == 0xff ? format->nan : exponent ? exponent << format->fraction_bits : smallest;
}

static void exponents_to_halves(ptx_thread *thread, const ptx_instruction *instruction) {
    const uint64_t pair = ptx_operand_bits(thread, instruction, 1);
    ptx_write(thread, instruction, join(PTX_BF16X2, power_of_two(pair >> 8 & 0xff), power_of_two(pair & 0xff)));
}

/* ---- cvt.pack ---- */

static uint64_t clamped(uint64_t bits, unsigned width, bool is_signed) {
    const int32_t value = (int32_t)(uint32_t)bits;
    const int32_t largest = (int32_t)((UINT32_C(1) << (width - is_signed)) - 1);
    const int32_t smallest = is_signed ? -largest - 1 : 0;
    const int32_t kept = value < smallest ? smallest : value > largest ? largest : value;
    return (uint64_t)kept & ((UINT64_C(1) << width) - 1);
}

/* What c holds moves up to make room. */
static void pack(ptx_thread *thread, const ptx_instruction *instruction, unsigned width, bool is_signed, uint64_t c) {
    const uint64_t high = clamped(ptx_operand_bits(thread, instruction, 1), width, is_signed);
    const uint64_t low = clamped(ptx_operand_bits(thread, instruction, 2), width, is_signed);
    ptx_write(thread, instruction, c << (2 * width) | high << width | low);
}

static bool is_signed(ptx_type type) {
    return type == PTX_S16 || type == PTX_S8;
}

static void pack_two(ptx_thread *thread, const ptx_instruction *instruction) {
    pack(thread, instruction, 16, is_signed(instruction->modifiers.type), 0);
}

static void pack_bytes(ptx_thread *thread, const ptx_instruction *instruction) {
    pack(thread, instruction, 8, is_signed(instruction->modifiers.type), ptx_operand_bits(thread, instruction, 3));
}

/* u4, s4, u2 or s2 */
static void pack_bits(ptx_thread *thread, const ptx_instruction *instruction) {
    const unsigned choice = instruction->modifiers.choice;
    pack(thread, instruction, choice < 2 ? 4 : 2, choice & 1, ptx_operand_bits(thread, instruction, 3));
}

static const ptx_form forms[] = {
    {"cvt.<rounding>{.relu}{.satfinite}.<f16x2|bf16x2>.f32", "xyy", two_singles, NULL},
    {"cvt.rn.satfinite{.relu}.<e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2>.f32", "xyy", two_singles, NULL},
    {"cvt.rn.satfinite{.relu}.<e4m3x2|e5m2x2>.f16x2", "xy", pair_to_pair, NULL},
    {"cvt.rn{.relu}.f16x2.<e4m3x2|e5m2x2|e2m1x2|e2m3x2|e3m2x2>", "xy", pair_to_pair, NULL},
    {"cvt.<rounding>{.satfinite}.ue8m0x2.f32", "xyy", singles_to_exponents, NULL},
    {"cvt.<rounding>{.satfinite}.ue8m0x2.bf16x2", "xy", halves_to_exponents, NULL},
    {"cvt.rn.bf16x2.ue8m0x2", "xy", exponents_to_halves, NULL},
    {"cvt.pack.sat.<u16|s16>.s32", "vyy", pack_two, NULL},
    {"cvt.pack.sat.<u8|s8>.s32.b32", "vyyu", pack_bytes, NULL},
    {"cvt.pack.sat.<u4|s4|u2|s2>.s32.b32", "vyyu", pack_bits, NULL},
};

const ptx_forms ptx_convert_packed_forms = {forms, sizeof forms / sizeof *forms};
