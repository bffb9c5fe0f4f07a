// SPDX-License-Identifier: MIT OR Apache-2.0
// POLICY, section D: loading. Each case is a process of its own.
#include "../src/driver/cuda_functions.h"
#include "support/catch.h"
#include "support/driver.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <cucore_v1/linker.h>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace test;

namespace {

Ended first_use(const std::string &driver) {
    return run_child({"first-use"}, {{"CUCORE_DRIVER_LIBRARY", driver}});
}

/// A place where the loader looks before those that this process has it look in.
std::pair<std::string, std::string> loader_looks_in(const std::string &folder) {
    const char *others = std::getenv("LD_LIBRARY_PATH");
    return {"LD_LIBRARY_PATH", others != nullptr ? folder + ":" + others : folder};
}

/// How often `part` is in the text.
size_t times(const std::string &text, const std::string &part) {
    size_t count = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        count++;
    }
    return count;
}

/// What both rounds of the first use say where there is no usable driver.
void check_no_driver(const Ended &ended, const std::string &path, const std::string &reason) {
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK(times(ended.out, "open: NOT_FOUND: ") == 2);
    CHECK(times(ended.out, "version: NOT_FOUND: ") == 2);
    CHECK(times(ended.out, "version stored: -1\n") == 2);
    CHECK(times(ended.out, "cause: ") >= 4);
    CHECK(times(ended.out, path) >= 4);
    CHECK_THAT(ended.out, has(reason));
    CHECK_THAT(ended.out, has("available: 0\n"));
    CHECK_THAT(ended.out, has("names: CUDA_ERROR_ILLEGAL_ADDRESS NOT_FOUND\n"));
}

} // namespace

TEST_CASE("D1: loading the library opens no libcuda") {
    const Ended ended = run_child({"load-only"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("libcuda mapped: 0\ndriver path: NULL\n"));
}

TEST_CASE("D2: no driver: NOT_FOUND that lists each path tried and why, remembered") {
    check_no_driver(first_use("/nonexistent/libcuda.so.1"), "/nonexistent/libcuda.so.1", "No such file or directory");
}

TEST_CASE("D4: a file that is no library, a folder, and a library that is no driver are told apart") {
    const std::string text_file = beside("not_a_library.txt");
    std::ofstream(text_file) << "not a library\n";
    check_no_driver(first_use(text_file), text_file, "file too short");
    std::ofstream(text_file) << std::string(4096, 'x');
    check_no_driver(first_use(text_file), text_file, "invalid ELF header");
    const std::string folder = beside("");
    check_no_driver(first_use(folder), folder, "annot read file data");
    check_no_driver(first_use(beside("../sim/compilers/libnvrtc.so.12")), "libnvrtc.so.12", "cuGetProcAddress_v2");
}

TEST_CASE("D3: a driver without a core function is refused, naming it", "[sim]") {
    const Ended ended = run_child({"hide", "cuEventRecord"});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("open: NOT_SUPPORTED"));
    CHECK_THAT(ended.out, has("has no cuEventRecord"));
}

TEST_CASE("D3: a driver older than CUDA 12.0 is NOT_SUPPORTED, naming its version", "[sim]") {
    const Ended ended = run_child({"old-driver", "11080"});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("open: NOT_SUPPORTED"));
    CHECK_THAT(ended.out, has("11.8"));
    CHECK_THAT(ended.out, has("12.0"));
}

TEST_CASE("D3: a driver so old that it has no entry point is NOT_SUPPORTED too, naming file and version") {
    const Ended ended = first_use(beside("libold_driver.so"));
    INFO(ended.out << ended.err);
    CHECK(times(ended.out, "open: NOT_SUPPORTED: ") == 2);
    CHECK_THAT(ended.out, has("libold_driver.so is a driver of CUDA 11.4; 12.0 is needed"));
}

TEST_CASE("D3: what an optional function is needed for is NOT_SUPPORTED without it, naming function and version", "[sim]") {
    const Ended ended = run_child({"hide", "cuMemAllocFromPoolAsync"});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("open: OK\n"));
    CHECK_THAT(ended.out, has("pool: NOT_SUPPORTED"));
    CHECK_THAT(ended.out, has("cuMemAllocFromPoolAsync"));
    CHECK_THAT(ended.out, has("CUDA 11.2"));
}

