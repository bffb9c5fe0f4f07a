/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ALIGNMENT 65536u

/* CUDA's limits for compute capability 9.0, except for .global and for .shared, which is laid out for a whole module. */
static const uint64_t space_limits[] = {
    [PTX_GLOBAL] = UINT64_C(1) << 30,   [PTX_CONST] = 65536, [PTX_SHARED] = UINT64_C(1) << 28,
    [PTX_LOCAL] = UINT64_C(512) * 1024, [PTX_PARAM] = 32764,
};

bool ptx_add_param(ptx_parser *parser, ptx_params *params, const ptx_param *param) {
    if (!ptx_reserve(&params->items, params->count, &params->capacity, sizeof *params->items)) {
        return ptx_out_of_memory(parser);
    }
    params->items[params->count++] = *param;
    return true;
}

bool ptx_declare(ptx_parser *parser, const ptx_symbol *symbol, const ptx_token *name) {
    const ptx_symbol *same = ptx_find_symbol(&parser->symbols, name->text, name->size);
    if (same && (size_t)(same - parser->symbols.items) >= parser->scope) {
        return ptx_fail(parser, PTX_INVALID, name->line, "'%.*s' is declared twice", (int)name->size, name->text);
    }
    ptx_symbol named = *symbol;
    named.text = name->text;
    named.size = name->size;
    return ptx_add_symbol(&parser->symbols, &named) || ptx_out_of_memory(parser);
}

typedef struct declaration {
    ptx_token name;
    ptx_type type;
    uint64_t element_size;
    uint64_t alignment;
    uint64_t size;
    bool unsized; /* "name[]" */
} declaration;

static bool parse_alignment(ptx_parser *parser, uint64_t *alignment) {
    if (!ptx_expect_integer(parser, alignment)) {
        return false;
    }
    if (*alignment == 0 || *alignment > MAX_ALIGNMENT || (*alignment & (*alignment - 1))) {
        return ptx_fail(parser, PTX_INVALID, parser->token.line, "an alignment must be a power of two, 65536 at most");
    }
    return true;
}

bool ptx_parse_type(ptx_parser *parser, ptx_type *type) {
    ptx_token word;
    if (!ptx_expect_word(parser, &word)) {
        return false;
    }
    if (word.text[0] != '.' || !ptx_find_type(word.text + 1, word.size - 1, type)) {
        return ptx_fail(parser, PTX_NOT_SUPPORTED, word.line, "'%.*s' is not simulated here", (int)word.size, word.text);
    }
    return true;
}

static uint64_t accept_vector(ptx_parser *parser) {
    if (ptx_accept(parser, ".v2")) {
        return 2;
    }
    return ptx_accept(parser, ".v4") ? 4 : 1;
}

/* What a pointer parameter points to: advice only. */
static bool skip_pointer_advice(ptx_parser *parser) {
    uint64_t alignment;
    if (!ptx_accept(parser, ".ptr")) {
        return true;
    }
    static const char *const spaces[] = {".global", ".const", ".shared", ".local"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        ptx_accept(parser, spaces[i]);
    }
    return !ptx_accept(parser, ".align") || parse_alignment(parser, &alignment);
}

static bool parse_dimensions(ptx_parser *parser, declaration *declared) {
    while (ptx_accept(parser, "[")) {
        uint64_t count = 0;
        if (ptx_accept(parser, "]")) {
            declared->unsized = true;
            continue;
        }
        if (!ptx_expect_integer(parser, &count) || !ptx_expect(parser, "]")) {
            return false;
        }
        if (count > UINT32_MAX || declared->size > UINT32_MAX) {
            return ptx_fail(parser, PTX_INVALID, declared->name.line, "'%.*s' is too large", (int)declared->name.size,
                            declared->name.text);
        }
        declared->size *= count;
    }
    return true;
}

/* .attribute(.managed): all device memory is the host's too. */
static bool skip_attribute(ptx_parser *parser) {
    if (!ptx_accept(parser, ".attribute")) {
        return true;
    }
    return ptx_expect(parser, "(") && ptx_expect(parser, ".managed") && ptx_expect(parser, ")");
}

/* [.attribute(.managed)] [.align N] [.v2] .type [.ptr ...] name [dimensions] */
static bool parse_declaration(ptx_parser *parser, declaration *declared) {
    uint64_t alignment = 0;
    *declared = (declaration){0};
    if (!skip_attribute(parser)) {
        return false;
    }
    if (ptx_accept(parser, ".align") && !parse_alignment(parser, &alignment)) {
        return false;
    }
    const uint64_t elements = accept_vector(parser);
    if (!ptx_parse_type(parser, &declared->type) || !skip_pointer_advice(parser) || !ptx_expect_word(parser, &declared->name)) {
        return false;
    }
    if (declared->type == PTX_PREDICATE) {
        return ptx_fail(parser, PTX_INVALID, declared->name.line, "a predicate has no place in memory");
    }
    declared->element_size = ptx_type_size(declared->type);
    declared->size = declared->element_size * elements;
    declared->alignment = alignment ? alignment : declared->size;
    return parse_dimensions(parser, declared);
}

