/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "page.h"

#include <inttypes.h>
#include <stdio.h>

enum { NAME_WIDTH = 24 };

/* How many bytes the UTF-8 character at `c` has; 0 if it is none. */
static int character_size(const unsigned char *c) {
    int size = c[0] < 0x80 ? 1 : c[0] >> 5 == 6 ? 2 : c[0] >> 4 == 14 ? 3 : c[0] >> 3 == 30 ? 4 : 0;
    for (int i = 1; i < size; i++)
        if (c[i] >> 6 != 2)
            return 0;
    return size;
}

/* A byte that is of no character, as an environment variable may have, is given as the character of its number. */
static void write_json_text(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    putchar('"');
    while (*c) {
        int size = character_size(c);
        if (size == 0 || *c < 0x20)
            printf("\\u%04x", *c);
        else
            printf("%s%.*s", *c == '"' || *c == '\\' ? "\\" : "", size, (const char *)c);
        c += size ? size : 1;
    }
    putchar('"');
}

static void write_indent(const struct page *page) {
    printf("%*s", 2 * page->depth, "");
}

/* What comes before a value: in JSON the comma behind the one before, and the name. */
static void begin_item(struct page *page, const char *name) {
    unsigned int before = page->count[page->depth]++;
    if (page->json) {
        printf("%s", before ? ",\n" : "\n");
        write_indent(page);
        if (name) {
            write_json_text(name);
            printf(": ");
        }
        return;
    }
    write_indent(page);
    if (name)
        printf("%-*s", NAME_WIDTH - 2 * page->depth, name);
}

struct page page_begin(bool json) {
    struct page page = {.json = json};
    if (json) {
        printf("{");
        page.depth = 1;
    }
    return page;
}

void page_end(struct page *page) {
    if (page->json)
        printf("\n}\n");
}

void page_open(struct page *page, const char *name, bool is_list) {
    if (page->json) {
        begin_item(page, name);
        putchar(is_list ? '[' : '{');
    } else {
        write_indent(page);
        if (name)
            printf("%s\n", name);
        else
            printf("%u\n", page->count[page->depth]++);
    }
    page->depth++;
    page->is_list[page->depth] = is_list;
    page->count[page->depth] = 0;
}

void page_close(struct page *page) {
    bool is_list = page->is_list[page->depth];
    bool is_empty = page->count[page->depth] == 0;
    page->depth--;
    if (!page->json)
        return;
    if (!is_empty) {
        putchar('\n');
        write_indent(page);
    }
    putchar(is_list ? ']' : '}');
}

void page_text(struct page *page, const char *name, const char *text) {
    if (!text && !page->json)
        return;
    begin_item(page, name);
    if (!page->json)
        printf("%s\n", text);
    else if (text)
        write_json_text(text);
    else
        printf("null");
}

void page_number(struct page *page, const char *name, uint64_t number, const char *unit) {
    begin_item(page, name);
    printf("%" PRIu64, number);
    if (!page->json)
        printf("%s%s\n", unit ? " " : "", unit ? unit : "");
}

void page_choice(struct page *page, const char *name, bool choice) {
    begin_item(page, name);
    if (page->json)
        printf(choice ? "true" : "false");
    else
        printf(choice ? "yes\n" : "no\n");
}
