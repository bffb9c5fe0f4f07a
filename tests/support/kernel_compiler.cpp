// SPDX-License-Identifier: MIT OR Apache-2.0
// Compiles the kernels of tests/kernels with the NVRTC under CUCORE_WHEELS, for every architecture that it and the kernel know:
// `kernel_compiler <folder>` makes <folder>/<NVRTC's version>/<architecture>/<name>.ptx. What is newer than its source stays.
//
// The headers of cooperative_groups need those of NVIDIA's wheel of CCCL, expected beside CUCORE_WHEELS as "cccl".

#include "facts.hpp"
#include "kernel_file.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace {

using std::filesystem::path;
using test::KernelFile;

constexpr int32_t ARCHITECTURES[] = {75, 80, 86, 89, 90, 100, 120};

struct Compiler {
    int32_t major = 0, minor = 0;
    std::vector<std::string> include_paths;

    std::string version() const {
        return std::to_string(major) + "." + std::to_string(minor);
    }
    bool knows(int32_t architecture) const {
        return architecture <= 90 || major > 12 || minor >= 8;
    }
};

/// What a call that failed said.
std::runtime_error failure(cucore_status *status) {
    const std::string text = test::describe(test::facts_of(status));
    cucore_status_release(status);
    return std::runtime_error(text);
}

Compiler find_compiler() {
    Compiler compiler;
    cucore_status *status = nullptr;
    if (cucore_compiler_version(CUCORE_COMPILER_NVRTC, &compiler.major, &compiler.minor, &status) != CUCORE_OK) {
        throw failure(status);
    }
    const char *named = std::getenv("CUCORE_WHEELS");
    const path wheels = named != nullptr ? named : "";
    for (const path &folder : {wheels / "nvidia/cuda_runtime/include", wheels / "nvidia/cu13/include",
                               wheels.parent_path() / "cccl/nvidia/cu13/include/cccl"}) {
        if (exists(folder)) {
            compiler.include_paths.push_back(folder);
        }
    }
    return compiler;
}

std::vector<cucore_text> texts(const std::vector<std::string> &strings) {
    std::vector<cucore_text> list;
    for (const std::string &string : strings) {
        list.push_back({string.data(), string.size()});
    }
    return list;
}

/// What one PTX file is made of.
struct Job {
    const KernelFile &file;
    std::string build;
    int32_t architecture;
    path ptx;
};

cucore_object_code *compile(const Compiler &compiler, const Job &job, cucore_status **status) {
    const std::string name = job.file.name + ".cu", standard = "c++17";
    const std::string arch = "compute_" + std::to_string(job.architecture) + (job.file.is_specific ? "a" : "");
    std::vector<std::string> added = job.file.options;
    if (!job.build.empty()) {
        added.push_back(job.build);
    }
    const std::vector<cucore_text> include_paths = texts(compiler.include_paths), others = texts(added);
    cucore_program_options options{};
    options.struct_size = sizeof options;
    options.name = {name.data(), name.size()};
    options.arch = {arch.data(), arch.size()};
    options.std = {standard.data(), standard.size()};
    options.include_paths = include_paths.data();
    options.include_path_count = include_paths.size();
    options.options = others.data();
    options.option_count = others.size();
    cucore_program *program = cucore_program_create(nullptr, job.file.source.data(), job.file.source.size(), &options, status);
    cucore_object_code *code = program != nullptr ? cucore_program_compile(program, CUCORE_OBJECT_CODE_PTX, status) : nullptr;
    cucore_program_release(program);
    return code;
}

void compile_to_file(const Compiler &compiler, const Job &job) {
    cucore_status *status = nullptr;
    cucore_object_code *code = compile(compiler, job, &status);
    if (code == nullptr) {
        throw failure(status);
    }
    size_t size = 0;
    const char *text = cucore_object_code_raw(code, &size);
    create_directories(job.ptx.parent_path());
    std::ofstream(job.ptx, std::ios::binary).write(text, static_cast<std::streamsize>(size));
    cucore_object_code_release(code);
}

bool is_older(const path &made, const path &source) {
    return !exists(made) || last_write_time(made) < last_write_time(source);
}

/// What is to be made of a kernel and is not there yet.
std::vector<Job> list_jobs(const path &folder, const Compiler &compiler, const KernelFile &file) {
    const path source = path(test::kernel_folder()) / (file.name + ".cu");
    std::vector<Job> jobs;
    for (const int32_t architecture : ARCHITECTURES) {
        if (!compiler.knows(architecture) || !file.compiles_for(architecture, std::stod(compiler.version()))) {
            continue;
        }
        for (const std::string &build : file.builds) {
            const path ptx = folder / compiler.version() / std::to_string(architecture) / (file.name + build + ".ptx");
            if (is_older(ptx, source)) {
                jobs.push_back({file, build, architecture, ptx});
            }
        }
    }
    return jobs;
}

int compile_all(const path &folder) {
    const Compiler compiler = find_compiler();
    size_t compiled = 0, failed = 0;
    for (const KernelFile &file : test::read_kernel_files(test::kernel_folder())) {
        for (const Job &job : list_jobs(folder, compiler, file)) {
            try {
                compile_to_file(compiler, job);
                compiled++;
            } catch (const std::exception &error) {
                std::fprintf(stderr, "%s: %s\n", job.ptx.c_str(), error.what());
                failed++;
            }
        }
    }
    std::printf("NVRTC %s: %zu compiled, %zu failed\n", compiler.version().c_str(), compiled, failed);
    return failed == 0 ? 0 : 1;
}

} // namespace

int main(int count, char **arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: kernel_compiler <folder>\n");
        return 2;
    }
    try {
        return compile_all(arguments[1]);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "kernel_compiler: %s\n", error.what());
        return 1;
    }
}
