// SPDX-License-Identifier: MIT OR Apache-2.0
// What the options of programs and linkers become: each field in each setting, to the letter, as the simulated NVRTC and nvJitLink
// received it.
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/fake_compilers.hpp"

#include <sstream>

using namespace test;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const std::string &text) {
    std::istringstream stream(text);
    Lines lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

const std::string SOURCE = "extern \"C\" __global__ void nothing() {}\n";

cucore_program_options for_sm_90(cucore_program_options options = {}) {
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    return options;
}

Program create(const cucore_program_options &options) {
    return make(cucore_program_create, nullptr, SOURCE.data(), SOURCE.size(), &options);
}

/// The options that NVRTC gets, without the first, which is the architecture's.
Lines texts_of(const cucore_program_options &options, int32_t kind = CUCORE_OBJECT_CODE_PTX) {
    make(cucore_program_compile, create(options), kind);
    const Lines lines = lines_of(fake_compilers().compile_options());
    REQUIRE(lines.at(0) == "--gpu-architecture=sm_90");
    return {lines.begin() + 1, lines.end()};
}

void refused(const cucore_program_options &options, const std::string &part) {
    fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_program_create, nullptr, SOURCE.data(), SOURCE.size(), &options);
}

cucore_linker_options for_sm_90(cucore_linker_options options) {
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    return options;
}

ObjectCode lto() {
    return make(cucore_program_compile, create(for_sm_90()), CUCORE_OBJECT_CODE_LTO_IR);
}

/// The options that nvJitLink gets, without the first.
Lines texts_of(const cucore_linker_options &options, const ObjectCode &input = ptx(NOTHING_PTX)) {
    cucore_object_code *inputs[] = {input};
    const Linker linker = make(cucore_linker_create, nullptr, inputs, size_t{1}, &options);
    REQUIRE(cucore_linker_kind(linker) == CUCORE_LINKER_NVJITLINK);
    make(cucore_linker_link, linker);
    const Lines lines = lines_of(fake_compilers().link_options());
    REQUIRE(lines.at(0) == "-arch=sm_90");
    return {lines.begin() + 1, lines.end()};
}

void refused(const cucore_linker_options &options, const std::string &part) {
    const ObjectCode input = ptx(NOTHING_PTX);
    cucore_object_code *inputs[] = {input};
    fails_saying(CUCORE_INVALID_ARGUMENT, part, cucore_linker_create, nullptr, inputs, size_t{1}, &options);
}

/// A field that is a choice, and what it becomes when it is on and when it is off.
template <class Options> struct Choice {
    const char *name;
    int32_t Options::*field;
    Lines on;
    Lines off;
};

