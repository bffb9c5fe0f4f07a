/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

#include <string.h>

bool ptx_add_slot(ptx_parser *parser, uint64_t value, uint32_t *slot) {
    ptx_function *function = parser->function;
    if (!ptx_reserve(&function->slots, function->slot_count, &function->slot_capacity, sizeof *function->slots)) {
        return ptx_out_of_memory(parser);
    }
    *slot = (uint32_t)function->slot_count;
    function->slots[function->slot_count++] = value;
    return true;
}

static bool add_fill(ptx_parser *parser, ptx_fill_kind kind, uint64_t value, uint32_t *slot) {
    ptx_function *function = parser->function;
    for (size_t i = 0; i < function->fill_count; i++) {
        if (function->fills[i].kind == kind && function->fills[i].value == value) {
            *slot = function->fills[i].slot;
            return true;
        }
    }
    if (!ptx_reserve(&function->fills, function->fill_count, &function->fill_capacity, sizeof *function->fills)) {
        return ptx_out_of_memory(parser);
    }
    if (!ptx_add_slot(parser, 0, slot)) {
        return false;
    }
    function->fills[function->fill_count++] = (ptx_fill){.kind = kind, .slot = *slot, .value = value};
    return true;
}

static bool add_address_slot(ptx_parser *parser, const ptx_symbol *symbol, uint64_t offset, uint32_t *slot) {
    const uint64_t address = symbol->address + offset;
    switch (symbol->home) {
    case PTX_HOME_FRAME:
        return add_fill(parser, symbol->space == PTX_PARAM ? PTX_FILL_PARAM : PTX_FILL_LOCAL, address, slot);
    case PTX_HOME_DYNAMIC_SHARED:
        return add_fill(parser, PTX_FILL_DYNAMIC_SHARED, address, slot);
    case PTX_HOME_FIXED:
        break;
    }
    return ptx_add_slot(parser, address, slot);
}

bool ptx_fail_name(ptx_parser *parser, const ptx_token *token) {
    return ptx_fail(parser, PTX_INVALID, token->line, "'%.*s' is not declared", (int)token->size, token->text);
}

/* A special register is known to PTX if its name begins so, simulated or not. */
static bool fail_special(ptx_parser *parser, const ptx_token *token) {
    static const char *const known[] = {"%pm", "%envreg", "%current_graph"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t size = strlen(known[i]);
        if (token->size >= size && memcmp(token->text, known[i], size) == 0) {
            return ptx_fail(parser, PTX_NOT_SUPPORTED, token->line, "special register '%.*s' is not simulated", (int)token->size,
                            token->text);
        }
    }
    return ptx_fail_name(parser, token);
}

static bool read_offset(ptx_parser *parser, int64_t *offset) {
    uint64_t value = 0;
    *offset = 0;
    const bool minus = ptx_at(parser, "-");
    if (!minus && !ptx_at(parser, "+")) {
        return true;
    }
    ptx_advance(parser);
    const bool negative = ptx_accept(parser, "-") != minus;
    if (!ptx_expect_integer(parser, &value)) {
        return false;
    }
    *offset = (int64_t)(negative ? 0 - value : value);
    return true;
}

/* One that changes is read by an instruction of its own, before the one that it is an operand of. */
static bool add_special_read(ptx_parser *parser, uint32_t index, uint32_t line, uint32_t *slot) {
    if (!ptx_add_slot(parser, 0, slot)) {
        return false;
    }
    const ptx_instruction read = {
        .run = ptx_read_special, .guard = PTX_SLOT_TRUE, .guard_wanted = true, .slots = {*slot}, .offset = index, .line = line};
    return ptx_add_instruction(parser, &read);
}

static bool name_special(ptx_parser *parser, ptx_operand *named) {
    uint32_t index;
    bool changes;
    named->kind = PTX_REGISTER_OPERAND;
    if (!ptx_find_special(&named->token, &index, &named->type, &changes)) {
        return fail_special(parser, &named->token);
    }
    return changes ? add_special_read(parser, index, named->token.line, &named->slot)
                   : add_fill(parser, PTX_FILL_SPECIAL, index, &named->slot);
}

/* A function's name means its address. */
static bool name_function(ptx_operand *named, const ptx_function *function) {
    named->kind = PTX_LITERAL_OPERAND;
    named->literal = (ptx_literal){PTX_INTEGER_LITERAL, ptx_function_address(function)};
    return true;
}

/* %r1.b0: a register, and what of it a video instruction takes */
static bool name_part(ptx_parser *parser, ptx_operand *named) {
    const ptx_token *token = &named->token;
    const char *dot = memchr(token->text, '.', token->size);
    const size_t size = dot ? (size_t)(dot - token->text) : 0;
    const ptx_symbol *symbol = dot ? ptx_find_register(&parser->symbols, token->text, size, &named->slot) : NULL;
    if (!symbol) {
        return false;
    }
    named->kind = PTX_PART_OPERAND;
    named->type = symbol->type;
    named->writable = true;
    named->part = (ptx_token){.kind = PTX_TOKEN_WORD, .text = dot + 1, .size = token->size - size - 1, .line = token->line};
    return true;
}

