/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef CUSIM_PTX_PARSE_H
#define CUSIM_PTX_PARSE_H

/* Reading PTX: lex.c gives tokens, symbols.c holds names, parse.c reads a module, declare.c its variables, function.c its
 * functions, operand.c and assemble.c an instruction, by the forms that forms.c finds for its mnemonic. */

#include "ptx/internal.h"

typedef enum ptx_token_kind {
    PTX_TOKEN_END,
    PTX_TOKEN_WORD,
    PTX_TOKEN_NUMBER,
    PTX_TOKEN_STRING,
    PTX_TOKEN_MARK,
    PTX_TOKEN_BAD
} ptx_token_kind;

typedef struct ptx_token {
    ptx_token_kind kind;
    const char *text; /* of a mark, the one character */
    size_t size;
    unsigned line;
} ptx_token;

typedef struct ptx_lexer {
    const char *at;
    const char *end;
    unsigned line;
} ptx_lexer;

void ptx_next_token(ptx_lexer *lexer, ptx_token *token);
bool ptx_token_is(const ptx_token *token, const char *text);

typedef enum ptx_literal_kind {
    PTX_INTEGER_LITERAL,
    PTX_F32_LITERAL,
    PTX_F64_LITERAL,
    PTX_DECIMAL_LITERAL /* a double, too */
} ptx_literal_kind;

typedef struct ptx_literal {
    ptx_literal_kind kind;
    uint64_t bits;
} ptx_literal;

bool ptx_read_literal(const ptx_token *token, ptx_literal *literal);
/* ptx_literal_bits gives what a literal is as a value of `type`. False if it cannot be one. */
bool ptx_literal_bits(const ptx_literal *literal, ptx_type type, uint64_t *bits);

typedef enum ptx_symbol_kind {
    PTX_REGISTER_SYMBOL, /* one register, or %r<count> */
    PTX_VARIABLE_SYMBOL,
    PTX_LABEL_SYMBOL,
    PTX_FUNCTION_SYMBOL
} ptx_symbol_kind;

/* Where a variable's address comes from. */
typedef enum ptx_home { PTX_HOME_FIXED, PTX_HOME_FRAME, PTX_HOME_DYNAMIC_SHARED } ptx_home;

typedef struct ptx_symbol {
    const char *text;
    size_t size;
    ptx_symbol_kind kind;
    uint32_t slot;   /* of the first register */
    uint32_t count;  /* of %r<count>; 0 for a single register */
    ptx_type type;   /* of a register */
    ptx_space space; /* of a variable */
    ptx_home home;
    uint64_t address;     /* of a variable: its address or offset */
    ptx_param param;      /* of a variable in .param space */
    uint32_t target;      /* of a label */
    ptx_targets *targets; /* of a label of .branchtargets */
    ptx_function *function;
    size_t bucket;
    size_t next; /* the symbol it hides in its bucket, counted from 1 */
} ptx_symbol;

#define PTX_SYMBOL_BUCKETS 1024

typedef struct ptx_symbols {
    ptx_symbol *items;
    size_t count;
    size_t capacity;
    size_t buckets[PTX_SYMBOL_BUCKETS];
} ptx_symbols;

/* Symbols are found innermost scope first; a scope is left by dropping all symbols after its first. */
ptx_symbol *ptx_find_symbol(const ptx_symbols *symbols, const char *text, size_t size);
ptx_symbol *ptx_add_symbol(ptx_symbols *symbols, const ptx_symbol *symbol);
void ptx_drop_symbols(ptx_symbols *symbols, size_t first);
/* ptx_find_register finds %r7 as itself or in %r<8>, and gives its slot. */
const ptx_symbol *ptx_find_register(const ptx_symbols *symbols, const char *text, size_t size, uint32_t *slot);

/* A branch to a label not seen yet. */
typedef struct ptx_pending {
    ptx_token label;
    ptx_targets *table; /* of which `instruction` is an item, or NULL */
    size_t instruction;
} ptx_pending;

typedef struct ptx_parser {
    ptx_module *module;
    unsigned architecture; /* of the device */
    ptx_lexer lexer;
    ptx_token token; /* the one to be read next */
    ptx_symbols symbols;
    ptx_symbols functions; /* these have no scope */
    size_t scope;          /* the first symbol of the innermost scope */
    unsigned depth;
    ptx_function *function;
    uint32_t local_used; /* of its frame's local memory, by the blocks being read */
    uint64_t registers;  /* of all functions */
    ptx_pending *pending;
    size_t pending_count;
    size_t pending_capacity;
    ptx_result result;
    char *log;
    size_t log_size;
} ptx_parser;

/* ptx_fail notes the first failure and returns false, which everything then returns. */
bool ptx_fail(ptx_parser *parser, ptx_result result, unsigned line, const char *format, ...) PTX_PRINTF(4, 5);
bool ptx_out_of_memory(ptx_parser *parser);
void ptx_advance(ptx_parser *parser);
bool ptx_at(const ptx_parser *parser, const char *text);
bool ptx_accept(ptx_parser *parser, const char *text);
bool ptx_expect(ptx_parser *parser, const char *text);
bool ptx_expect_word(ptx_parser *parser, ptx_token *word);
bool ptx_expect_integer(ptx_parser *parser, uint64_t *value);
bool ptx_expect_literal(ptx_parser *parser, ptx_literal *literal); /* with its sign */
bool ptx_add_param(ptx_parser *parser, ptx_params *params, const ptx_param *param);

