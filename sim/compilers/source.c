/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "source.h"

#include "scan.h"

#include <stdlib.h>
#include <string.h>

/* The PTX of a source may stand in a comment of it: from the mark to the comment's end. */
#define PTX_MARK "cusim-ptx:"

/* The oldest for compute capability 9.0. */
#define PTX_VERSION 78

/* A compilation. */
struct unit {
    const struct source *source;
    char *text; /* the source without comments, line for line */
    FILE *ptx;
    FILE *log;
    int errors;
};

/* A definition of a kernel in a source. */
struct kernel {
    struct span name;
    struct span parameters;
    struct span template_parameters; /* of the line "template <...>" before it; empty if there is none */
    int is_extern_c;
};

static int line_of(const struct unit *unit, const char *at) {
    int line = 1;
    for (const char *c = unit->text; c < at; c++)
        line += *c == '\n';
    return line;
}

static void say(struct unit *unit, const char *at, const char *kind, struct span text) {
    fprintf(unit->log, "%s(%d): %s: %.*s\n", unit->source->name, line_of(unit, at), kind, (int)text.size, text.start);
}

static void say_error(struct unit *unit, const char *at, const char *text) {
    say(unit, at, "error", span_of(text));
    unit->errors++;
}

/* "#error text" and "#warning text", whatever the conditions around them. */
static void read_directive(struct unit *unit, struct span line) {
    line = span_trim(line);
    if (!line.size || *line.start != '#')
        return;
    const struct span rest = span_trim(span_from(line, line.start + 1));
    const struct span word = scan_word(rest);
    const struct span text = span_trim(span_from(rest, word.start + word.size));
    if (span_is(word, "warning"))
        say(unit, line.start, "warning", text);
    if (span_is(word, "error")) {
        say(unit, line.start, "error", text);
        unit->errors++;
    }
}

static void read_directives(struct unit *unit) {
    struct span rest = span_of(unit->text);
    while (rest.size) {
        const struct span line = span_until(rest, "\n");
        read_directive(unit, line);
        rest = span_from(rest, line.start + line.size + (line.size < rest.size));
    }
}

/* The "extern "C"" or "template <...>" right before `at`. */
static void read_before(const struct unit *unit, const char *at, struct kernel *kernel) {
    static const char extern_c[] = "extern \"C\"";
    const struct span before = span_trim((struct span){unit->text, (size_t)(at - unit->text)});
    kernel->is_extern_c = span_ends_with(before, extern_c);
    if (!before.size || before.start[before.size - 1] != '>')
        return;
    for (const char *c = before.start + before.size; c-- > before.start;) {
        const struct span tail = span_from(before, c);
        if (span_is(scan_word(tail), "template")) {
            kernel->template_parameters = scan_group(span_trim(span_from(tail, c + sizeof "template" - 1)));
            return;
        }
    }
}

/* Reads "void __launch_bounds__(256) name(parameters) {" behind a "__global__"; 0 if it is no definition. */
static int read_kernel(struct span rest, struct kernel *kernel) {
    for (;;) {
        rest = span_trim(rest);
        const struct span word = scan_word(rest);
        if (!word.size)
            return 0;
        rest = span_trim(span_from(rest, word.start + word.size));
        const struct span group = scan_group(rest);
        if (group.size && *group.start == '(') {
            rest = span_trim(span_from(rest, group.start + group.size));
            kernel->name = word;
            kernel->parameters = group;
            if (!span_is(word, "__launch_bounds__"))
                return rest.size && *rest.start == '{';
        }
    }
}

/* The next kernel behind *at, which is moved on; 0 if there is none. */
static int next_kernel(const struct unit *unit, const char **at, struct kernel *kernel) {
    static const char mark[] = "__global__";
    while ((*at = strstr(*at, mark))) {
        const char *found = *at;
        *at += sizeof mark - 1;
        *kernel = (struct kernel){0};
        if (read_kernel(span_of(*at), kernel)) {
            read_before(unit, found, kernel);
            return 1;
        }
    }
    return 0;
}

/* The PTX type that a word of C++ stands for; those that say more come first. */
static const struct type {
    const char *word;
    const char *ptx;
} types[] = {
    {"double", ".f64"},  {"float", ".f32"},    {"long", ".u64"},     {"size_t", ".u64"},    {"ptrdiff_t", ".u64"},
    {"int64_t", ".u64"}, {"uint64_t", ".u64"}, {"intptr_t", ".u64"}, {"uintptr_t", ".u64"}, {"CUdeviceptr", ".u64"},
    {"short", ".u16"},   {"int16_t", ".u16"},  {"uint16_t", ".u16"}, {"char", ".u8"},       {"bool", ".u8"},
    {"int8_t", ".u8"},   {"uint8_t", ".u8"},   {"int", ".u32"},      {"unsigned", ".u32"},  {"signed", ".u32"},
    {"int32_t", ".u32"}, {"uint32_t", ".u32"},
};

static const char *plain_type(struct span declaration) {
    if (span_find(declaration, "*") || span_find(declaration, "["))
        return ".u64";
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (scan_has_word(declaration, types[i].word))
            return types[i].ptx;
    return NULL;
}

