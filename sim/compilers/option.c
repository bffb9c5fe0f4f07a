/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "option.h"

#include <stdlib.h>
#include <string.h>

static int begins(const char *name, const char *text, const char **value) {
    const size_t size = name ? strlen(name) : 0;
    if (!size || strncmp(text, name, size) != 0 || (text[size] && text[size] != '='))
        return 0;
    *value = text[size] ? text + size + 1 : NULL;
    return 1;
}

/* "-DNAME", "-Ifolder", "-O3": one letter, and the value right behind it. */
static int begins_with_letter(const struct option *option, const char *text, const char **value) {
    const char *name = option->alias;
    if (option->value == OPTION_ALONE || !name || strlen(name) != 2 || strncmp(text, name, 2) != 0)
        return 0;
    *value = text + 2;
    return 1;
}

int option_is(const struct option *option, const char *text, const char **value) {
    return begins(option->name, text, value) || begins(option->alias, text, value) || begins_with_letter(option, text, value);
}

int option_may_be_split(const struct option *option) {
    return option->value == OPTION_NUMBER || option->value == OPTION_TEXT;
}

int option_takes(const struct option *option, const char *value) {
    char *end = NULL;
    switch (option->value) {
    case OPTION_ALONE:
        return !value;
    case OPTION_ANY:
        return 1;
    case OPTION_BOOLEAN:
        return value && (strcmp(value, "true") == 0 || strcmp(value, "false") == 0);
    case OPTION_NUMBER:
        return value && (strtol(value, &end, 10), end != value && !*end);
    default:
        return value != NULL;
    }
}

int option_arch(const char *value, int *is_sm) {
    *is_sm = value && strncmp(value, "sm_", 3) == 0;
    if (!*is_sm && (!value || strncmp(value, "compute_", 8) != 0))
        return 0;
    return (int)strtol(strchr(value, '_') + 1, NULL, 10);
}
