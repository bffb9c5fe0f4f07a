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

TEST_CASE_METHOD(Clean, "field case 11: an option that NVRTC does not know is told with its log", "[compiler]") {
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

namespace {

const std::string TEMPLATES = R"(__device__ int counter;
namespace deep { __constant__ float table[4]; }
template <class T> __global__ void set(T *x, T value) { *x = value; }
)";

/// A program compiled with these name expressions.
Program with_names(const Compiling &with, const std::string &source, const std::vector<std::string> &expressions) {
    std::vector<cucore_text> texts;
    for (const std::string &expression : expressions) {
        texts.push_back(text(expression));
    }
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.name_expressions = texts.data();
    options.name_expression_count = texts.size();
    return with.program(source, &options);
}

std::string lowered(cucore_object_code *code, const std::string &expression) {
    size_t size = 0;
    const char *name = cucore_object_code_lowered_name(code, expression.data(), expression.size(), &size);
    REQUIRE(name != nullptr);
    CHECK(std::string(name).size() == size);
    return name;
}

} // namespace

TEST_CASE_METHOD(Clean, "name expressions have their names in object code of every kind", "[compiler]") {
    const Compiling with;
    const Program program = with_names(with, TEMPLATES, {"set<int>", "set<float>", "&counter", "deep::table", "set<int>"});
    for (const int32_t kind : {CUCORE_OBJECT_CODE_PTX, CUCORE_OBJECT_CODE_CUBIN, CUCORE_OBJECT_CODE_LTO_IR}) {
        const ObjectCode code = make(cucore_program_compile, program, kind);
        CHECK(lowered(code, "set<int>") == "_Z3setIiEvPT_S0_");
        CHECK(lowered(code, "set<float>") == "_Z3setIfEvPT_S0_");
        CHECK(lowered(code, "&counter") == "counter");
        CHECK(lowered(code, "deep::table") == "_ZN4deep5tableE");
        CHECK(cucore_object_code_lowered_name(code, "set<int", 7, nullptr) == nullptr);
        CHECK(cucore_object_code_lowered_name(code, "set<double>", 11, nullptr) == nullptr);
    }
}

TEST_CASE_METHOD(Clean, "kernels and variables are found by name expressions, and run", "[compiler]") {
    const Compiling with;
    ObjectCode code =
        make(cucore_program_compile, with_names(with, TEMPLATES, {"set<int>", "&counter", "deep::table"}), CUCORE_OBJECT_CODE_PTX);
    const Library library = make(cucore_library_load, with.device, code);
    code.reset();
    const Kernel kernel = find(library, "set<int>"), same = find(library, "_Z3setIiEvPT_S0_");
    CHECK(cucore_kernel_name(kernel, nullptr) == std::string("set<int>"));
    CHECK(cucore_kernel_raw(kernel) == cucore_kernel_raw(same));
    uint64_t address = 0;
    size_t size = 0;
    ok(cucore_library_global, library, "deep::table", size_t{11}, &address, &size);
    CHECK(size == 16);
    ok(cucore_library_global, library, "&counter", size_t{8}, &address, &size);
    CHECK(size == 4);
    fails_saying(CUCORE_NOT_FOUND, "", cucore_library_kernel, library, "set<float>", size_t{10});

    const Stream stream = make(cucore_stream_create, with.device, nullptr);
    const Buffer buffer =
        make(cucore_memory_resource_allocate, make(cucore_memory_resource_device_pool, with.device), size_t{4}, stream);
    const cucore_launch_options options = shape(1, 1);
    const cucore_argument arguments[] = {object(buffer), value(int32_t{42})};
    ok(cucore_kernel_launch, kernel, stream, &options, arguments, size_t{2});
    int32_t result = 0;
    ok(cucore_buffer_copy_to_host, buffer, size_t{0}, &result, sizeof result, stream);
    CHECK(result == 42);
}

TEST_CASE_METHOD(Clean, "a name expression that names nothing fails the compilation, with the log", "[compiler]") {
    const Program program = with_names(Compiling(), TEMPLATES, {"absent<int>"});
    const Facts facts = fails(cucore_program_compile, program, CUCORE_OBJECT_CODE_PTX);
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_COMPILE);
    CHECK_THAT(facts.log, has("absent"));
}

TEST_CASE_METHOD(Clean, "every field of a program's options is one that NVRTC takes", "[compiler]") {
    const Compiling with;
    const std::string define = "NUMBER=5", bare = "BARE", undefine = "NOT_DEFINED", folder = "/", header = "cuda_fp16_not_there.h";
    const cucore_text defines[] = {text(define), text(bare)}, undefines[] = {text(undefine)}, folders[] = {text(folder)};
    const std::string source = "#if !defined(BARE) || defined(NOT_DEFINED) || __cplusplus != 201703L\n#error wrong\n#endif\n"
                               "extern \"C\" __global__ void five(float *x) { *x = NUMBER; }";
    for (const int32_t choice : {CUCORE_ON, CUCORE_OFF}) {
        cucore_program_options options{};
        options.struct_size = sizeof options;
        options.std = {"c++17", 5};
        options.defines = defines;
        options.define_count = 2;
        options.undefines = undefines;
        options.include_paths = folders;
        options.undefine_count = options.include_path_count = 1;
        options.debug = options.lineinfo = options.relocatable_device_code = options.fast_math = choice;
        options.ftz = options.prec_sqrt = options.prec_div = options.fma = options.restrict_pointers = choice;
        options.max_registers = 64;
        const ObjectCode code = make(cucore_program_compile, with.program(source, &options), CUCORE_OBJECT_CODE_PTX);
        CHECK_THAT(bytes_of(code), has(".entry five("));
    }
    const cucore_text headers[] = {text(header)};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.pre_includes = headers;
    options.pre_include_count = 1;
    const Facts facts = fails(cucore_program_compile, with.program(SAXPY_SOURCE, &options), CUCORE_OBJECT_CODE_PTX);
    CHECK_THAT(facts.log, has(header));
}

TEST_CASE("a compiler's number that is none is refused, and the parameter named") {
    int32_t major = -1, minor = -1;
    fails_saying(CUCORE_INVALID_ARGUMENT, "compiler is 99", cucore_compiler_version, 99, &major, &minor);
    CHECK((major == -1 && minor == -1));
    fails_saying(CUCORE_INVALID_ARGUMENT, "compiler is 99", cucore_compiler_version, 99, nullptr, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "major is NULL", cucore_compiler_version, CUCORE_COMPILER_NVRTC, nullptr, &minor);
    fails_saying(CUCORE_INVALID_ARGUMENT, "minor is NULL", cucore_compiler_version, CUCORE_COMPILER_NVRTC, &major, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "compiler is 99", cucore_compiler_use_library, 99, "/x", size_t{2});
    fails_saying(CUCORE_INVALID_ARGUMENT, "path is not an absolute", cucore_compiler_use_library, CUCORE_COMPILER_NVRTC, "x",
                 size_t{1});
    fails_saying(CUCORE_INVALID_ARGUMENT, "root is not an absolute", cucore_compiler_use_wheels, "x", size_t{1});
}
