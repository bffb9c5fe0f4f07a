/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef TOOLS_PAGE_H
#define TOOLS_PAGE_H

/* One page on stdout, as indented text or as a JSON object: what is written is the same, only the form differs. */

#include <stdbool.h>
#include <stdint.h>

enum { PAGE_DEPTH = 8 };

struct page {
    bool json;
    int depth;
    bool is_list[PAGE_DEPTH];
    unsigned int count[PAGE_DEPTH]; /* what each open group has */
};

struct page page_begin(bool json);
void page_end(struct page *page);

/* A group of named things, or a list of unnamed ones. `name` is NULL for an element of a list; in text, that is a group whose name
 * is its number. */
void page_open(struct page *page, const char *name, bool is_list);
void page_close(struct page *page);

/* JSON is UTF-8 whatever the text is. NULL is null in JSON and left out of text. */
void page_text(struct page *page, const char *name, const char *text);
void page_number(struct page *page, const char *name, uint64_t number, const char *unit);
void page_choice(struct page *page, const char *name, bool choice);

#endif