TEST_CASE("D3: a device without memory pools is told as such", "[sim]") {
    const Ended ended = run_child({"no-pools"});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("open: OK\npool: NOT_SUPPORTED: ") && has("has no memory pools"));
}

TEST_CASE("D3: what a driver is too old for is NOT_SUPPORTED, naming it and the version that has it", "[sim]") {
    const Ended ended = run_child({"limited-pool"}, {{"CUSIM_CONTROL", "version=12000"}});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("limited pool: NOT_SUPPORTED: ") && has("needs options->max_size, which this driver (CUDA 12.0)"));
}

TEST_CASE("D3: what an entry point stores for a function that it says it has not is not called", "[sim]") {
    const Ended ended = run_child({"entry-that-lacks", "cuMemAllocFromPoolAsync", "0"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("open: OK\npool: NOT_SUPPORTED"));
    CHECK_THAT(ended.out, has("cuMemAllocFromPoolAsync"));
}

TEST_CASE("D3: of a driver that was refused nothing is left when another is named", "[sim]") {
    Ended ended = run_child({"older-after-refused", "cuEventCreate", "0"});
    CHECK_THAT(ended.out, has("newer: NOT_SUPPORTED: ") && has("has no cuEventCreate"));
    CHECK_THAT(ended.out, has("older: OK\nkernels: NOT_SUPPORTED: ") && has("CUDA 12.4"));
    ended = run_child({"older-after-refused", "cuLogsRegisterCallback", std::to_string(INJECTED)}); // the last it is asked for
    CHECK_THAT(ended.out, has("newer: DRIVER: cuGetProcAddress"));
    CHECK_THAT(ended.out, has("older: OK\nkernels: NOT_SUPPORTED: ") && has("CUDA 12.4"));
}

TEST_CASE("D3: an entry point that fails to tell of a function, needed or not, fails the load", "[sim]") {
    for (const char *function : {"cuDriverGetVersion", "cuEventCreate", "cuMemAllocFromPoolAsync"}) {
        const Ended ended = run_child({"entry-that-lacks", function, std::to_string(INJECTED)});
        INFO(function << ": " << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK_THAT(ended.out, has("open: DRIVER: cuGetProcAddress"));
    }
}

namespace {

#define NAME(name, version, parameters) #name,
const std::vector<std::string> core_functions = {CUCORE_CUDA_CORE(NAME)}, optional_functions = {CUCORE_CUDA_OPTIONAL(NAME)};
#undef NAME

/// A call of everything, on a driver that lacks `function`; linkers are the driver's.
Ended tour_without(const std::string &function) {
    return run_child({"tour", function}, {{"CUCORE_NVJITLINK_LIBRARY", "/nonexistent/libnvJitLink.so"}});
}

/// Those of the text that name a failed call.
std::vector<std::string> failures_in(const std::string &text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        if (line.rfind("cucore_", 0) == 0) {
            lines.push_back(line);
        }
    }
    return lines;
}

} // namespace

TEST_CASE("D3: with every function there, the calls of the tests below all work", "[sim]") {
    const Ended ended = tour_without("nothing");
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.out.empty());
    CHECK(ended.err.empty());
}