/* What "T" stands for in "kernel<float>", T being the kernel's first template parameter. */
static struct span template_argument(const struct kernel *kernel, struct span arguments, struct span declaration) {
    struct span parameters = scan_inside(kernel->template_parameters);
    arguments = scan_inside(arguments);
    struct span parameter, argument;
    while (scan_item(&parameters, &parameter) && scan_item(&arguments, &argument)) {
        char *name = span_copy(scan_last_word(parameter));
        const int is_it = name && scan_has_word(declaration, name);
        free(name);
        if (is_it)
            return argument;
    }
    return (struct span){NULL, 0};
}

static const char *type_of(const struct kernel *kernel, struct span arguments, struct span declaration) {
    const char *type = plain_type(declaration);
    return type ? type : plain_type(template_argument(kernel, arguments, declaration));
}

static void write_parameters(struct unit *unit, const struct kernel *kernel, const char *name, struct span arguments) {
    struct span rest = scan_inside(kernel->parameters);
    struct span declaration;
    for (int i = 0; scan_item(&rest, &declaration); i++) {
        if (span_is(declaration, "void"))
            continue;
        const char *type = type_of(kernel, arguments, declaration);
        if (type)
            fprintf(unit->ptx, "%s\n    .param %s %s_param_%d", i ? "," : "", type, name, i);
        else
            say_error(unit, declaration.start, "the simulated NVRTC does not know the type of this parameter");
    }
}

/* An empty kernel of that name. `arguments` are those of the template, or empty. */
static void write_kernel(struct unit *unit, const struct kernel *kernel, const char *name, struct span arguments) {
    fprintf(unit->ptx, "\n.visible .entry %s(", name);
    write_parameters(unit, kernel, name, arguments);
    fprintf(unit->ptx, ")\n{\n    ret;\n}\n");
}

static int write_extern_c(struct unit *unit) {
    struct kernel kernel;
    for (const char *at = unit->text; next_kernel(unit, &at, &kernel);) {
        if (!kernel.is_extern_c)
            continue;
        char *name = span_copy(kernel.name);
        if (!name)
            return -1;
        write_kernel(unit, &kernel, name, (struct span){NULL, 0});
        free(name);
    }
    return 0;
}

static int find_kernel(const struct unit *unit, struct span name, struct kernel *kernel) {
    for (const char *at = unit->text; next_kernel(unit, &at, kernel);)
        if (span_equal(kernel->name, name))
            return 1;
    return 0;
}

/* A name like the mangled one, from which it differs so that nobody takes it for that. */
static char *lower(struct span expression) {
    char *name = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&name, &size);
    if (!file)
        return NULL;
    fputs("_Zcusim_", file);
    for (size_t i = 0; i < expression.size; i++)
        fprintf(file, scan_is_word_letter(expression.start[i]) ? "%c" : "_%02x", (unsigned char)expression.start[i]);
    fclose(file);
    return name;
}

/* An expression is "my::kernel<int>" or "&my::variable". */
static int lower_expression(struct unit *unit, struct expression *expression, int write) {
    struct span whole = span_trim(span_of(expression->text));
    if (whole.size && *whole.start == '&')
        whole = span_trim(span_from(whole, whole.start + 1));
    const struct span name = span_until(whole, "<");
    const struct span arguments = span_trim(span_from(whole, name.start + name.size));
    struct kernel kernel;
    const int is_kernel = find_kernel(unit, scan_last_word(name), &kernel);
    free(expression->lowered);
    expression->lowered = is_kernel && kernel.is_extern_c ? span_copy(kernel.name) : lower(whole);
    if (!expression->lowered)
        return -1;
    if (is_kernel && !kernel.is_extern_c && write)
        write_kernel(unit, &kernel, expression->lowered, arguments);
    if (is_kernel || !write)
        return 0;
    fprintf(unit->log, "__nv_name_map(1): error: no kernel of the name expression \"%s\"\n", expression->text);
    unit->errors++;
    return 0;
}

static int lower_expressions(struct unit *unit, int write) {
    for (struct expression *expression = unit->source->expressions; expression; expression = expression->next)
        if (lower_expression(unit, expression, write))
            return -1;
    return 0;
}

/* The PTX in the source's comment; empty if there is none. */
static struct span given_ptx(const char *text) {
    const char *mark = strstr(text, PTX_MARK);
    return mark ? span_until(span_of(mark + sizeof PTX_MARK - 1), "*/") : (struct span){NULL, 0};
}

static int compile(struct unit *unit) {
    const struct span given = given_ptx(unit->source->text);
    read_directives(unit);
    if (given.size) {
        fprintf(unit->ptx, "%.*s", (int)given.size, given.start);
        return lower_expressions(unit, 0);
    }
    source_write_header(unit->ptx, PTX_VERSION, unit->source->arch);
    return write_extern_c(unit) || lower_expressions(unit, 1) ? -1 : 0;
}

int source_compile(const struct source *source, FILE *ptx, FILE *log) {
    struct unit unit = {.source = source, .text = scan_without_comments(source->text), .ptx = ptx, .log = log};
    if (!unit.text)
        return -1;
    const int failed = compile(&unit);
    free(unit.text);
    if (unit.errors)
        fprintf(log, "\n%d error%s detected in the compilation of \"%s\".\n", unit.errors, unit.errors == 1 ? "" : "s",
                source->name);
    return failed ? failed : unit.errors;
}

void source_write_header(FILE *ptx, int version, int arch) {
    fprintf(ptx, ".version %d.%d\n.target sm_%d\n.address_size 64\n", version / 10, version % 10, arch);
}
