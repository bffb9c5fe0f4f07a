/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "object_code.h"

#include "base/argument.h"

#include <elf.h>
#include <string.h>

static bool teardown(void *object, cucore_channel *channel) {
    (void)channel;
    cucore_name_map_free(&((cucore_object_code *)object)->names);
    return true;
}

const cucore_class cucore_object_code_class = {"object code", teardown, false};

CUCORE_HANDLE(object_code)

int32_t cucore_expect_object_code_kind(const cucore_call *call, int32_t kind, const char *parameter) {
    if (kind >= CUCORE_OBJECT_CODE_PTX && kind <= CUCORE_OBJECT_CODE_LTO_IR)
        return CUCORE_OK;
    return cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": %s is %d, no CUCORE_OBJECT_CODE_... number", parameter, (int)kind);
}

/* Copies a text to `place` and gives the place behind it and its NUL, which is there already. */
static char *place_text(char *place, cucore_text text) {
    if (text.size)
        memcpy(place, text.data, text.size);
    return place + text.size + 1;
}

/* One allocation: the handle, the bytes, the name, the log. */
cucore_object_code *cucore_object_code_allocate(const cucore_call *call, int32_t kind, size_t size, cucore_text name,
                                                cucore_text log) {
    size_t room = sizeof(cucore_object_code) + name.size + log.size + 3;
    cucore_object_code *code = NULL;
    if (size <= SIZE_MAX - room)
        code = cucore_object_allocate(call, &cucore_object_code_class, room + size);
    else
        cucore_fail(call, CUCORE_OUT_OF_MEMORY, ": %zu bytes of object code are more than memory holds", size);
    if (!code)
        return NULL;
    code->kind = kind;
    code->size = size;
    code->data = (char *)(code + 1);
    code->name = code->data + size + 1;
    code->log = place_text(code->name, name);
    code->log_size = log.size;
    place_text(code->log, log);
    return code;
}

static bool reaches_past(uint64_t offset, uint64_t count, uint64_t entry_size, uint64_t size) {
    return offset > size || (count && entry_size > (size - offset) / count);
}

static bool segments_reach_past(const char *data, size_t size, const Elf64_Ehdr *header) {
    for (unsigned int i = 0; i < header->e_phnum; i++) {
        Elf64_Phdr segment;
        memcpy(&segment, data + header->e_phoff + i * sizeof segment, sizeof segment);
        if (reaches_past(segment.p_offset, 1, segment.p_filesz, size))
            return true;
    }
    return false;
}

static bool sections_reach_past(const char *data, size_t size, const Elf64_Ehdr *header) {
    for (unsigned int i = 0; i < header->e_shnum; i++) {
        Elf64_Shdr section;
        memcpy(&section, data + header->e_shoff + i * sizeof section, sizeof section);
        if (section.sh_type != SHT_NOBITS && reaches_past(section.sh_offset, 1, section.sh_size, size))
            return true;
    }
    return false;
}

/* Drivers take a pointer without a size and believe what the file says of itself, so that is checked first: headers and sections
 * within the bytes there are. */
static bool is_whole_elf(const char *data, size_t size) {
    Elf64_Ehdr header;
    if (size < sizeof header)
        return false;
    memcpy(&header, data, sizeof header);
    if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    if ((header.e_shoff && !header.e_shnum) || (header.e_shnum && header.e_shentsize != sizeof(Elf64_Shdr)) ||
        (header.e_phnum && header.e_phentsize != sizeof(Elf64_Phdr)))
        return false;
    return !reaches_past(header.e_phoff, header.e_phnum, sizeof(Elf64_Phdr), size) &&
           !reaches_past(header.e_shoff, header.e_shnum, sizeof(Elf64_Shdr), size) && !segments_reach_past(data, size, &header) &&
           !sections_reach_past(data, size, &header);
}

static int32_t expect_contents(const cucore_call *call, int32_t kind, const void *data, size_t size) {
    int32_t code = cucore_expect_object_code_kind(call, kind, "kind");
    if (!code)
        code = cucore_expect_pointer(call, data, "data");
    if (!code && !size)
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": size is 0");
    if (!code && kind == CUCORE_OBJECT_CODE_PTX)
        code = cucore_expect_text(call, data, size, "data");
    if (!code && kind == CUCORE_OBJECT_CODE_CUBIN && !is_whole_elf(data, size))
        code = cucore_fail(call, CUCORE_INVALID_ARGUMENT, ": data is no cubin: not an ELF file that fits in %zu bytes", size);
    return code;
}

cucore_object_code *cucore_object_code_create(int32_t kind, const void *data, size_t size, const char *name, size_t name_size,
                                              cucore_status **status) {
    const cucore_call call = cucore_call_begin(__func__, status);
    if (expect_contents(&call, kind, data, size) || cucore_expect_text(&call, name, name_size, "name"))
        return NULL;
    cucore_object_code *code =
        cucore_object_code_allocate(&call, kind, size, (cucore_text){name, name_size}, (cucore_text){NULL, 0});
    if (code)
        memcpy(code->data, data, size);
    return code;
}

int32_t cucore_object_code_kind(const cucore_object_code *code) {
    return cucore_object_is(code, &cucore_object_code_class) ? code->kind : 0;
}

const char *cucore_object_code_raw(const cucore_object_code *code, size_t *size) {
    return cucore_object_is(code, &cucore_object_code_class) ? cucore_bytes_out(code->data, code->size, size)
                                                             : cucore_bytes_out(NULL, 0, size);
}

const char *cucore_object_code_name(const cucore_object_code *code, size_t *size) {
    return cucore_text_out(cucore_object_is(code, &cucore_object_code_class) ? code->name : "", size);
}

const char *cucore_object_code_lowered_name(const cucore_object_code *code, const char *name, size_t size, size_t *lowered_size) {
    bool is_searchable = cucore_object_is(code, &cucore_object_code_class) && name;
    return cucore_text_out(is_searchable ? cucore_name_map_find(&code->names, name, size) : NULL, lowered_size);
}

const char *cucore_object_code_log(const cucore_object_code *code, size_t *size) {
    return cucore_object_is(code, &cucore_object_code_class) ? cucore_bytes_out(code->log, code->log_size, size)
                                                             : cucore_bytes_out("", 0, size);
}
