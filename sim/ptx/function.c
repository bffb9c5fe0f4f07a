/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SCOPE_DEPTH 64u
#define SPARE_REGISTERS (UINT64_C(1) << 20)

static bool add_slots(ptx_parser *parser, uint64_t count, uint32_t *first) {
    *first = (uint32_t)parser->function->slot_count;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t slot;
        if (!ptx_add_slot(parser, 0, &slot)) {
            return false;
        }
    }
    return true;
}

/* "%r<1000000>" is short but takes memory: beyond a spare million, a module has no more registers than its text could name. */
static bool count_registers(ptx_parser *parser, const ptx_token *name, uint64_t count) {
    const uint64_t limit = SPARE_REGISTERS + (uint64_t)(parser->lexer.end - parser->module->text);
    if (count > limit || parser->registers + count > limit) {
        return ptx_fail(parser, PTX_INVALID, name->line, "more registers than a module of this size may have");
    }
    parser->registers += count;
    return true;
}

/* %name or %name<count> */
static bool parse_register(ptx_parser *parser, ptx_type type) {
    ptx_token name;
    uint64_t count = 0;
    ptx_symbol symbol = {.kind = PTX_REGISTER_SYMBOL, .type = type};
    if (!ptx_expect_word(parser, &name)) {
        return false;
    }
    if (ptx_accept(parser, "<") && (!ptx_expect_integer(parser, &count) || !ptx_expect(parser, ">"))) {
        return false;
    }
    symbol.count = (uint32_t)count;
    count = count ? count : 1;
    return count_registers(parser, &name, count) && add_slots(parser, count * (type == PTX_B128 ? 2 : 1), &symbol.slot) &&
           ptx_declare(parser, &symbol, &name);
}

static bool parse_registers(ptx_parser *parser) {
    ptx_type type;
    if (!ptx_parse_type(parser, &type)) {
        return false;
    }
    do {
        if (!parse_register(parser, type)) {
            return false;
        }
    } while (ptx_accept(parser, ","));
    return ptx_expect(parser, ";");
}

static bool is_label(const ptx_parser *parser) {
    ptx_lexer ahead = parser->lexer;
    ptx_token next;
    ptx_next_token(&ahead, &next);
    return parser->token.kind == PTX_TOKEN_WORD && ptx_token_is(&next, ":");
}

static ptx_targets *add_table(ptx_parser *parser) {
    ptx_function *function = parser->function;
    ptx_targets *table = calloc(1, sizeof *table);
    if (!table || !ptx_reserve(&function->tables, function->table_count, &function->table_capacity, sizeof(ptx_targets *))) {
        free(table);
        ptx_out_of_memory(parser);
        return NULL;
    }
    function->tables[function->table_count++] = table;
    return table;
}

/* A label of the function, which may come later. */
static bool add_target(ptx_parser *parser, ptx_targets *table) {
    ptx_pending pending = {.table = table, .instruction = table->count};
    if (!ptx_expect_word(parser, &pending.label)) {
        return false;
    }
    if (!ptx_reserve(&table->items, table->count, &table->capacity, sizeof *table->items) ||
        !ptx_reserve(&parser->pending, parser->pending_count, &parser->pending_capacity, sizeof *parser->pending)) {
        return ptx_out_of_memory(parser);
    }
    table->items[table->count++] = 0;
    parser->pending[parser->pending_count++] = pending;
    return true;
}

static bool parse_branch_targets(ptx_parser *parser, ptx_targets *table) {
    if (!table) {
        return false;
    }
    do {
        if (!add_target(parser, table)) {
            return false;
        }
    } while (ptx_accept(parser, ","));
    return ptx_expect(parser, ";");
}

/* "name:", and what may follow it: where brx.idx goes, or what is called through a register, which the call itself says too. */
static bool parse_label(ptx_parser *parser) {
    const ptx_token name = parser->token;
    ptx_symbol symbol = {.kind = PTX_LABEL_SYMBOL, .target = (uint32_t)parser->function->code_count};
    ptx_advance(parser);
    ptx_advance(parser);
    if (ptx_accept(parser, ".branchtargets")) {
        symbol.targets = add_table(parser);
        return parse_branch_targets(parser, symbol.targets) && ptx_declare(parser, &symbol, &name);
    }
    if (ptx_at(parser, ".calltargets") || ptx_at(parser, ".callprototype")) {
        return ptx_skip_statement(parser) && ptx_declare(parser, &symbol, &name);
    }
    return ptx_declare(parser, &symbol, &name);
}

