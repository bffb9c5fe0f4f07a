/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/services.h"

#include "ptx/run.h"

#include <stdio.h>
#include <string.h>

/* What the driver provides to kernels: printf, malloc and free, and the end of a failed assert (CUDA C++ Programming Guide,
 * Formatted Output, Dynamic Global Memory Allocation, Assertion). */

#define MAX_TEXT 1024u /* of what one printf says, and of strings that are read */

static uint64_t argument(const ptx_thread *thread, const ptx_instruction *instruction, size_t index) {
    const ptx_frame *frame = &thread->frames[thread->frame_count - 1];
    const ptx_params *given = &instruction->call->arguments;
    uint64_t value = 0;
    if (index < given->count && given->items[index].size <= sizeof value) {
        memcpy(&value, thread->local + frame->local_base + given->items[index].offset, given->items[index].size);
    }
    return value;
}

static void give_back(const ptx_thread *thread, const ptx_instruction *instruction, uint64_t value) {
    const ptx_frame *frame = &thread->frames[thread->frame_count - 1];
    const ptx_params *wanted = &instruction->call->returns;
    if (wanted->count && wanted->items[0].size <= sizeof value) {
        memcpy(thread->local + frame->local_base + wanted->items[0].offset, &value, wanted->items[0].size);
    }
}

static const unsigned char *look(ptx_thread *thread, const ptx_instruction *instruction, uint64_t address, size_t size) {
    const ptx_access at = {.address = address, .size = size, .space = PTX_GENERIC, .intent = PTX_READS};
    return ptx_reach(thread, instruction, &at);
}

/* False after a fault. */
static bool read_string(ptx_thread *thread, const ptx_instruction *instruction, uint64_t address, char text[MAX_TEXT]) {
    size_t used = 0;
    while (used < MAX_TEXT - 1) {
        const unsigned char *from = look(thread, instruction, address + used, 1);
        if (!from) {
            return false;
        }
        text[used] = (char)*from;
        if (!text[used]) {
            return true;
        }
        used++;
    }
    text[used] = '\0';
    return true;
}

/* ---- printf ---- */

typedef struct printing {
    ptx_thread *thread;
    const ptx_instruction *instruction;
    uint64_t arguments; /* where the next one is */
    unsigned count;     /* of those taken */
    char text[MAX_TEXT];
    size_t used;
    bool failed; /* after a fault */
} printing;

/* "%-8.3lld" */
typedef struct conversion {
    char flags[8];
    size_t flag_count;
    int width;     /* -1: none */
    int precision; /* -1: none */
    unsigned size; /* of an integer, in bytes */
    char kind;
} conversion;

static uint64_t next_argument(printing *to, unsigned size) {
    uint64_t value = 0;
    to->arguments = ptx_align(to->arguments, size);
    const unsigned char *from = to->failed ? NULL : look(to->thread, to->instruction, to->arguments, size);
    if (from) {
        memcpy(&value, from, size);
    }
    to->failed |= !from;
    to->arguments += size;
    to->count++;
    return value;
}

static void print_char(printing *to, char c) {
    if (to->used < sizeof to->text - 1) {
        to->text[to->used++] = c;
    }
}

static const char *read_number(printing *to, const char *format, int *number) {
    if (*format == '*') {
        *number = (int)next_argument(to, 4);
        return format + 1;
    }
    for (*number = 0; *format >= '0' && *format <= '9'; format++) {
        *number = *number < 10000 ? *number * 10 + (*format - '0') : *number;
    }
    return format;
}

static const char *read_length(const char *format, unsigned *size) {
    *size = 4;
    for (; *format && strchr("hljztL", *format); format++) {
        *size = *format == 'h' ? 4 : 8;
    }
    return format;
}

static const char *read_conversion(printing *to, const char *format, conversion *read) {
    *read = (conversion){.width = -1, .precision = -1};
    for (; *format && strchr("-+ #0", *format); format++) {
        if (read->flag_count < sizeof read->flags - 1) {
            read->flags[read->flag_count++] = *format;
        }
    }
    if (*format == '*' || (*format >= '1' && *format <= '9')) {
        format = read_number(to, format, &read->width);
    }
    if (*format == '.') {
        format = read_number(to, format + 1, &read->precision);
    }
    format = read_length(format, &read->size);
    read->kind = *format;
    return *format ? format + 1 : format;
}

/* Writes the conversion again, for the host's printf: with its numbers, and a length that fits what is passed. */
static void rebuild(const conversion *read, const char *length, char format[40]) {
    int used = snprintf(format, 40, "%%%s", read->flags);
    if (read->width != -1) {
        used += snprintf(format + used, (size_t)(40 - used), "%d", read->width);
    }
    if (read->precision >= 0) {
        used += snprintf(format + used, (size_t)(40 - used), ".%d", read->precision);
    }
    snprintf(format + used, (size_t)(40 - used), "%s%c", length, read->kind);
}

