/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

/* An instruction being made, and how many of its slots are taken. */
typedef struct making {
    ptx_parser *parser;
    ptx_instruction *instruction;
    size_t slot_count;
} making;

static bool take_slot(making *made, uint32_t slot) {
    if (made->slot_count == PTX_MAX_OPERANDS) {
        return false;
    }
    made->instruction->slots[made->slot_count++] = slot;
    return true;
}

static bool fits(const ptx_operand *given, unsigned size, bool wider) {
    if (given->type == PTX_TYPES) {
        return true;
    }
    const unsigned own = ptx_type_size(given->type);
    return given->type != PTX_PREDICATE && (own == size || (wider && own > size));
}

static bool take_destination(making *made, const ptx_operand *given, unsigned size, bool wider) {
    return given->kind == PTX_REGISTER_OPERAND && given->writable && !given->negated && fits(given, size, wider) &&
           take_slot(made, given->slot);
}

static bool take_predicate_destination(making *made, const ptx_operand *given) {
    const bool is_predicate = given->type == PTX_PREDICATE || given->type == PTX_TYPES;
    return given->kind == PTX_REGISTER_OPERAND && given->writable && !given->negated && is_predicate &&
           take_slot(made, given->slot);
}

static bool take_literal(making *made, const ptx_literal *literal, ptx_type type) {
    uint64_t bits;
    uint32_t slot;
    return ptx_literal_bits(literal, type, &bits) && ptx_add_slot(made->parser, bits, &slot) && take_slot(made, slot);
}

static bool take_source(making *made, const ptx_operand *given, ptx_type type, unsigned size, bool wider) {
    if (given->negated || given->slot == PTX_SLOT_SINK) {
        return false;
    }
    switch (given->kind) {
    case PTX_REGISTER_OPERAND:
        return fits(given, size, wider) && take_slot(made, given->slot);
    case PTX_LITERAL_OPERAND:
        return type != PTX_B128 && take_literal(made, &given->literal, type);
    case PTX_VARIABLE_OPERAND:
        return type != PTX_B128 && size >= 4 && take_slot(made, given->slot);
    case PTX_PART_OPERAND:
    case PTX_NAME_OPERAND:
        break;
    }
    return false;
}

/* A register or value of 32 bits, and in the slot after it what is taken of it. */
static bool take_part(making *made, const ptx_operand *given, char letter, bool written) {
    ptx_operand whole = *given;
    uint64_t bits;
    uint32_t slot;
    if (given->kind == PTX_PART_OPERAND) {
        whole.kind = PTX_REGISTER_OPERAND;
    }
    return ptx_part_bits(given, letter, made->slot_count > 2, &bits) &&
           (written ? take_destination(made, &whole, 4, false) : take_source(made, &whole, PTX_U32, 4, false)) &&
           ptx_add_slot(made->parser, bits, &slot) && take_slot(made, slot);
}

static bool take_predicate_source(making *made, const ptx_operand *given) {
    if (given->kind == PTX_LITERAL_OPERAND) {
        return take_literal(made, &given->literal, PTX_PREDICATE);
    }
    made->instruction->negated = given->negated;
    return given->kind == PTX_REGISTER_OPERAND && given->type == PTX_PREDICATE && take_slot(made, given->slot);
}

/* Instructions on predicates have the same forms as those on bits. */
static bool take_typed(making *made, const ptx_operand *given, bool written) {
    const ptx_type type = made->instruction->modifiers.type;
    if (type == PTX_PREDICATE) {
        return written ? take_predicate_destination(made, given) : !given->negated && take_predicate_source(made, given);
    }
    return written ? take_destination(made, given, ptx_type_size(type), false)
                   : take_source(made, given, type, ptx_type_size(type), false);
}

static ptx_type wider_type(ptx_type type) {
    switch (type) {
    case PTX_U16:
        return PTX_U32;
    case PTX_S16:
        return PTX_S32;
    case PTX_U32:
        return PTX_U64;
    default:
        return PTX_S64;
    }
}

