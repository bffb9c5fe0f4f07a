/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_INTERNAL_H
#define CUSIM_PTX_INTERNAL_H

/* How PTX is held once read. Text is parsed once (parse.h) into functions of ptx_instructions; threads are then stepped through
 * them (run.h). What an instruction looks like and does is a row, a ptx_form, beside its handler in move.c, integer.c,
 * float.c, convert.c and others.
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
    PTX_F16,
    PTX_BF16,
    PTX_F16X2,
    PTX_BF16X2,
    PTX_F32,
    PTX_F32X2,
    PTX_F64,
    PTX_TF32, /* this and the following: in conversions alone */
    PTX_E4M3X2,
    PTX_E5M2X2,
    PTX_E2M1X2,
    PTX_E2M3X2,
    PTX_E3M2X2,
    PTX_UE8M0X2,
    PTX_B128, /* its registers take two slots, the lower half first */
    PTX_PREDICATE,
    PTX_TYPES
} ptx_type;

typedef enum ptx_space { PTX_GENERIC, PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM } ptx_space;

typedef enum ptx_comparison { PTX_EQ, PTX_NE, PTX_LT, PTX_LE, PTX_GT, PTX_GE, PTX_NUM, PTX_NAN } ptx_comparison;
typedef enum ptx_combination { PTX_ALONE, PTX_AND, PTX_OR, PTX_XOR } ptx_combination;
typedef enum ptx_rounding { PTX_TO_NEAREST, PTX_TO_ZERO, PTX_DOWN, PTX_UP, PTX_TO_NEAREST_AWAY } ptx_rounding;

/* A generic address in one of these windows is not device memory; no host hands out addresses that high. */
#define PTX_WINDOW_SHIFT 60
#define PTX_SHARED_WINDOW (UINT64_C(1) << PTX_WINDOW_SHIFT)
#define PTX_LOCAL_WINDOW (UINT64_C(2) << PTX_WINDOW_SHIFT)
#define PTX_PARAM_WINDOW (UINT64_C(3) << PTX_WINDOW_SHIFT)
#define PTX_CODE_WINDOW (UINT64_C(4) << PTX_WINDOW_SHIFT) /* addresses of functions: 16 times their number in the module */

/* Every frame begins with these two slots. */
#define PTX_SLOT_TRUE 0u /* holds 1: the guard of an unguarded instruction */
#define PTX_SLOT_SINK 1u /* written and never read: the operand '_' */

#define PTX_MAX_OPERANDS 16 /* eight elements written and eight read */

/* What a video instruction takes of a register: where the part begins, 256 times its width, and whether it is negated. */
#define PTX_WHOLE (UINT64_C(32) << 8)
#define PTX_NEGATED (UINT64_C(1) << 16)
#define PTX_MAX_BARRIERS 16
#define PTX_WARP_SIZE 32u

/* What the dotted parts of a mnemonic say. */
typedef struct ptx_modifiers {
    ptx_type type : 8;        /* the only, or the destination's */
    ptx_type source_type : 8; /* of cvt, set, slct */
    unsigned type_count : 4;
    unsigned vector : 4; /* 1, 2, 4 or 8 elements */
    ptx_space space : 4;
    unsigned signs : 3;  /* bit i: type i is a signed integer */
    unsigned choice : 8; /* which of the words of <a|b|c> it has, the last such part of the pattern */
    ptx_comparison comparison : 4;
    ptx_combination combination : 3;
    ptx_rounding rounding : 3;
    bool unordered : 1; /* the comparison holds of a NaN */
    bool flush : 1;     /* .ftz */
    bool saturate : 1;  /* .sat */
    bool finite : 1;    /* .satfinite */
    bool relu : 1;
    bool keeps_nan : 1;  /* .NaN */
    bool xor_sign : 1;   /* .xorsign */
    bool absolute : 1;   /* .abs */
    bool to : 1;         /* cvta.to */
    bool has_policy : 1; /* .L2::cache_hint: one more operand, which is checked and forgotten */
    bool is_strong : 1;  /* .volatile, .relaxed and stronger: one with those of other threads at a time */
    bool acquires : 1;   /* what other threads did before they released is seen after this */
    bool releases : 1;
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
    const ptx_function *function; /* NULL: operand 0 has its address */
    ptx_params returns;
    ptx_params arguments;
} ptx_call;

/* brx.idx: where it may go. */
typedef struct ptx_targets {
    uint32_t *items;
    size_t count;
    size_t capacity;
} ptx_targets;

struct ptx_instruction {
    ptx_handler *run;
    uint32_t guard; /* the slot of a predicate */
    uint32_t base;  /* of the address operand */
    uint32_t slots[PTX_MAX_OPERANDS];
    int64_t offset;  /* of the address operand */
    uint32_t target; /* of a branch: an index into the function's code; the offset of a second address operand */
    uint32_t line;
    union {
        const ptx_call *call;
        const ptx_targets *targets;
    };
    ptx_modifiers modifiers;
    bool guard_wanted : 1; /* runs if the guard holds this */
    bool narrow : 1;       /* the base register has 32 bits */
    bool narrow_second : 1;
    bool negated : 1; /* the predicate operand is '!p' */
};

