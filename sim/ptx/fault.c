/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/run.h"

#include <stdarg.h>
#include <stdio.h>

/* A sentence that is added to piece by piece, and cut off where the room ends. */
typedef struct sentence {
    char *text;
    size_t size;
    size_t used;
} sentence;

static void say(sentence *to, const char *format, ...) PTX_PRINTF(2, 3);

static void say_all(sentence *to, const char *format, va_list arguments) {
    const int said = to->used < to->size ? vsnprintf(to->text + to->used, to->size - to->used, format, arguments) : 0;
    to->used += said > 0 ? (size_t)said : 0;
}

static void say(sentence *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say_all(to, format, arguments);
    va_end(arguments);
}

/* The source line of an instruction of the thread's current function, if the PTX has .loc directives. */
static const ptx_place *find_place(const ptx_function *function, const ptx_instruction *instruction) {
    const size_t index = (size_t)(instruction - function->code);
    const ptx_place *found = NULL;
    for (size_t i = 0; i < function->place_count && function->places[i].first <= index; i++) {
        found = &function->places[i];
    }
    return found;
}

static void say_source(sentence *to, const ptx_function *function, const ptx_instruction *instruction) {
    const ptx_module *module = function->module;
    const ptx_place *place = find_place(function, instruction);
    for (size_t i = 0; place && i < module->file_count; i++) {
        const ptx_file *file = &module->files[i];
        if (file->number == place->file) {
            say(to, " (%.*s:%u)", (int)file->name_size, file->name, place->line);
            return;
        }
    }
}

static void say_where(sentence *to, const ptx_thread *thread, const ptx_instruction *instruction) {
    const ptx_block *block = thread->block;
    const ptx_kernel *kernel = block->launch->kernel;
    say(to, "kernel %.*s, block (%u,%u,%u), thread (%u,%u,%u), ptx line %u", (int)kernel->name_size, kernel->name, block->index[0],
        block->index[1], block->index[2], thread->index[0], thread->index[1], thread->index[2], instruction->line);
    if (thread->frame_count) { /* else there was no memory for the first */
        say_source(to, thread->frames[thread->frame_count - 1].function, instruction);
    }
    say(to, ": ");
}

/* Of several faults at once, in several workers, the first is told. */
void ptx_fault(ptx_thread *thread, const ptx_instruction *instruction, ptx_outcome outcome, const char *format, ...) {
    ptx_launch *launch = thread->block->launch;
    pthread_mutex_lock(&launch->reporting);
    if (!ptx_has_ended(launch)) {
        sentence log = {.text = launch->log, .size = launch->log_size};
        va_list arguments;
        say_where(&log, thread, instruction);
        va_start(arguments, format);
        say_all(&log, format, arguments);
        va_end(arguments);
        atomic_store(&launch->outcome, (int)outcome);
    }
    pthread_mutex_unlock(&launch->reporting);
    ptx_exit_thread(thread);
}
