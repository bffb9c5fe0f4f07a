// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernels of tests/kernels: a file each, whose first comment says how it is compiled, launched and judged. One line each,
// what is in brackets is the default:
//   needs: 80 [75], or 80 12.9      the oldest architecture, and the oldest NVRTC, that compile it
//   architectures: 75 90            the only ones that it is compiled for
//   specific                        compiled with what each architecture has for itself (compute_90a), and run on that one alone
//   options: --fmad=false [none]    NVRTC's, beside the architecture and the folders of headers
//   builds: -G -lineinfo [none]     compiled once more with each of these added, as name-G and name-lineinfo, for the same results
//   grid: 2 1 1 [1 1 1]             blocks of the launch
//   block: 64 1 1 [32 1 1]          threads of a block
//   shared: 1024 [0]                bytes of dynamic shared memory
//   cooperative                     launched so that the grid's blocks can wait for each other
//   input: f32 [u32]                what `in` holds 512 of: u32, u64, f32, f64, or in 32 bits two f16, two bf16
//   output: 64 f32 ulp 2, why       the next 64 elements of `out`, and how near they come to what a GPU gave: exact, ulp N,
//                                   absolute X, relative X; X is a number or a power as 2^-22
//   prints                          what it prints is compared too
//   outcome: 719                    the launch ends with this error of the driver's
// The kernel is kernel(out, in, count): `out` is zero at first, `count` is the number of its elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace test {

enum class Nearness { EXACT, ULP, ABSOLUTE, RELATIVE };

/// A part of the output, and how it is compared.
struct OutputPart {
    size_t count = 0;
    std::string type;
    Nearness nearness = Nearness::EXACT;
    double bound = 0;
};

struct KernelFile {
    std::string name;
    std::string source;
    int32_t needs_architecture = 75;
    double needs_compiler = 0;
    std::vector<int32_t> architectures;
    bool is_specific = false;
    std::vector<std::string> options;
    std::vector<std::string> builds = {""};
    uint32_t grid[3] = {1, 1, 1};
    uint32_t block[3] = {32, 1, 1};
    uint32_t shared_bytes = 0;
    bool cooperative = false;
    std::string input = "u32";
    std::vector<OutputPart> output;
    bool prints = false;
    int32_t outcome = 0;

    bool compiles_for(int32_t architecture, double compiler) const;
    bool runs_on(int32_t compute_capability, int32_t architecture) const;
    size_t output_count() const;
    size_t output_bytes() const;
};

/// The bytes of an element of this type, as `output` names it.
size_t element_size(const std::string &type);

/// Reads a file; throws what is wrong with its directives.
KernelFile read_kernel_file(const std::string &path);

/// Every kernel of a folder, in the order of their names.
std::vector<KernelFile> read_kernel_files(const std::string &folder);

/// The folder that holds them: CUCORE_KERNELS in the environment, else tests/kernels of the source tree.
std::string kernel_folder();

std::string read_text(const std::string &path);

} // namespace test
