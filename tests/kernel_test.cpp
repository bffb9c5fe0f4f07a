// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"
#include "support/process.hpp"

using namespace test;

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
    const size_t sizes[] = {4, 8, 8, 4};
    for (size_t index = 0; index < 4; index++) {
        size_t size = 0;
        ok(cucore_kernel_parameter_size, kernel, index, &size);
        CHECK(size == sizes[index]);
    }
}

TEST_CASE_METHOD(Clean, "a kernel has no parameter beyond the last") {
    const Kernel kernel = find(load(make(cucore_device_open, 0)));
    size_t size = 77;
    for (const size_t index : {size_t{4}, SIZE_MAX}) {
        fails_saying(CUCORE_INVALID_ARGUMENT, "index", cucore_kernel_parameter_size, kernel, index, &size);
    }
    CHECK(size == 77);
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
