/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#define _GNU_SOURCE
#include "driver/words.h"

#include "base/process.h"

#include <pthread.h>
#include <string.h>

/* Threads that fail at once are few; where there are more than slots, the longest silent one loses its sentence. */
enum { SLOTS = 16 };

static struct slot {
    pthread_t thread;
    uint64_t heard_at; /* 0: empty */
    char sentence[CUCORE_WORDS_SIZE];
    char returning[128];
} slots[SLOTS];

static uint64_t now;

static struct slot *own_slot(void) {
    for (int i = 0; i < SLOTS; i++)
        if (slots[i].heard_at && pthread_equal(slots[i].thread, pthread_self()))
            return &slots[i];
    return NULL;
}

static struct slot *oldest_slot(void) {
    struct slot *oldest = &slots[0];
    for (int i = 1; i < SLOTS; i++)
        if (slots[i].heard_at < oldest->heard_at)
            oldest = &slots[i];
    return oldest;
}

static void keep(char *buffer, size_t room, const char *text, size_t size) {
    if (size >= room)
        size = room - 1;
    memcpy(buffer, text, size);
    buffer[size] = '\0';
}

static size_t without_line_end(const char *text, size_t size) {
    while (size && (text[size - 1] == '\n' || text[size - 1] == '\0'))
        size--;
    return size;
}

/* Lines may come with a time and a level before the words: "[12:00:00.123][...][E]   Returning ...". */
static const char *returning_part(const char *text, size_t size) {
    static const char returning[] = "Returning ";
    return memmem(text, size, returning, sizeof returning - 1);
}

/* A failure may have several sentences before its "Returning" line, or none. */
static void add_sentence(struct slot *slot, const char *text, size_t size) {
    static const char separator[] = "; ";
    size_t used = slot->returning[0] ? 0 : strlen(slot->sentence);
    if (used && used + sizeof separator < sizeof slot->sentence) {
        memcpy(slot->sentence + used, separator, sizeof separator);
        used += sizeof separator - 1;
    }
    keep(slot->sentence + used, sizeof slot->sentence - used, text, size);
    slot->returning[0] = '\0';
}

static void end_failure(struct slot *slot, const char *text, size_t size) {
    if (slot->returning[0])
        slot->sentence[0] = '\0'; /* it was about the failure before this one */
    keep(slot->returning, sizeof slot->returning, text, size);
}

static struct slot *slot_of_this_thread(void) {
    struct slot *slot = own_slot();
    if (!slot) {
        slot = oldest_slot();
        slot->thread = pthread_self();
        slot->sentence[0] = '\0';
    }
    slot->heard_at = ++now;
    return slot;
}

void cucore_words_heard(const char *text, size_t size) {
    size = without_line_end(text, size);
    if (!size)
        return;
    const char *returning = returning_part(text, size);
    cucore_lock_enter(CUCORE_LOCK_DRIVER_WORDS);
    struct slot *slot = slot_of_this_thread();
    if (returning)
        end_failure(slot, returning, size - (size_t)(returning - text));
    else
        add_sentence(slot, text, size);
    cucore_lock_leave(CUCORE_LOCK_DRIVER_WORDS);
}

/* Not strtoll: headers of glibc 2.38 make another function of it, which older ones have not. */
static int64_t number_at(const char *digits) {
    int64_t number = 0;
    for (; *digits >= '0' && *digits <= '9' && number <= INT32_MAX; digits++)
        number = number * 10 + (*digits - '0');
    return number;
}

/* "Returning 1 (CUDA_ERROR_INVALID_VALUE) from cuX": the number, and the name, which may have a version behind it: "_v2". */
static bool tells_of(const char *returning, const char *operation, int64_t code) {
    static const char prefix[] = "Returning ";
    static const char from[] = " from ";
    if (strncmp(returning, prefix, sizeof prefix - 1) != 0 || number_at(returning + sizeof prefix - 1) != code)
        return false;
    const char *name = strstr(returning, from);
    size_t size = strlen(operation);
    if (!name || strncmp(name + sizeof from - 1, operation, size) != 0)
        return false;
    char next = name[sizeof from - 1 + size];
    return next == '\0' || next == '_';
}

bool cucore_words_take(const char *operation, int64_t code, char *words) {
    cucore_lock_enter(CUCORE_LOCK_DRIVER_WORDS);
    struct slot *slot = own_slot();
    bool found = slot && slot->sentence[0] && tells_of(slot->returning, operation, code);
    if (found)
        keep(words, CUCORE_WORDS_SIZE, slot->sentence, strlen(slot->sentence));
    if (slot)
        slot->heard_at = 0;
    cucore_lock_leave(CUCORE_LOCK_DRIVER_WORDS);
    return found;
}

void cucore_words_forget(void) {
    cucore_lock_enter(CUCORE_LOCK_DRIVER_WORDS);
    struct slot *slot = own_slot();
    if (slot)
        slot->heard_at = 0;
    cucore_lock_leave(CUCORE_LOCK_DRIVER_WORDS);
}
