/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"
#include "ptx/services.h"

#include <string.h>

/* What the simulated driver takes: PTX of CUDA 13.0. */
#define NEWEST_MAJOR 9u
#define NEWEST_MINOR 0u

void ptx_advance(ptx_parser *parser) {
    ptx_next_token(&parser->lexer, &parser->token);
    if (parser->token.kind == PTX_TOKEN_BAD) {
        ptx_fail(parser, PTX_INVALID, parser->token.line, "unexpected character or unfinished string");
    }
}

bool ptx_at(const ptx_parser *parser, const char *text) {
    return ptx_token_is(&parser->token, text);
}

bool ptx_accept(ptx_parser *parser, const char *text) {
    if (!ptx_at(parser, text)) {
        return false;
    }
    ptx_advance(parser);
    return true;
}

bool ptx_fail_expected(ptx_parser *parser, const char *what) {
    const ptx_token *token = &parser->token;
    if (token->kind == PTX_TOKEN_END) {
        return ptx_fail(parser, PTX_INVALID, token->line, "expected %s, found the end", what);
    }
    return ptx_fail(parser, PTX_INVALID, token->line, "expected %s, found '%.*s'", what, (int)token->size, token->text);
}

bool ptx_expect(ptx_parser *parser, const char *text) {
    return ptx_accept(parser, text) || ptx_fail_expected(parser, text);
}

bool ptx_expect_word(ptx_parser *parser, ptx_token *word) {
    *word = parser->token;
    if (word->kind != PTX_TOKEN_WORD) {
        return ptx_fail_expected(parser, "a name");
    }
    ptx_advance(parser);
    return true;
}

bool ptx_expect_integer(ptx_parser *parser, uint64_t *value) {
    ptx_literal literal = {0};
    const bool is_integer = ptx_read_literal(&parser->token, &literal) && literal.kind == PTX_INTEGER_LITERAL;
    *value = literal.bits;
    if (!is_integer) {
        return ptx_fail_expected(parser, "an integer");
    }
    ptx_advance(parser);
    return true;
}

bool ptx_expect_literal(ptx_parser *parser, ptx_literal *literal) {
    const bool negative = ptx_accept(parser, "-");
    *literal = (ptx_literal){0};
    if (!ptx_read_literal(&parser->token, literal)) {
        return ptx_fail_expected(parser, "a literal");
    }
    if (negative && (literal->kind == PTX_F32_LITERAL || literal->kind == PTX_F64_LITERAL)) {
        return ptx_fail(parser, PTX_INVALID, parser->token.line, "a literal in bits has no sign");
    }
    if (negative) {
        literal->bits = literal->kind == PTX_INTEGER_LITERAL ? 0 - literal->bits : literal->bits ^ UINT64_C(1) << 63;
    }
    ptx_advance(parser);
    return true;
}

bool ptx_skip_line(ptx_parser *parser) {
    const unsigned line = parser->token.line;
    while (parser->token.kind != PTX_TOKEN_END && parser->token.line == line && parser->result == PTX_OK) {
        ptx_advance(parser);
    }
    return parser->result == PTX_OK;
}

static bool skip_past(ptx_parser *parser, const char *end) {
    while (parser->token.kind != PTX_TOKEN_END && parser->result == PTX_OK && !ptx_at(parser, end)) {
        ptx_advance(parser);
    }
    return ptx_expect(parser, end);
}

static bool skip_section(ptx_parser *parser) {
    return skip_past(parser, "{") && skip_past(parser, "}");
}

bool ptx_skip_statement(ptx_parser *parser) {
    return skip_past(parser, ";");
}

bool ptx_fail_unknown_directive(ptx_parser *parser) {
    static const char *const known[] = {".texref",
                                        ".samplerref",
                                        ".surfref",
                                        ".tex",
                                        ".alias",
                                        ".blocksareclusters",
                                        ".explicitcluster",
                                        ".reqnctapercluster",
                                        ".maxclusterrank",
                                        ".unified",
                                        ".common",
                                        ".func",
                                        ".reg",
                                        ".global",
                                        ".const"};
    const ptx_token *token = &parser->token;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (ptx_token_is(token, known[i])) {
            return ptx_fail(parser, PTX_NOT_SUPPORTED, token->line, "'%s' is not simulated here", known[i]);
        }
    }
    return ptx_fail_expected(parser, "a directive or an instruction");
}

