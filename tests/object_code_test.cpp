// SPDX-License-Identifier: MIT OR Apache-2.0
// Object code: none of this needs a driver or a compiler.
#include "support/cucore.hpp"

#include <cstring>
#include <elf.h>

using namespace test;

namespace {

/// The least that is a whole ELF file: a header that claims nothing beyond itself.
std::string elf_file() {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_EXEC;
    header.e_machine = 190; // EM_CUDA
    header.e_version = EV_CURRENT;
    header.e_ehsize = sizeof header;
    return {reinterpret_cast<const char *>(&header), sizeof header};
}

ObjectCode create(int32_t kind, const std::string &data, const std::string &name = "") {
    return make(cucore_object_code_create, kind, data.data(), data.size(), name.empty() ? nullptr : name.data(), name.size());
}

void refused(const std::string &part, int32_t kind, const void *data, size_t size) {
    fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_object_code_create, kind, data, size, nullptr, size_t{0});
}

} // namespace

TEST_CASE("object code holds a copy of its bytes, its kind and its name") {
    std::string data = SAXPY_PTX;
    const ObjectCode code = create(CUCORE_OBJECT_CODE_PTX, data, "saxpy.ptx");
    data.assign(data.size(), 'x');
    size_t size = 0;
    const char *bytes = cucore_object_code_raw(code, &size);
    CHECK(std::string(bytes, size) == SAXPY_PTX);
    CHECK(bytes[size] == '\0');
    CHECK(cucore_object_code_kind(code) == CUCORE_OBJECT_CODE_PTX);
    CHECK(cucore_object_code_name(code, &size) == std::string("saxpy.ptx"));
    CHECK(size == 9);
    CHECK(cucore_object_code_log(code, &size) == std::string());
    CHECK(size == 0);
}

TEST_CASE("object code needs no name") {
    const ObjectCode code = create(CUCORE_OBJECT_CODE_LTO_IR, "anything");
    CHECK(cucore_object_code_name(code, nullptr) == std::string());
    CHECK(cucore_object_code_kind(code) == CUCORE_OBJECT_CODE_LTO_IR);
}

TEST_CASE("object code needs bytes and a kind") {
    refused("data", CUCORE_OBJECT_CODE_PTX, nullptr, 4);
    refused("size", CUCORE_OBJECT_CODE_PTX, "", 0);
    refused("kind", 0, "ptx", 3);
    refused("kind", 4, "ptx", 3);
    refused("kind", -1, "ptx", 3);
    fails_saying(CUCORE_INVALID_ARGUMENT, "name", cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, "ptx", size_t{3}, "a\0b",
                 size_t{3});
    fails_saying(CUCORE_INVALID_ARGUMENT, "name is NULL", cucore_object_code_create, CUCORE_OBJECT_CODE_PTX, "ptx", size_t{3},
                 nullptr, size_t{3});
}

TEST_CASE("a PTX is not read past its size, and has no NUL in it") {
    const ObjectCode code = create(CUCORE_OBJECT_CODE_PTX, std::string(".version 7.0 and more", 12));
    size_t size = 0;
    CHECK(cucore_object_code_raw(code, &size) == std::string(".version 7.0"));
    CHECK(size == 12);
    refused("NUL", CUCORE_OBJECT_CODE_PTX, "a\0b", 3);
}

TEST_CASE("a cubin is an ELF file that is all there") {
    std::string file = elf_file();
    const ObjectCode whole = create(CUCORE_OBJECT_CODE_CUBIN, file);
    CHECK(cucore_object_code_kind(whole) == CUCORE_OBJECT_CODE_CUBIN);
    refused("ELF", CUCORE_OBJECT_CODE_CUBIN, "not an ELF file, but long enough to be one: 0123456789 0123456789", 64);
    refused("ELF", CUCORE_OBJECT_CODE_CUBIN, file.data(), 10);

    auto *header = reinterpret_cast<Elf64_Ehdr *>(&file[0]);
    header->e_shoff = sizeof(Elf64_Ehdr); // a section table of a length that the first section would have to tell
    header->e_shnum = 0;
    refused("not an ELF file that fits", CUCORE_OBJECT_CODE_CUBIN, file.data(), file.size());
    header->e_shoff = 0;

    std::string longer = file + std::string(sizeof(Elf64_Phdr), '\0');
    auto *with_segment = reinterpret_cast<Elf64_Ehdr *>(&longer[0]);
    with_segment->e_phoff = file.size();
    with_segment->e_phentsize = sizeof(Elf64_Phdr);
    with_segment->e_phnum = 1;
    auto *segment = reinterpret_cast<Elf64_Phdr *>(&longer[file.size()]);
    segment->p_offset = 1000000;
    segment->p_filesz = 1;
    refused("not an ELF file that fits", CUCORE_OBJECT_CODE_CUBIN, longer.data(), longer.size());

    header->e_shoff = sizeof(Elf64_Ehdr);
    header->e_shentsize = sizeof(Elf64_Shdr);
    header->e_shnum = 100;
    refused("not an ELF file that fits", CUCORE_OBJECT_CODE_CUBIN, file.data(), file.size());
    header->e_shoff = UINT64_MAX - 10;
    refused("not an ELF file that fits", CUCORE_OBJECT_CODE_CUBIN, file.data(), file.size());
}

