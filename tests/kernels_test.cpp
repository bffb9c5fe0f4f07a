// SPDX-License-Identifier: MIT OR Apache-2.0
// The kernels of tests/kernels (support/kernel_file.hpp says how they are written), run as PTX from the folder that
// CUCORE_KERNELS_PTX names (support/kernel_compiler.cpp makes it), on whatever driver, and compared with what a GPU gave: the files
// of tests/kernels/expected, or of the folder that CUCORE_KERNELS_EXPECTED names. With CUCORE_KERNELS_RECORD=1 those files are
// written anew, from the first PTX of each kernel that the device takes; all its other PTX is then compared with them.
#include "support/cucore.hpp"
#include "support/driver.hpp"
#include "support/kernel_numbers.hpp"
#include "support/process.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace test;
using std::filesystem::path;

namespace {

constexpr const char *RECORD = "CUCORE_KERNELS_RECORD";

std::string environment(const char *name, const std::string &otherwise = "") {
    const char *value = std::getenv(name);
    return value != nullptr ? value : otherwise;
}

path expected_folder() {
    return environment("CUCORE_KERNELS_EXPECTED", kernel_folder() + "/expected");
}

/// What one run of a kernel gave. `error` is the driver's, 0 if the launch ended well.
struct Run {
    Bytes output;
    int64_t error = 0;
};

using CooperativeLaunch = CUresult (*)(CUkernel kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                                       unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,
                                       void **arguments);

/// The library has no cooperative launches yet.
void launch_cooperatively(const KernelFile &file, cucore_kernel *kernel, cucore_stream *stream, void **arguments) {
    const auto launch = reinterpret_cast<CooperativeLaunch>(find_function("cuLaunchCooperativeKernel"));
    REQUIRE(launch != nullptr);
    REQUIRE(launch(cucore_kernel_raw(kernel), file.grid[0], file.grid[1], file.grid[2], file.block[0], file.block[1], file.block[2],
                   file.shared_bytes, cucore_stream_raw(stream), arguments) == CUDA_SUCCESS);
}

void launch(const KernelFile &file, cucore_kernel *kernel, cucore_stream *stream, cucore_buffer *out, cucore_buffer *in) {
    auto count = static_cast<uint32_t>(file.output_count());
    if (file.cooperative) {
        uint64_t out_address = cucore_buffer_raw(out), in_address = cucore_buffer_raw(in);
        void *raw_arguments[] = {&out_address, &in_address, &count};
        launch_cooperatively(file, kernel, stream, raw_arguments);
        return;
    }
    cucore_launch_options options = shape(1, 1);
    std::copy_n(file.grid, 3, options.grid);
    std::copy_n(file.block, 3, options.block);
    options.shared_bytes = file.shared_bytes;
    const cucore_argument arguments[] = {object(out), object(in), value(count)};
    ok(cucore_kernel_launch, kernel, stream, &options, arguments, size_t{3});
}

Run run(cucore_device *device, const KernelFile &file, const std::string &code) {
    Run result;
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Resource resource = make(cucore_memory_resource_device_pool, device);
    const Kernel kernel = find(load(device, code), "kernel");
    const Bytes input = kernel_input(file.input);
    result.output.resize(std::max<size_t>(file.output_bytes(), 4096));
    Buffer out = make(cucore_memory_resource_allocate, resource, result.output.size(), stream);
    Buffer in = make(cucore_memory_resource_allocate, resource, input.size(), stream);
    ok(cucore_buffer_copy_from_host, out, size_t{0}, result.output.data(), result.output.size(), stream);
    ok(cucore_buffer_copy_from_host, in, size_t{0}, input.data(), input.size(), stream);
    launch(file, kernel, stream, out, in);
    Status status;
    if (cucore_stream_synchronize(stream, status.maybe()) != CUCORE_OK) {
        result.error = status.facts().native;
        return result;
    }
    ok(cucore_buffer_copy_to_host, out, size_t{0}, result.output.data(), result.output.size(), stream);
    result.output.resize(file.output_bytes());
    return result;
}

/// A device, and the driver it is under.
struct Machine {
    int32_t compute_capability = 0, driver_version = 0;
};

Machine this_machine() {
    Machine machine;
    ok(cucore_driver_version, &machine.driver_version);
    machine.compute_capability = cucore_device_compute_capability(make(cucore_device_open, 0));
    return machine;
}

/// The PTX of a kernel that the machine takes: the newest compiler's first, and of that the newest architecture.
std::vector<path> ptx_of(const KernelFile &file, const Machine &machine) {
    std::vector<path> found;
    for (const char *compiler : {"13.0", "12.9", "12.0"}) {
        if (std::lround(std::stod(compiler) * 100) * 10 > machine.driver_version) {
            continue;
        }
        for (const int32_t architecture : {120, 100, 90, 89, 86, 80, 75}) {
            const bool runs = file.runs_on(machine.compute_capability, architecture);
            const path folder = path(environment("CUCORE_KERNELS_PTX")) / compiler / std::to_string(architecture);
            for (const std::string &build : file.builds) {
                const path ptx = folder / (file.name + build + ".ptx");
                if (file.compiles_for(architecture, std::stod(compiler)) && runs && exists(ptx)) {
                    found.push_back(ptx);
                }
            }
        }
    }
    return found;
}

void write(const path &file, const std::string &text) {
    create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
}

void compare_output(const KernelFile &file, const Bytes &output, bool records) {
    const path expected = expected_folder() / (file.name + ".txt");
    if (records) {
        write(expected, to_text(file.output, output));
    }
    REQUIRE(exists(expected));
    CHECK(difference(file.output, from_text(file.output, read_text(expected)), output) == "");
}

void compare_printed(const KernelFile &file, const std::string &printed, bool records) {
    const path expected = expected_folder() / (file.name + ".out");
    if (records) {
        write(expected, printed);
    }
    REQUIRE(exists(expected));
    CHECK(printed == read_text(expected));
}

/// Runs some PTX of a kernel in a process of its own ("one kernel" below): a kernel may leave the device unusable, or print.
void run_apart(const KernelFile &file, const std::vector<path> &variants, bool records) {
    std::string list;
    for (const path &ptx : variants) {
        list += ptx.string() + "\n";
    }
    const Ended ended = run_program("kernels_test", {"[.kernel]", "--out", "/dev/stderr"},
                                    {{"CUCORE_KERNEL", file.name}, {"CUCORE_KERNEL_PTX", list}, {RECORD, records ? "1" : "0"}});
    INFO(list);
    INFO(ended.err);
    CHECK(ended.code == 0);
    if (file.prints) {
        compare_printed(file, ended.out, records);
    }
}

/// Those that print or fail are run one by one.
void run_all(const KernelFile &file, const std::vector<path> &variants, bool records) {
    if (!file.prints && file.outcome == 0) {
        run_apart(file, variants, records);
        return;
    }
    for (const path &ptx : variants) {
        run_apart(file, {ptx}, records && ptx == variants.front());
    }
}

} // namespace

