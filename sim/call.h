/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_CALL_H
#define CUSIM_CALL_H

/* What happens around every driver call: it is counted, may be made to fail, is logged, and its failure is put into words. */

#include "driver_types.h"
#include "functions.h"
#include "state.h"

struct function {
    const char *name;
    const char *symbol;
    int version;
    void (*address)(void);
    int hidden;
    uint64_t calls;
};

/* All exported functions; functions_count of them (entry.c). */
extern struct function functions[];
extern const size_t functions_count;

#define SENTENCE_SIZE 512

struct call {
    struct function *function;
    CUresult result;
    char sentence[SENTENCE_SIZE]; /* why it failed */
    struct call *outer;           /* the call whose log callback made this one */
};

struct argument {
    enum { ARGUMENT_NUMBER, ARGUMENT_TEXT, ARGUMENT_ADDRESS } kind;
    uint64_t value;
};

/* call_begin takes the lock and returns whether the call's work is to be done; call_end gives the lock back and the result. */
int call_begin(struct call *call, struct function *function);
CUresult call_end(struct call *call, const struct argument *arguments, size_t count);

/* call_is_fallible is false for the functions that only look names up: they are never made to fail, nor counted as fallible. */
int call_is_fallible(const struct function *function);

/* call_explain keeps a sentence as the reason why the current call fails. call_violate does so too, and lists it among the uses
 * that the real driver punishes with undefined behaviour. */
__attribute__((format(printf, 1, 2))) void call_explain(const char *format, ...);
__attribute__((format(printf, 1, 2))) void call_violate(const char *format, ...);

/* The result that a call fails with, explained: return refuse(CUDA_ERROR_INVALID_VALUE, "%d is too much", number). Macros, so
 * that compilers see which result it is. */
#define refuse(result, ...) (call_explain(__VA_ARGS__), (result))
#define violation(result, ...) (call_violate(__VA_ARGS__), (result))

#define CUSIM_DECLARE(name, symbol, version, parameters, arguments) CUresult sim_##symbol parameters;
#define CUSIM_DECLARE0(name, symbol, version) CUresult sim_##symbol(void);
CUSIM_FUNCTIONS(CUSIM_DECLARE, CUSIM_DECLARE0)
#undef CUSIM_DECLARE
#undef CUSIM_DECLARE0

#endif
