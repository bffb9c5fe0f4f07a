// SPDX-License-Identifier: MIT OR Apache-2.0
// Programs, compiled with the real NVRTC. Tests of it carry the tag [compiler].
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/options.hpp"

using namespace test;

namespace {

struct Compiling {
    Device device = make(cucore_device_open, 0);
    Program program(const std::string &source, const cucore_program_options *options = nullptr) const {
        return make(cucore_program_create, device, source.data(), source.size(), options);
    }
};

std::string bytes_of(cucore_object_code *code) {
    size_t size = 0;
    const char *data = cucore_object_code_raw(code, &size);
    return {data, size};
}

const std::string UNUSED = "extern \"C\" __global__ void unused() { int never_used; }\n";
const std::string BROKEN = "extern \"C\" __global__ void broken() { undeclared = 1; }\n";

} // namespace

TEST_CASE_METHOD(Clean, "a program compiles to PTX, which runs", "[compiler]") {
    const Compiling with;
    const ObjectCode code = make(cucore_program_compile, with.program(SAXPY_SOURCE), CUCORE_OBJECT_CODE_PTX);
    CHECK(cucore_object_code_kind(code) == CUCORE_OBJECT_CODE_PTX);
    CHECK_THAT(bytes_of(code), has(".visible .entry saxpy("));
    CHECK_THAT(bytes_of(code), has(std::string(".target ") + cucore_device_arch(with.device, nullptr)));
    CHECK(cucore_object_code_name(code, nullptr) == std::string("program.cu"));
    const Kernel kernel = find(make(cucore_library_load, with.device, code));
    size_t count = 0;
    ok(cucore_kernel_parameter_count, kernel, &count);
    CHECK(count == 4);
}

TEST_CASE_METHOD(Clean, "a program compiles to a cubin and to LTO-IR", "[compiler]") {
    const Compiling with;
    const Program program = with.program(SAXPY_SOURCE);
    const ObjectCode cubin = make(cucore_program_compile, program, CUCORE_OBJECT_CODE_CUBIN);
    CHECK(bytes_of(cubin).compare(0, 4, "\177ELF") == 0);
    const ObjectCode lto = make(cucore_program_compile, program, CUCORE_OBJECT_CODE_LTO_IR);
    CHECK(cucore_object_code_kind(lto) == CUCORE_OBJECT_CODE_LTO_IR);
    CHECK_FALSE(bytes_of(lto).empty());
    CHECK(bytes_of(lto) != bytes_of(cubin));
    const ObjectCode ptx_again = make(cucore_program_compile, program, CUCORE_OBJECT_CODE_PTX);
    CHECK_THAT(bytes_of(ptx_again), has(".entry saxpy"));
}

TEST_CASE_METHOD(Clean, "a cubin is for one architecture", "[compiler]") {
    const Compiling with;
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.arch = {"compute_90", 10};
    const Facts facts = fails(cucore_program_compile, with.program(SAXPY_SOURCE, &options), CUCORE_OBJECT_CODE_CUBIN);
    INFO(describe(facts));
    CHECK(facts.says("sm_"));
}

TEST_CASE_METHOD(Clean, "the options name the file, the architecture and anything else", "[compiler]") {
    const std::string more = "--define-macro=NUMBER=5";
    const cucore_text texts[] = {text(more)};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.name = {"named.cu and more", 8};
    options.arch = {"compute_80 and more", 10};
    options.options = texts;
    options.option_count = 1;
    const std::string source = "extern \"C\" __global__ void five(int *x) { *x = NUMBER; int never_used; }";
    const Program program = make(cucore_program_create, nullptr, source.data(), source.size(), &options);
    CHECK(cucore_program_raw(program) != nullptr);
    const ObjectCode code = make(cucore_program_compile, program, CUCORE_OBJECT_CODE_PTX);
    CHECK_THAT(bytes_of(code), has(".target sm_80"));
    CHECK(cucore_object_code_name(code, nullptr) == std::string("named.cu"));
    CHECK_THAT(cucore_object_code_log(code, nullptr), has("named.cu(1)"));
}

TEST_CASE_METHOD(Clean, "program options follow the rules of options", "[compiler]") {
    const Compiling with;
    check_options<cucore_program_options>([&](const void *options, cucore_status **status) {
        return made_code(cucore_program_create(with.device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(),
                                               static_cast<const cucore_program_options *>(options), status),
                         status);
    });
    cucore_program_options options{};
    options.struct_size = sizeof options;
    const auto refused = [&](const std::string &part) {
        fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_program_create, with.device, SAXPY_SOURCE.data(), SAXPY_SOURCE.size(),
                     &options);
    };
    options.option_count = 1;
    refused("options");
    const cucore_text empty = {nullptr, 4};
    options.options = &empty;
    refused("option");
    options.option_count = 0;
    options.name = {"a\0b", 3};
    refused("name");
}

TEST_CASE_METHOD(Clean, "a program needs source, and an architecture from somewhere", "[compiler]") {
    const Compiling with;
    fails_saying(CUCORE_INVALID_ARGUMENT, "source is NULL", cucore_program_create, with.device, nullptr, size_t{5}, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "source", cucore_program_create, with.device, "", size_t{0}, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "NUL", cucore_program_create, with.device, "a\0b", size_t{3}, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "arch", cucore_program_create, nullptr, "x", size_t{1}, nullptr);
    for (const int32_t kind : {0, 4, -1}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "kind", cucore_program_compile, with.program(SAXPY_SOURCE), kind);
    }
}

