/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "compile_options.h"

#include "base/argument.h"

#include <stdio.h>
#include <string.h>

static int32_t number_at(const void *value) {
    int32_t number;
    memcpy(&number, value, sizeof number);
    return number;
}

static int32_t level_at(const void *value) {
    return number_at((const char *)value + sizeof(int32_t));
}

static cucore_text text_at(const void *value) {
    cucore_text text;
    memcpy(&text, value, sizeof text);
    return text;
}

typedef struct list {
    const cucore_text *texts;
    size_t count;
} list;

static list list_at(const void *value) {
    list found;
    memcpy(&found, value, sizeof found);
    return found;
}

static int32_t check_choice(const cucore_call *call, const char *name, const void *value) {
    return cucore_expect_choice(call, number_at(value), name);
}

static int32_t check_count(const cucore_call *call, const char *name, const void *value) {
    int32_t number = number_at(value);
    return number < 0 ? cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is %d, less than 0", name, number) : CUCORE_OK;
}

static int32_t check_level(const cucore_call *call, const char *name, const void *value) {
    int32_t level = level_at(value);
    int32_t code = cucore_expect_flag(call, number_at(value), name);
    if (!code && (level < 0 || level > 3))
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": the level with %s is %d, not from 0 to 3", name, level);
    if (!code && level && !number_at(value))
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": the level is %d, but %s is 0", level, name);
    return code;
}

/* Texts are checked when they are copied. */
static int32_t check_later(const cucore_call *call, const char *name, const void *value) {
    (void)call, (void)name, (void)value;
    return CUCORE_OK;
}

static bool is_on(const void *value) {
    return number_at(value) == CUCORE_ON;
}

static bool is_not_zero(const void *value) {
    return number_at(value) != 0;
}

static bool is_text(const void *value) {
    return text_at(value).data || text_at(value).size;
}

static bool is_list(const void *value) {
    return list_at(value).count != 0;
}

static int32_t add_flag(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value) {
    (void)value;
    return cucore_text_list_add(call, texts, field->spelling, cucore_text_of(""));
}

static int32_t add_choice(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value) {
    return cucore_text_list_add(call, texts, field->spelling, cucore_text_of(is_on(value) ? "true" : "false"));
}

static int32_t add_number(const cucore_call *call, cucore_text_list *texts, const char *spelling, int32_t number) {
    char digits[12];
    snprintf(digits, sizeof digits, "%d", number);
    return cucore_text_list_add(call, texts, spelling, cucore_text_of(digits));
}

static int32_t add_bit(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value) {
    return add_number(call, texts, field->spelling, is_on(value));
}

static int32_t add_count(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value) {
    return add_number(call, texts, field->spelling, number_at(value));
}

static int32_t add_level(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value) {
    return add_number(call, texts, field->spelling, level_at(value));
}

static int32_t add_text(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value) {
    return cucore_text_list_add_given(call, texts, field->spelling, text_at(value), field->name);
}

static int32_t add_texts(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value) {
    const list given = list_at(value);
    return cucore_text_list_add_all(call, texts, field->spelling, given.texts, given.count, field->name);
}

/* What becomes of each kind of field; `value` is where it is in the options. */
static const struct kind {
    int32_t (*check)(const cucore_call *call, const char *name, const void *value);
    bool (*is_given)(const void *value);
    int32_t (*add)(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *field, const void *value);
} kinds[] = {
    [CUCORE_OPTION_FLAG] = {check_choice, is_on, add_flag},        [CUCORE_OPTION_CHOICE] = {check_choice, is_not_zero, add_choice},
    [CUCORE_OPTION_BIT] = {check_choice, is_not_zero, add_bit},    [CUCORE_OPTION_COUNT] = {check_count, is_not_zero, add_count},
    [CUCORE_OPTION_LEVEL] = {check_level, is_not_zero, add_level}, [CUCORE_OPTION_TEXT] = {check_later, is_text, add_text},
    [CUCORE_OPTION_TEXTS] = {check_later, is_list, add_texts},
};

static const void *value_of(const cucore_option_field *field, const void *options) {
    return (const char *)options + field->offset;
}

bool cucore_option_is_given(const cucore_option_field *field, const void *options) {
    return kinds[field->kind].is_given(value_of(field, options));
}

int32_t cucore_option_number(const cucore_option_field *field, const void *options) {
    const void *value = value_of(field, options);
    return field->kind == CUCORE_OPTION_LEVEL ? level_at(value) : number_at(value);
}

int32_t cucore_compile_options_add(const cucore_call *call, cucore_text_list *texts, const cucore_option_field *fields,
                                   size_t count, const void *options) {
    int32_t code = CUCORE_OK;
    for (size_t i = 0; i < count && !code; i++) {
        const struct kind *kind = &kinds[fields[i].kind];
        const void *value = value_of(&fields[i], options);
        code = kind->check(call, fields[i].name, value);
        if (!code && kind->is_given(value))
            code = kind->add(call, texts, &fields[i], value);
    }
    return code;
}

int32_t cucore_compile_options_add_arch(const cucore_call *call, cucore_text_list *texts, const char *spelling, cucore_text arch,
                                        const cucore_device *device) {
    if (arch.data || arch.size)
        return cucore_text_list_add_given(call, texts, spelling, arch, "options->arch");
    if (!device)
        return cucore_fail(call, CUCORE_INVALID_ARGUMENT,
                           ": device is NULL and options->arch is not given; one must name the architecture");
    return cucore_text_list_add(call, texts, spelling, cucore_text_of(device->arch));
}

void cucore_compile_options_note(const cucore_call *call, const cucore_text_list *texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        cucore_note(call, CUCORE_NOTE_CAUSE, "option %s", texts->texts[i]);
}
