/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "ptx/parse.h"

#include <string.h>

static char peek(const ptx_lexer *lexer, size_t ahead) {
    return (size_t)(lexer->end - lexer->at) > ahead ? lexer->at[ahead] : '\0';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' || c == '.';
}

static void skip_line(ptx_lexer *lexer) {
    while (lexer->at < lexer->end && *lexer->at != '\n') {
        lexer->at++;
    }
}

static void skip_block_comment(ptx_lexer *lexer) {
    lexer->at += 2;
    while (lexer->at < lexer->end && !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/')) {
        lexer->line += *lexer->at == '\n';
        lexer->at++;
    }
    lexer->at += lexer->at < lexer->end ? 2 : 0;
}

static bool skip_one_blank(ptx_lexer *lexer) {
    const char c = peek(lexer, 0);
    if (c == '/' && peek(lexer, 1) == '/') {
        skip_line(lexer);
    } else if (c == '/' && peek(lexer, 1) == '*') {
        skip_block_comment(lexer);
    } else if (c != '\0' && strchr(" \t\r\n\f\v", c)) {
        lexer->line += c == '\n';
        lexer->at++;
    } else {
        return false;
    }
    return true;
}

/* "shared::cta" is one word; a label's ':' is none of it. ".reg.b16" is two: what begins with a dot has no other. */
static void read_word(ptx_lexer *lexer) {
    const bool has_dots = peek(lexer, 0) != '.';
    lexer->at++;
    for (;;) {
        if ((is_letter(peek(lexer, 0)) && (has_dots || peek(lexer, 0) != '.')) || is_digit(peek(lexer, 0))) {
            lexer->at++;
        } else if (peek(lexer, 0) == ':' && peek(lexer, 1) == ':') {
            lexer->at += 2;
        } else {
            return;
        }
    }
}

static void read_number(ptx_lexer *lexer) {
    const bool prefixed = peek(lexer, 0) == '0' && peek(lexer, 1) != '.' && !is_digit(peek(lexer, 1));
    while (is_letter(peek(lexer, 0)) || is_digit(peek(lexer, 0))) {
        const char c = *lexer->at++;
        const bool has_exponent = !prefixed && (c == 'e' || c == 'E') && (peek(lexer, 0) == '+' || peek(lexer, 0) == '-');
        lexer->at += has_exponent;
    }
}

static bool read_string(ptx_lexer *lexer) {
    lexer->at++;
    while (lexer->at < lexer->end && *lexer->at != '"' && *lexer->at != '\n') {
        lexer->at += *lexer->at == '\\' && lexer->end - lexer->at > 1 ? 2 : 1;
    }
    if (peek(lexer, 0) != '"') {
        return false;
    }
    lexer->at++;
    return true;
}

static ptx_token_kind read_token(ptx_lexer *lexer) {
    const char c = peek(lexer, 0);
    if (c == '\0') {
        return PTX_TOKEN_END; /* the text's end, or a NUL, which ends it too */
    }
    if (is_letter(c)) {
        read_word(lexer);
        return PTX_TOKEN_WORD;
    }
    if (is_digit(c)) {
        read_number(lexer);
        return PTX_TOKEN_NUMBER;
    }
    if (c == '"') {
        return read_string(lexer) ? PTX_TOKEN_STRING : PTX_TOKEN_BAD;
    }
    lexer->at++;
    return strchr("{}[]()<>,;:+-*=@!|", c) ? PTX_TOKEN_MARK : PTX_TOKEN_BAD;
}

void ptx_next_token(ptx_lexer *lexer, ptx_token *token) {
    while (skip_one_blank(lexer)) {
    }
    token->line = lexer->line;
    token->text = lexer->at;
    token->kind = read_token(lexer);
    token->size = (size_t)(lexer->at - token->text);
}

bool ptx_token_is(const ptx_token *token, const char *text) {
    return token->kind != PTX_TOKEN_STRING && token->size == strlen(text) && memcmp(token->text, text, token->size) == 0;
}

static int digit_value(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

static bool read_digits(const char *text, size_t size, unsigned base, uint64_t *value) {
    *value = 0;
    for (size_t i = 0; i < size; i++) {
        const unsigned digit = (unsigned)digit_value(text[i]);
        if (digit >= base || *value > (UINT64_MAX - digit) / base) {
            return false;
        }
        *value = *value * base + digit;
    }
    return size > 0;
}

static bool read_integer(const char *text, size_t size, uint64_t *value) {
    if (size > 1 && text[size - 1] == 'U') {
        size--;
    }
    if (size > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
        return read_digits(text + 2, size - 2, 16, value);
    }
    if (size > 2 && text[0] == '0' && (text[1] == 'b' || text[1] == 'B')) {
        return read_digits(text + 2, size - 2, 2, value);
    }
    return read_digits(text, size, size > 1 && text[0] == '0' ? 8 : 10, value);
}

/* 0f and 0d are followed by the bits of a float, in exactly 8 or 16 hexadecimal digits. */
static bool read_float_bits(const ptx_token *token, char prefix, size_t digits, uint64_t *bits) {
    return token->size == digits + 2 && token->text[0] == '0' && (token->text[1] | 0x20) == prefix &&
           read_digits(token->text + 2, digits, 16, bits);
}

bool ptx_read_literal(const ptx_token *token, ptx_literal *literal) {
    if (token->kind != PTX_TOKEN_NUMBER) {
        return false;
    }
    if (read_float_bits(token, 'f', 8, &literal->bits)) {
        literal->kind = PTX_F32_LITERAL;
        return true;
    }
    if (read_float_bits(token, 'd', 16, &literal->bits)) {
        literal->kind = PTX_F64_LITERAL;
        return true;
    }
    literal->kind = PTX_INTEGER_LITERAL;
    return read_integer(token->text, token->size, &literal->bits);
}

static double literal_double(const ptx_literal *literal) {
    if (literal->kind == PTX_F64_LITERAL) {
        double value;
        memcpy(&value, &literal->bits, sizeof value);
        return value;
    }
    const uint32_t bits = (uint32_t)literal->bits;
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static uint64_t float_bits(double value, ptx_type type) {
    uint64_t bits = 0;
    if (type == PTX_F32) {
        const float narrow = (float)value;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow_bits);
        return narrow_bits;
    }
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

bool ptx_literal_bits(const ptx_literal *literal, ptx_type type, uint64_t *bits) {
    const unsigned own_size = literal->kind == PTX_F32_LITERAL ? 4 : 8;
    *bits = type == PTX_PREDICATE ? literal->bits != 0 : literal->bits;
    if (literal->kind == PTX_INTEGER_LITERAL) {
        return type != PTX_F32 && type != PTX_F64;
    }
    if (type == PTX_F32 || type == PTX_F64) {
        /* The same size keeps its bits: a conversion could quieten a NaN. */
        *bits = ptx_type_size(type) == own_size ? literal->bits : float_bits(literal_double(literal), type);
        return true;
    }
    return ptx_type_size(type) == own_size;
}