static bool take_vector(making *made, const ptx_operand_group *group, bool written) {
    const ptx_type type = made->instruction->modifiers.type;
    const unsigned size = ptx_type_size(type);
    const unsigned wanted = made->instruction->modifiers.vector;
    if (group->count != wanted || group->shape != (wanted == 1 ? PTX_SINGLE : PTX_VECTOR)) {
        return false;
    }
    for (unsigned i = 0; i < wanted; i++) {
        const ptx_operand *given = &group->items[i];
        if (!(written ? take_destination(made, given, size, true) : take_source(made, given, type, size, true))) {
            return false;
        }
    }
    return true;
}

static ptx_type bits_of(unsigned size) {
    return size == 2 ? PTX_U16 : size == 4 ? PTX_U32 : PTX_U64;
}

/* {a, b} or {a, b, c, d}, together as wide as the type */
static bool take_pieces(making *made, const ptx_operand_group *group, bool written) {
    const unsigned size = ptx_type_size(made->instruction->modifiers.type) / group->count;
    if (group->shape != PTX_VECTOR || (group->count != 2 && group->count != 4) || size < 2 ||
        (made->instruction->modifiers.type == PTX_B128 && group->count != 2)) {
        return false;
    }
    made->instruction->modifiers.vector = group->count & 15u;
    for (unsigned i = 0; i < group->count; i++) {
        const ptx_operand *given = &group->items[i];
        if (!(written ? take_destination(made, given, size, false) : take_source(made, given, bits_of(size), size, false))) {
            return false;
        }
    }
    return true;
}

/* p, or p|q; a comparison of halves gives one alone */
static bool take_predicates(making *made, const ptx_operand_group *group) {
    const ptx_type type = made->instruction->modifiers.type;
    const bool alone = type == PTX_F16 || type == PTX_BF16;
    if (group->shape == PTX_VECTOR || (alone && group->shape == PTX_PAIR) || !take_predicate_destination(made, &group->items[0])) {
        return false;
    }
    return group->shape == PTX_PAIR ? take_predicate_destination(made, &group->items[1]) : take_slot(made, PTX_SLOT_SINK);
}

/* d, or d|p */
static bool take_result_and_predicate(making *made, const ptx_operand_group *group) {
    if (group->shape == PTX_VECTOR || group->shape == PTX_ADDRESS || !take_destination(made, &group->items[0], 4, false)) {
        return false;
    }
    return group->shape == PTX_PAIR ? take_predicate_destination(made, &group->items[1]) : take_slot(made, PTX_SLOT_SINK);
}

static bool is_address(const ptx_operand_group *group, bool *narrow) {
    const ptx_operand *base = &group->items[0];
    const bool is_register = base->kind == PTX_REGISTER_OPERAND;
    *narrow = is_register && (base->type == PTX_U32 || base->type == PTX_S32);
    return group->shape == PTX_ADDRESS && (!is_register || *narrow || base->type == PTX_U64 || base->type == PTX_S64);
}

static bool take_address(making *made, const ptx_operand_group *group) {
    bool narrow;
    const bool fit = is_address(group, &narrow);
    made->instruction->base = group->items[0].slot;
    made->instruction->offset = group->offset;
    made->instruction->narrow = narrow;
    return fit;
}

static bool take_second_address(making *made, const ptx_operand_group *group) {
    bool narrow;
    const bool fit = is_address(group, &narrow) && (int32_t)group->offset == group->offset;
    made->instruction->target = (uint32_t)group->offset;
    made->instruction->narrow_second = narrow;
    return fit && take_slot(made, group->items[0].slot);
}

static bool take_label(making *made, const ptx_operand *label) {
    ptx_parser *parser = made->parser;
    const ptx_symbol *symbol = ptx_find_symbol(&parser->symbols, label->token.text, label->token.size);
    if (label->kind != PTX_NAME_OPERAND) {
        return false;
    }
    if (symbol && symbol->kind == PTX_LABEL_SYMBOL) {
        made->instruction->target = symbol->target;
        return true;
    }
    if (!ptx_reserve(&parser->pending, parser->pending_count, &parser->pending_capacity, sizeof *parser->pending)) {
        return ptx_out_of_memory(parser);
    }
    parser->pending[parser->pending_count++] = (ptx_pending){.label = label->token, .instruction = parser->function->code_count};
    return true;
}