TEST_CASE("a cubin's sections are all there, but for those that take no room in the file") {
    std::string file = elf_file() + std::string(2 * sizeof(Elf64_Shdr), '\0');
    auto *header = reinterpret_cast<Elf64_Ehdr *>(&file[0]);
    header->e_shoff = sizeof(Elf64_Ehdr);
    header->e_shentsize = sizeof(Elf64_Shdr);
    header->e_shnum = 2;
    auto *section = reinterpret_cast<Elf64_Shdr *>(&file[sizeof(Elf64_Ehdr) + sizeof(Elf64_Shdr)]);
    section->sh_type = SHT_PROGBITS;
    section->sh_offset = file.size() - 8;
    section->sh_size = 8;
    create(CUCORE_OBJECT_CODE_CUBIN, file);
    section->sh_size = 9;
    refused("not an ELF file that fits", CUCORE_OBJECT_CODE_CUBIN, file.data(), file.size());
    section->sh_type = SHT_NOBITS;
    create(CUCORE_OBJECT_CODE_CUBIN, file);
}

TEST_CASE("a cubin is of 64 bits, and so are its tables") {
    std::string file = elf_file() + std::string(sizeof(Elf64_Phdr), '\0');
    auto *header = reinterpret_cast<Elf64_Ehdr *>(&file[0]);
    header->e_phoff = sizeof(Elf64_Ehdr);
    header->e_phentsize = sizeof(Elf64_Phdr);
    header->e_phnum = 1;
    create(CUCORE_OBJECT_CODE_CUBIN, file);
    header->e_phentsize = sizeof(Elf32_Phdr);
    refused("ELF", CUCORE_OBJECT_CODE_CUBIN, file.data(), file.size());
    header->e_phentsize = sizeof(Elf64_Phdr);
    header->e_ident[EI_CLASS] = ELFCLASS32;
    refused("ELF", CUCORE_OBJECT_CODE_CUBIN, file.data(), file.size());
    header->e_ident[EI_CLASS] = ELFCLASS64;
    header->e_shoff = sizeof(Elf64_Ehdr);
    header->e_shnum = 1;
    header->e_shentsize = sizeof(Elf32_Shdr);
    refused("ELF", CUCORE_OBJECT_CODE_CUBIN, file.data(), file.size());
}

TEST_CASE("object code of a size that no memory holds is refused before it is read") {
    fails_saying(CUCORE_OUT_OF_MEMORY, "more than memory holds", cucore_object_code_create, CUCORE_OBJECT_CODE_LTO_IR, "x",
                 SIZE_MAX, nullptr, size_t{0});
}

TEST_CASE("object code lives until its last reference") {
    ObjectCode code = create(CUCORE_OBJECT_CODE_PTX, "ptx");
    cucore_object_code *second = cucore_object_code_retain(code);
    CHECK(second == code.get());
    int32_t destroyed = -1;
    ok(cucore_object_code_close, code.give(), &destroyed);
    CHECK(destroyed == 0);
    CHECK(cucore_object_code_raw(second, nullptr) == std::string("ptx"));
    ok(cucore_object_code_close, second, &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE("object code that no program made has no name expressions") {
    const ObjectCode code = create(CUCORE_OBJECT_CODE_PTX, SAXPY_PTX);
    size_t size = 77;
    CHECK(cucore_object_code_lowered_name(code, "saxpy", 5, &size) == nullptr);
    CHECK(size == 0);
    CHECK(cucore_object_code_lowered_name(code, nullptr, 5, nullptr) == nullptr);
    CHECK(cucore_object_code_lowered_name(nullptr, "saxpy", 5, &size) == nullptr);
}