/* Takes `declared` up in a space that so far has *used bytes. */
static bool lay_out(ptx_parser *parser, const declaration *declared, ptx_space space, uint32_t *used, uint64_t *offset) {
    *offset = ptx_align(*used, declared->alignment);
    if (declared->size > space_limits[space] || *offset + declared->size > space_limits[space]) {
        return ptx_fail(parser, PTX_INVALID, declared->name.line, "'%.*s' does not fit its space's %llu bytes",
                        (int)declared->name.size, declared->name.text, (unsigned long long)space_limits[space]);
    }
    *used = (uint32_t)(*offset + declared->size);
    return true;
}

/* Blocks that follow each other share the frame's memory. */
static bool lay_out_in_frame(ptx_parser *parser, ptx_function *function, const declaration *declared, uint64_t *offset) {
    if (!lay_out(parser, declared, PTX_LOCAL, &parser->local_used, offset)) {
        return false;
    }
    if (function->local_size < parser->local_used) {
        function->local_size = parser->local_used;
    }
    return true;
}

static ptx_param param_of(const declaration *declared, uint64_t offset) {
    return (ptx_param){(uint32_t)offset, (uint32_t)declared->size};
}

/* A parameter of an .entry lies in the launch's parameter space, that of a .func in its frame. */
static bool parse_param(ptx_parser *parser, ptx_function *function, ptx_params *params) {
    declaration declared;
    uint64_t offset;
    if (ptx_at(parser, ".reg")) {
        return ptx_fail(parser, PTX_NOT_SUPPORTED, parser->token.line, "a parameter in a register is not simulated");
    }
    if (!ptx_expect(parser, ".param") || !parse_declaration(parser, &declared)) {
        return false;
    }
    if (!(function->is_entry ? lay_out(parser, &declared, PTX_PARAM, &params->size, &offset)
                             : lay_out_in_frame(parser, function, &declared, &offset))) {
        return false;
    }
    const ptx_symbol symbol = {.kind = PTX_VARIABLE_SYMBOL,
                               .space = PTX_PARAM,
                               .home = function->is_entry ? PTX_HOME_FIXED : PTX_HOME_FRAME,
                               .address = function->is_entry ? PTX_PARAM_WINDOW + offset : offset,
                               .param = param_of(&declared, offset)};
    return ptx_add_param(parser, params, &symbol.param) && ptx_declare(parser, &symbol, &declared.name);
}

bool ptx_parse_params(ptx_parser *parser, ptx_function *function, ptx_params *params) {
    if (!ptx_accept(parser, "(") || ptx_accept(parser, ")")) {
        return true;
    }
    do {
        if (!parse_param(parser, function, params)) {
            return false;
        }
    } while (ptx_accept(parser, ","));
    return ptx_expect(parser, ")");
}

/* .local, and .param outside a function's head */
bool ptx_parse_frame_variable(ptx_parser *parser, ptx_space space) {
    declaration declared;
    uint64_t offset;
    if (!parse_declaration(parser, &declared) || !ptx_expect(parser, ";") ||
        !lay_out_in_frame(parser, parser->function, &declared, &offset)) {
        return false;
    }
    const ptx_symbol symbol = {.kind = PTX_VARIABLE_SYMBOL,
                               .space = space,
                               .home = PTX_HOME_FRAME,
                               .address = offset,
                               .param = param_of(&declared, offset)};
    return ptx_declare(parser, &symbol, &declared.name);
}

bool ptx_parse_shared_variable(ptx_parser *parser) {
    declaration declared;
    ptx_symbol symbol = {.kind = PTX_VARIABLE_SYMBOL, .space = PTX_SHARED};
    if (!parse_declaration(parser, &declared) || !ptx_expect(parser, ";")) {
        return false;
    }
    if (declared.unsized) {
        symbol.home = PTX_HOME_DYNAMIC_SHARED;
    } else if (!lay_out(parser, &declared, PTX_SHARED, &parser->module->shared_size, &symbol.address)) {
        return false;
    }
    return ptx_declare(parser, &symbol, &declared.name);
}

/* ---- .global and .const ---- */

static ptx_variable *allocate_variable(ptx_parser *parser, const declaration *declared, ptx_space space) {
    ptx_module *module = parser->module;
    if (!ptx_reserve(&module->variables, module->variable_count, &module->variable_capacity, sizeof *module->variables)) {
        return NULL;
    }
    void *allocation = calloc(1, (size_t)(declared->size + declared->alignment));
    if (!allocation) {
        return NULL;
    }
    ptx_variable *variable = &module->variables[module->variable_count++];
    const uint64_t address = ptx_align((uint64_t)(uintptr_t)allocation, declared->alignment);
    *variable = (ptx_variable){.name = declared->name.text,
                               .name_size = declared->name.size,
                               .allocation = allocation,
                               .address = address,
                               .size = declared->size,
                               .space = space};
    return variable;
}

