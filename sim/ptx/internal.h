/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_INTERNAL_H
#define CUSIM_PTX_INTERNAL_H

/* How PTX is held once read. Text is parsed once (parse.h) into functions of ptx_instructions; threads are then stepped through
 * them (run.h). What an instruction looks like and does is a row, a ptx_form, beside its handler in move.c, integer.c,
 * float.c, convert.c or control.c.
 *
 * Every operand is a slot: an index into the 64-bit slots of the running function's frame. Registers, immediates, special
 * registers and addresses of variables all have one, so a handler never asks what kind an operand is. The bits of a slot above
 * its register's width are unspecified: a reader truncates to its own type. */

#include "ptx/ptx.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PTX_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define PTX_PRINTF(text, first)
#endif

/* Untyped bits (.b32) are held as unsigned ones. */
typedef enum ptx_type {
    PTX_U8,
    PTX_S8,
    PTX_U16,
    PTX_S16,
    PTX_U32,
    PTX_S32,
    PTX_U64,
    PTX_S64,
    PTX_F32,
    PTX_F64,
    PTX_PREDICATE,
    PTX_TYPES
} ptx_type;

typedef enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM } ptx_space;

typedef enum ptx_comparison { PTX_EQ, PTX_NE, PTX_LT, PTX_LE, PTX_GT, PTX_GE, PTX_NUM, PTX_NAN } ptx_comparison;
typedef enum ptx_combination { PTX_ALONE, PTX_AND, PTX_OR, PTX_XOR } ptx_combination;
typedef enum ptx_rounding { PTX_TO_NEAREST, PTX_TO_ZERO, PTX_DOWN, PTX_UP } ptx_rounding;

/* A generic address in one of these windows is not device memory; no host hands out addresses that high. */
#define PTX_WINDOW_SHIFT 60
#define PTX_SHARED_WINDOW (UINT64_C(1) << PTX_WINDOW_SHIFT)
#define PTX_LOCAL_WINDOW (UINT64_C(2) << PTX_WINDOW_SHIFT)
#define PTX_PARAM_WINDOW (UINT64_C(3) << PTX_WINDOW_SHIFT)

/* Every frame begins with these two slots. */
#define PTX_SLOT_TRUE 0u /* holds 1: the guard of an unguarded instruction */
#define PTX_SLOT_SINK 1u /* written and never read: the operand '_' */

#define PTX_MAX_OPERANDS 5
#define PTX_MAX_BARRIERS 16

/* What the dotted parts of a mnemonic say. */
typedef struct ptx_modifiers {
    ptx_type type;        /* the only, or the destination's */
    ptx_type source_type; /* of cvt */
    unsigned type_count;
    ptx_space space;
    unsigned vector; /* 1, 2 or 4 elements */
    ptx_comparison comparison;
    bool unordered; /* the comparison holds of a NaN */
    ptx_combination combination;
    ptx_rounding rounding;
    bool flush;    /* .ftz */
    bool saturate; /* .sat */
    bool to;       /* cvta.to */
} ptx_modifiers;

typedef struct ptx_thread ptx_thread;
typedef struct ptx_instruction ptx_instruction;
typedef struct ptx_kernel ptx_function; /* an .entry or a .func; ptx.h calls the former kernels */

typedef void ptx_handler(ptx_thread *thread, const ptx_instruction *instruction);

/* A variable in .param space: a parameter, a returned value, or what a caller passes and receives. */
typedef struct ptx_param {
    uint32_t offset;
    uint32_t size;
} ptx_param;

typedef struct ptx_params {
    ptx_param *items;
    size_t count;
    size_t capacity;
    uint32_t size;
} ptx_params;

typedef struct ptx_call {
    const ptx_function *function;
    ptx_params returns;
    ptx_params arguments;
} ptx_call;

