/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUCORE_DRIVER_DLOPEN_NOTE_H
#define CUCORE_DRIVER_DLOPEN_NOTE_H

/* What the library opens with dlopen is not among its NEEDED libraries. Notes in the ELF section .note.dlopen, as systemd's "ELF
 * dlopen() metadata" specifies them, tell it to tools that package software; `readelf -n` shows them. */

#include <stdint.h>

#define CUCORE_DLOPEN_NOTE_TYPE 0x407c0c0a

/* CUCORE_DLOPEN_NOTE defines `name` as the note of one library. Its sonames come last, as string literals: one is enough, the first
 * is preferred. `priority` is "recommended" or "suggested". */
#define CUCORE_DLOPEN_NOTE(name, feature, description, priority, ...) \
    CUCORE_DLOPEN_NOTE_TEXT(name, "[{\"feature\":\"" feature "\",\"description\":\"" description "\",\"priority\":\"" priority \
                                  "\",\"soname\":[" #__VA_ARGS__ "]}]")

#define CUCORE_DLOPEN_NOTE_TEXT(name, json) \
    static const struct { \
        uint32_t owner_size; \
        uint32_t text_size; \
        uint32_t type; \
        char owner[4]; \
        char text[(sizeof(json) + 3) / 4 * 4]; \
    } name __attribute__((used, section(".note.dlopen"), aligned(4))) = {4, sizeof(json), CUCORE_DLOPEN_NOTE_TYPE, "FDO", json}

#endif
