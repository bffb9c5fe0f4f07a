/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "code.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_CUDA 190
#define PTX_SECTION ".cusim.ptx"

static const char section_names[] = "\0" PTX_SECTION "\0.shstrtab";
enum { NAME_PTX = 1, NAME_NAMES = 1 + sizeof PTX_SECTION, SECTIONS = 3 };

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

static Elf64_Ehdr elf_header(size_t sections_at, int arch) {
    Elf64_Ehdr header = {.e_type = ET_EXEC,
                         .e_machine = MACHINE_CUDA,
                         .e_version = EV_CURRENT,
                         .e_shoff = sections_at,
                         .e_flags = (Elf64_Word)arch,
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = SECTIONS - 1};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    return header;
}

/* Header, PTX, names, and at an aligned place the table of sections. */
struct code code_cubin(const char *ptx, int arch) {
    const size_t size = strlen(ptx);
    const size_t names_at = sizeof(Elf64_Ehdr) + size;
    const size_t sections_at = (names_at + sizeof section_names + 7) / 8 * 8;
    const Elf64_Ehdr header = elf_header(sections_at, arch);
    const Elf64_Shdr sections[SECTIONS] = {
        {0},
        {.sh_name = NAME_PTX, .sh_type = SHT_PROGBITS, .sh_offset = sizeof header, .sh_size = size, .sh_addralign = 1},
        {.sh_name = NAME_NAMES, .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = sizeof section_names, .sh_addralign = 1},
    };
    struct code code = code_of_size(sections_at + sizeof sections);
    if (code.data) {
        memcpy(code.data, &header, sizeof header);
        memcpy(code.data + sizeof header, ptx, size);
        memcpy(code.data + names_at, section_names, sizeof section_names);
        memcpy(code.data + sections_at, sections, sizeof sections);
    }
    return code;
}

/* Whether `size` bytes from `at` on lie within `whole`. */
static int fits(size_t whole, uint64_t at, uint64_t size) {
    return at <= whole && size <= whole - at;
}

static int section_is_ptx(const char *file, size_t size, const Elf64_Shdr *names, const Elf64_Shdr *section) {
    return section->sh_type == SHT_PROGBITS && fits(size, names->sh_offset, names->sh_size) &&
           fits(names->sh_size, section->sh_name, sizeof PTX_SECTION) && fits(size, section->sh_offset, section->sh_size) &&
           memcmp(file + names->sh_offset + section->sh_name, PTX_SECTION, sizeof PTX_SECTION) == 0;
}

static Elf64_Shdr section_at(const char *file, const Elf64_Ehdr *header, size_t index) {
    Elf64_Shdr section;
    memcpy(&section, file + header->e_shoff + index * sizeof section, sizeof section);
    return section;
}

struct code code_of_cubin(const void *data, size_t size) {
    Elf64_Ehdr header;
    struct code none = {NULL, 0};
    if (size < sizeof header || memcmp(data, ELFMAG, SELFMAG) != 0)
        return none;
    memcpy(&header, data, sizeof header);
    if (header.e_machine != MACHINE_CUDA || header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shstrndx >= header.e_shnum ||
        !fits(size, header.e_shoff, header.e_shnum * sizeof(Elf64_Shdr)))
        return none;
    const Elf64_Shdr names = section_at(data, &header, header.e_shstrndx);
    for (size_t i = 0; i < header.e_shnum; i++) {
        const Elf64_Shdr section = section_at(data, &header, i);
        if (section_is_ptx(data, size, &names, &section))
            return code_copy((const char *)data + section.sh_offset, section.sh_size);
    }
    return none;
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