/* .loc file line column ... */
static bool parse_location(ptx_parser *parser) {
    ptx_function *function = parser->function;
    const ptx_token directive = parser->token;
    uint64_t numbers[2] = {0};
    ptx_advance(parser);
    for (size_t i = 0; i < 2; i++) {
        if (parser->token.line != directive.line) {
            return ptx_fail(parser, PTX_INVALID, directive.line, "'.loc' needs a file and a line");
        }
        if (!ptx_expect_integer(parser, &numbers[i])) {
            return false;
        }
    }
    if (!ptx_reserve(&function->places, function->place_count, &function->place_capacity, sizeof *function->places)) {
        return ptx_out_of_memory(parser);
    }
    function->places[function->place_count++] =
        (ptx_place){.first = (uint32_t)function->code_count, .file = (uint32_t)numbers[0], .line = (uint32_t)numbers[1]};
    return parser->token.line != directive.line || ptx_skip_line(parser);
}

static bool parse_block(ptx_parser *parser);

static bool parse_body_directive(ptx_parser *parser) {
    if (ptx_at(parser, ".loc")) {
        return parse_location(parser);
    }
    if (ptx_at(parser, ".pragma")) {
        return ptx_skip_statement(parser);
    }
    if (ptx_accept(parser, ".reg")) {
        return parse_registers(parser);
    }
    if (ptx_accept(parser, ".local")) {
        return ptx_parse_frame_variable(parser, PTX_LOCAL);
    }
    if (ptx_accept(parser, ".param")) {
        return ptx_parse_frame_variable(parser, PTX_PARAM);
    }
    if (ptx_accept(parser, ".shared")) {
        return ptx_parse_shared_variable(parser);
    }
    return ptx_fail_unknown_directive(parser);
}

static bool parse_statement(ptx_parser *parser) {
    if (parser->token.kind == PTX_TOKEN_END) {
        return ptx_fail_expected(parser, "'}'");
    }
    if (ptx_at(parser, "{")) {
        return parse_block(parser);
    }
    if (is_label(parser)) {
        return parse_label(parser);
    }
    if (parser->token.kind == PTX_TOKEN_WORD && parser->token.text[0] == '.') {
        return parse_body_directive(parser);
    }
    return ptx_assemble(parser);
}

static bool parse_statements(ptx_parser *parser) {
    while (!ptx_at(parser, "}")) {
        if (parser->result != PTX_OK || !parse_statement(parser)) {
            return false;
        }
    }
    return ptx_expect(parser, "}");
}

/* A block has its own registers, variables and labels. */
static bool parse_block(ptx_parser *parser) {
    const size_t outer = parser->scope;
    const size_t pending = parser->pending_count;
    const uint32_t local_used = parser->local_used;
    if (parser->depth == MAX_SCOPE_DEPTH) {
        return ptx_fail(parser, PTX_INVALID, parser->token.line, "blocks nested deeper than %u", MAX_SCOPE_DEPTH);
    }
    parser->depth++;
    parser->scope = parser->symbols.count;
    const bool parsed = ptx_expect(parser, "{") && parse_statements(parser) && ptx_resolve_pending(parser, pending);
    ptx_drop_symbols(&parser->symbols, parser->scope);
    parser->scope = outer;
    parser->local_used = local_used;
    parser->depth--;
    return parsed;
}

static bool finish_body(ptx_parser *parser) {
    const ptx_token end = {.kind = PTX_TOKEN_WORD, .text = "ret", .size = 3};
    ptx_instruction instruction = {.guard = PTX_SLOT_TRUE, .guard_wanted = 1, .line = parser->token.line};
    instruction.run = ptx_next_form(NULL, &end, &instruction.modifiers)->run;
    if (parser->pending_count) {
        const ptx_token *label = &parser->pending[0].label;
        return ptx_fail(parser, PTX_INVALID, label->line, "there is no label '%.*s'", (int)label->size, label->text);
    }
    return ptx_add_instruction(parser, &instruction);
}

/* The body may run off its end: a return is put there. */
static bool parse_body(ptx_parser *parser, ptx_function *function) {
    uint32_t slot;
    parser->function = function;
    parser->pending_count = 0;
    function->has_body = true;
    const bool parsed =
        ptx_add_slot(parser, 1, &slot) && ptx_add_slot(parser, 0, &slot) && parse_block(parser) && finish_body(parser);
    parser->function = NULL;
    return parsed;
}

/* ---- functions ---- */

static bool same_params(const ptx_params *a, const ptx_params *b) {
    if (a->count != b->count) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (a->items[i].size != b->items[i].size || a->items[i].offset != b->items[i].offset) {
            return false;
        }
    }
    return true;
}