TEST_CASE("one kernel", "[.kernel]") {
    const KernelFile file = read_kernel_file(kernel_folder() + "/" + environment("CUCORE_KERNEL") + ".cu");
    const Device device = make(cucore_device_open, 0);
    bool records = environment(RECORD) == "1";
    std::istringstream variants(environment("CUCORE_KERNEL_PTX"));
    for (std::string ptx; std::getline(variants, ptx);) {
        INFO(ptx);
        const Run result = run(device, file, read_text(ptx));
        REQUIRE(result.error == file.outcome);
        if (file.outcome == 0) {
            compare_output(file, result.output, records);
        }
        records = false;
    }
}

TEST_CASE("kernels give what they gave on a GPU", "[kernels]") {
    const Machine machine = this_machine();
    REQUIRE_FALSE(environment("CUCORE_KERNELS_PTX").empty());
    for (const KernelFile &file : read_kernel_files(kernel_folder())) {
        DYNAMIC_SECTION(file.name) {
            const std::vector<path> variants = ptx_of(file, machine);
            const bool may_lack = file.needs_architecture > machine.compute_capability || file.is_specific;
            REQUIRE((may_lack || !variants.empty()));
            if (!variants.empty()) {
                run_all(file, variants, environment(RECORD) == "1");
            }
        }
    }
}