static void add_printed(printing *to, int length) {
    const size_t room = sizeof to->text - to->used;
    to->used += length < 0 ? 0 : (size_t)length < room ? (size_t)length : room - 1;
}

/* NOLINTBEGIN(clang-diagnostic-format-nonliteral): the formats are made by rebuild, for the argument that follows */
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#endif
#define PRINT(to, format, value) add_printed(to, snprintf((to)->text + (to)->used, sizeof(to)->text - (to)->used, format, value))

static void print_integer(printing *to, const conversion *read) {
    char format[40];
    const uint64_t bits = next_argument(to, read->size);
    const bool is_signed = read->kind == 'd' || read->kind == 'i';
    const long long value = is_signed && read->size == 4 ? (int32_t)bits : (long long)bits;
    rebuild(read, "ll", format);
    PRINT(to, format, value);
}

static void print_float(printing *to, const conversion *read) {
    char format[40];
    const uint64_t bits = next_argument(to, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    rebuild(read, "", format);
    PRINT(to, format, value);
}

static void print_string(printing *to, const conversion *read) {
    char format[40];
    char text[MAX_TEXT] = "(null)";
    const uint64_t address = next_argument(to, 8);
    to->failed = to->failed || (address && !read_string(to->thread, to->instruction, address, text));
    rebuild(read, "", format);
    if (!to->failed) {
        PRINT(to, format, text);
    }
}

static void print_char_argument(printing *to, const conversion *read) {
    char format[40];
    const int value = (int)next_argument(to, 4);
    rebuild(read, "", format);
    PRINT(to, format, value);
}

static void print_pointer(printing *to, const conversion *read) {
    char format[40];
    void *value = (void *)(uintptr_t)next_argument(to, 8);
    rebuild(read, "", format);
    PRINT(to, format, value);
}
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
/* NOLINTEND(clang-diagnostic-format-nonliteral) */

static void print_conversion(printing *to, const conversion *read) {
    switch (read->kind) {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        print_integer(to, read);
        break;
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
        print_float(to, read);
        break;
    case 's':
        print_string(to, read);
        break;
    case 'c':
        print_char_argument(to, read);
        break;
    case 'p':
        print_pointer(to, read);
        break;
    default: /* "%%", and what is none */
        print_char(to, read->kind);
        break;
    }
}

static void print_all(printing *to, const char *format) {
    while (*format && !to->failed) {
        conversion read;
        if (*format != '%') {
            print_char(to, *format++);
            continue;
        }
        format = read_conversion(to, format + 1, &read);
        print_conversion(to, &read);
    }
}

/* vprintf(format, arguments): the arguments lie together, each at a multiple of its size. */
static void print(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_device *device = thread->block->launch->device;
    char format[MAX_TEXT];
    printing to = {.thread = thread, .instruction = instruction, .arguments = argument(thread, instruction, 1)};
    if (!read_string(thread, instruction, argument(thread, instruction, 0), format)) {
        return;
    }
    print_all(&to, format);
    if (!to.failed && device->print) {
        device->print(device->data, to.text, to.used);
    }
    give_back(thread, instruction, to.count);
}

/* ---- malloc, free, assert ---- */

static void allocate(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_device *device = thread->block->launch->device;
    const uint64_t size = argument(thread, instruction, 0);
    give_back(thread, instruction, device->allocate ? device->allocate(device->data, size) : 0);
}

static void release(ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_device *device = thread->block->launch->device;
    const uint64_t address = argument(thread, instruction, 0);
    if (address && !(device->release && device->release(device->data, address))) {
        ptx_fault(thread, instruction, PTX_TRAPPED, "free of 0x%llx, which malloc did not give", (unsigned long long)address);
    }
}

/* __assertfail(message, file, line, function, size of a character) */
static void fail_assertion(ptx_thread *thread, const ptx_instruction *instruction) {
    char message[MAX_TEXT] = "";
    char file[MAX_TEXT] = "";
    if (read_string(thread, instruction, argument(thread, instruction, 0), message) &&
        read_string(thread, instruction, argument(thread, instruction, 1), file)) {
        ptx_fault(thread, instruction, PTX_ASSERTED, "%.100s:%u: Assertion `%.200s` failed", file,
                  (unsigned)argument(thread, instruction, 2), message);
    }
}

ptx_handler *ptx_find_service(const char *name, size_t size) {
    static const struct {
        const char *name;
        ptx_handler *run;
    } services[] = {{"vprintf", print}, {"malloc", allocate}, {"free", release}, {"__assertfail", fail_assertion}};
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
        if (strlen(services[i].name) == size && memcmp(services[i].name, name, size) == 0) {
            return services[i].run;
        }
    }
    return NULL;
}