TEST_CASE("D3: each core function, absent, fails the load and is named", "[sim]") {
    for (const std::string &function : core_functions) {
        const Ended ended = tour_without(function);
        INFO(function << ": " << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK(ended.err.empty());
        const std::vector<std::string> failures = failures_in(ended.out);
        REQUIRE(failures.size() == 1);
        CHECK_THAT(failures[0], has("cucore_device_open: NOT_SUPPORTED"));
        CHECK_THAT(ended.out, has("has no " + function));
    }
}

TEST_CASE("D3: each other function, absent, makes the calls that need it NOT_SUPPORTED, or is done without", "[sim]") {
    const std::vector<std::string> done_without = {"cuLogsRegisterCallback"};
    for (const std::string &function : optional_functions) {
        const Ended ended = tour_without(function);
        INFO(function << ": " << ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK(ended.err.empty());
        const std::vector<std::string> failures = failures_in(ended.out);
        for (const std::string &line : failures) {
            CHECK_THAT(line, has("NOT_SUPPORTED: "));
            CHECK_THAT(line, has(function));
            CHECK_THAT(line, has("CUDA "));
        }
        const bool is_help = std::count(done_without.begin(), done_without.end(), function) != 0;
        CHECK(failures.empty() == is_help);
    }
}

TEST_CASE("D4: a toolkit's stub of the driver is named as such", "[sim]") {
    const Ended ended = run_child({"stub"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("CUDA_ERROR_STUB_LIBRARY"));
    CHECK_THAT(ended.out, has("stub"));
}

namespace {

const std::string NO_NVJITLINK = "/nonexistent/libnvJitLink.so.13";

/// Links, with the simulated nvJitLink of this version, or with none.
Ended link(const std::string &what, const std::string &version) {
    const std::string file = version.empty() ? NO_NVJITLINK : beside("../sim/compilers/libnvJitLink.so.12");
    return run_program("compiler_child", {"link", what},
                       {{"CUCORE_NVJITLINK_LIBRARY", file}, {"CUSIM_NVJITLINK_VERSION", version.empty() ? "13.0" : version}});
}

void check_linked(const Ended &ended, int kind) {
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err.empty());
    CHECK_THAT(ended.out, has("create: OK\nkind: " + std::to_string(kind) + "\nlink: OK\nload: OK\n"));
}

/// What needs nvJitLink is named, and so is what is wrong with the one there is; nothing was made.
void check_refused(const Ended &ended, const std::string &what, const std::string &why) {
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("create: NOT_SUPPORTED: cucore_linker_create: " + what));
    CHECK_THAT(ended.out, has("needs nvJitLink"));
    CHECK_THAT(ended.out, has("cause: " + why));
    CHECK_THAT(ended.out, has("kind: 0\n"));
    CHECK_THAT(ended.out, has("cuLinkCreate calls: 0\n"));
}

} // namespace

TEST_CASE("D6: nvJitLink links, if it is not older than the driver's major version", "[sim]") {
    for (const std::string version : {"13.0", "13.5", "14.0"}) {
        check_linked(link("plain", version), CUCORE_LINKER_NVJITLINK);
    }
}

TEST_CASE("D6: the driver's linker links what it can, where nvJitLink is older than the driver's major version, or absent",
          "[sim]") {
    for (const std::string version : {"12.9", ""}) {
        for (const std::string what : {"plain", "all", "sm_90", "time=off"}) {
            check_linked(link(what, version), CUCORE_LINKER_DRIVER);
        }
    }
}

TEST_CASE("D6: what only nvJitLink can is NOT_SUPPORTED without it, before anything is made", "[sim]") {
    const std::pair<const char *, const char *> rows[] = {
        {"lto", "inputs[0], which is LTO-IR, needs nvJitLink"},
        {"options", "options->options needs nvJitLink"},
        {"ftz", "options->ftz needs nvJitLink"},
        {"time", "options->time needs nvJitLink"},
        {"sm_90a", "this options->arch needs nvJitLink"},
        {"compute_90", "this options->arch needs nvJitLink"},
        {"sm_", "this options->arch needs nvJitLink"},
        {"sm_9000", "this options->arch needs nvJitLink"},
        {"no-device", "linking without a device needs nvJitLink"},
    };
    for (const auto &[what, message] : rows) {
        check_refused(link(what, ""), message, "NOT_FOUND: dlopen: no usable nvJitLink");
        CHECK_THAT(link(what, "").out, has(NO_NVJITLINK));
        check_refused(link(what, "12.9"), message, "NOT_SUPPORTED: cucore_linker_create: nvJitLink 12.9");
    }
    CHECK_THAT(link("lto", "12.9").out, has("is older than the driver's CUDA 13.0"));
}

namespace {

const std::pair<std::string, std::string> NO_NVRTC = {"CUCORE_NVRTC_LIBRARY", ""}, NO_WHEELS = {"CUCORE_WHEELS", ""},
                                          NO_HOME = {"CUDA_HOME", ""}, NO_PATH = {"CUDA_PATH", ""};

} // namespace

TEST_CASE("D6: where no compiler can be opened each place that was tried is named, the newest version first") {
    const Ended ended =
        run_program("compiler_child", {"find-none"},
                    {NO_NVRTC, NO_WHEELS, {"CUDA_HOME", "/nowhere"}, NO_PATH, loader_looks_in(beside("../sim/compilers"))});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("create: NOT_FOUND: dlopen: no usable NVRTC"));
    size_t last = 0;
    for (const char *place : {" libnvrtc.so.13", "/nowhere/lib64/libnvrtc.so.13", "/usr/local/cuda/lib64/libnvrtc.so.13",
                              " libnvrtc.so.12", "/nowhere/lib64/libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so.12"}) {
        INFO(place);
        const size_t at = ended.out.find(place);
        REQUIRE(at != std::string::npos);
        CHECK(at > last);
        last = at;
    }
    CHECK_THAT(ended.out, has("again: NOT_FOUND"));
    CHECK_THAT(ended.out, has("path: NULL\n"));
}

