/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "code.h"

#include "../machine_code.h"

#include <stdlib.h>
#include <string.h>

static const char lto_mark[] = "\xed"
                               "CN\x7f"
                               "cusim";
enum { LTO_MARK_SIZE = sizeof lto_mark - 1 };

static struct code code_of_size(size_t size) {
    struct code code = {calloc(1, size + 1), size};
    return code;
}

static struct code code_copy(const void *data, size_t size) {
    struct code code = code_of_size(size);
    if (code.data && size)
        memcpy(code.data, data, size);
    return code;
}

static unsigned target_of(const char *ptx) {
    static const char directive[] = ".target sm_";
    const char *target = strstr(ptx, directive);
    return target ? (unsigned)strtoul(target + strlen(directive), NULL, 10) : 0;
}

struct code code_cubin(const char *ptx) {
    struct code code = {NULL, 0};
    code.data = machine_code_wrap(ptx, target_of(ptx), &code.size);
    return code;
}

struct code code_of_cubin(const void *data, size_t size) {
    struct code code = {machine_code_ptx(data, size), 0};
    code.size = code.data ? strlen(code.data) : 0;
    return code;
}

struct code code_lto(const char *ptx) {
    const size_t size = strlen(ptx);
    struct code code = code_of_size(LTO_MARK_SIZE + size);
    if (code.data) {
        memcpy(code.data, lto_mark, LTO_MARK_SIZE);
        memcpy(code.data + LTO_MARK_SIZE, ptx, size);
    }
    return code;
}

struct code code_of_lto(const void *data, size_t size) {
    struct code none = {NULL, 0};
    if (size < LTO_MARK_SIZE || memcmp(data, lto_mark, LTO_MARK_SIZE) != 0)
        return none;
    return code_copy((const char *)data + LTO_MARK_SIZE, size - LTO_MARK_SIZE);
}

struct code code_of_ptx(const void *data, size_t size) {
    struct code code = code_copy(data, size);
    if (code.data && !strstr(code.data, ".version"))
        code_free(&code);
    return code;
}

void code_free(struct code *code) {
    free(code->data);
    *code = (struct code){NULL, 0};
}