void ptx_free_function(ptx_function *function);
uint64_t ptx_function_address(const ptx_function *function);
bool ptx_parse_module(ptx_parser *parser);

bool ptx_fail_expected(ptx_parser *parser, const char *what);
bool ptx_fail_name(ptx_parser *parser, const ptx_token *name); /* it is not declared */
bool ptx_fail_unknown_directive(ptx_parser *parser);
bool ptx_skip_line(ptx_parser *parser);
bool ptx_skip_statement(ptx_parser *parser); /* up to and with its ';' */

/* Declarations, from after their directive. */
bool ptx_parse_type(ptx_parser *parser, ptx_type *type);
bool ptx_parse_params(ptx_parser *parser, ptx_function *function, ptx_params *params);
bool ptx_parse_frame_variable(ptx_parser *parser, ptx_space space);
bool ptx_parse_shared_variable(ptx_parser *parser);
bool ptx_parse_variable(ptx_parser *parser, ptx_space space, bool is_extern);
bool ptx_declare(ptx_parser *parser, const ptx_symbol *symbol, const ptx_token *name);
bool ptx_parse_function(ptx_parser *parser, bool is_entry);

#define PTX_MAX_GROUPS 8
#define PTX_MAX_GROUP_ITEMS 8

typedef enum ptx_operand_kind {
    PTX_REGISTER_OPERAND, /* a special one too */
    PTX_LITERAL_OPERAND,
    PTX_PART_OPERAND,     /* a part of a register, or its negative */
    PTX_VARIABLE_OPERAND, /* a variable's name */
    PTX_NAME_OPERAND      /* unknown: may be a label */
} ptx_operand_kind;

typedef struct ptx_operand {
    ptx_operand_kind kind;
    ptx_token token;
    uint32_t slot;
    ptx_type type;
    bool writable;
    bool negated;   /* !p */
    bool minus;     /* -r */
    ptx_token part; /* what follows the '.' of "r.b0"; of size 0 if nothing */
    ptx_literal literal;
} ptx_operand;

typedef enum ptx_group_shape { PTX_SINGLE, PTX_VECTOR, PTX_PAIR, PTX_ADDRESS } ptx_group_shape;

typedef struct ptx_operand_group {
    ptx_group_shape shape;
    unsigned count;
    ptx_operand items[PTX_MAX_GROUP_ITEMS];
    int64_t offset; /* of an address */
} ptx_operand_group;

typedef struct ptx_operands {
    size_t count;
    ptx_operand_group groups[PTX_MAX_GROUPS];
} ptx_operands;

bool ptx_read_operand(ptx_parser *parser, ptx_operand *read);
/* ptx_read_operands reads all of an instruction, up to and with its ';'. */
bool ptx_read_operands(ptx_parser *parser, ptx_operands *read);

/* ptx_part_bits gives what video instructions take of a register, which may be all of it, as the slot after that of the register
 * holds it (part.c). `letter` is the operand's in its form; `is_second`: of the two sources. False: not what it may be. */
bool ptx_part_bits(const ptx_operand *given, char letter, bool is_second, uint64_t *bits);

/* ptx_assemble reads one instruction, up to and with its ';', into the current function. */
bool ptx_assemble(ptx_parser *parser);
bool ptx_add_instruction(ptx_parser *parser, const ptx_instruction *instruction);
bool ptx_add_slot(ptx_parser *parser, uint64_t value, uint32_t *slot);
bool ptx_resolve_pending(ptx_parser *parser, size_t first);

bool ptx_find_type(const char *text, size_t size, ptx_type *type);

/* ptx_next_form gives the first form after `previous` (NULL: of all) that a mnemonic matches, and what its parts say. */
const ptx_form *ptx_next_form(const ptx_form *previous, const ptx_token *mnemonic, ptx_modifiers *modifiers);
/* Forms are numbered from 0 in the order they are searched in; there is none at the number after the last. */
const ptx_form *ptx_form_at(size_t index);
size_t ptx_form_index(const ptx_form *form);
/* ptx_matches says whether a mnemonic matches a pattern that has no braces; ".*" in it stands for any number of parts. */
bool ptx_matches(const char *pattern, const ptx_token *mnemonic);
/* ptx_is_excluded says, of a mnemonic that matches a form, whether PTX has it not. */
bool ptx_is_excluded(const ptx_token *mnemonic);
/* ptx_is_instruction says whether PTX has an instruction that begins so, simulated or not. */
bool ptx_is_instruction(const ptx_token *mnemonic);

/* ptx_find_special gives the index of a special register, its type, and whether it changes while a thread runs. */
bool ptx_find_special(const ptx_token *name, uint32_t *index, ptx_type *type, bool *changes);

#endif
