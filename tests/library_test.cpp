// SPDX-License-Identifier: MIT OR Apache-2.0
#include "support/contexts.hpp"
#include "support/cucore.hpp"

using namespace test;

TEST_CASE_METHOD(Clean, "PTX is loaded for a device, which the library keeps") {
    Device device = make(cucore_device_open, 0);
    cucore_device *address = device;
    const Library library = load(device);
    device.reset();
    CHECK(cucore_library_raw(library) != nullptr);
    CHECK(Device(cucore_library_device(library)).get() == address);
}

TEST_CASE_METHOD(Clean, "LTO-IR is to be linked first") {
    const Device device = make(cucore_device_open, 0);
    const ObjectCode code = make(cucore_object_code_create, CUCORE_OBJECT_CODE_LTO_IR, "bits", size_t{4}, nullptr, size_t{0});
    fails_saying(CUCORE_INVALID_ARGUMENT, "LTO-IR", cucore_library_load, device, code);
}

TEST_CASE_METHOD(Clean, "a kernel is found by its name") {
    const Library library = load(make(cucore_device_open, 0));
    const Kernel kernel = make(cucore_library_kernel, library, "saxpyXYZ", size_t{5});
    size_t size = 0;
    CHECK(cucore_kernel_name(kernel, &size) == std::string("saxpy"));
    CHECK(size == 5);
    CHECK(cucore_kernel_raw(kernel) != nullptr);
}

TEST_CASE_METHOD(Clean, "there is no kernel of another name") {
    const Library library = load(make(cucore_device_open, 0));
    const Facts facts = fails(cucore_library_kernel, library, "nope", size_t{4});
    INFO(describe(facts));
    CHECK(facts.code == CUCORE_NOT_FOUND);
    CHECK((facts.says("nope") || facts.note(CUCORE_NOTE_CAUSE, "nope") != nullptr));
    fails_saying(CUCORE_INVALID_ARGUMENT, "name is NULL", cucore_library_kernel, library, nullptr, size_t{4});
    fails_saying(CUCORE_INVALID_ARGUMENT, "name", cucore_library_kernel, library, "", size_t{0});
    fails_saying(CUCORE_INVALID_ARGUMENT, "NUL", cucore_library_kernel, library, "sa\0py", size_t{5});
}

TEST_CASE_METHOD(Clean, "a library lives until its last reference, and kernels are such") {
    Library library = load(make(cucore_device_open, 0));
    Kernel kernel = find(library);
    int32_t destroyed = -1;
    ok(cucore_library_close, library.give(), &destroyed);
    CHECK(destroyed == 0);
    ok(cucore_kernel_close, kernel.give(), &destroyed);
    CHECK(destroyed == 1);
}
