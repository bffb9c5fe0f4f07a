/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/video.h"

/* Video instructions on the two halves or four bytes of registers at once: d{.mask}, a{.elements}, b{.elements}, c. */

typedef int64_t operation(const ptx_modifiers *modifiers, int64_t a, int64_t b);

static int64_t element(const ptx_thread *thread, const ptx_instruction *instruction, unsigned width, unsigned number,
                       bool is_signed) {
    const uint64_t pair = (uint32_t)ptx_operand_bits(thread, instruction, 2) | ptx_operand_bits(thread, instruction, 4) << 32;
    return ptx_extend(pair >> (number * width), width, is_signed);
}

/* What the operation gives for element number `i`. */
static uint32_t operate(const ptx_thread *thread, const ptx_instruction *instruction, unsigned i, unsigned width, operation *made) {
    const ptx_modifiers *modifiers = &instruction->modifiers;
    const unsigned signs = ptx_video_signs(modifiers);
    const unsigned of_a = ptx_operand_bits(thread, instruction, 3) >> (4 * i) & 7;
    const unsigned of_b = ptx_operand_bits(thread, instruction, 5) >> (4 * i) & 7;
    const int64_t a = element(thread, instruction, width, of_a, signs & PTX_SIGNED_A);
    const int64_t b = element(thread, instruction, width, of_b, signs & PTX_SIGNED_B);
    return (uint32_t)ptx_saturate_to(modifiers, made(modifiers, a, b), width);
}

static bool is_written(const ptx_thread *thread, const ptx_instruction *instruction, unsigned i) {
    return ptx_operand_bits(thread, instruction, 1) >> i & 1;
}

/* Elements that are not written are those of c. */
static void merge(ptx_thread *thread, const ptx_instruction *instruction, unsigned width, operation *made) {
    uint64_t result = (uint64_t)ptx_operand_bits(thread, instruction, 6);
    for (unsigned i = 0; i < 32 / width; i++) {
        const uint32_t mask = ((1u << width) - 1) << (i * width);
        if (is_written(thread, instruction, i)) {
            result = (result & ~mask) | (operate(thread, instruction, i, width, made) << (i * width) & mask);
        }
    }
    ptx_write(thread, instruction, result);
}

static void accumulate(ptx_thread *thread, const ptx_instruction *instruction, unsigned width, operation *made) {
    uint64_t result = (uint64_t)ptx_operand_bits(thread, instruction, 6);
    for (unsigned i = 0; i < 32 / width; i++) {
        if (is_written(thread, instruction, i)) {
            result += operate(thread, instruction, i, width, made);
        }
    }
    ptx_write(thread, instruction, result);
}

#define HANDLER(name, finish, width, made) \
    static void name(ptx_thread *thread, const ptx_instruction *instruction) { \
        finish(thread, instruction, width, made); \
    }

#define LANES(name, expression) \
    static int64_t name##_of(const ptx_modifiers *modifiers, int64_t a, int64_t b) { \
        (void)modifiers; \
        return expression; \
    } \
    HANDLER(name##_2, merge, 16, name##_of) \
    HANDLER(name##_4, merge, 8, name##_of) \
    HANDLER(name##_2_added, accumulate, 16, name##_of) \
    HANDLER(name##_4_added, accumulate, 8, name##_of)

LANES(add, a + b)
LANES(subtract, a - b)
LANES(average, (a + b + (a + b >= 0)) >> 1)
LANES(difference, a < b ? b - a : a - b)
LANES(minimum, a < b ? a : b)
LANES(maximum, a > b ? a : b)
LANES(set, ptx_compares(modifiers->comparison, a, b))

#define TYPE ".<u32|s32>"
#define FORMS(mnemonic, name) \
    {mnemonic "2" TYPE TYPE TYPE "{.sat}", "H22u", name##_2, NULL}, \
        {mnemonic "2" TYPE TYPE TYPE ".add", "H22u", name##_2_added, NULL}, \
        {mnemonic "4" TYPE TYPE TYPE "{.sat}", "B44u", name##_4, NULL}, { \
        mnemonic "4" TYPE TYPE TYPE ".add", "B44u", name##_4_added, NULL \
    }

static const ptx_form forms[] = {
    FORMS("vadd", add),
    FORMS("vsub", subtract),
    FORMS("vavrg", average),
    FORMS("vabsdiff", difference),
    FORMS("vmin", minimum),
    FORMS("vmax", maximum),
    {"vset2" TYPE TYPE ".<compare-signed>", "H22u", set_2, NULL},
    {"vset2" TYPE TYPE ".<compare-signed>.add", "H22u", set_2_added, NULL},
    {"vset4" TYPE TYPE ".<compare-signed>", "B44u", set_4, NULL},
    {"vset4" TYPE TYPE ".<compare-signed>.add", "B44u", set_4_added, NULL},
};

const ptx_forms ptx_lanes_forms = {forms, sizeof forms / sizeof *forms};
