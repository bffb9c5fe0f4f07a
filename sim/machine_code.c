/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "machine_code.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_CUDA 190
#define OSABI_CUDA 0x33
#define PTX_SECTION ".cusim.ptx"

static const char names[] = "\0.shstrtab\0" PTX_SECTION;

enum { NAME_OF_NAMES = 1, NAME_OF_PTX = 11, SECTION_NONE = 0, SECTION_NAMES, SECTION_PTX, SECTION_COUNT };

struct file {
    Elf64_Ehdr header;
    Elf64_Shdr sections[SECTION_COUNT];
    char names[sizeof(names)];
    char ptx[];
};

static Elf64_Ehdr file_header(unsigned architecture) {
    return (Elf64_Ehdr){
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT, OSABI_CUDA},
        .e_type = ET_EXEC,
        .e_machine = MACHINE_CUDA,
        .e_version = EV_CURRENT,
        .e_flags = architecture,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_shoff = offsetof(struct file, sections),
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_shnum = SECTION_COUNT,
        .e_shstrndx = SECTION_NAMES,
    };
}

static Elf64_Shdr section_header(unsigned name, unsigned type, size_t offset, size_t size) {
    return (Elf64_Shdr){.sh_name = name, .sh_type = type, .sh_offset = offset, .sh_size = size, .sh_addralign = 1};
}

void *machine_code_wrap(const char *ptx, unsigned architecture, size_t *size) {
    size_t ptx_size = strlen(ptx);
    size_t file_size = sizeof(struct file) + ptx_size;
    struct file *file = calloc(1, file_size);
    if (!file)
        return NULL;
    file->header = file_header(architecture);
    file->sections[SECTION_NAMES] = section_header(NAME_OF_NAMES, SHT_STRTAB, offsetof(struct file, names), sizeof(names));
    file->sections[SECTION_PTX] = section_header(NAME_OF_PTX, SHT_PROGBITS, offsetof(struct file, ptx), ptx_size);
    memcpy(file->names, names, sizeof(names));
    memcpy(file->ptx, ptx, ptx_size); /* NOLINT(bugprone-not-null-terminated-result): no NUL, as said */
    *size = file_size;
    return file;
}

int machine_code_is_elf(const void *image) {
    return strncmp(image, ELFMAG, SELFMAG) == 0;
}

/* Whether `size` bytes from `at` on lie within `whole`. */
static int fits(size_t whole, uint64_t at, uint64_t size) {
    return at <= whole && size <= whole - at;
}

static Elf64_Shdr section_at(const char *image, const Elf64_Ehdr *header, size_t index) {
    Elf64_Shdr section;
    memcpy(&section, image + header->e_shoff + index * sizeof(section), sizeof(section)); /* it may lie at any address */
    return section;
}

static int is_ptx_section(const char *image, size_t size, const Elf64_Shdr *strings, const Elf64_Shdr *section) {
    return section->sh_type == SHT_PROGBITS && fits(size, strings->sh_offset, strings->sh_size) &&
           fits(strings->sh_size, section->sh_name, sizeof(PTX_SECTION)) && fits(size, section->sh_offset, section->sh_size) &&
           memcmp(image + strings->sh_offset + section->sh_name, PTX_SECTION, sizeof(PTX_SECTION)) == 0;
}

static int has_sections(const Elf64_Ehdr *header, size_t size) {
    return header->e_machine == MACHINE_CUDA && header->e_shentsize == sizeof(Elf64_Shdr) && header->e_shstrndx < header->e_shnum &&
           fits(size, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr));
}

char *machine_code_ptx(const void *image, size_t size) {
    Elf64_Ehdr header;
    if (size < sizeof(header) || !machine_code_is_elf(image))
        return NULL;
    memcpy(&header, image, sizeof(header));
    if (!has_sections(&header, size))
        return NULL;
    const Elf64_Shdr strings = section_at(image, &header, header.e_shstrndx);
    for (size_t i = 0; i < header.e_shnum; i++) {
        const Elf64_Shdr section = section_at(image, &header, i);
        if (is_ptx_section(image, size, &strings, &section))
            return strndup((const char *)image + section.sh_offset, section.sh_size);
    }
    return NULL;
}
