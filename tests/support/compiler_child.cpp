// SPDX-License-Identifier: MIT OR Apache-2.0
// What tests of finding and choosing compilers need a process of its own for. `compiler_child compile`, `find-none`, `no-version`,
// `no-memory <nth>`, `link <what>` and `choose <where>` print what they found, one fact a line.

#include "code.hpp"
#include "driver.hpp"
#include "facts.hpp"
#include "faults.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

namespace {

void print_status(const char *what, cucore_status *status) {
    std::printf("%s: %s", what, status != nullptr ? test::describe(test::facts_of(status)).c_str() : "OK\n");
    cucore_status_release(status);
}

/// Compiles with whatever NVRTC there is.
int compile() {
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.arch = {"sm_90", 5};
    const std::string &source = test::SAXPY_SOURCE;
    cucore_status *status = nullptr;
    cucore_program *program = cucore_program_create(nullptr, source.data(), source.size(), &options, &status);
    print_status("create", status);
    cucore_object_code *code = cucore_program_compile(program, CUCORE_OBJECT_CODE_PTX, &status);
    print_status("compile", status);
    const char *path = cucore_compiler_path(CUCORE_COMPILER_NVRTC, nullptr);
    std::printf("path: %s\n", path != nullptr ? path : "NULL");
    cucore_object_code_release(code);
    cucore_program_release(program);
    return 0;
}

/// Where nothing can be opened, neither a driver nor a compiler.
int find_none() {
    test::fail_library_call("dlopen", 1, true);
    compile();
    test::fail_no_library_call();
    cucore_status *status = nullptr;
    int32_t major = 0, minor = 0;
    cucore_compiler_version(CUCORE_COMPILER_NVRTC, &major, &minor, &status);
    print_status("again", status);
    return 0;
}

/// With simulated compilers that do not tell their versions.
int compile_without_version() {
    using Fail = void(const char *, uint64_t, int, int);
    void *const nvrtc = dlopen(std::getenv("CUCORE_NVRTC_LIBRARY"), RTLD_NOW);
    void *const nvjitlink = dlopen(std::getenv("CUCORE_NVJITLINK_LIBRARY"), RTLD_NOW);
    reinterpret_cast<Fail *>(dlsym(nvrtc, "cusim_nvrtc_fail"))("nvrtcVersion", 1, 11, 0);
    reinterpret_cast<Fail *>(dlsym(nvjitlink, "cusim_nvjitlink_fail"))("nvJitLinkVersion", 1, 1, 0);
    cucore_status *status = nullptr;
    int32_t major = 0, minor = 0;
    cucore_compiler_version(CUCORE_COMPILER_NVJITLINK, &major, &minor, &status);
    print_status("nvJitLink", status);
    return compile();
}

/// Asks twice for the compiler, the first time with the nth allocation failing.
int find_without_memory(const char *nth) {
    cucore_driver_is_available();
    test::fail_library_call(nullptr, std::strtoull(nth, nullptr, 10), false);
    for (const char *time : {"first", "second"}) {
        int32_t major = 0, minor = 0;
        cucore_status *status = nullptr;
        cucore_compiler_version(CUCORE_COMPILER_NVRTC, &major, &minor, &status);
        test::fail_no_library_call();
        std::printf("%s: %s\n", time, cucore_status_code_name(cucore_status_code(status)));
        cucore_status_release(status);
    }
    std::printf("path: %s\n", cucore_compiler_path(CUCORE_COMPILER_NVRTC, nullptr));
    return 0;
}

/// What a link is to be given besides a device and PTX.
void ask_for(const std::string &what, cucore_linker_options *options) {
    static const cucore_text own[] = {{"-split-compile=2", 16}};
    if (what == "options") {
        options->options = own;
        options->option_count = 1;
    } else if (what == "ftz") {
        options->ftz = CUCORE_OFF;
    } else if (what == "time") {
        options->time = CUCORE_ON;
    } else if (what == "time=off") {
        options->time = CUCORE_OFF;
    } else if (what == "sm_90" || what == "sm_90a" || what == "compute_90" || what == "sm_" || what == "sm_9000") {
        options->arch = {what.data(), what.size()};
    } else if (what == "no-device") {
        options->arch = {"sm_90", 5};
    } else if (what == "all") {
        options->debug = options->lineinfo = options->verbose = CUCORE_ON;
        options->has_optimization_level = 1;
        options->max_registers = 32;
    }
}

void load(cucore_device *device, cucore_object_code *code) {
    cucore_status *status = nullptr;
    cucore_library *library = cucore_library_load(device, code, &status);
    print_status("load", status);
    cucore_library_release(library);
}

/// Links with whatever linker there is.
int link(const std::string &what) {
    cucore_status *status = nullptr;
    cucore_device *device = cucore_device_open(0, nullptr);
    const std::string &code = test::NOTHING_PTX;
    const int32_t kind = what == "lto" ? CUCORE_OBJECT_CODE_LTO_IR : CUCORE_OBJECT_CODE_PTX;
    cucore_object_code *input = cucore_object_code_create(kind, code.data(), code.size(), "input", 5, nullptr);
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    ask_for(what, &options);
    cucore_linker *linker = cucore_linker_create(what == "no-device" ? nullptr : device, &input, 1, &options, &status);
    print_status("create", status);
    std::printf("kind: %d\n", cucore_linker_kind(linker));
    cucore_object_code *linked = cucore_linker_link(linker, &status);
    print_status("link", status);
    load(device, linked);
    std::printf("cuLinkCreate calls: %d\n", static_cast<int>(test::sim().call_count("cuLinkCreate")));
    cucore_object_code_release(linked);
    cucore_linker_release(linker);
    cucore_object_code_release(input);
    cucore_device_release(device);
    return 0;
}

/// Fails to find the compilers; then they are found where the caller says they are: two files, or a root of wheels.
int choose(const char *nvrtc, const char *nvjitlink) {
    int32_t major = 0, minor = 0;
    cucore_status *status = nullptr;
    for (const bool named : {false, true}) {
        if (named) { // elsewhere at first, which the last choice replaces
            cucore_compiler_use_wheels("/nowhere", 8, nullptr);
            if (nvjitlink != nullptr) {
                cucore_compiler_use_library(CUCORE_COMPILER_NVRTC, "/nowhere", 8, nullptr);
            }
        }
        if (named && nvjitlink == nullptr) {
            cucore_compiler_use_wheels(nvrtc, std::strlen(nvrtc), &status);
            print_status("choose", status);
        } else if (named) {
            cucore_compiler_use_library(CUCORE_COMPILER_NVRTC, nvrtc, std::strlen(nvrtc), &status);
            print_status("choose", status);
            cucore_compiler_use_library(CUCORE_COMPILER_NVJITLINK, nvjitlink, std::strlen(nvjitlink), &status);
            print_status("choose", status);
        }
        cucore_compiler_version(CUCORE_COMPILER_NVRTC, &major, &minor, &status);
        print_status(named ? "NVRTC named" : "NVRTC", status);
        cucore_compiler_version(CUCORE_COMPILER_NVJITLINK, &major, &minor, &status);
        print_status(named ? "nvJitLink named" : "nvJitLink", status);
    }
    return 0;
}

} // namespace

int main(int count, char **arguments) {
    const std::string action = count > 1 ? arguments[1] : "";
    if (action == "compile") {
        return compile();
    }
    if (action == "find-none") {
        return find_none();
    }
    if (action == "no-version") {
        return compile_without_version();
    }
    if (action == "no-memory" && count > 2) {
        return find_without_memory(arguments[2]);
    }
    if (action == "link" && count > 2) {
        return link(arguments[2]);
    }
    if (action == "choose" && count > 2) {
        return choose(arguments[2], count > 3 ? arguments[3] : nullptr);
    }
    std::fprintf(stderr, "usage: compiler_child compile | find-none | no-version | no-memory <nth> | link <what> | choose <file> "
                         "<file> | choose <folder>\n");
    return 2;
}