static bool take_targets(making *made, const ptx_operand *label) {
    const ptx_symbol *symbol = ptx_find_symbol(&made->parser->symbols, label->token.text, label->token.size);
    if (label->kind != PTX_NAME_OPERAND || !symbol || symbol->kind != PTX_LABEL_SYMBOL || !symbol->targets) {
        return false;
    }
    made->instruction->targets = symbol->targets;
    return true;
}

static bool take_single(making *made, const ptx_operand *given, char letter) {
    const ptx_modifiers *modifiers = &made->instruction->modifiers;
    const unsigned size = ptx_type_size(modifiers->type);
    switch (letter) {
    case 'd':
    case 'a':
        return take_typed(made, given, letter == 'd');
    case 'w':
        return take_destination(made, given, size * 2, false);
    case 'e':
        return take_source(made, given, wider_type(modifiers->type), size * 2, false);
    case 'x':
        return take_destination(made, given, size, true);
    case 'y':
        return take_source(made, given, modifiers->source_type, ptx_type_size(modifiers->source_type), true);
    case 'q':
        return take_predicate_source(made, given);
    case 'v':
    case 'W':
        return take_destination(made, given, letter == 'v' ? 4 : 8, false);
    case 'u':
        return take_source(made, given, PTX_U32, 4, false);
    case 'N':
        return take_source(made, given, PTX_U64, 8, false);
    case 'f':
        return take_source(made, given, PTX_F32, 4, false);
    case 'o':
        return take_predicate_destination(made, given);
    case 'Z':
    case 'H':
    case 'B':
        return take_part(made, given, letter, true);
    case 'A':
    case 'V':
    case 'X':
    case '2':
    case '4':
        return take_part(made, given, letter, false);
    case 'L':
        return take_label(made, given);
    case 'T':
        return take_targets(made, given);
    default:
        return false;
    }
}

static bool take_group(making *made, const ptx_operand_group *group, char letter) {
    switch (letter) {
    case 'D':
    case 'S':
        return take_vector(made, group, letter == 'D');
    case 'U':
    case 'P':
        return take_pieces(made, group, letter == 'U');
    case 'm':
        return take_address(made, group);
    case 'n':
        return take_second_address(made, group);
    case 'R':
    case 'Q':
        return (letter == 'R' || group->shape == PTX_PAIR) && take_result_and_predicate(made, group);
    case 'p':
        return take_predicates(made, group);
    default:
        return group->shape == PTX_SINGLE && take_single(made, &group->items[0], letter);
    }
}

static bool is_policy(const ptx_operand_group *group) {
    return group->shape == PTX_SINGLE && group->items[0].kind == PTX_REGISTER_OPERAND && fits(&group->items[0], 8, false);
}

static bool fit_form(making *made, const ptx_form *form, const ptx_operands *given) {
    const ptx_modifiers *modifiers = &made->instruction->modifiers;
    made->slot_count = 0;
    made->instruction->negated = false;
    made->instruction->run = form->by_type ? form->by_type[modifiers->type] : form->run;
    const size_t count = strlen(form->operands);
    if (given->count != count + modifiers->has_policy || !made->instruction->run) {
        return false;
    }
    if (modifiers->has_policy && !is_policy(&given->groups[count])) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!take_group(made, &given->groups[i], form->operands[i])) {
            return false;
        }
    }
    return true;
}

/* ---- call ---- */

static bool read_call_param(ptx_parser *parser, ptx_params *params) {
    ptx_token name;
    if (!ptx_expect_word(parser, &name)) {
        return false;
    }
    const ptx_symbol *symbol = ptx_find_symbol(&parser->symbols, name.text, name.size);
    const bool is_param =
        symbol && symbol->kind == PTX_VARIABLE_SYMBOL && symbol->space == PTX_PARAM && symbol->home == PTX_HOME_FRAME;
    if (!is_param) {
        return ptx_fail(parser, PTX_NOT_SUPPORTED, name.line, "'%.*s' in a call: only .param variables are simulated",
                        (int)name.size, name.text);
    }
    return ptx_add_param(parser, params, &symbol->param);
}

