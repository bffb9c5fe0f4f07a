/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

/* What the operands of video instructions take of a register: "r.b0", "r.h1", "r.b3210". */

typedef struct selector {
    char kind; /* 'b': bytes, 'h': half words */
    unsigned count;
    unsigned digits[4]; /* as written: the last is for the lowest element */
} selector;

static bool read_selector(const ptx_token *part, selector *read) {
    *read = (selector){.kind = part->text[0], .count = (unsigned)part->size - 1};
    if ((read->kind != 'b' && read->kind != 'h') || read->count < 1 || read->count > 4) {
        return false;
    }
    for (unsigned i = 0; i < read->count; i++) {
        if (part->text[i + 1] < '0' || part->text[i + 1] > '7') {
            return false;
        }
        read->digits[i] = (unsigned)(part->text[i + 1] - '0');
    }
    return true;
}

/* Where the part begins, and 256 times its width. */
static bool one_part(const selector *given, uint64_t *bits) {
    const unsigned width = given->kind == 'b' ? 8 : 16;
    *bits = given->digits[0] * width | width << 8;
    return given->count == 1 && given->digits[0] * width < 32;
}

/* A bit for each element that is written; they are named from the highest down. */
static bool mask_of(const selector *given, char kind, unsigned elements, uint64_t *bits) {
    *bits = 0;
    for (unsigned i = 0; i < given->count; i++) {
        if (given->digits[i] >= (i ? given->digits[i - 1] : elements)) {
            return false;
        }
        *bits |= UINT64_C(1) << given->digits[i];
    }
    return given->kind == kind;
}

/* A hexadecimal digit for each element that is read, of two registers. */
static bool elements_of(const selector *given, char kind, unsigned elements, uint64_t *bits) {
    *bits = 0;
    for (unsigned i = 0; i < given->count; i++) {
        if (given->digits[i] >= 2 * elements) {
            return false;
        }
        *bits = *bits << 4 | given->digits[i];
    }
    return given->kind == kind && given->count == elements;
}

/* Without a selector. */
static bool whole(char letter, bool is_second, uint64_t *bits) {
    switch (letter) {
    case 'H':
        *bits = 3;
        break;
    case 'B':
        *bits = 15;
        break;
    case '2':
        *bits = is_second ? 0x32 : 0x10;
        break;
    case '4':
        *bits = is_second ? 0x7654 : 0x3210;
        break;
    default:
        *bits = PTX_WHOLE;
    }
    return letter != 'Z';
}

static bool selected(const selector *given, char letter, uint64_t *bits) {
    switch (letter) {
    case 'H':
        return mask_of(given, 'h', 2, bits);
    case 'B':
        return mask_of(given, 'b', 4, bits);
    case '2':
        return elements_of(given, 'h', 2, bits);
    case '4':
        return elements_of(given, 'b', 4, bits);
    case 'X':
        return false;
    default:
        return one_part(given, bits);
    }
}

bool ptx_part_bits(const ptx_operand *given, char letter, bool is_second, uint64_t *bits) {
    selector read;
    if (given->minus && letter != 'V' && letter != 'X') {
        return false;
    }
    const bool has_selector = given->kind == PTX_PART_OPERAND && given->part.size;
    if (!(has_selector ? read_selector(&given->part, &read) && selected(&read, letter, bits) : whole(letter, is_second, bits))) {
        return false;
    }
    *bits |= given->minus ? PTX_NEGATED : 0;
    return true;
}
