/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

#include <string.h>

static size_t bucket_of(const char *text, size_t size) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    }
    return hash % PTX_SYMBOL_BUCKETS;
}

ptx_symbol *ptx_find_symbol(const ptx_symbols *symbols, const char *text, size_t size) {
    for (size_t i = symbols->buckets[bucket_of(text, size)]; i; i = symbols->items[i - 1].next) {
        ptx_symbol *symbol = &symbols->items[i - 1];
        if (symbol->size == size && memcmp(symbol->text, text, size) == 0) {
            return symbol;
        }
    }
    return NULL;
}

ptx_symbol *ptx_add_symbol(ptx_symbols *symbols, const ptx_symbol *symbol) {
    if (!ptx_reserve(&symbols->items, symbols->count, &symbols->capacity, sizeof *symbols->items)) {
        return NULL;
    }
    ptx_symbol *added = &symbols->items[symbols->count++];
    *added = *symbol;
    added->bucket = bucket_of(symbol->text, symbol->size);
    added->next = symbols->buckets[added->bucket];
    symbols->buckets[added->bucket] = symbols->count;
    return added;
}

void ptx_drop_symbols(ptx_symbols *symbols, size_t first) {
    while (symbols->count > first) {
        const ptx_symbol *last = &symbols->items[--symbols->count];
        symbols->buckets[last->bucket] = last->next;
    }
}

static bool range_index(const char *digits, size_t size, uint32_t count, uint32_t *index) {
    uint64_t value = 0;
    if (size > 9 || (size > 1 && digits[0] == '0')) {
        return false;
    }
    for (size_t i = 0; i < size; i++) {
        value = value * 10 + (uint64_t)(digits[i] - '0');
    }
    *index = (uint32_t)value;
    return value < count;
}

const ptx_symbol *ptx_find_register(const ptx_symbols *symbols, const char *text, size_t size, uint32_t *slot) {
    const ptx_symbol *symbol = ptx_find_symbol(symbols, text, size);
    if (symbol && symbol->kind == PTX_REGISTER_SYMBOL && !symbol->count) {
        *slot = symbol->slot;
        return symbol;
    }
    for (size_t prefix = size; prefix > 1 && text[prefix - 1] >= '0' && text[prefix - 1] <= '9';) {
        uint32_t index;
        prefix--;
        symbol = ptx_find_symbol(symbols, text, prefix);
        if (symbol && symbol->kind == PTX_REGISTER_SYMBOL && range_index(text + prefix, size - prefix, symbol->count, &index)) {
            *slot = symbol->slot + index * (symbol->type == PTX_B128 ? 2 : 1);
            return symbol;
        }
    }
    return NULL;
}