static bool read_call_params(ptx_parser *parser, ptx_params *params) {
    if (ptx_accept(parser, ")")) {
        return true;
    }
    do {
        if (!read_call_param(parser, params)) {
            return false;
        }
    } while (ptx_accept(parser, ","));
    return ptx_expect(parser, ")");
}

static bool params_fit(const ptx_params *given, const ptx_params *wanted) {
    if (given->count != wanted->count) {
        return false;
    }
    for (size_t i = 0; i < given->count; i++) {
        if (given->items[i].size != wanted->items[i].size) {
            return false;
        }
    }
    return true;
}

static const ptx_function *find_callee(ptx_parser *parser, const ptx_token *name) {
    const ptx_symbol *symbol = ptx_find_symbol(&parser->functions, name->text, name->size);
    if (symbol && !symbol->function->is_entry) {
        return symbol->function;
    }
    ptx_fail_name(parser, name);
    return NULL;
}

static bool check_call(ptx_parser *parser, const ptx_token *name, const ptx_call *call) {
    return (params_fit(&call->returns, &call->function->returns) && params_fit(&call->arguments, &call->function->parameters)) ||
           ptx_fail(parser, PTX_INVALID, name->line, "the call does not fit the declaration of '%.*s'", (int)name->size,
                    name->text);
}

/* The function to be called: a name, or a register with its address, which instruction->slots[0] then is. */
static bool read_callee(ptx_parser *parser, ptx_token *name, ptx_call *call, ptx_instruction *instruction) {
    if (!ptx_expect_word(parser, name)) {
        return false;
    }
    if (ptx_find_register(&parser->symbols, name->text, name->size, &instruction->slots[0])) {
        instruction->run = ptx_call_address;
        return true;
    }
    call->function = find_callee(parser, name);
    return call->function;
}

/* [(returned),] name [, (arguments)] [, prototype]; What a prototype says is what the arguments say. */
static bool read_call(ptx_parser *parser, ptx_call *call, ptx_instruction *instruction) {
    ptx_token name;
    ptx_token prototype;
    if (ptx_accept(parser, "(") && (!read_call_params(parser, &call->returns) || !ptx_expect(parser, ","))) {
        return false;
    }
    if (!read_callee(parser, &name, call, instruction)) {
        return false;
    }
    bool more = ptx_accept(parser, ",");
    if (more && ptx_accept(parser, "(")) {
        if (!read_call_params(parser, &call->arguments)) {
            return false;
        }
        more = ptx_accept(parser, ",");
    }
    if (more && !ptx_expect_word(parser, &prototype)) {
        return false;
    }
    return (!call->function || check_call(parser, &name, call)) && ptx_expect(parser, ";");
}

static bool assemble_call(ptx_parser *parser, ptx_instruction *instruction) {
    ptx_function *function = parser->function;
    ptx_call *call = calloc(1, sizeof *call);
    if (!call || !ptx_reserve(&function->calls, function->call_count, &function->call_capacity, sizeof(ptx_call *))) {
        free(call);
        return ptx_out_of_memory(parser);
    }
    function->calls[function->call_count++] = call;
    instruction->call = call;
    return read_call(parser, call, instruction) && ptx_add_instruction(parser, instruction);
}

/* ---- instructions ---- */

bool ptx_add_instruction(ptx_parser *parser, const ptx_instruction *instruction) {
    ptx_function *function = parser->function;
    if (!ptx_reserve(&function->code, function->code_count, &function->code_capacity, sizeof *function->code)) {
        return ptx_out_of_memory(parser);
    }
    function->code[function->code_count++] = *instruction;
    return true;
}