static bool register_function(ptx_parser *parser, ptx_function *function) {
    ptx_module *module = parser->module;
    const ptx_symbol symbol = {
        .text = function->name, .size = function->name_size, .kind = PTX_FUNCTION_SYMBOL, .function = function};
    if (!ptx_reserve(&module->functions, module->function_count, &module->function_capacity, sizeof(ptx_function *))) {
        ptx_free_function(function);
        return ptx_out_of_memory(parser);
    }
    function->index = (uint32_t)module->function_count;
    module->functions[module->function_count++] = function;
    return ptx_add_symbol(&parser->functions, &symbol) || ptx_out_of_memory(parser);
}

/* Replaces *function by what an earlier declaration of the same name made, so that calls of it find the body. */
static bool merge_function(ptx_parser *parser, ptx_function **function, const ptx_token *name, bool defines) {
    ptx_function *later = *function;
    const ptx_symbol *symbol = ptx_find_symbol(&parser->functions, name->text, name->size);
    if (!symbol) {
        return register_function(parser, later);
    }
    ptx_function *earlier = symbol->function;
    const bool same = earlier->is_entry == later->is_entry && same_params(&earlier->returns, &later->returns) &&
                      same_params(&earlier->parameters, &later->parameters);
    ptx_free_function(later);
    *function = earlier;
    if (!same) {
        return ptx_fail(parser, PTX_INVALID, name->line, "'%.*s' is declared twice, differently", (int)name->size, name->text);
    }
    return !(earlier->has_body && defines) ||
           ptx_fail(parser, PTX_INVALID, name->line, "'%.*s' is defined twice", (int)name->size, name->text);
}

/* .maxntid 256, or up to three numbers: how many threads a block may have. */
static bool parse_numbers(ptx_parser *parser, uint64_t *product) {
    *product = 1;
    while (parser->token.kind == PTX_TOKEN_NUMBER) {
        uint64_t number;
        if (!ptx_expect_integer(parser, &number)) {
            return false;
        }
        *product = number > UINT16_MAX || *product > UINT16_MAX ? UINT16_MAX : *product * number;
        ptx_accept(parser, ",");
    }
    return true;
}

static bool accept_thread_limit(ptx_parser *parser) {
    return ptx_accept(parser, ".maxntid") || ptx_accept(parser, ".reqntid");
}

static bool accept_advice(ptx_parser *parser) {
    static const char *const advice[] = {".minnctapersm", ".maxnctapersm", ".maxnreg", ".noreturn"};
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        if (ptx_accept(parser, advice[i])) {
            return true;
        }
    }
    return false;
}

/* Between a function's head and its body. */
static bool parse_performance_directives(ptx_parser *parser, ptx_function *function) {
    for (;;) {
        uint64_t product;
        if (accept_thread_limit(parser)) {
            if (!parse_numbers(parser, &product)) {
                return false;
            }
            function->max_threads = (uint32_t)product;
        } else if (accept_advice(parser)) {
            if (!parse_numbers(parser, &product)) {
                return false;
            }
        } else if (!ptx_at(parser, ".pragma")) {
            return true;
        } else if (!ptx_skip_statement(parser)) {
            return false;
        }
    }
}

static bool parse_head(ptx_parser *parser, ptx_function *function, ptx_token *name) {
    if (!function->is_entry && !ptx_parse_params(parser, function, &function->returns)) {
        return false;
    }
    if (!ptx_expect_word(parser, name) || !ptx_parse_params(parser, function, &function->parameters)) {
        return false;
    }
    function->name = name->text;
    function->name_size = name->size;
    return parse_performance_directives(parser, function);
}

static bool parse_function_in_scope(ptx_parser *parser, bool is_entry) {
    ptx_token name;
    ptx_function *function = calloc(1, sizeof *function);
    if (!function) {
        return ptx_out_of_memory(parser);
    }
    function->module = parser->module;
    function->is_entry = is_entry;
    if (!parse_head(parser, function, &name)) {
        ptx_free_function(function);
        return false;
    }
    const bool defines = !ptx_at(parser, ";");
    if (!merge_function(parser, &function, &name, defines)) {
        return false;
    }
    return defines ? (ptx_at(parser, "{") ? parse_body(parser, function) : ptx_fail_unknown_directive(parser))
                   : ptx_expect(parser, ";");
}

bool ptx_parse_function(ptx_parser *parser, bool is_entry) {
    const size_t outer = parser->scope;
    parser->scope = parser->symbols.count;
    parser->local_used = 0;
    const bool parsed = parse_function_in_scope(parser, is_entry);
    ptx_drop_symbols(&parser->symbols, parser->scope);
    parser->scope = outer;
    return parsed;
}