TEST_CASE_METHOD(Clean, "a program lives until its last reference", "[compiler]") {
    const Compiling with;
    Program program = with.program(SAXPY_SOURCE);
    cucore_program *second = cucore_program_retain(program);
    CHECK(second == program.get());
    int32_t destroyed = -1;
    ok(cucore_program_close, program.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_program_close, second, &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE("the compiler's version and path are told", "[compiler]") {
    int32_t major = 0, minor = -1;
    for (const int32_t compiler : {CUCORE_COMPILER_NVRTC, CUCORE_COMPILER_NVJITLINK}) {
        ok(cucore_compiler_version, compiler, &major, &minor);
        CHECK(major >= 12);
        CHECK(minor >= 0);
        size_t size = 0;
        const std::string path = cucore_compiler_path(compiler, &size);
        CHECK(path.size() == size);
        CHECK_THAT(path, has(compiler == CUCORE_COMPILER_NVRTC ? "libnvrtc" : "libnvJitLink"));
        fails_saying(CUCORE_INVALID_STATE, "loaded", cucore_compiler_use_library, compiler, path.data(), path.size());
    }
}

TEST_CASE("compilers are named by their numbers and by absolute paths") {
    int32_t number = 77;
    for (const int32_t compiler : {0, 3, -1}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "compiler", cucore_compiler_version, compiler, &number, &number);
        fails_saying(CUCORE_INVALID_ARGUMENT, "compiler", cucore_compiler_use_library, compiler, "/a", size_t{2});
        CHECK(cucore_compiler_path(compiler, nullptr) == nullptr);
    }
    fails_saying(CUCORE_INVALID_ARGUMENT, "major is NULL", cucore_compiler_version, CUCORE_COMPILER_NVRTC, nullptr, &number);
    fails_saying(CUCORE_INVALID_ARGUMENT, "minor is NULL", cucore_compiler_version, CUCORE_COMPILER_NVRTC, &number, nullptr);
    CHECK(number == 77);
    fails_saying(CUCORE_INVALID_ARGUMENT, "absolute", cucore_compiler_use_library, CUCORE_COMPILER_NVRTC, "x.so", size_t{4});
    fails_saying(CUCORE_INVALID_ARGUMENT, "path", cucore_compiler_use_library, CUCORE_COMPILER_NVRTC, "", size_t{0});
    fails_saying(CUCORE_INVALID_ARGUMENT, "absolute", cucore_compiler_use_wheels, "wheels", size_t{6});
    fails_saying(CUCORE_INVALID_ARGUMENT, "root is NULL", cucore_compiler_use_wheels, nullptr, size_t{6});
}

TEST_CASE_METHOD(Clean, "E1: a compile error has the code, the log, the options, and the compiler's version and path",
                 "[compiler]") {
    const Compiling with;
    const std::string macro = "--define-macro=SOME=1";
    const cucore_text texts[] = {text(macro)};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.options = texts;
    options.option_count = 1;
    const Facts facts = fails(cucore_program_compile, with.program(BROKEN, &options), CUCORE_OBJECT_CODE_PTX);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_COMPILE);
    CHECK(facts.domain == CUCORE_DOMAIN_NVRTC);
    CHECK(facts.native == 6);
    CHECK(facts.operation == "nvrtcCompileProgram");
    CHECK_THAT(facts.message, has("failed (status 6): NVRTC_ERROR_COMPILATION"));
    CHECK_THAT(facts.log, has("program.cu(1): error"));
    CHECK_THAT(facts.log, has("undeclared"));
    const std::string all = describe(facts);
    int32_t major = 0, minor = 0;
    ok(cucore_compiler_version, CUCORE_COMPILER_NVRTC, &major, &minor);
    CHECK_THAT(all, has(std::to_string(major) + "." + std::to_string(minor)));
    CHECK_THAT(all, has(cucore_compiler_path(CUCORE_COMPILER_NVRTC, nullptr)));
    CHECK_THAT(all, has(macro));
    CHECK_THAT(all, has(std::string("--gpu-architecture=") + cucore_device_arch(with.device, nullptr)));
}

TEST_CASE_METHOD(Clean, "E1: the log is there on success too", "[compiler]") {
    const ObjectCode code = make(cucore_program_compile, Compiling().program(UNUSED), CUCORE_OBJECT_CODE_PTX);
    size_t size = 0;
    const std::string log = cucore_object_code_log(code, &size);
    CHECK_THAT(log, has("never_used"));
    CHECK(log.size() == size);
}

TEST_CASE_METHOD(Clean, "an option that NVRTC does not know is told with its log", "[compiler]") {
    const std::string unknown = "--no-such-option";
    const cucore_text texts[] = {text(unknown)};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.options = texts;
    options.option_count = 1;
    const Facts facts = fails(cucore_program_compile, Compiling().program(SAXPY_SOURCE, &options), CUCORE_OBJECT_CODE_PTX);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
    CHECK_THAT(facts.message, has("NVRTC_ERROR_INVALID_OPTION"));
    CHECK_THAT(facts.log + describe(facts), has(unknown));
}