TEST_CASE("D6: the environment's compiler must be an absolute path, and no other is looked for") {
    const Ended ended = run_program("compiler_child", {"compile"}, {{"CUCORE_NVRTC_LIBRARY", "libnvrtc.so.12"}});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("create: NOT_FOUND: "));
    CHECK_THAT(ended.out, has("CUCORE_NVRTC_LIBRARY=libnvrtc.so.12: not an absolute path"));
    CHECK_THAT(ended.out, has("path: NULL\n"));
}

TEST_CASE("D6: a compiler is found where the loader looks", "[sim]") {
    const std::string folder = beside("../sim/compilers");
    const Ended ended =
        run_program("compiler_child", {"compile"}, {NO_NVRTC, NO_WHEELS, NO_HOME, NO_PATH, loader_looks_in(folder)});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("create: OK\ncompile: OK\npath: " + folder + "/libnvrtc.so.12\n"));
}

TEST_CASE("D6: a compiler that does not tell its version is refused, and named", "[sim]") {
    const std::string file = beside("../sim/compilers/libnvrtc.so.12");
    const Ended ended =
        run_program("compiler_child", {"no-version"},
                    {{"CUCORE_NVRTC_LIBRARY", file}, {"CUCORE_NVJITLINK_LIBRARY", beside("../sim/compilers/libnvJitLink.so.12")}});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("nvJitLink: NOT_SUPPORTED: ") && has("libnvJitLink.so.12 does not tell its version"));
    CHECK_THAT(ended.out, has("create: NOT_SUPPORTED: "));
    CHECK_THAT(ended.out, has(file + " does not tell its version"));
    CHECK_THAT(ended.out, has("path: NULL\n"));
}

TEST_CASE("D6: a compiler that lacks a function is refused, and both are named", "[sim]") {
    const std::string file = beside("../sim/libcuda.so.1");
    const Ended ended = run_program("compiler_child", {"compile"}, {{"CUCORE_NVRTC_LIBRARY", file}});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("create: NOT_SUPPORTED: ") && has("libcuda.so.1 has no nvrtc"));
    CHECK_THAT(ended.out, has("path: NULL\n"));
}

TEST_CASE("D6: of two compilers the one of the driver's major version is taken, also before the driver is used", "[sim]") {
    namespace fs = std::filesystem;
    const std::string folder = beside("two_versions");
    fs::create_directories(folder);
    for (const std::string version : {"12", "13"}) {
        fs::copy_file(beside("../sim/compilers/libnvrtc.so.12"), folder + "/libnvrtc.so." + version,
                      fs::copy_options::overwrite_existing);
    }
    for (const std::string version : {"12", "13"}) {
        const Ended ended = run_program(
            "compiler_child", {"compile"},
            {NO_NVRTC, NO_WHEELS, NO_HOME, NO_PATH, loader_looks_in(folder), {"CUSIM_CONTROL", "version=" + version + "000"}});
        INFO(ended.out << ended.err);
        CHECK_THAT(ended.out, has("path: " + folder + "/libnvrtc.so." + version + "\n"));
    }
    fs::remove_all(folder);
}

