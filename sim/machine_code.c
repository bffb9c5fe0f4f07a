/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "machine_code.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_CUDA 190
#define OSABI_CUDA 0x33
#define FLAGS_SM_90 0x5a055a /* compute capability 9.0, virtual and real, and 64-bit addresses */
#define PTX_SECTION ".cusim.ptx"

static const char names[] = "\0.shstrtab\0" PTX_SECTION;

enum { NAME_OF_NAMES = 1, NAME_OF_PTX = 11, SECTION_NONE = 0, SECTION_NAMES, SECTION_PTX, SECTION_COUNT };

struct file {
    Elf64_Ehdr header;
    Elf64_Shdr sections[SECTION_COUNT];
    char names[sizeof(names)];
    char ptx[];
};

void *machine_code_wrap(const char *ptx, size_t *size) {
    size_t ptx_size = strlen(ptx) + 1;
    *size = (sizeof(struct file) + ptx_size + 7) / 8 * 8;
    struct file *file = calloc(1, *size);
    if (!file)
        return NULL;
    memcpy(file->header.e_ident, ELFMAG, SELFMAG);
    file->header.e_ident[EI_CLASS] = ELFCLASS64;
    file->header.e_ident[EI_DATA] = ELFDATA2LSB;
    file->header.e_ident[EI_VERSION] = EV_CURRENT;
    file->header.e_ident[EI_OSABI] = OSABI_CUDA;
    file->header.e_type = ET_EXEC;
    file->header.e_machine = MACHINE_CUDA;
    file->header.e_version = EV_CURRENT;
    file->header.e_flags = FLAGS_SM_90;
    file->header.e_ehsize = sizeof(Elf64_Ehdr);
    file->header.e_shoff = offsetof(struct file, sections);
    file->header.e_shentsize = sizeof(Elf64_Shdr);
    file->header.e_shnum = SECTION_COUNT;
    file->header.e_shstrndx = SECTION_NAMES;
    file->sections[SECTION_NAMES] = (Elf64_Shdr){.sh_name = NAME_OF_NAMES,
                                                 .sh_type = SHT_STRTAB,
                                                 .sh_offset = offsetof(struct file, names),
                                                 .sh_size = sizeof(names),
                                                 .sh_addralign = 1};
    file->sections[SECTION_PTX] = (Elf64_Shdr){.sh_name = NAME_OF_PTX,
                                               .sh_type = SHT_PROGBITS,
                                               .sh_offset = offsetof(struct file, ptx),
                                               .sh_size = ptx_size,
                                               .sh_addralign = 1};
    memcpy(file->names, names, sizeof(names));
    memcpy(file->ptx, ptx, ptx_size);
    return file;
}

int machine_code_is_one(const void *image) {
    return strncmp(image, ELFMAG, SELFMAG) == 0;
}

/* Byte by byte: what is no ELF file of a CUDA device may end anywhere. */
static int is_for_cuda(const unsigned char *image) {
    return machine_code_is_one(image) && image[EI_CLASS] == ELFCLASS64 && image[EI_DATA] == ELFDATA2LSB &&
           image[EI_VERSION] == EV_CURRENT && image[EI_OSABI] == OSABI_CUDA;
}

const char *machine_code_ptx(const void *image, size_t size) {
    struct file file;
    if (size < sizeof(file) || !is_for_cuda(image))
        return NULL;
    memcpy(&file, image, sizeof(file.header)); /* it may lie at any address */
    if (file.header.e_shoff != offsetof(struct file, sections) || file.header.e_shnum != SECTION_COUNT)
        return NULL;
    memcpy(&file, image, sizeof(file));
    const Elf64_Shdr *section = &file.sections[SECTION_PTX];
    if (memcmp(file.names, names, sizeof(names)) != 0 || section->sh_offset >= size || section->sh_size == 0 ||
        section->sh_size > size - section->sh_offset)
        return NULL;
    const char *ptx = (const char *)image + section->sh_offset;
    return ptx[section->sh_size - 1] == '\0' ? ptx : NULL;
}
