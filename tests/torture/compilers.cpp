// SPDX-License-Identifier: MIT OR Apache-2.0
// Programs and linkers.
#include "scenarios.hpp"

namespace torture {

namespace {

const std::string HEADER = ".version 7.0\n.target sm_52\n.address_size 64\n";
const std::string CALLER = HEADER + R"(.extern .func helper();
.visible .entry apply()
{
    call.uni helper;
    ret;
}
)";
const std::string CALLEE = HEADER + R"(.visible .func helper()
{
    ret;
}
)";

cucore_program_options program_options() {
    cucore_program_options options{};
    options.struct_size = sizeof options;
    return options;
}

cucore_linker_options linker_options() {
    cucore_linker_options options{};
    options.struct_size = sizeof options;
    return options;
}

Program program(Job &job, cucore_device *device, const std::string &source, const cucore_program_options *options = nullptr) {
    return job.make(cucore_program_create, device, source.data(), source.size(), options);
}

/// CUDA C++ to a library by way of LTO-IR, with options.
void compilation(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const cucore_text define = {"N=4", 3}, names[] = {{"saxpy", 5}, {"&saxpy", 6}};
    cucore_program_options options = program_options();
    options.defines = &define;
    options.define_count = 1;
    options.name_expressions = names;
    options.name_expression_count = 2;
    options.lineinfo = CUCORE_ON;
    Program source = program(job, device, test::SAXPY_SOURCE, &options);
    ObjectCode lto = job.make(cucore_program_compile, source, CUCORE_OBJECT_CODE_LTO_IR);
    job.close(source);
    cucore_object_code *inputs[] = {lto};
    cucore_linker_options linking = linker_options();
    linking.kind = CUCORE_OBJECT_CODE_PTX;
    linking.verbose = CUCORE_ON;
    Linker linker = job.make(cucore_linker_create, device, inputs, size_t{1}, &linking);
    const ObjectCode linked = job.make(cucore_linker_link, linker);
    job.close(linker);
    job.close(lto);
    const Library library = job.make(cucore_library_load, device, linked);
    job.make(cucore_library_kernel, library, "saxpy", size_t{5});
}

/// A source with headers, compiled for whatever device there is.
void compilation_with_headers(Job &job) {
    const cucore_text folders[] = {{"/opt/include", 12}, {"include", 7}}, header = {"common.h", 8}, other = {"--minimal", 9};
    cucore_program_options options = program_options();
    options.name = {"kernels.cu", 10};
    options.arch = {"compute_90", 10};
    options.std = {"c++17", 5};
    options.include_paths = folders;
    options.include_path_count = 2;
    options.pre_includes = &header;
    options.pre_include_count = 1;
    options.options = &other;
    options.option_count = 1;
    const Program source = program(job, nullptr, test::SAXPY_SOURCE, &options);
    const Program same = job.hold(cucore_program_retain, source.get());
    job.expect(job.get(cucore_program_raw, same.get()) != nullptr, "a program has a raw handle");
    const ObjectCode code = job.make(cucore_program_compile, same, CUCORE_OBJECT_CODE_PTX);
    job.expect(cucore_object_code_kind(code) == CUCORE_OBJECT_CODE_PTX, "the kind is what was asked for");
}

/// Machine code for the device at hand, loaded.
void compilation_to_a_cubin(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    cucore_program_options options = program_options();
    options.debug = CUCORE_ON;
    options.max_registers = 32;
    const Program source = program(job, device, "#warning slow\n" + test::SAXPY_SOURCE, &options);
    const ObjectCode cubin = job.make(cucore_program_compile, source, CUCORE_OBJECT_CODE_CUBIN);
    job.expect(job.get(cucore_object_code_log, cubin.get(), nullptr) != nullptr, "there is a log, if an empty one");
    const Library library = job.make(cucore_library_load, device, cubin);
    job.make(cucore_library_kernel, library, "saxpy", size_t{5});
}

/// Templates, found by what the source calls them.
void name_expressions(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const cucore_text names[] = {{"set<int>", 8}, {"set<float>", 10}};
    cucore_program_options options = program_options();
    options.name_expressions = names;
    options.name_expression_count = 2;
    const Program source = program(job, device, "template <class T> __global__ void set(T *x, T value) { *x = value; }", &options);
    const ObjectCode code = job.make(cucore_program_compile, source, CUCORE_OBJECT_CODE_PTX);
    size_t size = 0;
    job.expect(job.get(cucore_object_code_lowered_name, code.get(), "set<int>", size_t{8}, &size) != nullptr, "names are lowered");
    const Library library = job.make(cucore_library_load, device, code);
    for (const cucore_text &name : names) {
        const Kernel kernel = job.make(cucore_library_kernel, library, name.data, name.size);
        job.expect(cucore_kernel_raw(kernel) != nullptr, "a kernel has a raw handle");
    }
}

