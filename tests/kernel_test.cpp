// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/faults.hpp"
#include "support/process.hpp"

using namespace test;

namespace {

/// many(.param .u32 p0, .param .u64 p1, .param .u32 p2, ...)
std::string ptx_of_parameters(size_t count) {
    std::string code = ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry many(";
    for (size_t index = 0; index < count; index++) {
        code += std::string(index == 0 ? "" : ", ") + (index % 2 == 0 ? ".param .u32 p" : ".param .u64 p") + std::to_string(index);
    }
    return code + ")\n{\n    ret;\n}\n";
}

int32_t attribute(cucore_kernel *kernel, int32_t number, cucore_device *device = nullptr) {
    int32_t value = -77;
    ok(cucore_kernel_attribute, kernel, number, device, &value);
    return value;
}

} // namespace

TEST_CASE_METHOD(Clean, "a kernel knows its library and its parameters") {
    const Device device = make(cucore_device_open, 0);
    Library library = load(device);
    cucore_library *address = library;
    const Kernel kernel = find(library);
    library.reset();
    CHECK(Library(cucore_kernel_library(kernel)).get() == address);
    size_t count = 0;
    ok(cucore_kernel_parameter_count, kernel, &count);
    CHECK(count == 4);
    const size_t sizes[] = {4, 8, 8, 4}, offsets[] = {0, 8, 16, 24};
    for (size_t index = 0; index < 4; index++) {
        size_t size = 0, offset = 77;
        ok(cucore_kernel_parameter_size, kernel, index, &size);
        ok(cucore_kernel_parameter_offset, kernel, index, &offset);
        CHECK(size == sizes[index]);
        CHECK(offset == offsets[index]);
    }
}

TEST_CASE_METHOD(Clean, "a kernel may have any number of parameters") {
    const Device device = make(cucore_device_open, 0);
    for (const size_t count : {1, 15, 16, 17, 64, 65, 300}) {
        INFO(count);
        const Kernel kernel = find(load(device, ptx_of_parameters(count)), "many");
        size_t found = 0, size = 0, offset = 0;
        ok(cucore_kernel_parameter_count, kernel, &found);
        CHECK(found == count);
        for (size_t index = 0; index < count; index++) {
            ok(cucore_kernel_parameter_size, kernel, index, &size);
            ok(cucore_kernel_parameter_offset, kernel, index, &offset);
            CHECK((size == (index % 2 == 0 ? 4 : 8) && offset == index / 2 * 16 + index % 2 * 8));
        }
    }
}

TEST_CASE_METHOD(Clean, "a kernel whose parameters there is no memory for is not found, and is not launched", "[sim]") {
    const Device device = make(cucore_device_open, 0);
    const Stream stream = make(cucore_stream_create, device, nullptr);
    const Library library = load(device, ptx_of_parameters(40));
    for (const uint64_t allocation : {1, 2}) { // the handle, and what does not fit in it
        Status status;
        fail_library_call(nullptr, allocation, false);
        CHECK(cucore_library_kernel(library, "many", 4, status) == nullptr);
        fail_no_library_call();
        CHECK(status.facts().code == CUCORE_OUT_OF_MEMORY);
    }
    sim().fail("cuKernelGetParamInfo", 40, INJECTED, 0);
    CHECK(fails(cucore_library_kernel, library, "many", size_t{4}).operation == "cuKernelGetParamInfo");
    const Kernel kernel = find(library, "many");
    std::vector<cucore_argument> arguments;
    for (size_t index = 0; index < 40; index++) {
        arguments.push_back(index % 2 == 0 ? value(uint32_t{1}) : value(uint64_t{1}));
    }
    const cucore_launch_options options = shape(1, 1);
    Status status;
    fail_library_call(nullptr, 1, false);
    CHECK(cucore_kernel_launch(kernel, stream, &options, arguments.data(), arguments.size(), status) == CUCORE_OUT_OF_MEMORY);
    fail_no_library_call();
    CHECK_THAT(status.facts().message, has("no memory for 40 arguments"));
    ok(cucore_kernel_launch, kernel, stream, &options, arguments.data(), arguments.size());
    ok(cucore_stream_synchronize, stream);
}

TEST_CASE_METHOD(Clean, "a kernel's parameters are asked for once, and once more behind the last", "[sim]") {
    const Library library = load(make(cucore_device_open, 0));
    const auto before = sim().call_count("cuKernelGetParamInfo");
    find(library);
    CHECK(sim().call_count("cuKernelGetParamInfo") == before + 5);
}

TEST_CASE_METHOD(Clean, "a kernel has no parameter beyond the last") {
    const Kernel kernel = find(load(make(cucore_device_open, 0)));
    size_t size = 77;
    for (const size_t index : {size_t{4}, SIZE_MAX}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "index", cucore_kernel_parameter_size, kernel, index, &size);
        fails_saying(CUCORE_INVALID_ARGUMENT, "index", cucore_kernel_parameter_offset, kernel, index, &size);
    }
    CHECK(size == 77);
    fails_saying(CUCORE_INVALID_ARGUMENT, "offset is NULL", cucore_kernel_parameter_offset, kernel, size_t{0}, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "size is NULL", cucore_kernel_parameter_size, kernel, size_t{0}, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "count is NULL", cucore_kernel_parameter_count, kernel, nullptr);
}