static bool name_operand(ptx_parser *parser, ptx_operand *named) {
    const ptx_token *token = &named->token;
    const ptx_symbol *symbol = ptx_find_register(&parser->symbols, token->text, token->size, &named->slot);
    if (ptx_token_is(token, "_")) {
        *named = (ptx_operand){
            .kind = PTX_REGISTER_OPERAND, .token = *token, .slot = PTX_SLOT_SINK, .type = PTX_TYPES, .writable = true};
        return true;
    }
    if (ptx_token_is(token, "WARP_SZ")) {
        named->kind = PTX_LITERAL_OPERAND;
        named->literal = (ptx_literal){PTX_INTEGER_LITERAL, 32};
        return true;
    }
    if (symbol) {
        named->kind = PTX_REGISTER_OPERAND;
        named->type = symbol->type;
        named->writable = true;
        return true;
    }
    if (name_part(parser, named)) {
        return true;
    }
    if (token->text[0] == '%') {
        return name_special(parser, named);
    }
    symbol = ptx_find_symbol(&parser->symbols, token->text, token->size);
    named->kind = symbol && symbol->kind == PTX_VARIABLE_SYMBOL ? PTX_VARIABLE_OPERAND : PTX_NAME_OPERAND;
    const ptx_symbol *function = symbol ? NULL : ptx_find_symbol(&parser->functions, token->text, token->size);
    return !function || name_function(named, function->function);
}

static bool at_negated_word(const ptx_parser *parser) {
    ptx_lexer ahead = parser->lexer;
    ptx_token next;
    if (!ptx_at(parser, "-")) {
        return false;
    }
    ptx_next_token(&ahead, &next);
    return next.kind == PTX_TOKEN_WORD;
}

/* -%r1 */
static bool read_negated(ptx_parser *parser, ptx_operand *read) {
    ptx_advance(parser);
    read->token = parser->token;
    ptx_advance(parser);
    if (!name_operand(parser, read)) {
        return false;
    }
    if (read->kind != PTX_REGISTER_OPERAND && read->kind != PTX_PART_OPERAND) {
        return ptx_fail_name(parser, &read->token);
    }
    read->kind = PTX_PART_OPERAND;
    read->minus = true;
    return true;
}

bool ptx_read_operand(ptx_parser *parser, ptx_operand *read) {
    *read = (ptx_operand){.negated = ptx_accept(parser, "!")};
    if (!read->negated && at_negated_word(parser)) {
        return read_negated(parser, read);
    }
    read->token = parser->token;
    if (parser->token.kind != PTX_TOKEN_WORD) {
        read->kind = PTX_LITERAL_OPERAND;
        return ptx_expect_literal(parser, &read->literal);
    }
    ptx_advance(parser);
    return name_operand(parser, read);
}

/* "variable" or "variable+N" as a value, or as what an address begins with */
static bool settle_address(ptx_parser *parser, ptx_operand *named, int64_t offset) {
    const ptx_symbol *symbol = ptx_find_symbol(&parser->symbols, named->token.text, named->token.size);
    return add_address_slot(parser, symbol, (uint64_t)offset, &named->slot);
}

static bool read_address(ptx_parser *parser, ptx_operand_group *group) {
    ptx_operand *base = &group->items[0];
    group->shape = PTX_ADDRESS;
    if (!ptx_read_operand(parser, base) || !read_offset(parser, &group->offset) || !ptx_expect(parser, "]")) {
        return false;
    }
    if (base->kind == PTX_VARIABLE_OPERAND) {
        const int64_t offset = group->offset;
        group->offset = 0;
        return settle_address(parser, base, offset);
    }
    if (base->kind == PTX_NAME_OPERAND || base->kind == PTX_PART_OPERAND) {
        return ptx_fail_name(parser, &base->token);
    }
    return base->kind == PTX_REGISTER_OPERAND || ptx_add_slot(parser, base->literal.bits, &base->slot);
}

static bool read_vector(ptx_parser *parser, ptx_operand_group *group) {
    group->shape = PTX_VECTOR;
    group->count = 0;
    do {
        if (group->count == PTX_MAX_GROUP_ITEMS) {
            return ptx_fail(parser, PTX_INVALID, parser->token.line, "a vector has %d elements at most", PTX_MAX_GROUP_ITEMS);
        }
        if (!ptx_read_operand(parser, &group->items[group->count++])) {
            return false;
        }
    } while (ptx_accept(parser, ","));
    return ptx_expect(parser, "}");
}

static bool read_group(ptx_parser *parser, ptx_operand_group *group) {
    int64_t offset;
    *group = (ptx_operand_group){.shape = PTX_SINGLE, .count = 1};
    if (ptx_accept(parser, "[")) {
        return read_address(parser, group);
    }
    if (ptx_accept(parser, "{")) {
        return read_vector(parser, group);
    }
    if (!ptx_read_operand(parser, &group->items[0])) {
        return false;
    }
    if (ptx_accept(parser, "|")) {
        group->shape = PTX_PAIR;
        group->count = 2;
        return ptx_read_operand(parser, &group->items[1]);
    }
    return group->items[0].kind != PTX_VARIABLE_OPERAND ||
           (read_offset(parser, &offset) && settle_address(parser, &group->items[0], offset));
}

bool ptx_read_operands(ptx_parser *parser, ptx_operands *read) {
    read->count = 0;
    if (ptx_accept(parser, ";")) {
        return true;
    }
    do {
        if (read->count == PTX_MAX_GROUPS) {
            return ptx_fail(parser, PTX_INVALID, parser->token.line, "more than %d operands", PTX_MAX_GROUPS);
        }
        if (!read_group(parser, &read->groups[read->count++])) {
            return false;
        }
    } while (ptx_accept(parser, ","));
    return ptx_expect(parser, ";");
}