/* Two numbers and a dot; one of more than three digits is newer than anything. */
static bool read_version(const ptx_token *number, unsigned parts[2]) {
    unsigned part = 0;
    parts[0] = parts[1] = 0;
    for (size_t i = 0; i < number->size; i++) {
        const char c = number->text[i];
        if (c >= '0' && c <= '9') {
            parts[part] = parts[part] < 100 ? parts[part] * 10 + (unsigned)(c - '0') : 999;
        } else if (c != '.' || part++) {
            return false;
        }
    }
    return number->kind == PTX_TOKEN_NUMBER;
}

static bool parse_version(ptx_parser *parser) {
    unsigned parts[2];
    if (!read_version(&parser->token, parts)) {
        return ptx_fail_expected(parser, "a version");
    }
    if (parts[0] > NEWEST_MAJOR || (parts[0] == NEWEST_MAJOR && parts[1] > NEWEST_MINOR)) {
        return ptx_fail(parser, PTX_TOO_NEW, parser->token.line, ".version %.*s is newer than the simulated driver's %u.%u",
                        (int)parser->token.size, parser->token.text, NEWEST_MAJOR, NEWEST_MINOR);
    }
    ptx_advance(parser);
    return true;
}

/* sm_90, sm_90a: digits, and perhaps a letter for features that other architectures lack */
static bool read_architecture(const ptx_token *word, unsigned *architecture, char *suffix) {
    size_t i = 3;
    *architecture = 0;
    if (word->size < 5 || memcmp(word->text, "sm_", 3) != 0) {
        return false;
    }
    for (; i < word->size && i < 7 && word->text[i] >= '0' && word->text[i] <= '9'; i++) {
        *architecture = *architecture * 10 + (unsigned)(word->text[i] - '0');
    }
    *suffix = i < word->size ? word->text[i++] : '\0';
    return i == word->size && (*suffix == '\0' || *suffix == 'a' || *suffix == 'f');
}

/* What has features of one architecture alone, sm_120a, runs on that one; those of a family, sm_120f, are in the later devices of
 * the same major compute capability. The first family is that of sm_100f. */
static bool runs_on(unsigned device, unsigned architecture, char suffix) {
    const bool is_family = architecture >= 100 && architecture / 10 == device / 10;
    return suffix == 'a' ? architecture == device : suffix == '\0' || is_family;
}

static bool check_architecture(ptx_parser *parser, const ptx_token *word) {
    const unsigned device = parser->architecture;
    unsigned architecture;
    char suffix;
    if (!read_architecture(word, &architecture, &suffix)) {
        return ptx_fail(parser, PTX_INVALID, word->line, "'%.*s' is not a target", (int)word->size, word->text);
    }
    if (architecture > device) {
        return ptx_fail(parser, PTX_INVALID, word->line, "target %.*s is newer than the simulated device (sm_%u)", (int)word->size,
                        word->text, device);
    }
    if (!runs_on(device, architecture, suffix)) {
        return ptx_fail(parser, PTX_INVALID, word->line, "target %.*s is not for the simulated device (sm_%u)", (int)word->size,
                        word->text, device);
    }
    return true;
}

static bool parse_target(ptx_parser *parser) {
    ptx_token word;
    do {
        if (!ptx_expect_word(parser, &word)) {
            return false;
        }
        if (!ptx_token_is(&word, "debug") && !ptx_token_is(&word, "texmode_unified") &&
            !ptx_token_is(&word, "texmode_independent") && !check_architecture(parser, &word)) {
            return false;
        }
    } while (ptx_accept(parser, ","));
    return true;
}

static bool parse_address_size(ptx_parser *parser) {
    uint64_t bits;
    const unsigned line = parser->token.line;
    if (!ptx_expect_integer(parser, &bits)) {
        return false;
    }
    return bits == 64 || ptx_fail(parser, bits == 32 ? PTX_NOT_SUPPORTED : PTX_INVALID, line, "the device has 64-bit addresses");
}