struct ptx_instruction {
    ptx_handler *run;
    uint32_t guard; /* the slot of a predicate */
    uint32_t slots[PTX_MAX_OPERANDS];
    uint32_t base; /* of the address operand */
    int64_t offset;
    uint32_t target; /* of a branch: an index into the function's code */
    uint32_t line;
    const ptx_call *call;
    ptx_modifiers modifiers;
    uint8_t guard_wanted; /* runs if the guard holds this */
    bool narrow;          /* the base register has 32 bits */
    bool negated;         /* the predicate operand is '!p' */
};

/* A slot whose value depends on the thread or the frame, written when the frame is entered. */
typedef enum ptx_fill_kind { PTX_FILL_SPECIAL, PTX_FILL_LOCAL, PTX_FILL_PARAM, PTX_FILL_DYNAMIC_SHARED } ptx_fill_kind;

typedef struct ptx_fill {
    ptx_fill_kind kind;
    uint32_t slot;
    uint64_t value; /* a special register's index, or an offset in the frame's local memory or the dynamic shared memory */
} ptx_fill;

struct ptx_kernel {
    const char *name;
    size_t name_size;
    struct ptx_module *module;
    bool is_entry;
    bool has_body;
    ptx_params returns;
    ptx_params parameters; /* of an .entry: offsets in the parameter space; of a .func: in its frame's local memory */
    uint32_t local_size;   /* of a frame: .local variables, and .param variables other than an .entry's parameters */
    ptx_instruction *code;
    size_t code_count;
    size_t code_capacity;
    uint64_t *slots; /* what a frame's slots hold at entry */
    size_t slot_count;
    size_t slot_capacity;
    ptx_fill *fills;
    size_t fill_count;
    size_t fill_capacity;
    ptx_call **calls;
    size_t call_count;
    size_t call_capacity;
};

/* A .global or .const variable. Device memory is host memory, so its address is where it lies. */
typedef struct ptx_variable {
    const char *name;
    size_t name_size;
    void *allocation;
    uint64_t address;
    uint64_t size;
    ptx_space space;
} ptx_variable;

struct ptx_module {
    char *text; /* names point into it */
    ptx_function **functions;
    size_t function_count;
    size_t function_capacity;
    ptx_variable *variables; /* in order of address once loaded */
    size_t variable_count;
    size_t variable_capacity;
    uint32_t shared_size; /* of all .shared variables; a launch's dynamic shared memory follows */
};

/* ptx_reserve makes room for item number `count`, from 0, in a growing array; `items` is the address of the pointer to it. */
bool ptx_reserve(void *items, size_t count, size_t *capacity, size_t item_size);
uint64_t ptx_align(uint64_t offset, uint64_t alignment);
unsigned ptx_type_size(ptx_type type); /* in bytes; 0 for a predicate */

/* A form's mnemonic is a pattern: parts in braces may be absent, parts in angle brackets stand for a class of modifiers. Its
 * operands are a letter each, in order:
 *   d  register of the instruction's type, written     a  register, immediate or address of that type, read
 *   w  register of twice the width, written            e  the same, read
 *   x  register of the type or wider, written          y  register or immediate of the source type or wider, read
 *   D  as x, one for each element of .v2, .v4          S  as D, read
 *   p  predicate, written, or two of them "p|q"        q  predicate, read, or its negation "!p"
 *   u  32-bit value, read                              m  address "[base+offset]"
 *   U  {a, b}: the type's bits in pieces, written      P  the same, read
 *   L  label                                           C  what follows 'call' */
typedef struct ptx_form {
    const char *mnemonic;
    const char *operands;
    ptx_handler *run;
    ptx_handler *const *by_type; /* instead of run: PTX_TYPES handlers, NULL for types that have none */
} ptx_form;

typedef struct ptx_forms {
    const ptx_form *items;
    size_t count;
} ptx_forms;

extern const ptx_forms ptx_integer_forms;
extern const ptx_forms ptx_float_forms;
extern const ptx_forms ptx_convert_forms;
extern const ptx_forms ptx_move_forms;
extern const ptx_forms ptx_control_forms;

#endif