/* Of a variable or a function. */
static bool find_address(ptx_parser *parser, const ptx_token *name, uint64_t *address) {
    const ptx_symbol *variable = ptx_find_symbol(&parser->symbols, name->text, name->size);
    const ptx_symbol *function = ptx_find_symbol(&parser->functions, name->text, name->size);
    if (variable && variable->kind == PTX_VARIABLE_SYMBOL && variable->home == PTX_HOME_FIXED) {
        *address = variable->address;
    } else if (!variable && function) {
        *address = ptx_function_address(function->function);
    } else {
        return false;
    }
    return true;
}

/* variable, variable+N, generic(variable), generic(variable)+N, function */
static bool parse_address_value(ptx_parser *parser, uint64_t *value) {
    ptx_token name;
    uint64_t addend = 0;
    const bool generic = ptx_accept(parser, "generic");
    if ((generic && !ptx_expect(parser, "(")) || !ptx_expect_word(parser, &name) || (generic && !ptx_expect(parser, ")"))) {
        return false;
    }
    if (!find_address(parser, &name, value)) {
        return ptx_fail(parser, PTX_NOT_SUPPORTED, name.line, "the address of '%.*s' as an initial value is not simulated",
                        (int)name.size, name.text);
    }
    if (ptx_accept(parser, "+") && !ptx_expect_integer(parser, &addend)) {
        return false;
    }
    *value += addend;
    return true;
}

/* 0xFF00(generic(variable)): the byte of the address that the mask shows */
static bool parse_masked_address(ptx_parser *parser, uint64_t mask, uint64_t *value) {
    if (!ptx_expect(parser, "(") || !parse_address_value(parser, value)) {
        return false;
    }
    for (*value &= mask; mask && !(mask & 1); mask >>= 1) {
        *value >>= 1;
    }
    return ptx_expect(parser, ")");
}

static bool parse_initial_value(ptx_parser *parser, ptx_type type, uint64_t *value) {
    ptx_literal literal;
    if (parser->token.kind == PTX_TOKEN_WORD) {
        return parse_address_value(parser, value);
    }
    const unsigned line = parser->token.line;
    if (!ptx_expect_literal(parser, &literal)) {
        return false;
    }
    if (literal.kind == PTX_INTEGER_LITERAL && ptx_at(parser, "(")) {
        return parse_masked_address(parser, literal.bits, value);
    }
    return ptx_literal_bits(&literal, type, value) ||
           ptx_fail(parser, PTX_INVALID, line, "the initial value is not of the variable's type");
}

static bool parse_one_initial_value(ptx_parser *parser, const declaration *declared, const ptx_variable *variable,
                                    uint64_t offset) {
    uint64_t value;
    if (ptx_at(parser, "{")) {
        return ptx_fail(parser, PTX_NOT_SUPPORTED, parser->token.line, "nested initial values are not simulated");
    }
    if (offset + declared->element_size > declared->size) {
        return ptx_fail(parser, PTX_INVALID, parser->token.line, "more initial values than '%.*s' holds", (int)declared->name.size,
                        declared->name.text);
    }
    if (!parse_initial_value(parser, declared->type, &value)) {
        return false;
    }
    memcpy((unsigned char *)(uintptr_t)variable->address + offset, &value,
           declared->element_size < sizeof value ? (size_t)declared->element_size : sizeof value);
    return true;
}

static bool parse_initial_values(ptx_parser *parser, const declaration *declared, const ptx_variable *variable) {
    uint64_t offset = 0;
    if (!ptx_accept(parser, "{")) {
        return parse_one_initial_value(parser, declared, variable, 0);
    }
    do {
        if (!parse_one_initial_value(parser, declared, variable, offset)) {
            return false;
        }
        offset += declared->element_size;
    } while (ptx_accept(parser, ","));
    return ptx_expect(parser, "}");
}

bool ptx_parse_variable(ptx_parser *parser, ptx_space space, bool is_extern) {
    declaration declared;
    uint32_t used = 0;
    uint64_t offset;
    if (!parse_declaration(parser, &declared) || !lay_out(parser, &declared, space, &used, &offset)) {
        return false;
    }
    if (is_extern && ptx_find_symbol(&parser->symbols, declared.name.text, declared.name.size)) {
        return ptx_expect(parser, ";"); /* linked with what defines it */
    }
    if (is_extern || declared.unsized) {
        return ptx_fail(parser, PTX_INVALID, declared.name.line, "variable '%.*s' is defined nowhere in this module",
                        (int)declared.name.size, declared.name.text);
    }
    const ptx_variable *variable = allocate_variable(parser, &declared, space);
    if (!variable) {
        return ptx_out_of_memory(parser);
    }
    const ptx_symbol symbol = {.kind = PTX_VARIABLE_SYMBOL, .space = space, .address = variable->address};
    return ptx_declare(parser, &symbol, &declared.name) &&
           (!ptx_accept(parser, "=") || parse_initial_values(parser, &declared, variable)) && ptx_expect(parser, ";");
}