static bool accept_linkage(ptx_parser *parser) {
    bool is_extern = false;
    for (;;) {
        if (ptx_accept(parser, ".extern")) {
            is_extern = true;
        } else if (!ptx_accept(parser, ".visible") && !ptx_accept(parser, ".weak")) {
            return is_extern;
        }
    }
}

/* .file number "name" [, time, size] */
static bool parse_file(ptx_parser *parser) {
    ptx_module *module = parser->module;
    const unsigned line = parser->token.line;
    ptx_file file = {0};
    ptx_advance(parser);
    if (!ptx_expect_integer(parser, &file.number)) {
        return false;
    }
    if (parser->token.kind != PTX_TOKEN_STRING) {
        return ptx_fail_expected(parser, "a file's name");
    }
    file.name = parser->token.text + 1; /* without its quotes */
    file.name_size = parser->token.size - 2;
    ptx_advance(parser);
    if (!ptx_reserve(&module->files, module->file_count, &module->file_capacity, sizeof *module->files)) {
        return ptx_out_of_memory(parser);
    }
    module->files[module->file_count++] = file;
    return parser->token.line != line || ptx_skip_line(parser);
}

static bool parse_module_item(ptx_parser *parser) {
    if (ptx_at(parser, ".file")) {
        return parse_file(parser);
    }
    if (ptx_accept(parser, ".section")) {
        return skip_section(parser);
    }
    if (ptx_at(parser, ".pragma")) {
        return ptx_skip_statement(parser);
    }
    if (ptx_accept(parser, ".address_size")) {
        return parse_address_size(parser);
    }
    const bool is_extern = accept_linkage(parser);
    if (ptx_accept(parser, ".entry")) {
        return ptx_parse_function(parser, true);
    }
    if (ptx_accept(parser, ".func")) {
        return ptx_parse_function(parser, false);
    }
    if (ptx_accept(parser, ".shared")) {
        return ptx_parse_shared_variable(parser);
    }
    if (ptx_accept(parser, ".global")) {
        return ptx_parse_variable(parser, PTX_GLOBAL, is_extern);
    }
    return ptx_accept(parser, ".const") ? ptx_parse_variable(parser, PTX_CONST, is_extern) : ptx_fail_unknown_directive(parser);
}

static bool is_of_dynamic_parallelism(const ptx_function *function) {
    static const char prefix[] = "cuda";
    return function->name_size >= strlen(prefix) && memcmp(function->name, prefix, strlen(prefix)) == 0;
}

static bool check_callee(ptx_parser *parser, const ptx_instruction *instruction) {
    const ptx_function *callee = instruction->run == ptx_call_function ? instruction->call->function : NULL;
    if (!callee || callee->has_body || callee->service) {
        return true;
    }
    const bool known = is_of_dynamic_parallelism(callee);
    return ptx_fail(parser, known ? PTX_NOT_SUPPORTED : PTX_INVALID, instruction->line,
                    known ? "the call of '%.*s' is not simulated" : "function '%.*s' is defined nowhere in this module",
                    (int)callee->name_size, callee->name);
}

static void find_services(const ptx_module *module) {
    for (size_t i = 0; i < module->function_count; i++) {
        ptx_function *function = module->functions[i];
        function->service = function->has_body ? NULL : ptx_find_service(function->name, function->name_size);
    }
}

static bool check_functions(ptx_parser *parser) {
    for (size_t i = 0; i < parser->module->function_count; i++) {
        const ptx_function *function = parser->module->functions[i];
        if (function->is_entry && !function->has_body) {
            return ptx_fail(parser, PTX_INVALID, parser->token.line, "kernel '%.*s' has no body", (int)function->name_size,
                            function->name);
        }
        for (size_t j = 0; j < function->code_count; j++) {
            if (!check_callee(parser, &function->code[j])) {
                return false;
            }
        }
    }
    return true;
}

bool ptx_parse_module(ptx_parser *parser) {
    ptx_advance(parser);
    if (!ptx_expect(parser, ".version") || !parse_version(parser) || !ptx_expect(parser, ".target") || !parse_target(parser)) {
        return false;
    }
    while (parser->token.kind != PTX_TOKEN_END) {
        if (parser->result != PTX_OK || !parse_module_item(parser)) {
            return false;
        }
    }
    find_services(parser->module);
    return parser->result == PTX_OK && check_functions(parser);
}
