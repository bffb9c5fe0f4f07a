/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/host_atomic.h"

#include <string.h>

/* ---- 16 bytes ---- */

__extension__ typedef unsigned __int128 wide;

/* Else the compilers call a library for it. */
#if defined(__x86_64__)
#define WITH_WIDE __attribute__((target("cx16")))
#else
#define WITH_WIDE
#endif

static wide join(ptx_value value) {
    return (wide)value.high << 64 | value.low;
}

static ptx_value split(wide value) {
    return (ptx_value){.low = (uint64_t)value, .high = (uint64_t)(value >> 64)};
}

/* Not inline: its callers are compiled for any processor. */
WITH_WIDE __attribute__((noinline)) static bool replace_wide(unsigned char *at, ptx_value *expected, ptx_value next) {
    const wide wanted = join(*expected);
    const wide found = __sync_val_compare_and_swap((wide *)(void *)at, wanted, join(next));
    *expected = split(found);
    return found == wanted;
}

static ptx_value load_wide(const unsigned char *at) {
    ptx_value found = {0};
    replace_wide((unsigned char *)(uintptr_t)at, &found, found);
    return found;
}

static void store_wide(unsigned char *at, ptx_value value) {
    ptx_value found = load_wide(at);
    while (!replace_wide(at, &found, value)) {
    }
}

/* ---- all sizes ---- */

ptx_value ptx_load_value(const unsigned char *at, size_t size) {
    const void *from = at;
    switch (size) {
    case 1:
        return (ptx_value){.low = __atomic_load_n((const uint8_t *)from, __ATOMIC_SEQ_CST)};
    case 2:
        return (ptx_value){.low = __atomic_load_n((const uint16_t *)from, __ATOMIC_SEQ_CST)};
    case 4:
        return (ptx_value){.low = __atomic_load_n((const uint32_t *)from, __ATOMIC_SEQ_CST)};
    case 8:
        return (ptx_value){.low = __atomic_load_n((const uint64_t *)from, __ATOMIC_SEQ_CST)};
    default:
        return load_wide(at);
    }
}

void ptx_store_value(unsigned char *at, size_t size, ptx_value value) {
    void *to = at;
    switch (size) {
    case 1:
        __atomic_store_n((uint8_t *)to, (uint8_t)value.low, __ATOMIC_SEQ_CST);
        break;
    case 2:
        __atomic_store_n((uint16_t *)to, (uint16_t)value.low, __ATOMIC_SEQ_CST);
        break;
    case 4:
        __atomic_store_n((uint32_t *)to, (uint32_t)value.low, __ATOMIC_SEQ_CST);
        break;
    case 8:
        __atomic_store_n((uint64_t *)to, value.low, __ATOMIC_SEQ_CST);
        break;
    default:
        store_wide(at, value);
        break;
    }
}

#define REPLACE(type) \
    static bool replace_##type(void *at, ptx_value *expected, ptx_value next) { \
        type found = (type)expected->low; \
        const bool replaced = \
            __atomic_compare_exchange_n((type *)(void *)at, &found, (type)next.low, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        *expected = (ptx_value){.low = found}; \
        return replaced; \
    }

REPLACE(uint8_t)
REPLACE(uint16_t)
REPLACE(uint32_t)
REPLACE(uint64_t)

bool ptx_replace_value(unsigned char *at, size_t size, ptx_value *expected, ptx_value next) {
    switch (size) {
    case 1:
        return replace_uint8_t(at, expected, next);
    case 2:
        return replace_uint16_t(at, expected, next);
    case 4:
        return replace_uint32_t(at, expected, next);
    case 8:
        return replace_uint64_t(at, expected, next);
    default:
        return replace_wide(at, expected, next);
    }
}

static size_t piece_of(size_t size) {
    return size < sizeof(ptx_value) ? size : sizeof(ptx_value);
}

/* A value's bytes lie in memory as in the struct: the lower half first, and the hosts are little-endian. */
void ptx_load_bytes(void *to, const unsigned char *from, size_t size) {
    const size_t piece = piece_of(size);
    for (size_t at = 0; at < size; at += piece) {
        const ptx_value value = ptx_load_value(from + at, piece);
        memcpy((unsigned char *)to + at, &value, piece);
    }
}

void ptx_store_bytes(unsigned char *to, const void *from, size_t size) {
    const size_t piece = piece_of(size);
    for (size_t at = 0; at < size; at += piece) {
        ptx_value value = {0};
        memcpy(&value, (const unsigned char *)from + at, piece);
        ptx_store_value(to + at, piece, value);
    }
}
