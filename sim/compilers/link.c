/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "link.h"

#include "scan.h"
#include "source.h"

#include <stdlib.h>
#include <string.h>

#define EXTERN ".extern"

/* A .func or .entry. */
struct function {
    struct span name;
    int is_entry;
    int is_definition;
    const char *external; /* where its ".extern" stands, or NULL */
};

/* Reads "(.param .b32 result) name (parameters) {" behind the ".func" or ".entry" at `at`. */
static void read_function(const char *text, const char *at, struct function *function) {
    const struct span before = span_trim((struct span){text, (size_t)(at - text)});
    struct span rest = span_trim(span_of(strpbrk(at, " \t\r\n(")));
    const struct span result = scan_group(rest);
    rest = span_trim(span_from(rest, result.start + result.size));
    function->name = scan_word(rest);
    const char *end = strpbrk(rest.start, "{;");
    function->is_definition = end && *end == '{';
    function->is_entry = strncmp(at, ".entry", 6) == 0;
    function->external = span_ends_with(before, EXTERN) ? before.start + before.size - strlen(EXTERN) : NULL;
}

static int is_keyword(const char *at) {
    const size_t size = strncmp(at, ".entry", 6) == 0 ? 6 : strncmp(at, ".func", 5) == 0 ? 5 : 0;
    return size && at[size] && strchr(" \t\r\n(", at[size]);
}

/* The next function behind *at, which is moved on; 0 if there is none. */
static int next_function(const char *text, const char **at, struct function *function) {
    while ((*at = strchr(*at, '.'))) {
        const char *found = (*at)++;
        if (is_keyword(found)) {
            read_function(text, found, function);
            return 1;
        }
    }
    return 0;
}

/* The first input before `end` (NULL: of all) that defines a name. */
static const struct input *defining(const struct input *inputs, const struct input *end, struct span name) {
    struct function function;
    for (const struct input *input = inputs; input != end; input = input->next)
        for (const char *at = input->ptx; next_function(input->ptx, &at, &function);)
            if (function.is_definition && span_equal(function.name, name))
                return input;
    return NULL;
}

static int check_function(const struct input *inputs, const struct input *input, const struct function *function, FILE *log) {
    const struct input *other = defining(inputs, function->is_definition ? input : NULL, function->name);
    const int size = (int)function->name.size;
    if (function->is_definition && other)
        fprintf(log, "error   : Multiple definition of '%.*s' in '%s', first defined in '%s'\n", size, function->name.start,
                input->name, other->name);
    if (function->external && !other)
        fprintf(log, "error   : Undefined reference to '%.*s' in '%s'\n", size, function->name.start, input->name);
    return function->is_definition ? other != NULL : function->external && !other;
}

static int check_input(const struct input *inputs, struct input *input, FILE *log) {
    struct function function;
    int errors = 0;
    for (const char *at = input->ptx; next_function(input->ptx, &at, &function);) {
        errors += check_function(inputs, input, &function, log);
        if (function.external)
            memset(input->ptx + (function.external - input->ptx), ' ', strlen(EXTERN));
    }
    return errors;
}

static int begins_with(struct span line, const char *word) {
    return line.size >= strlen(word) && memcmp(line.start, word, strlen(word)) == 0;
}

static void write_body(const struct input *input, FILE *ptx) {
    struct span rest = span_of(input->ptx);
    while (rest.size) {
        const struct span line = span_until(rest, "\n");
        const struct span words = span_trim(line);
        if (!begins_with(words, ".version") && !begins_with(words, ".target") && !begins_with(words, ".address_size"))
            fprintf(ptx, "%.*s\n", (int)line.size, line.start);
        rest = span_from(rest, line.start + line.size + (line.size < rest.size));
    }
}

/* The newest version of PTX among the inputs, as a number such as 80. */
static int newest_version(const struct input *input) {
    int newest = 0;
    for (; input; input = input->next) {
        const char *at = strstr(input->ptx, ".version");
        char *end = NULL;
        const long major = at ? strtol(at + strlen(".version"), &end, 10) : 0;
        const long minor = end && *end == '.' ? strtol(end + 1, NULL, 10) : 0;
        const int version = (int)(10 * major + minor);
        newest = version > newest ? version : newest;
    }
    return newest;
}

int link_inputs(struct input *inputs, int arch, FILE *ptx, FILE *log) {
    int errors = 0;
    const int version = newest_version(inputs);
    source_write_header(ptx, version ? version : 80, arch);
    for (struct input *input = inputs; input; input = input->next) {
        errors += check_input(inputs, input, log);
        write_body(input, ptx);
    }
    return errors;
}

void link_describe(const char *ptx, FILE *log) {
    struct function function;
    for (const char *at = ptx; next_function(ptx, &at, &function);)
        if (function.is_entry)
            fprintf(log, "info    : Function properties for '%.*s':\n", (int)function.name.size, function.name.start);
}