/// The log of a failure, or what became of it.
bool has_log(const Facts &failure, const std::string &part) {
    return failure.log.find(part) != std::string::npos || !failure.notes.empty() || failure.says("details lost");
}

/// A source with a mistake, corrected.
void compile_error(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const Program wrong = program(job, device, "#error not today\n");
    const Facts failure = job.fails(CUCORE_COMPILE, cucore_program_compile, wrong, CUCORE_OBJECT_CODE_PTX);
    job.expect(has_log(failure, "not today"), "the log is there, or why it is not");
    const Program right = program(job, device, test::SAXPY_SOURCE);
    job.make(cucore_program_compile, right, CUCORE_OBJECT_CODE_PTX);
}

/// PTX and a cubin joined by nvJitLink.
void linking(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const ObjectCode caller = ptx(job, CALLER, "caller"), callee = ptx(job, CALLEE, "callee");
    cucore_linker_options options = linker_options();
    options.has_optimization_level = 1;
    options.optimization_level = 2;
    options.time = CUCORE_ON;
    const auto link = [&](const std::vector<cucore_object_code *> &inputs) {
        const Linker linker = job.make(cucore_linker_create, device, inputs.data(), inputs.size(), &options);
        const Linker same = job.hold(cucore_linker_retain, linker.get());
        ObjectCode linked = job.make(cucore_linker_link, same);
        size_t size = 0;
        job.expect(job.get(cucore_linker_kind, same.get()) == CUCORE_LINKER_NVJITLINK, "the linker is nvJitLink");
        job.expect(job.get(cucore_linker_info_log, same.get(), &size) != nullptr, "a linker has a log");
        job.expect(job.get(cucore_linker_error_log, same.get(), &size) != nullptr && size == 0, "but not of errors");
        return linked;
    };
    const ObjectCode cubin = link({callee});
    const ObjectCode linked = link({caller, cubin});
    const Library library = job.make(cucore_library_load, device, linked);
    job.make(cucore_library_kernel, library, "apply", size_t{5});
}

/// An input with a part missing.
void link_error(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const ObjectCode caller = ptx(job, CALLER, "caller");
    cucore_object_code *inputs[] = {caller};
    const Linker linker = job.make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    const Facts failure = job.fails(CUCORE_LINK, cucore_linker_link, linker);
    job.expect(has_log(failure, "helper"), "the log is there, or why it is not");
    job.fails(CUCORE_INVALID_STATE, cucore_linker_link, linker);
}

/// Two inputs joined by the driver's linker.
void driver_linker(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const ObjectCode first = ptx(job, test::SAXPY_PTX, "input"), second = ptx(job, test::NOTHING_PTX, "input");
    cucore_object_code *inputs[] = {first, second};
    cucore_linker_options options = linker_options();
    options.max_registers = 32;
    Linker linker = job.make(cucore_linker_create, device, inputs, size_t{2}, &options);
    job.expect(cucore_linker_kind(linker) == CUCORE_LINKER_DRIVER, "the linker is the driver's");
    const ObjectCode linked = job.make(cucore_linker_link, linker);
    job.close(linker);
    job.make(cucore_library_load, device, linked);
}

/// What the driver's linker refuses.
void driver_link_error(Job &job) {
    const Device device = job.make(cucore_device_open, 0);
    const ObjectCode wrong = ptx(job, HEADER + ".visible .entry bad()\n{\n    nonsense;\n    ret;\n}\n");
    cucore_object_code *inputs[] = {wrong};
    const Linker linker = job.make(cucore_linker_create, device, inputs, size_t{1}, nullptr);
    job.fails(CUCORE_COMPILE, cucore_linker_link, linker);
}

} // namespace

const Scenarios compiler_scenarios = {
    {"compilation", &compilation, WARNS},
    {"compilation with headers", &compilation_with_headers, WARNS},
    {"compilation to a cubin", &compilation_to_a_cubin, WARNS},
    {"name expressions", &name_expressions, WARNS},
    {"a compile error", &compile_error, WARNS},
    {"linking", &linking, WARNS},
    {"a link error", &link_error},
};

const Scenarios driver_linker_scenarios = {
    {"the driver's linker", &driver_linker, false, 1}, // why nvJitLink is not used
    {"an error of the driver's linker", &driver_link_error, false, 1},
};

} // namespace torture