/* Where an instruction comes from in the source, if the PTX says (.loc). */
typedef struct ptx_place {
    uint32_t first; /* the instruction from which on it holds */
    uint32_t file;  /* an index into the module's files */
    uint32_t line;
} ptx_place;

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
    uint32_t index;       /* in its module */
    uint32_t max_threads; /* of a block (.maxntid, .reqntid); 0: not said */
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
    ptx_targets **tables; /* of brx */
    size_t table_count;
    size_t table_capacity;
    ptx_place *places; /* in order of `first` */
    size_t place_count;
    size_t place_capacity;
    ptx_handler *service; /* instead of a body: the driver provides it, as it does vprintf */
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

/* What .file says. */
typedef struct ptx_file {
    uint64_t number;
    const char *name;
    size_t name_size;
} ptx_file;

struct ptx_module {
    char *text; /* names point into it */
    ptx_function **functions;
    size_t function_count;
    size_t function_capacity;
    ptx_variable *variables; /* in order of address once loaded */
    size_t variable_count;
    size_t variable_capacity;
    uint32_t *form_uses;  /* how many instructions have each form */
    uint32_t shared_size; /* of all .shared variables; a launch's dynamic shared memory follows */
    ptx_file *files;
    size_t file_count;
    size_t file_capacity;
};

/* ptx_reserve makes room for item number `count`, from 0, in a growing array; `items` is the address of the pointer to it. */
bool ptx_reserve(void *items, size_t count, size_t *capacity, size_t item_size);
uint64_t ptx_align(uint64_t offset, uint64_t alignment);
unsigned ptx_type_size(ptx_type type); /* in bytes; 0 for a predicate */

/* A form's mnemonic is a pattern: parts in braces may be absent, parts in angle brackets stand for one of several: words with '|'
 * between, or the name of a class of modifiers (forms.c). Its operands are a letter each, in order:
 *   d  register of the instruction's type, written     a  register, immediate or address of that type, read
 *   w  register of twice the width, written            e  the same, read
 *   x  register of the type or wider, written          y  register or immediate of the source type or wider, read
 *   D  as x, one for each element of .v2, .v4, .v8     S  as D, read
 *   p  predicate, written, or two of them "p|q"        q  predicate, read, or its negation "!p"
 *   v  32-bit register, written                        u  32-bit value, read
 *                                                      f  .f32 value, read
 *   o  predicate, written, one alone
 *   R  as v, and perhaps a predicate too: "d|p"         Q  the same, never without the predicate
 *   W  64-bit register, written                        N  64-bit value, read
 *   U  {a, b}: the type's bits in pieces, written      P  the same, read
 *   Z  as v, a part of it "r.h1", written              A  as u, perhaps a part of it "r.b0", read
 *   V  as A, and perhaps negated "-r"                  X  as u, perhaps negated, read
 *   H  as v, perhaps some of its halves "r.h10"        2  as u, perhaps two halves of a pair "r.h32"
 *   B  as v, perhaps some of its bytes "r.b20"         4  as u, perhaps four bytes of a pair "r.b7654"
 *   m  address "[base+offset]"                         n  a second one, in slots and target
 *   L  label                                           T  label of a .branchtargets
 *   C  what follows 'call' (ptx_call_address runs it, if that is a register) */
typedef struct ptx_form {
    const char *mnemonic;
    const char *operands;
    ptx_handler *run;
    ptx_handler *const *by_type; /* instead of run: PTX_TYPES handlers, NULL for types that have none */
} ptx_form;

ptx_handler ptx_call_function;
ptx_handler ptx_call_address;
ptx_handler ptx_read_special; /* of one that changes: number `offset` */

typedef struct ptx_forms {
    const ptx_form *items;
    size_t count;
} ptx_forms;

extern const ptx_forms ptx_move_forms;
extern const ptx_forms ptx_address_forms;
extern const ptx_forms ptx_atomic_forms;
extern const ptx_forms ptx_fence_forms;
extern const ptx_forms ptx_cache_forms;
extern const ptx_forms ptx_copy_forms;
extern const ptx_forms ptx_mbarrier_forms;
extern const ptx_forms ptx_integer_forms;
extern const ptx_forms ptx_predicate_forms;
extern const ptx_forms ptx_bits_forms;
extern const ptx_forms ptx_fields_forms;
extern const ptx_forms ptx_carry_forms;
extern const ptx_forms ptx_packed_forms;
extern const ptx_forms ptx_video_forms;
extern const ptx_forms ptx_lanes_forms;
extern const ptx_forms ptx_float_forms;
extern const ptx_forms ptx_order_forms;
extern const ptx_forms ptx_half_forms;
extern const ptx_forms ptx_approximate_forms;
extern const ptx_forms ptx_convert_forms;
extern const ptx_forms ptx_convert_packed_forms;
extern const ptx_forms ptx_control_forms;
extern const ptx_forms ptx_barrier_forms;
extern const ptx_forms ptx_warp_forms;

#endif