/* Branches in the block just read go to its own labels first; the others are left to the blocks around it. */
bool ptx_resolve_pending(ptx_parser *parser, size_t first) {
    size_t kept = first;
    for (size_t i = first; i < parser->pending_count; i++) {
        const ptx_pending pending = parser->pending[i];
        const ptx_symbol *symbol = ptx_find_symbol(&parser->symbols, pending.label.text, pending.label.size);
        const bool is_own = symbol && (size_t)(symbol - parser->symbols.items) >= parser->scope;
        if (is_own && symbol->kind != PTX_LABEL_SYMBOL) {
            return ptx_fail(parser, PTX_INVALID, pending.label.line, "'%.*s' is not a label", (int)pending.label.size,
                            pending.label.text);
        }
        if (is_own) {
            uint32_t *target =
                pending.table ? &pending.table->items[pending.instruction] : &parser->function->code[pending.instruction].target;
            *target = symbol->target;
        } else {
            parser->pending[kept++] = pending;
        }
    }
    parser->pending_count = kept;
    return true;
}

static bool fail_mnemonic(ptx_parser *parser, const ptx_token *mnemonic) {
    if (ptx_is_instruction(mnemonic)) {
        return ptx_fail(parser, PTX_NOT_SUPPORTED, mnemonic->line, "instruction '%.*s' is not simulated", (int)mnemonic->size,
                        mnemonic->text);
    }
    return ptx_fail(parser, PTX_INVALID, mnemonic->line, "'%.*s' is not an instruction", (int)mnemonic->size, mnemonic->text);
}

static bool read_guard(ptx_parser *parser, ptx_instruction *instruction) {
    ptx_operand guard;
    instruction->guard = PTX_SLOT_TRUE;
    instruction->guard_wanted = 1;
    if (!ptx_accept(parser, "@")) {
        return true;
    }
    if (!ptx_read_operand(parser, &guard)) {
        return false;
    }
    if (guard.kind != PTX_REGISTER_OPERAND || guard.type != PTX_PREDICATE) {
        return ptx_fail(parser, PTX_INVALID, guard.token.line, "'%.*s' is not a predicate", (int)guard.token.size,
                        guard.token.text);
    }
    instruction->guard = guard.slot;
    instruction->guard_wanted = !guard.negated;
    return true;
}

static void note_form(ptx_parser *parser, const ptx_form *form) {
    parser->module->form_uses[ptx_form_index(form)]++;
}

static bool assemble_form(ptx_parser *parser, const ptx_token *mnemonic, const ptx_form *form, ptx_instruction *instruction) {
    ptx_operands given;
    making made = {.parser = parser, .instruction = instruction};
    if (!ptx_read_operands(parser, &given)) {
        return false;
    }
    for (; form; form = ptx_next_form(form, mnemonic, &instruction->modifiers)) {
        if (fit_form(&made, form, &given)) {
            note_form(parser, form);
            return ptx_add_instruction(parser, instruction);
        }
    }
    return ptx_fail(parser, PTX_INVALID, mnemonic->line, "the operands do not fit instruction '%.*s'", (int)mnemonic->size,
                    mnemonic->text);
}

bool ptx_assemble(ptx_parser *parser) {
    ptx_token mnemonic;
    ptx_instruction instruction = {.line = parser->token.line};
    if (!read_guard(parser, &instruction) || !ptx_expect_word(parser, &mnemonic)) {
        return false;
    }
    instruction.line = mnemonic.line;
    const ptx_form *form = ptx_next_form(NULL, &mnemonic, &instruction.modifiers);
    if (!form) {
        return fail_mnemonic(parser, &mnemonic);
    }
    if (ptx_is_excluded(&mnemonic)) {
        return ptx_fail(parser, PTX_INVALID, mnemonic.line, "PTX has no '%.*s'", (int)mnemonic.size, mnemonic.text);
    }
    if (form->operands[0] == 'C') {
        instruction.run = form->run;
        note_form(parser, form);
        return assemble_call(parser, &instruction);
    }
    return assemble_form(parser, &mnemonic, form, &instruction);
}
