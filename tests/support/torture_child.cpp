// SPDX-License-Identifier: MIT OR Apache-2.0
// What the tests of failures need a process of its own for: what happens once in a process. `torture_child <what> [arguments]`;
// what fails is given as <kind> <nth> <sticky>. Prints what it found, one fact a line: how many failures there were, what the first
// attempt said, and what the second said, when nothing failed any more.

#include "code.hpp"
#include "driver.hpp"
#include "facts.hpp"
#include "faults.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace {

using test::describe;
using test::facts_of;

void print_status(const char *what, cucore_status *status) {
    std::printf("%s: %s", what, status != nullptr ? describe(facts_of(status)).c_str() : "OK\n");
    cucore_status_release(status);
}

/// A call that stores its status and returns its code.
using Attempt = int32_t (*)(cucore_status **status);

/// Tries with failures, and then again without.
int attempt_twice(Attempt attempt, char **arguments) {
    const bool allocations = std::strcmp(arguments[0], "allocation") == 0;
    cucore_status *status = nullptr;
    test::raw(); // looked up before anything fails
    test::fail_library_call(allocations ? nullptr : arguments[0], std::strtoull(arguments[1], nullptr, 10), arguments[2][0] == '1');
    const int32_t code = attempt(&status);
    std::printf("failures %d\n%s\n", static_cast<int>(test::library_failures()),
                code == cucore_status_code(status) ? "consistent" : "code and status differ");
    test::fail_no_library_call();
    print_status("first", status);
    attempt(&status);
    print_status("second", status);
    return 0;
}

/// From CUDA C++ to PTX, by way of LTO-IR, so that both compilers are used.
int32_t compile(cucore_status **status) {
    const std::string &source = test::SAXPY_SOURCE;
    const cucore_text arch = {"sm_90", 5};
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.arch = arch;
    cucore_linker_options linking{};
    linking.struct_size = sizeof linking;
    linking.arch = arch;
    linking.kind = CUCORE_OBJECT_CODE_PTX;
    cucore_object_code *code = nullptr, *linked = nullptr;
    cucore_linker *linker = nullptr;
    cucore_program *program = cucore_program_create(nullptr, source.data(), source.size(), &options, status);
    if (program != nullptr) {
        code = cucore_program_compile(program, CUCORE_OBJECT_CODE_LTO_IR, status);
    }
    if (code != nullptr) {
        linker = cucore_linker_create(nullptr, &code, 1, &linking, status);
    }
    if (linker != nullptr) {
        linked = cucore_linker_link(linker, status);
    }
    if (linked == nullptr && *status == nullptr) {
        std::printf("a failure was not told\n");
    }
    cucore_object_code_release(linked);
    cucore_linker_release(linker);
    cucore_object_code_release(code);
    cucore_program_release(program);
    return cucore_status_code(*status);
}

/// A callback in which a stream is released.
int32_t call_back(cucore_status **status) {
    cucore_device *device = cucore_device_open(0, status);
    cucore_stream *stream = device != nullptr ? cucore_stream_create(device, nullptr, status) : nullptr;
    if (stream != nullptr && cucore_callback_enter(status) == CUCORE_OK) {
        cucore_stream_release(stream);
        stream = nullptr;
        cucore_callback_leave();
        cucore_deferred_drain(status);
    }
    cucore_stream_release(stream);
    cucore_device_release(device);
    return cucore_status_code(*status);
}

/// Names the driver and a compiler, neither of which is loaded, and names them anew.
int32_t name(cucore_status **status) {
    const std::string driver = test::driver_file();
    const char *compiler = std::getenv("CUCORE_NVRTC_LIBRARY");
    int32_t code = CUCORE_OK;
    *status = nullptr;
    for (int time = 0; time < 2 && *status == nullptr; time++) {
        code = cucore_driver_use_library(driver.data(), driver.size(), status);
        if (*status == nullptr) {
            code = cucore_compiler_use_library(CUCORE_COMPILER_NVRTC, compiler, std::strlen(compiler), status);
        }
    }
    if (*status == nullptr) {
        code = cucore_driver_use_entry(reinterpret_cast<cucore_driver_entry>(test::raw().entry), status);
    }
    return code;
}

/// What needs no driver, and must not look for one.
int use_host_only() {
    cucore_status *status = nullptr;
    cucore_object_code *code = cucore_object_code_create(CUCORE_OBJECT_CODE_PTX, "code", 4, nullptr, 0, &status);
    print_status("object code", status);
    cucore_object_code_release(code);
    cucore_warning_queue_release(cucore_warning_queue_create(4, &status));
    print_status("queue", status);
    const auto nothing = [](const cucore_status *, void *) { return int32_t{0}; };
    cucore_warning_sink_release(cucore_warning_sink_register(nothing, nullptr, nullptr, &status));
    print_status("sink", status);
    cucore_status *own = cucore_status_create(CUCORE_CANCELLED, "", 0);
    std::printf("status: %s\n", cucore_status_code_name(cucore_status_code(own)));
    cucore_status_release(own);
    cucore_callback_enter(&status);
    cucore_callback_leave();
    print_status("callback", status);
    cucore_deferred_drain(&status);
    print_status("drain", status);
    std::ifstream maps("/proc/self/maps");
    bool mapped = false;
    for (std::string line; std::getline(maps, line);) {
        mapped = mapped || line.find("libcuda.so") != std::string::npos;
    }
    std::printf("libcuda mapped: %d\n", mapped);
    return 0;
}

} // namespace

int main(int count, char **arguments) {
    const std::string what = count > 1 ? arguments[1] : "";
    if (what == "host-only") {
        return use_host_only();
    }
    if (count == 5 && (what == "compilers" || what == "thread" || what == "names")) {
        return attempt_twice(what == "compilers" ? &compile : what == "thread" ? &call_back : &name, arguments + 2);
    }
    std::fprintf(stderr, "usage: torture_child host-only | compilers, thread or names <kind> <nth> <sticky>\n");
    return 2;
}
