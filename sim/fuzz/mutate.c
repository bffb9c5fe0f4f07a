/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* How libFuzzer changes a text: bytes and words of its dictionary by its own means, and lines and words that the text has
 * already, so that more of what it makes is still PTX. */
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *text, size_t size, size_t capacity);
size_t LLVMFuzzerCustomMutator(uint8_t *text, size_t size, size_t capacity, unsigned seed);

typedef struct piece {
    size_t at;
    size_t size;
} piece;

static bool is_of_line(uint8_t c) {
    return c != '\n';
}

static bool is_of_word(uint8_t c) {
    return isalnum(c) || (c && strchr("_$%.", c));
}

/* The line or word around a place, or what is left of it before the place. */
static piece piece_around(const uint8_t *text, size_t size, size_t place, bool (*belongs)(uint8_t)) {
    size_t first = place;
    size_t end = place;
    while (first > 0 && belongs(text[first - 1])) {
        first--;
    }
    while (end < size && belongs(text[end])) {
        end++;
    }
    return (piece){first, end - first};
}

static piece random_piece(const uint8_t *text, size_t size, unsigned *seed, bool (*belongs)(uint8_t)) {
    const size_t place = (size_t)rand_r(seed) % size;
    return piece_around(text, size, place, belongs);
}

/* Puts a copy of one piece in another's place. Gives the new size. */
static size_t replace(uint8_t *text, size_t size, size_t capacity, piece old, piece by) {
    const size_t new_size = size - old.size + by.size;
    uint8_t *copy = malloc(by.size + 1);
    if (!copy || new_size > capacity || new_size == 0) {
        free(copy);
        return size;
    }
    memcpy(copy, text + by.at, by.size);
    memmove(text + old.at + by.size, text + old.at + old.size, size - old.at - old.size);
    memcpy(text + old.at, copy, by.size);
    free(copy);
    return new_size;
}

static size_t replace_piece(uint8_t *text, size_t size, size_t capacity, unsigned *seed, bool (*belongs)(uint8_t)) {
    const piece old = random_piece(text, size, seed, belongs);
    const piece by = random_piece(text, size, seed, belongs);
    return replace(text, size, capacity, old, by);
}

/* With its end, so that it becomes one of its own. */
static size_t repeat_line(uint8_t *text, size_t size, size_t capacity, unsigned *seed) {
    const piece before = random_piece(text, size, seed, is_of_line);
    piece line = random_piece(text, size, seed, is_of_line);
    line.size += line.at + line.size < size;
    return replace(text, size, capacity, (piece){before.at, 0}, line);
}

size_t LLVMFuzzerCustomMutator(uint8_t *text, size_t size, size_t capacity, unsigned seed) {
    const int choice = size ? rand_r(&seed) % 8 : 0;
    switch (choice) {
    case 4:
        return repeat_line(text, size, capacity, &seed);
    case 5:
        return replace_piece(text, size, capacity, &seed, is_of_line);
    case 6:
    case 7:
        return replace_piece(text, size, capacity, &seed, is_of_word);
    default:
        return LLVMFuzzerMutate(text, size, capacity);
    }
}