#define CHOICE(options, field, ...) \
    { #field, &options::field, __VA_ARGS__ }
const Choice<cucore_program_options> program_choices[] = {
    CHOICE(cucore_program_options, debug, {"--device-debug"}, {}),
    CHOICE(cucore_program_options, lineinfo, {"--generate-line-info"}, {}),
    CHOICE(cucore_program_options, relocatable_device_code, {"--relocatable-device-code=true"},
           {"--relocatable-device-code=false"}),
    CHOICE(cucore_program_options, fast_math, {"--use_fast_math"}, {}),
    CHOICE(cucore_program_options, ftz, {"--ftz=true"}, {"--ftz=false"}),
    CHOICE(cucore_program_options, prec_sqrt, {"--prec-sqrt=true"}, {"--prec-sqrt=false"}),
    CHOICE(cucore_program_options, prec_div, {"--prec-div=true"}, {"--prec-div=false"}),
    CHOICE(cucore_program_options, fma, {"--fmad=true"}, {"--fmad=false"}),
    CHOICE(cucore_program_options, restrict_pointers, {"--restrict"}, {}),
};
const Choice<cucore_linker_options> linker_choices[] = {
    CHOICE(cucore_linker_options, debug, {"-g"}, {}),
    CHOICE(cucore_linker_options, lineinfo, {"-lineinfo"}, {}),
    CHOICE(cucore_linker_options, ftz, {"-ftz=1"}, {"-ftz=0"}),
    CHOICE(cucore_linker_options, prec_sqrt, {"-prec-sqrt=1"}, {"-prec-sqrt=0"}),
    CHOICE(cucore_linker_options, prec_div, {"-prec-div=1"}, {"-prec-div=0"}),
    CHOICE(cucore_linker_options, fma, {"-fma=1"}, {"-fma=0"}),
    CHOICE(cucore_linker_options, verbose, {"-verbose"}, {}),
    CHOICE(cucore_linker_options, time, {"-time"}, {}),
};
#undef CHOICE

template <class Options> void check_choice(const Choice<Options> &choice) {
    INFO(choice.name);
    Options options = for_sm_90(Options{});
    const auto set = [&](int32_t value) -> const Options & {
        options.*choice.field = value;
        return options;
    };
    CHECK(texts_of(set(CUCORE_ON)) == choice.on);
    CHECK(texts_of(set(CUCORE_OFF)) == choice.off);
    CHECK(texts_of(set(CUCORE_DEFAULT)) == Lines{});
    for (const int32_t value : {3, -1}) {
        refused(set(value), std::string("options->") + choice.name + " is " + std::to_string(value));
    }
}

/// A field that is a list of texts, and what stands before each.
struct List {
    const char *name;
    const cucore_text *cucore_program_options::*texts;
    size_t cucore_program_options::*count;
    std::string before;
};

#define LIST(field, counted, before) \
    { #field, &cucore_program_options::field, &cucore_program_options::counted, before }
const List lists[] = {
    LIST(defines, define_count, "--define-macro="),
    LIST(undefines, undefine_count, "--undefine-macro="),
    LIST(include_paths, include_path_count, "--include-path="),
    LIST(pre_includes, pre_include_count, "--pre-include="),
    LIST(options, option_count, ""),
};
#undef LIST

} // namespace

TEST_CASE_METHOD(Clean, "field case 24: options that are not given ask for nothing", "[sim]") {
    CHECK(texts_of(for_sm_90(cucore_program_options{})) == Lines{});
    CHECK(texts_of(for_sm_90(cucore_linker_options{})) == Lines{});
}

TEST_CASE_METHOD(Clean, "field case 24: no choice of a program is dropped, and none that is off is on", "[sim]") {
    for (const auto &choice : program_choices) {
        check_choice(choice);
    }
}

TEST_CASE_METHOD(Clean, "field case 24: no choice of a linker is dropped, and time=off does not switch timing on", "[sim]") {
    for (const auto &choice : linker_choices) {
        check_choice(choice);
    }
}

TEST_CASE_METHOD(Clean, "field case 24: no list of a program is dropped", "[sim]") {
    const std::string first = "--restrict", second = "--minimal"; // any text, and an option where it stands alone
    const cucore_text texts[] = {text(first), text(second)};
    for (const List &list : lists) {
        INFO(list.name);
        cucore_program_options options = for_sm_90();
        options.*list.texts = texts;
        options.*list.count = 2;
        CHECK(texts_of(options) == Lines{list.before + first, list.before + second});
        options.*list.count = 0;
        CHECK(texts_of(options) == Lines{});
    }
}

TEST_CASE_METHOD(Clean, "a bad element of a list is named", "[sim]") {
    const std::string good = "X";
    const cucore_text null = {nullptr, 3}, empty = {"", 0}, with_nul = {"a\0b", 3};
    const std::pair<cucore_text, std::string> bad[] = {{null, "is NULL"}, {empty, "is empty"}, {with_nul, "has a NUL"}};
    for (const List &list : lists) {
        const std::string name = std::string("options->") + list.name;
        cucore_program_options options = for_sm_90();
        options.*list.count = 3;
        refused(options, name + " is NULL");
        for (const auto &[element, rule] : bad) {
            const cucore_text texts[] = {text(good), text(good), element};
            options.*list.texts = texts;
            refused(options, name + "[2] " + rule);
        }
    }
}

TEST_CASE_METHOD(Clean, "a text and a number are passed on, and checked", "[sim]") {
    cucore_program_options options = for_sm_90();
    options.std = {"c++17 and more", 5};
    options.max_registers = 64;
    CHECK(texts_of(options) == Lines{"--std=c++17", "--maxrregcount=64"});
    options.std = {"a\0b", 3};
    refused(options, "options->std has a NUL");
    options.std = {nullptr, 0};
    options.max_registers = -1;
    refused(options, "options->max_registers is -1");
    options.max_registers = 0;
    options.arch = {nullptr, 4};
    refused(options, "options->arch is NULL");
}

TEST_CASE_METHOD(Clean, "program options stand in the order of the fields, and the caller's own behind them", "[sim]") {
    const std::string name = "NAME=1", other = "OTHER", folder = "/include", header = "first.h", own = "--ftz=false";
    const cucore_text defines[] = {text(name)}, undefines[] = {text(other)}, folders[] = {text(folder)}, headers[] = {text(header)},
                      more[] = {text(own)};
    cucore_program_options options = for_sm_90();
    options.std = {"c++20", 5};
    options.defines = defines;
    options.undefines = undefines;
    options.include_paths = folders;
    options.pre_includes = headers;
    options.options = more;
    options.define_count = options.undefine_count = options.include_path_count = options.pre_include_count = 1;
    options.option_count = 1;
    for (const auto &choice : program_choices) {
        options.*choice.field = CUCORE_ON;
    }
    options.max_registers = 32;
    const Lines all = {"--std=c++20",
                       "--define-macro=NAME=1",
                       "--undefine-macro=OTHER",
                       "--include-path=/include",
                       "--pre-include=first.h",
                       "--device-debug",
                       "--generate-line-info",
                       "--relocatable-device-code=true",
                       "--use_fast_math",
                       "--ftz=true",
                       "--prec-sqrt=true",
                       "--prec-div=true",
                       "--fmad=true",
                       "--restrict",
                       "--maxrregcount=32",
                       "--ftz=false"};
    CHECK(texts_of(options) == all);
    Lines for_lto = all;
    for_lto.emplace_back("-dlto");
    CHECK(texts_of(options, CUCORE_OBJECT_CODE_LTO_IR) == for_lto);
}

TEST_CASE_METHOD(Clean, "an optimisation level is given or not, 0 among them", "[sim]") {
    cucore_linker_options options = for_sm_90(cucore_linker_options{});
    options.has_optimization_level = 1;
    for (const int32_t level : {0, 1, 2, 3}) {
        options.optimization_level = level;
        CHECK(texts_of(options) == Lines{"-O" + std::to_string(level)});
    }
    for (const int32_t level : {-1, 4}) {
        options.optimization_level = level;
        refused(options, "optimization_level is " + std::to_string(level));
    }
    options.optimization_level = 3;
    options.has_optimization_level = 0;
    refused(options, "options->has_optimization_level is 0");
    options.has_optimization_level = 2;
    refused(options, "options->has_optimization_level is 2");
}

TEST_CASE_METHOD(Clean, "linker options stand in the order of the fields, then the caller's own, then what the link is", "[sim]") {
    const std::string own = "-split-compile=2", second = "-ftz=0";
    const cucore_text more[] = {text(own), text(second)};
    cucore_linker_options options = for_sm_90(cucore_linker_options{});
    options.options = more;
    options.option_count = 2;
    for (const auto &choice : linker_choices) {
        options.*choice.field = CUCORE_ON;
    }
    options.has_optimization_level = 1;
    options.max_registers = 32;
    Lines all = {"-g",     "-lineinfo", "-O0",   "-maxrregcount=32", "-ftz=1", "-prec-sqrt=1", "-prec-div=1",
                 "-fma=1", "-verbose",  "-time", "-split-compile=2", "-ftz=0"};
    CHECK(texts_of(options) == all);
    all.emplace_back("-lto");
    CHECK(texts_of(options, lto()) == all);
    options.kind = CUCORE_OBJECT_CODE_PTX;
    all.emplace_back("-ptx");
    CHECK(texts_of(options, lto()) == all);
    options.max_registers = -5;
    refused(options, "PTX is made from LTO-IR");
    options.kind = 0;
    refused(options, "options->max_registers is -5");
    options.max_registers = 0;
    const cucore_text bad[] = {text(own), {"", 0}};
    options.options = bad;
    refused(options, "options->options[1] is empty");
}

TEST_CASE_METHOD(Clean, "without options->arch the device names the architecture", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const std::string arch = cucore_device_arch(device, nullptr);
    const Program program = make(cucore_program_create, device, SOURCE.data(), SOURCE.size(), nullptr);
    make(cucore_program_compile, program, CUCORE_OBJECT_CODE_PTX);
    CHECK(fake_compilers().compile_options() == "--gpu-architecture=" + arch + "\n");
    const ObjectCode input = ptx(NOTHING_PTX);
    cucore_object_code *inputs[] = {input};
    make(cucore_linker_link, make(cucore_linker_create, device, inputs, size_t{1}, nullptr));
    CHECK(fake_compilers().link_options() == "-arch=" + arch + "\n");
}