TEST_CASE_METHOD(Clean, "a kernel may have no parameters") {
    const Kernel kernel = find(load(make(cucore_device_open, 0), NOTHING_PTX), "nothing");
    size_t count = 77;
    ok(cucore_kernel_parameter_count, kernel, &count);
    CHECK(count == 0);
}

TEST_CASE_METHOD(Clean, "a kernel lives until its last reference") {
    Kernel kernel = find(load(make(cucore_device_open, 0)));
    cucore_kernel *second = cucore_kernel_retain(kernel);
    CHECK(second == kernel.get());
    int32_t destroyed = -1;
    ok(cucore_kernel_close, kernel.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_kernel_close, second, &destroyed);
    CHECK(destroyed == 1);
}

TEST_CASE("a driver before CUDA 12.4 does not say what a kernel's parameters are, but launches it", "[sim]") {
    const Ended ended = run_child({"old-kernel", "12030"});
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    CHECK_THAT(ended.out, has("count: NOT_SUPPORTED"));
    CHECK_THAT(ended.out, has("cuKernelGetParamInfo"));
    CHECK_THAT(ended.out, has("CUDA 12.3"));
    CHECK_THAT(ended.out, has("CUDA 12.4"));
    CHECK_THAT(ended.out, has("size: NOT_SUPPORTED"));
    CHECK_THAT(ended.out, has("launch: OK\nsynchronize: OK\n"));
}

TEST_CASE_METHOD(Clean, "a kernel has attributes, on its library's device or another") {
    const Device device = make(cucore_device_open, 0);
    const Kernel kernel = find(load(device));
    CHECK(attribute(kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK) == 1024);
    CHECK(attribute(kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device) == 1024);
    CHECK(attribute(kernel, CUCORE_KERNEL_ATTRIBUTE_REGISTERS) > 0);
    CHECK(attribute(kernel, CUCORE_KERNEL_ATTRIBUTE_SHARED_SIZE) == 0);
    int32_t value = 77;
    for (const int32_t unknown : {-1, 1000}) {
        const Facts facts = fails(cucore_kernel_attribute, kernel, unknown, nullptr, &value);
        CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
        CHECK(facts.operation == "cuKernelGetAttribute");
    }
    fails_saying(CUCORE_INVALID_ARGUMENT, "value is NULL", cucore_kernel_attribute, kernel, 0, nullptr, nullptr);
    fails_saying(CUCORE_INVALID_ARGUMENT, "kernel is NULL", cucore_kernel_attribute, nullptr, 0, nullptr, &value);
    CHECK(value == 77);
}

TEST_CASE_METHOD(Clean, "attributes of a kernel are set for all who use it") {
    const Library library = load(make(cucore_device_open, 0));
    const Kernel kernel = find(library), same = find(library);
    ok(cucore_kernel_set_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, nullptr, 65536);
    CHECK(attribute(same, CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE) == 65536);
    ok(cucore_kernel_set_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_PREFERRED_SHARED_CARVEOUT, nullptr, 50);
    CHECK(attribute(same, CUCORE_KERNEL_ATTRIBUTE_PREFERRED_SHARED_CARVEOUT) == 50);
    const std::pair<int32_t, int32_t> refused[] = {{CUCORE_KERNEL_ATTRIBUTE_REGISTERS, 8},
                                                   {CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, 100000000}};
    for (const auto &[number, value] : refused) {
        const Facts facts = fails(cucore_kernel_set_attribute, kernel, number, nullptr, value);
        CHECK(facts.code == CUCORE_INVALID_ARGUMENT);
        CHECK(facts.operation == "cuKernelSetAttribute");
    }
}

TEST_CASE_METHOD(Clean, "a launch takes as much shared memory as the kernel was allowed") {
    const Device device = make(cucore_device_open, 0);
    const Kernel kernel = find(load(device, NOTHING_PTX), "nothing");
    const Stream stream = make(cucore_stream_create, device, nullptr);
    cucore_launch_options options = shape(1, 1);
    options.shared_bytes = 65536;
    fails(cucore_kernel_launch, kernel, stream, &options, nullptr, size_t{0});
    ok(cucore_kernel_set_attribute, kernel, CUCORE_KERNEL_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE, nullptr, 65536);
    ok(cucore_kernel_launch, kernel, stream, &options, nullptr, size_t{0});
    ok(cucore_stream_synchronize, stream);
}