TEST_CASE("D6: a search for a compiler that has too little memory fails so, and neither goes on nor is remembered", "[sim]") {
    namespace fs = std::filesystem;
    const std::string first = beside("../sim/compilers"), second = beside("second_place");
    fs::create_directories(second + "/lib64");
    fs::copy_file(first + "/libnvrtc.so.12", second + "/lib64/libnvrtc.so.12", fs::copy_options::overwrite_existing);
    size_t failures = 0;
    for (int nth = 1; nth <= 12; nth++) {
        const Ended ended = run_program("compiler_child", {"no-memory", std::to_string(nth)},
                                        {NO_NVRTC, NO_WHEELS, {"CUDA_HOME", second}, NO_PATH, loader_looks_in(first)});
        INFO(nth << ": " << ended.out << ended.err);
        CHECK(ended.code == 0);
        const bool failed = ended.out.rfind("first: OUT_OF_MEMORY\n", 0) == 0;
        failures += failed ? 1 : 0;
        CHECK((failed || ended.out.rfind("first: OK\n", 0) == 0)); // what only a note needs is no failure
        CHECK_THAT(ended.out, has("second: OK\npath: " + first + "/libnvrtc.so.12\n"));
    }
    CHECK(failures >= 3); // two paths, and where the library was found
    fs::remove_all(second);
}

TEST_CASE("field case 10: only libnvrtc.so.12 in the directory", "[sim]") {
    namespace fs = std::filesystem;
    const std::string home = beside("only_nvrtc_12");
    fs::remove_all(home);
    fs::create_directories(home + "/lib64");
    fs::copy_file(beside("../sim/compilers/libnvrtc.so.12"), home + "/lib64/libnvrtc.so.12");
    const Ended ended =
        run_program("compiler_child", {"compile"}, {{"CUCORE_NVRTC_LIBRARY", ""}, {"CUCORE_WHEELS", ""}, {"CUDA_HOME", home}});
    INFO(ended.out << ended.err);
    CHECK_THAT(ended.out, has("create: OK\ncompile: OK\npath: " + home + "/lib64/libnvrtc.so.12\n"));
    fs::remove_all(home);
}

TEST_CASE("a compiler that was not found is looked for again where the caller then says it is", "[sim]") {
    namespace fs = std::filesystem;
    const std::string nvrtc = beside("../sim/compilers/libnvrtc.so.12"), nvjitlink = beside("../sim/compilers/libnvJitLink.so.12");
    const std::string root = beside("wheels_12");
    fs::remove_all(root);
    fs::create_directories(root + "/nvidia/cuda_nvrtc/lib");
    fs::create_directories(root + "/nvidia/nvjitlink/lib");
    fs::copy_file(nvrtc, root + "/nvidia/cuda_nvrtc/lib/libnvrtc.so.12");
    fs::copy_file(nvjitlink, root + "/nvidia/nvjitlink/lib/libnvJitLink.so.12");
    const std::vector<std::pair<std::string, std::string>> nowhere = {{"CUCORE_NVRTC_LIBRARY", ""},
                                                                      {"CUCORE_NVJITLINK_LIBRARY", ""},
                                                                      {"CUCORE_WHEELS", ""},
                                                                      {"CUDA_HOME", ""},
                                                                      {"CUDA_PATH", ""}};
    const std::vector<std::string> places[] = {{"choose", nvrtc, nvjitlink}, {"choose", root}};
    for (const std::vector<std::string> &arguments : places) {
        const Ended ended = run_program("compiler_child", arguments, nowhere);
        INFO(ended.out << ended.err);
        CHECK(ended.code == 0);
        CHECK_THAT(ended.out, has("NVRTC: NOT_FOUND") && has("nvJitLink: NOT_FOUND"));
        CHECK_THAT(ended.out, has("choose: OK\nNVRTC named: OK\nnvJitLink named: OK\n"));
    }
    fs::remove_all(root);
}
